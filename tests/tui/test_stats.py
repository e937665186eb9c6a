"""The figures: what they count, and that they fit."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from textual.widgets import Sparkline, Static

from memtui.models import Age, Measures, MemoryCreate, MemoryType, Month
from memtui.service import MemoryService
from memtui.tui import figures
from memtui.tui.figures import Level
from memtui.tui.screens.stats import StatsScreen
from memtui.tui.widgets.stats_plots import LevelBars
from tests.clock import Clock
from tests.tui.conftest import Session, Start
from tests.tui.curating import SIZES, accesses, every_key_twice, opened
from tests.tui.test_text_on_screen import NASTY, assert_harmless


@pytest.fixture
def aged(service: MemoryService, clock: Clock) -> MemoryService:
    """Memories of several months; one long, one untagged, one invalid, one deleted, one read."""
    service.create(MemoryCreate(content="old", tags=("a", "b")))
    clock.tick(days=60)
    service.create(MemoryCreate(content="x" * 1_200, tags=("a",), memory_type=MemoryType.EVENT))
    service.create(MemoryCreate(content="untagged", status="invalid"))
    service.delete(service.create(MemoryCreate(content="gone", tags=("c",))).id)
    clock.tick(days=20)
    service.get(1)
    return service


async def open_stats(session: Session) -> StatsScreen:
    screen = await opened(session, "S", StatsScreen)
    await session.until(lambda: screen.figures is not None)
    return screen


def says(screen: StatsScreen, part: str) -> list[list[str]]:
    text = str(screen.query_one(f"#stats-{part}", Static).content)
    return [line.rsplit(maxsplit=1) if part == "totals" else line.split("  ") for line in
            text.split("\n")]  # fmt: skip


def levels(screen: StatsScreen, part: str) -> dict[str, int]:
    bars = screen.query_one(f"#stats-{part}", LevelBars)
    return {level.label: level.value for level in bars._levels}


async def test_numbers_of_the_whole_store(aged, start: Start):
    async with start(peek=True) as session:
        screen = await open_stats(session)
        totals = {name.strip(): value for name, value in says(screen, "totals")[:5]}
        assert totals == {
            "active": "2", "invalid": "1", "deleted": "1", "tags": "2", "journal entries": "5",
        }  # fmt: skip
        look = str(screen.query_one("#stats-look", Static).content).split("\n")
        assert [line.split()[-3:] for line in look] == [
            ["1", "33", "%"], ["2", "67", "%"], ["1", "33", "%"], ["1", "33", "%"],
        ]  # fmt: skip
        assert levels(screen, "tags") == {"a": 2, "b": 1}


async def test_ages_and_reads(aged, start: Start):
    async with start(peek=True) as session:
        screen = await open_stats(session)
        assert levels(screen, "made")["under a month"] == 2
        assert levels(screen, "made")["under 3 months"] == 1
        assert levels(screen, "read")["under a day"] == 1
        assert levels(screen, "read")["never"] == 2


async def test_months_by_type(aged, start: Start):
    async with start(peek=True) as session:
        screen = await open_stats(session)
        facts = screen.query_one("#series-fact Sparkline", Sparkline).data
        events = screen.query_one("#series-event Sparkline", Sparkline).data
        read = screen.query_one("#series-read Sparkline", Sparkline).data
        assert (list(facts)[-3:], list(events)[-2:], sum(read)) == ([1, 0, 1], [0, 1], 1)


async def test_it_follows_what_others_do(aged, start: Start):
    async with start() as session:
        screen = await open_stats(session)
        aged.create(MemoryCreate(content="new", tags=("b", "z")))
        await session.until(lambda: levels(screen, "tags") == {"a": 2, "b": 2, "z": 1})


async def test_everything_is_reached_by_scrolling_at_80x24(aged, start: Start):
    async with start(size=(80, 24)) as session:
        await open_stats(session)
        assert "Worth a look" in session.screen_text()
        await session.press("G")
        await session.until(lambda: "Most frequent tags" in session.screen_text())
        assert "Worth a look" not in session.screen_text()
        await session.press("g")
        await session.until(lambda: "journal entries" in session.screen_text())


async def test_looking_marks_nothing(seeded, start: Start):
    async with start(peek=True) as session:
        await open_stats(session)
    assert set(accesses(seeded)) == {None}


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
async def test_an_empty_store_and_every_key_twice_case_32(start: Start, size):
    async with start(size=size) as session:
        screen = await open_stats(session)
        assert says(screen, "totals")[0][1] == "0"
        await every_key_twice(session, StatsScreen, "S")


async def test_at_every_size_case_34(aged, start: Start):
    async with start() as session:
        screen = await open_stats(session)
        for size in SIZES:
            await session.pilot.resize_terminal(*size)
            await session.press("j", "G", "k")
        assert session.app.screen is screen


async def test_untrusted_text_does_nothing_case_27(service, start: Start):
    for text in NASTY:
        service.create(MemoryCreate(content=text, tags=(text[:60].strip() or "x",)))
    async with start(size=(100, 60)) as session:
        await open_stats(session)
        assert_harmless(session)


def test_months_without_anything_are_plotted_too_and_other_types_counted():
    now = datetime(2026, 4, 6, tzinfo=UTC)
    months = [Month("2025-01", "fact", 2, 0), Month("2026-04", "goal", 1, 5)]
    names = figures.plotted(months, now)
    assert (names[0], names[-1], len(names)) == ("2025-01", "2026-04", 16)
    assert len(figures.plotted([], now)) == 12
    assert len(figures.plotted([Month("1999-01", "fact", 1, 1)], now)) == figures.MONTHS
    series = {one.name: one for one in figures.created(months, now)}
    assert (series["fact"].values[0], series["fact"].total) == (2, 2)
    assert series["goal"].values[-1] == 1
    assert figures.accessed(months, now).total == 5


def test_ages_have_names():
    made, read = figures.ages(Measures((Age(1, 2, 1), Age(None, 3, 0)), 1_000, 0))
    assert made == [Level("under a day", 2), Level("older", 3)]
    assert read[0].value == 1
