"""The history of one memory: what each version changed, and the way back."""

from __future__ import annotations

import pytest

from memtui.models import MemoryCreate, MemoryPatch, WritableStatus
from memtui.service import MemoryService
from memtui.tui.changes import summary
from memtui.tui.screens.history import HistoryScreen
from tests.clock import Clock
from tests.tui.conftest import Session, Start
from tests.tui.curating import (
    SIZES,
    accesses,
    back_at_table,
    column,
    every_key_twice,
    hints,
    opened,
)
from tests.tui.test_text_on_screen import NASTY, assert_harmless


@pytest.fixture
def changed(service: MemoryService, clock: Clock) -> MemoryService:
    """One memory with four revisions by three."""
    service.create(MemoryCreate(content="The launch is in April.", tags=("falcon", "old")))
    clock.tick(days=2)
    claude = service.as_actor("mcp:claude")
    claude.patch(1, MemoryPatch(content="The launch is in May.", tags=("falcon", "new")))
    clock.tick(hours=1)
    service.as_actor("cli").patch(1, MemoryPatch(status=WritableStatus.INVALID))
    clock.tick(hours=3)
    return service


async def open_history(session: Session) -> HistoryScreen:
    screen = await opened(session, "h", HistoryScreen)
    await session.until(lambda: screen.page is not None)
    return screen


async def test_every_revision_newest_first_with_who_what_and_when(changed, start: Start):
    async with start() as session:
        screen = await open_history(session)
        assert column(screen, "Version") == ["v3", "v2", "v1"]
        assert column(screen, "Who") == ["cli", "mcp:claude", "agent"]
        assert column(screen, "When") == ["3 h", "4 h", "2 d"]
        assert column(screen, "Changes") == [
            "active → invalid",
            "“…launch is in May.”, +new, −old",
            "The launch is in April.",
        ]
        assert "3 entries" in screen.title_bar.text
        assert "2026-04-08 15:12:00 UTC  3 h ago" in screen.pane.shown


async def test_differences_are_marked_by_word_in_signs_and_colour(changed, start: Start):
    async with start() as session:
        screen = await open_history(session)
        assert "−active  +invalid" in screen.pane.shown
        await session.press("j")
        text = screen.pane._text.content
        assert "The launch is in April May." in str(text)
        styles = {str(text)[span.start : span.end]: str(span.style) for span in text.spans}
        assert "strike" in styles["April"]
        assert "underline" in styles["May"]
        assert "+new" in str(text)
        assert "−old" in str(text)


async def test_a_key_goes_back_to_a_version_as_a_new_one_and_undo_takes_that_back(
    changed, start: Start
):
    async with start() as session:
        screen = await open_history(session)
        assert "revert to this" not in hints(screen)
        await session.press("R", "j", "j")
        assert "revert to this" in hints(screen)
        await session.press("R")
        await session.until(lambda: column(screen, "Version") == ["v4", "v3", "v2", "v1"])
        now = changed.get(1, touch=False)
        assert (now.content, now.tags, now.status, now.version) == (
            "The launch is in April.", ("falcon", "old"), "active", 4,
        )  # fmt: skip
        assert changed.batches()[0].actor == "tui"
        await session.press("u")
        await session.until(lambda: len(column(screen, "Version")) == 5)
        assert changed.get(1, touch=False).status == "invalid"


async def test_undo_takes_only_reverts_made_here_back(changed, start: Start):
    async with start() as session:
        await session.press("d")
        await session.until(lambda: session.ids == [])
        await session.press("U", "u")
        await session.until(lambda: changed.stats().statuses["deleted"] == 0)
        await session.press("escape")
        await session.until(lambda: session.ids == [1])
        before = len(changed.batches())
        screen = await open_history(session)
        await session.press("u", "u")
        assert "undo" not in hints(screen)
        assert len(changed.batches()) == before


async def test_a_change_by_others_meanwhile_is_a_conflict_and_is_shown(changed, start: Start):
    async with start() as session:
        screen = await open_history(session)
        await session.press("j", "j")
        revision, newest = screen.current, screen.newest
        changed.patch(1, MemoryPatch(content="Written meanwhile"))
        screen.newest = newest
        assert revision is not None
        screen.action_revert()
        await session.until(lambda: any("changed meanwhile" in text for text in session.toasts))
        await session.until(lambda: column(screen, "Version")[0] == "v4")
        assert changed.get(1, touch=False).content == "Written meanwhile"


