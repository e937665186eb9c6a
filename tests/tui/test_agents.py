"""What agents read and were given, as the person sees it."""

from __future__ import annotations

import pytest

from memtui.agents import ActivityKind
from memtui.service import MemoryService
from memtui.tui.screens.activity import ActivityScreen
from memtui.tui.screens.agents import AgentsScreen
from memtui.tui.screens.pick import PickDialog
from tests.clock import Clock
from tests.tui.conftest import Session, Start
from tests.tui.curating import back_at_table, column, opened, shown


@pytest.fixture
def read(seeded: MemoryService, clock: Clock) -> MemoryService:
    """A store that two agents have read."""
    weather, coder = seeded.as_actor("autogen:weather"), seeded.as_actor("autogen:coder")
    weather.note_activity(ActivityKind.QUERIED, (1, 3), "lexical, 2 found")
    clock.tick(minutes=1)
    weather.note_activity(ActivityKind.INJECTED, (1,), "154 of 4,000 characters")
    clock.tick(minutes=1)
    coder.note_activity(ActivityKind.ERROR, (), "the database is locked")
    clock.tick(minutes=1)
    coder.note_activity(ActivityKind.RETRACTED, (2,), "invalid now")
    return seeded


async def open_agents(session: Session) -> AgentsScreen:
    screen = await opened(session, "w", AgentsScreen)
    await session.until(lambda: screen.activities is not None)
    return screen


async def test_says_who_read_what_and_how_newest_first(read, start: Start):
    async with start() as session:
        screen = await open_agents(session)
        assert column(screen, "What") == ["was told to drop", "failed", "was given", "searched"]
        assert column(screen, "Memories") == ["#2", "", "#1", "#1, #3"]
        assert column(screen, "Who")[0] == "autogen:coder"
        await session.until(lambda: "launch moved to May" in screen.pane.shown)
        await session.press("G")
        await session.until(lambda: "Lives in Albany" in screen.pane.shown)
        assert "concise answers" in screen.pane.shown
        assert "lexical, 2 found" in screen.pane.shown


async def test_one_agent_only_and_everyone_again(read, start: Start):
    async with start() as session:
        screen = await open_agents(session)
        await session.press("a")
        dialog = await shown(session, PickDialog)
        labels = [line.cells[1].text for line in dialog._grid.lines]
        assert labels == ["everyone", "autogen:coder", "autogen:weather"]
        await session.press("j", "j", "enter")
        await session.until(lambda: column(screen, "What") == ["was given", "searched"])
        assert "by autogen:weather" in screen.title_bar.text
        await session.press("backspace")
        await session.until(lambda: len(column(screen, "What")) == 4)


async def test_goes_to_the_memory_and_asks_which_of_several(read, start: Start):
    async with start() as session:
        await open_agents(session)
        await session.press("enter")
        await back_at_table(session)
        await session.until(lambda: session.current_id == 2)
        await open_agents(session)
        await session.press("G", "enter")
        await shown(session, PickDialog)
        await session.press("j", "enter")
        await back_at_table(session)
        await session.until(lambda: session.current_id == 3)


async def test_an_entry_about_no_memory_leads_nowhere(read, start: Start):
    async with start() as session:
        screen = await open_agents(session)
        await session.press("j", "enter")
        await session.until(lambda: "the database is locked" in screen.pane.shown)
        assert session.app.screen is screen


async def test_what_is_read_meanwhile_appears_on_top_marked_as_new(read, start: Start):
    async with start() as session:
        screen = await open_agents(session)
        read.as_actor("autogen:late").note_activity(ActivityKind.QUERIED, (6,), "ranked")
        await session.until(lambda: column(screen, "Who")[0] == "autogen:late")
        assert [line.sign.text for line in screen.grid.lines] == ["●", " ", " ", " ", " "]


async def test_a_memory_deleted_since_is_said_to_be(read, start: Start):
    read.delete(2)
    async with start() as session:
        screen = await open_agents(session)
        await session.until(lambda: "deleted since" in screen.pane.shown)


async def test_pages_back_and_forth(seeded, start: Start):
    agent = seeded.as_actor("busy")
    for number in range(150):
        agent.note_activity(ActivityKind.QUERIED, (1,), f"number {number}")
    async with start() as session:
        screen = await open_agents(session)
        assert column(screen, "How")[0] == "number 149"
        await session.press("right_square_bracket")
        await session.until(lambda: column(screen, "How")[0] == "number 49")
        assert not screen.check_action("older", ())
        await session.press("left_square_bracket")
        await session.until(lambda: column(screen, "How")[0] == "number 149")


async def test_reading_what_was_read_is_a_peek(read, start: Start):
    async with start(peek=True) as session:
        await open_agents(session)
        await session.press("G", "escape")
        await back_at_table(session)
        assert read.get(3, touch=False).last_accessed_at is None


async def test_the_activity_leads_there_and_back(read, start: Start):
    async with start() as session:
        await opened(session, "H", ActivityScreen)
        await session.press("w")
        await shown(session, AgentsScreen)
        await session.press("escape")
        await shown(session, ActivityScreen)
        await session.press("w")
        screen = await shown(session, AgentsScreen)
        await session.until(lambda: screen.current is not None)
        await session.press("enter")
        await back_at_table(session)
        await session.until(lambda: session.current_id == 2)


async def test_before_anything_was_read_it_says_what_will_be_here(seeded, start: Start):
    async with start() as session:
        await open_agents(session)
        assert "No agent has read anything yet" in session.screen_text()


async def test_names_and_details_are_drawn_safely(seeded, start: Start):
    hostile = seeded.as_actor("[red]evil\x1b[2J")
    hostile.note_activity(ActivityKind.QUERIED, (), "[@click=quit]x[/]\u202e")
    async with start() as session:
        screen = await open_agents(session)
        text = session.screen_text()
        assert "[red]evil" in text
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert "[@click=quit]x" in screen.pane.shown
