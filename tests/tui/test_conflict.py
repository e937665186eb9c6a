"""Two people, one memory: nothing is lost and nothing is overwritten unseen."""

from __future__ import annotations

from typing import cast

import pytest

from memtui.models import Memory, MemoryCreate, MemoryPatch, RevisionQuery
from memtui.service import MemoryService
from memtui.tui.screens.conflict import ConflictScreen
from memtui.tui.screens.edit import EditScreen
from tests.tui.conftest import Session, Start
from tests.tui.test_text_on_screen import NASTY, assert_harmless

BASE = "The launch is planned for May. Ask Ana.\r\nSend invitations."
THEIRS = MemoryPatch(
    content="The launch was moved to June. Ask Ana.\r\nSend invitations.", tags=("b", "c")
)


@pytest.fixture
def memory(service: MemoryService) -> Memory:
    return service.create(MemoryCreate(content=BASE, tags=("a", "b")))


async def clash(session: Session, typed: str = "") -> ConflictScreen:
    """Edit the memory on the screen; save after someone else has changed it."""
    await session.press("e")
    await session.until(lambda: isinstance(session.app.screen, EditScreen))
    await session.press(*typed, "tab", *"mine", "enter")
    session.service.patch(1, THEIRS)
    await session.press("ctrl+s")
    await session.until(lambda: isinstance(session.app.screen, ConflictScreen))
    return cast(ConflictScreen, session.app.screen)


async def closed(session: Session) -> None:
    await session.until(lambda: len(session.app.screen_stack) == 1)
    await session.idle()


def now(session: Session) -> Memory:
    return session.service.get(1, touch=False)


def versions(session: Session) -> list[tuple[int, str]]:
    page = session.service.history(RevisionQuery(memory_id=1))
    return [(revision.version, revision.actor) for revision in page.items]


async def test_both_texts_are_offered_and_nothing_is_written_yet_case_14(memory, start: Start):
    async with start() as session:
        await clash(session, "!")
        text = session.screen_text()
        assert "Merged" in text
        assert "Theirs  version 2" in text
        assert "Yours" in text
        assert versions(session) == [(2, "agent"), (1, "agent")]


async def test_the_merge_has_both_sides_and_is_one_version_case_14(memory, start: Start):
    async with start() as session:
        await clash(session, "!")
        await session.press("s")
        await closed(session)
        merged = now(session)
        assert merged.content == "The launch was moved to June. Ask Ana.\r\nSend invitations.!"
        assert merged.tags == ("b", "c", "mine")
        assert versions(session) == [(3, "tui"), (2, "agent"), (1, "agent")]


async def test_keep_mine_saves_mine_over_theirs(memory, start: Start):
    async with start() as session:
        await clash(session, "!")
        await session.press("m")
        await closed(session)
        assert now(session).content == BASE + "!"
        assert now(session).tags == ("a", "b", "mine")
        assert now(session).version == 3


async def test_keep_theirs_writes_nothing(memory, start: Start):
    async with start() as session:
        await clash(session, "!")
        await session.press("t")
        await session.until(lambda: "Throw away what you typed?" in session.screen_text())
        await session.press("n")
        await session.until(lambda: isinstance(session.app.screen, ConflictScreen))
        await session.press("t", "y")
        await closed(session)
        assert now(session).version == 2


async def test_back_to_the_form_keeps_what_was_typed_and_shows_the_conflict_again(memory, start):
    async with start() as session:
        await clash(session, "!")
        await session.press("escape")
        form = cast(EditScreen, session.app.screen)
        assert form.values.content == BASE + "!"
        assert form.values.tags == ("a", "b", "mine")
        await session.press("ctrl+s")
        await session.until(lambda: isinstance(session.app.screen, ConflictScreen))
        assert now(session).version == 2


async def test_the_merge_can_be_edited_before_it_is_saved(memory, start: Start):
    async with start() as session:
        await clash(session, "!")
        await session.press("e")
        form = cast(EditScreen, session.app.screen)
        assert form.values.content.endswith("June. Ask Ana.\r\nSend invitations.!")
        await session.press("shift+tab", "ctrl+end", "?", "ctrl+s")
        await closed(session)
        assert now(session).version == 3
        assert "?" in now(session).content


async def test_saving_the_merge_is_checked_against_the_version_again(memory, start: Start):
    async with start() as session:
        await clash(session, "!")
        session.service.patch(1, MemoryPatch(status="invalid"))
        await session.press("s")
        await session.until(
            lambda: (
                isinstance(session.app.screen, ConflictScreen)
                and "now version 3" in session.screen_text()
            )
        )
        assert now(session).version == 3
        await session.press("s")
        await closed(session)
        merged = now(session)
        assert (merged.status, merged.version) == ("invalid", 4)
        assert merged.content.endswith("June. Ask Ana.\r\nSend invitations.!")


async def test_a_merge_equal_to_theirs_writes_nothing(memory, start: Start):
    async with start() as session:
        await session.press("e")
        await session.until(lambda: isinstance(session.app.screen, EditScreen))
        await session.press("!")
        session.service.patch(1, MemoryPatch(content=BASE + "!"))
        await session.press("ctrl+s")
        await session.until(lambda: isinstance(session.app.screen, ConflictScreen))
        await session.press("s")
        await closed(session)
        assert now(session).version == 2


def conflict(base: str, mine: str, theirs: str, memory: Memory) -> ConflictScreen:
    from memtui.tui.merge import Edited

    one = memory.model_copy(update={"content": base})
    two = memory.model_copy(update={"content": theirs, "version": 2, "tags": (theirs[:60],)})
    return ConflictScreen(base=one, mine=Edited(mine, (mine,), "fact", "active"), theirs=two)


async def test_each_clash_is_decided_by_a_key(memory, start: Start):
    async with start() as session:
        results: list[object] = []
        screen = conflict("one and two", "1 and 2", "uno and due", memory)
        session.app.push_screen(screen, results.append)
        await session.until(lambda: "2 clashes · 1 of 2 · takes yours" in session.screen_text())
        await session.press("n", "space")
        await session.until(lambda: "2 of 2 · takes theirs" in session.screen_text())
        await session.press("N", "space", "space", "s", "s")
        await session.until(lambda: results)
        assert [result.values.content for result in results] == ["1 and due"]


async def test_keys_about_clashes_are_not_shown_when_there_are_none_case_33(memory, start: Start):
    async with start() as session:
        session.app.push_screen(conflict("one two", "one two three", "one two", memory))
        await session.until(lambda: "both sides' changes" in session.screen_text())
        assert "clash" not in session.screen_text()
        await session.press("n", "N", "space", "j", "k")


async def test_untrusted_text_does_nothing_in_a_conflict_case_27(memory, start: Start):
    async with start(size=(80, 24)) as session:
        for text, other in zip(NASTY, reversed(NASTY), strict=True):
            screen = conflict(text, text + " mine", other, memory)
            session.app.push_screen(screen)
            await session.until(lambda screen=screen: session.app.screen is screen)
            await session.pilot.pause()
            assert_harmless(session)
            await session.press("escape")


async def test_conflicts_at_every_size_case_34(memory, start: Start):
    async with start(size=(80, 24)) as session:
        await clash(session, "!")
        for size in [(1, 1), (20, 5), (99, 10), (200, 60), (100, 24)]:
            await session.pilot.resize_terminal(*size)
            await session.press("n", "space", "j", "k")
        await session.press("escape")
        assert cast(EditScreen, session.app.screen).values.content == BASE + "!"