async def test_the_difference_to_the_present_shows_what_going_back_would_do(changed, start):
    async with start() as session:
        screen = await open_history(session)
        await session.press("j", "j", "c")
        assert "back to version 1" in screen.pane.shown
        assert "−invalid  +active" in screen.pane.shown
        assert "compared with now" in screen.title_bar.text
        await session.press("c")
        assert "compared with now" not in screen.title_bar.text


async def test_a_deleted_memory_has_its_history_but_no_way_back(changed, start: Start):
    changed.delete(1)
    async with start() as session:
        await session.press("o", "o", "o")
        await session.until(lambda: session.ids == [1])
        screen = await open_history(session)
        assert column(screen, "What")[0] == "deleted"
        assert "deleted" in screen.title_bar.text
        await session.press("j", "j", "R")
        assert "revert to this" not in hints(screen)
        assert len(changed.batches()) == 4


async def test_more_than_a_page(service, start: Start):
    service.create(MemoryCreate(content="0"))
    for number in range(1, 121):
        service.patch(1, MemoryPatch(content=str(number)))
    async with start() as session:
        screen = await open_history(session)
        assert (column(screen, "Version")[0], len(screen.grid.lines)) == ("v121", 100)
        await session.press("right_square_bracket")
        await session.until(lambda: column(screen, "Version")[0] == "v21")
        assert "page 2 of 2" in screen.title_bar.text
        await session.press("G", "k", "R")
        await session.until(lambda: service.get(1, touch=False).content == "1")
        await session.until(lambda: column(screen, "Version")[0] == "v122")


async def test_it_follows_what_others_do(changed, start: Start):
    async with start() as session:
        screen = await open_history(session)
        await session.press("j")
        changed.patch(1, MemoryPatch(content="Newer"))
        await session.until(lambda: column(screen, "Version")[0] == "v4")
        assert screen.current is not None
        assert screen.current.version == 2


async def test_looking_marks_nothing(changed, start: Start):
    async with start(peek=True) as session:
        await open_history(session)
        await session.press("j", "c", "escape")
        await back_at_table(session)
    assert accesses(changed) == [None]


async def test_a_memory_that_was_purged_meanwhile(changed, start: Start):
    async with start() as session:
        screen = await open_history(session)
        changed.delete(1)
        changed.purge()
        await session.until(lambda: "There is no memory #1" in session.screen_text())
        await session.press("j", "R", "c", "u")
        assert session.app.screen is screen


async def test_a_session_that_may_not_write_offers_no_way_back(changed, start: Start):
    async with start(read_only=True) as session:
        screen = await open_history(session)
        await session.press("j", "R", "u")
        assert not {"revert to this", "undo"} & set(hints(screen))
        assert "read-only" in screen.title_bar.text
    assert changed.get(1, touch=False).version == 3


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_every_key_twice_case_32(changed, start: Start, size):
    async with start(size=size) as session:
        await open_history(session)
        await every_key_twice(session, HistoryScreen, "h")


async def test_at_every_size_case_34(changed, start: Start):
    async with start() as session:
        screen = await open_history(session)
        for size in SIZES:
            await session.pilot.resize_terminal(*size)
            await session.press("j", "c", "J", "k")
        assert session.app.screen is screen


async def test_untrusted_text_does_nothing_case_27(service, start: Start):
    service.create(MemoryCreate(content="x", tags=("x",)))
    for text in NASTY:
        actor = text[:60].strip() or "x"
        service.as_actor(actor).patch(1, MemoryPatch(content=text, tags=(actor,)))
    async with start(size=(100, 30)) as session:
        await open_history(session)
        for _text in NASTY:
            assert_harmless(session)
            await session.press("c")
            assert_harmless(session)
            await session.press("c", "j")


def test_a_change_of_the_text_is_told_from_shortly_before_it(service: MemoryService):
    from memtui.models import RevisionQuery

    service.create(MemoryCreate(content="one two three four five six seven"))
    service.patch(1, MemoryPatch(content="one two three four five SIX seven"))
    service.patch(1, MemoryPatch(content="one"))
    third, second, first = service.history(RevisionQuery()).items
    assert summary(second, first) == "“…three four five SIX seven”"
    assert summary(third, second) == "“one”"
    assert summary(third, third) == "nothing"
