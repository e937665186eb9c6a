"""The undo list: what can be taken back, and what became of it."""

from __future__ import annotations

import pytest

from memtui.models import BulkChange, MemoryCreate, MemoryPatch, MemoryQuery, Selection
from memtui.service import MemoryService
from memtui.tui.screens.undo_list import UndoListScreen
from tests.clock import Clock
from tests.tui.conftest import Session, Start
from tests.tui.curating import (
    SIZES,
    accesses,
    column,
    every_key_twice,
    hints,
    memories,
    opened,
)
from tests.tui.test_text_on_screen import NASTY, assert_harmless

EVERYTHING = Selection.matching(MemoryQuery())


@pytest.fixture
def tagged(service: MemoryService, clock: Clock) -> MemoryService:
    """Fifty memories with a tag that was added to all at once."""
    service.create_many([MemoryCreate(content=f"memory {n}") for n in range(50)])
    clock.tick(hours=1)
    service.as_actor("cli").bulk(EVERYTHING, BulkChange(add_tags=("x",)))
    clock.tick(hours=1)
    return service


def with_tag(service: MemoryService) -> int:
    return service.search(MemoryQuery(tag="x"), touch=False).total


async def open_list(session: Session) -> UndoListScreen:
    screen = await opened(session, "U", UndoListScreen)
    await session.until(lambda: screen.loaded)
    return screen


async def test_who_when_what_and_how_many_newest_first(tagged, start: Start):
    async with start() as session:
        screen = await open_list(session)
        assert column(screen, "What") == ["add tag x", "create many"]
        assert column(screen, "Who") == ["cli", "agent"]
        assert column(screen, "When") == ["1 h", "2 h"]
        assert column(screen, "Memories") == ["50", "50"]
        assert "2 changes" in screen.title_bar.text
        await session.until(lambda: "Undoing would change 50 memories" in screen.pane.shown)
        assert "−x" in screen.pane.shown


async def test_undo_tells_honestly_what_was_left_alone_and_can_be_redone(tagged, start: Start):
    tagged.patch(3, MemoryPatch(content="changed since"))
    tagged.patch(4, MemoryPatch(content="changed since"))
    async with start() as session:
        screen = await open_list(session)
        await session.press("j", "j")
        await session.until(lambda: "2 memories would be left alone" in screen.pane.shown)
        await session.press("u")
        await session.until(lambda: with_tag(tagged) == 2)
        told = "48 memories taken back, 2 changed meanwhile: left alone"
        await session.until(lambda: any(told in text for text in session.toasts))
        await session.until(lambda: "undone" in column(screen, "State"))
        assert screen.current is not None
        assert screen.current.label == "add tag x"
        assert "undo this" not in hints(screen)
        await session.press("u", "ctrl+r")
        await session.until(lambda: with_tag(tagged) == 50)
        await session.until(lambda: "redone" in column(screen, "State"))
        assert not {"undo this", "redo"} & set(hints(screen))


async def test_nothing_to_take_back_says_so(tagged, start: Start):
    tagged.bulk(EVERYTHING, BulkChange(remove_tags=("x",)))
    async with start() as session:
        screen = await open_list(session)
        await session.press("j")
        await session.until(lambda: "Undoing would change nothing" in screen.pane.shown)
        await session.press("u")
        await session.until(
            lambda: any("Nothing taken back\n50 changed meanwhile" in t for t in session.toasts)
        )


async def test_mine_or_everyone_s(tagged, start: Start):
    async with start() as session:
        await session.press("d")
        await session.until(lambda: 50 not in session.ids)
        screen = await open_list(session)
        assert column(screen, "Who") == ["tui", "cli", "agent"]
        await session.press("a")
        await session.until(lambda: column(screen, "Who") == ["tui"])
        assert "by tui" in screen.title_bar.text
        await session.press("u")
        await session.until(lambda: "[memory 49]" not in memories(tagged).values())
        await session.press("a")
        await session.until(lambda: "cli" in column(screen, "Who"))


async def test_undoing_a_bulk_change_takes_one_key_in_the_table(tagged, start: Start):
    tagged.as_actor("tui").bulk(EVERYTHING, BulkChange(remove_tags=("x",)))
    async with start() as session:
        await session.press("u")
        await session.until(lambda: with_tag(tagged) == 50)


async def test_more_than_the_first_hundred_are_reached_by_going_there(service, start: Start):
    for number in range(130):
        service.create(MemoryCreate(content=str(number)))
    async with start() as session:
        screen = await open_list(session)
        assert "100+ changes" in screen.title_bar.text
        await session.press("G")
        await session.until(lambda: len(screen.batches) == 130)
        assert "130 changes" in screen.title_bar.text
        assert screen.grid.cursor == 99
        await session.press("G")
        await session.until(lambda: screen.current is not None and screen.current.id == 1)


async def test_it_follows_what_others_do(tagged, start: Start):
    async with start() as session:
        screen = await open_list(session)
        await session.press("j")
        tagged.create(MemoryCreate(content="new"))
        await session.until(lambda: len(screen.batches) == 3)
        assert screen.current is not None
        assert screen.current.label == "create many"


async def test_a_session_that_may_not_write_offers_no_undo(tagged, start: Start):
    async with start(read_only=True) as session:
        screen = await open_list(session)
        await session.press("u", "ctrl+r")
        assert not {"undo this", "redo"} & set(hints(screen))
        assert "read-only" in screen.pane.shown
    assert with_tag(tagged) == 50


async def test_looking_marks_nothing(tagged, start: Start):
    async with start(peek=True) as session:
        screen = await open_list(session)
        await session.until(lambda: "would change" in screen.pane.shown)
    assert set(accesses(tagged)) == {None}


async def test_an_empty_store_says_so(start: Start):
    async with start(size=(80, 24)) as session:
        await open_list(session)
        assert "Nothing was changed yet" in session.screen_text()
        await every_key_twice(session, UndoListScreen, "U")


async def test_every_key_twice_case_32(tagged, start: Start):
    async with start(size=(40, 12)) as session:
        await open_list(session)
        await every_key_twice(session, UndoListScreen, "U")


async def test_at_every_size_case_34(tagged, start: Start):
    async with start() as session:
        screen = await open_list(session)
        for size in SIZES:
            await session.pilot.resize_terminal(*size)
            await session.press("j", "J", "k")
        assert session.app.screen is screen


async def test_untrusted_text_does_nothing_case_27(service, start: Start):
    for text in NASTY:
        name = text[:60].strip() or "x"
        actor = service.as_actor(name)
        made = actor.create(MemoryCreate(content=text))
        actor.bulk(Selection.of([made.id]), BulkChange(add_tags=(name,)))
    async with start(size=(100, 30)) as session:
        screen = await open_list(session)
        for _text in NASTY:
            await session.until(lambda: "would change" in screen.pane.shown)
            assert_harmless(session)
            await session.press("j", "j")
