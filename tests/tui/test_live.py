"""What others do is on the screen as it happens, and nothing of the person's is lost by it."""

from __future__ import annotations

import pytest

from memtui.models import MemoryCreate, MemoryPatch
from memtui.service import MemoryService
from memtui.tui.screens import browse_live
from memtui.tui.screens.conflict import ConflictScreen
from memtui.tui.screens.edit import EditScreen
from memtui.tui.screens.review import ReviewScreen
from tests.tui.conftest import Session, Start


@pytest.fixture
def claude(seeded: MemoryService) -> MemoryService:
    return seeded.as_actor("mcp:claude")


def row_of(session: Session, memory_id: int) -> str:
    lines = session.screen_text().splitlines()
    return next(line for line in lines if f" {memory_id}  " in line and "ago" not in line)


async def test_who_changed_what_is_said_and_the_row_is_marked_for_a_while(
    claude, start: Start, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(browse_live, "LINGERS", 1.5)
    async with start() as session:
        claude.patch(4, MemoryPatch(content="Kick-off with everyone."))
        await session.until(lambda: "mcp:claude changed #4" in session.screen_text())
        await session.until(lambda: "Kick-off with everyone." in row_of(session, 4))
        assert "~   4" in row_of(session, 4)
        await session.until(lambda: "mcp:claude" not in session.screen_text())
        assert "~" not in row_of(session, 4)


async def test_a_new_memory_of_an_agent_appears_with_its_name(claude, start: Start):
    async with start() as session:
        claude.create(MemoryCreate(content="Recorded just now."))
        await session.until(lambda: "mcp:claude added #7" in session.screen_text())
        await session.until(lambda: "+   7" in session.screen_text())
        assert session.current_id == 6


async def test_several_changes_are_told_as_one(claude, start: Start):
    async with start() as session:
        claude.delete(1)
        claude.patch(2, MemoryPatch(tags=("x",)))
        claude.as_actor("http").patch(3, MemoryPatch(tags=("x",)))
        await session.until(lambda: "http and 1 other changed 3 memories" in session.screen_text())


async def test_own_changes_are_no_news(seeded, start: Start):
    async with start() as session:
        await session.press("x")
        await session.until(lambda: session.browse.table.current.status == "invalid")
        await session.press("u", "ctrl+r")
        await session.until(lambda: any("made again" in toast for toast in session.toasts))
        await session.idle()
        assert not session.browse._news


async def test_another_session_of_the_same_name_is_news(seeded, path, start: Start):
    async with start() as session:
        with MemoryService.open(path, actor="tui") as other:
            other.patch(2, MemoryPatch(content="From the other window."))
        await session.until(lambda: "tui changed #2" in session.screen_text())


async def test_what_others_wrote_before_an_own_change_is_told_too(claude, start: Start):
    async with start() as session:
        service = session.app.gateway._service
        bulk = service.bulk

        def after_another(selection, change, **options):
            claude.patch(3, MemoryPatch(content="In between."))
            return bulk(selection, change, **options)

        service.bulk = after_another
        await session.press("x")
        await session.until(lambda: "mcp:claude changed #3" in session.screen_text())
        assert [one.memory_id for _, one in session.browse._news] == [3]


async def test_cursor_marks_and_typed_search_stay_case_31(claude, start: Start):
    async with start() as session:
        await session.press("j", "space", "space", "slash", *"a")
        await session.idle()
        claude.create(MemoryCreate(content="A new one."))
        await session.until(lambda: 7 in session.ids)
        assert session.browse.search.value == "a"
        assert session.browse.focused is session.browse.search
        assert sorted(session.browse.marks.versions) == [4, 5]
        assert session.current_id == 3


async def test_a_memory_open_in_the_form_says_at_once_that_it_changed(claude, start: Start):
    async with start() as session:
        await session.press("e")
        await session.until(lambda: isinstance(session.app.screen, EditScreen))
        await session.press(*" mine")
        claude.patch(6, MemoryPatch(tags=("theirs",)))
        await session.until(
            lambda: "Changed elsewhere by mcp:claude: now version 2." in session.screen_text()
        )
        assert session.app.screen.values.content.endswith(" mine")
        await session.press("ctrl+s")
        await session.until(lambda: isinstance(session.app.screen, ConflictScreen))
        assert not session.toasts, "the screen says it already"
        await session.press("s")
        await session.until(lambda: len(session.app.screen_stack) == 1)
        saved = claude.get(6, touch=False)
        assert (saved.content[-5:], saved.tags, saved.version) == (" mine", ("theirs",), 3)


async def test_a_memory_open_in_the_form_says_at_once_that_it_was_deleted(claude, start: Start):
    async with start() as session:
        await session.press("e")
        await session.until(lambda: isinstance(session.app.screen, EditScreen))
        claude.delete(6)
        await session.until(lambda: "Deleted elsewhere by mcp:claude." in session.screen_text())
        claude.restore(6)
        await session.until(lambda: "elsewhere" not in session.screen_text())


async def test_a_form_opened_from_the_review_is_told_as_well(claude, start: Start):
    claude.patch(2, MemoryPatch(status="invalid"))
    async with start() as session:
        await session.press("r")
        await session.until(lambda: isinstance(session.app.screen, ReviewScreen))
        await session.until(lambda: "keep invalid" in session.screen_text())
        await session.press("e")
        await session.until(lambda: isinstance(session.app.screen, EditScreen))
        claude.patch(2, MemoryPatch(content="Another text."))
        await session.until(lambda: "Changed elsewhere by mcp:claude" in session.screen_text())


async def test_an_actor_with_a_nasty_name_is_shown_safely_case_27(seeded, start: Start):
    nasty = "\x1b]0;x\x07[bold]\u202ereversed"
    async with start() as session:
        seeded.as_actor(nasty).patch(2, MemoryPatch(content="x"))
        await session.until(lambda: "[bold]‹202E›reversed changed #2" in session.screen_text())
        assert "\x1b" not in session.screen_text()
