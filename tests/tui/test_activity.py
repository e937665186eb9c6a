"""The activity: who changed what in the whole store."""

from __future__ import annotations

import pytest

from memtui.models import MemoryCreate, MemoryPatch
from memtui.service import MemoryService
from memtui.tui.screens.activity import ActivityScreen
from memtui.tui.screens.history import HistoryScreen
from memtui.tui.screens.pick import PickDialog
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
    shown,
)
from tests.tui.test_text_on_screen import NASTY, assert_harmless


@pytest.fixture
def busy(seeded: MemoryService, clock: Clock) -> MemoryService:
    """Six memories, then an edit by one and a deletion by another."""
    seeded.as_actor("mcp:claude").patch(2, MemoryPatch(content="Launch moved to June."))
    clock.tick(hours=1)
    seeded.as_actor("cli").delete(3)
    clock.tick(hours=1)
    return seeded


async def open_activity(session: Session) -> ActivityScreen:
    screen = await opened(session, "H", ActivityScreen)
    await session.until(lambda: screen.page is not None)
    return screen


async def pick(session: Session, key: str, *keys: str) -> None:
    await session.press(key)
    await shown(session, PickDialog)
    await session.press(*keys)
    await shown(session, ActivityScreen)


async def test_everyone_s_changes_newest_first_with_their_difference(busy, start: Start):
    async with start() as session:
        screen = await open_activity(session)
        assert column(screen, "ID") == ["#3", "#2", "#6", "#5", "#4", "#3", "#2", "#1"]
        assert column(screen, "Who")[:3] == ["cli", "mcp:claude", "agent"]
        assert column(screen, "What")[:3] == ["deleted", "changed", "created"]
        assert column(screen, "When")[:2] == ["1 h", "2 h"]
        assert "8 entries" in screen.title_bar.text
        assert "−active  +deleted" in screen.pane.shown
        await session.press("j")
        assert "launch" in screen.pane.shown
        assert "version 2" in screen.pane.shown


async def test_filters_by_those_who_are_present_and_by_what_they_did(busy, start: Start):
    async with start() as session:
        screen = await open_activity(session)
        await session.press("a")
        dialog = await shown(session, PickDialog)
        labels = [line.cells[1].text for line in dialog._grid.lines]
        assert labels == ["everyone", "agent", "cli", "mcp:claude"]
        await session.press("j", "j", "j", "enter")
        await session.until(lambda: column(screen, "ID") == ["#2"])
        assert "by mcp:claude" in screen.title_bar.text
        await pick(session, "c", "4")
        await session.until(lambda: "Nothing like that was done" in session.screen_text())
        await session.press("backspace")
        await session.until(lambda: len(column(screen, "ID")) == 8)
        await pick(session, "c", "2")
        await session.until(lambda: column(screen, "What") == ["created"] * 6)
        assert "only created" in screen.title_bar.text


async def test_escape_from_the_list_of_actors_changes_nothing(busy, start: Start):
    async with start() as session:
        screen = await open_activity(session)
        await pick(session, "a", "escape")
        assert len(column(screen, "ID")) == 8


async def test_enter_goes_to_the_memory_in_the_table(busy, start: Start):
    async with start() as session:
        await session.press("slash", *"postgres", "enter")
        await session.until(lambda: session.ids == [6])
        await open_activity(session)
        await session.press("j", "enter")
        await back_at_table(session)
        await session.until(lambda: session.current_id == 2)
        assert not session.browse.view.filtered
        assert session.browse.search.value == ""


async def test_a_deleted_one_is_shown_among_the_deleted(busy, start: Start):
    async with start() as session:
        await open_activity(session)
        await session.press("enter")
        await session.until(lambda: session.current_id == 3)
        assert session.browse.view.status == "deleted"


async def test_it_is_found_on_whatever_page_it_is(service, start: Start, clock: Clock):
    service.create_many([MemoryCreate(content=f"memory {n}") for n in range(250)])
    async with start() as session:
        screen = await open_activity(session)
        await session.press("right_square_bracket")
        await session.until(lambda: column(screen, "ID")[:1] == ["#150"])
        await session.press("enter")
        await session.until(lambda: session.current_id == 150)
        assert session.browse.view.page == 2


async def test_the_history_of_one_and_back(busy, start: Start):
    async with start() as session:
        screen = await open_activity(session)
        await session.press("j", "h")
        history = await shown(session, HistoryScreen)
        await session.until(lambda: history.page is not None)
        assert history.memory_id == 2
        await session.press("j", "R")
        await session.until(lambda: len(column(history, "Version")) == 3)
        await session.press("escape")
        await shown(session, ActivityScreen)
        await session.until(lambda: column(screen, "Who")[:1] == ["tui"])
        assert screen.current is not None
        assert screen.current.memory_id == 2


async def test_new_changes_appear_on_top_by_themselves(busy, start: Start):
    async with start() as session:
        screen = await open_activity(session)
        busy.as_actor("mcp:claude").create(MemoryCreate(content="Something new"))
        await session.until(lambda: column(screen, "ID")[0] == "#7")
        assert screen.grid.lines[0].sign.text == "●"
        assert screen.current is not None
        assert screen.current.memory_id == 7


async def test_the_cursor_stays_where_one_reads(busy, start: Start):
    async with start() as session:
        screen = await open_activity(session)
        await session.press("j", "j", "j")
        before = screen.current
        busy.create(MemoryCreate(content="Something new"))
        await session.until(lambda: column(screen, "ID")[0] == "#7")
        assert screen.current == before


async def test_looking_marks_nothing(seeded, start: Start):
    async with start(peek=True) as session:
        await open_activity(session)
        await session.press("j", "h")
        await shown(session, HistoryScreen)
        await session.press("escape", "escape")
        await back_at_table(session)
    assert accesses(seeded) == [None] * 6


async def test_an_empty_store_says_so(start: Start):
    async with start(size=(80, 24)) as session:
        screen = await open_activity(session)
        assert "Nothing has happened yet" in session.screen_text()
        assert not {"go to it", "its history"} & set(hints(screen))
        await every_key_twice(session, ActivityScreen, "H")


async def test_every_key_twice_case_32(busy, start: Start):
    async with start(size=(40, 12)) as session:
        await open_activity(session)
        await every_key_twice(session, ActivityScreen, "H")


async def test_at_every_size_case_34(busy, start: Start):
    async with start() as session:
        screen = await open_activity(session)
        for size in SIZES:
            await session.pilot.resize_terminal(*size)
            await session.press("j", "J", "k")
        assert session.app.screen is screen


async def test_untrusted_text_does_nothing_case_27(service, start: Start):
    for text in NASTY:
        actor = text[:60].strip() or "x"
        service.as_actor(actor).create(MemoryCreate(content=text, tags=(actor,)))
    async with start(size=(100, 30)) as session:
        await open_activity(session)
        for _text in NASTY:
            assert_harmless(session)
            await session.press("j")
        await session.press("a")
        await shown(session, PickDialog)
        assert_harmless(session)
        await session.press("2")
        await shown(session, ActivityScreen)
        await session.pilot.pause()
        assert_harmless(session)
