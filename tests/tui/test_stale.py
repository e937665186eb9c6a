"""The stale queue: memories that no one has used for long; keeping one fakes no access."""

from __future__ import annotations

from typing import cast

import pytest
from textual.widgets import Static

from memtui.models import (
    MemoryCreate,
    MemoryPatch,
    MemoryQuery,
    MemoryStatus,
    ReviewQuery,
    ReviewQueue,
)
from memtui.service import MemoryService
from memtui.tui.screens.edit import EditScreen
from memtui.tui.screens.pick import PickDialog
from memtui.tui.screens.stale import StaleScreen
from tests.clock import Clock
from tests.tui.conftest import Session, Start
from tests.tui.curating import SIZES, accesses, every_key_twice, hints, memories, opened, shown
from tests.tui.test_text_on_screen import NASTY, assert_harmless

STALE = ReviewQuery(queue=ReviewQueue.STALE, limit=100)


@pytest.fixture
def unused(service: MemoryService, clock: Clock) -> MemoryService:
    """1 read long ago, 2 and 3 never read, 4 read long ago but later, 5 made just now."""
    service.create_many([MemoryCreate(content=f"memory {n}") for n in range(1, 5)])
    clock.tick(days=10)
    service.get(1)
    clock.tick(days=10)
    service.get(4)
    clock.tick(days=100)
    service.create(MemoryCreate(content="memory 5"))
    return service


async def open_stale(session: Session) -> StaleScreen:
    screen = await opened(session, "z", StaleScreen)
    await session.until(lambda: "Looking for" not in session.screen_text())
    return screen


def title(screen: StaleScreen) -> str:
    return str(screen.query_one("#review-title", Static).content)


def facts(screen: StaleScreen) -> str:
    return str(screen.query_one("#review-facts", Static).content)


def text(screen: StaleScreen) -> str:
    return str(screen.query_one("#review-text", Static).content)


def notice(screen: StaleScreen) -> str:
    return str(screen.query_one("#review-notice", Static).content)


def waiting(service: MemoryService) -> list[int]:
    return [memory.id for memory in service.review(STALE).items]


async def test_never_read_first_then_least_recently_used_past_an_age(unused, start: Start):
    async with start(peek=True) as session:
        screen = await open_stale(session)
        assert title(screen) == "Stale  1 of 4  not used for 90 days"
        assert "never read  made 3 mo ago" in facts(screen)
        seen = []
        for _ in range(4):
            seen.append(text(screen))
            await session.press("s")
        assert seen == ["memory 2", "memory 3", "memory 1", "memory 4"]
        await session.press("s", "s")
        assert "last read 3 mo ago" in facts(screen)


async def test_each_decision_is_one_key_and_none_fakes_an_access(unused, start: Start):
    before = accesses(unused)
    async with start(peek=True) as session:
        screen = await open_stale(session)
        await session.press("a", "7", "x", "d")
        await session.until(lambda: "All reviewed." in session.screen_text())
        assert "1 kept · 1 snoozed · 1 made invalid · 1 deleted" in session.screen_text()
        await session.until(lambda: "[memory 4]" in memories(unused).values())
        assert title(screen) == "Stale  not used for 90 days"
        await session.until(lambda: waiting(unused) == [5])
    assert unused.get(1, touch=False).status == "invalid"
    assert unused.get(2, touch=False).version == 1
    unused.restore(4)
    assert accesses(unused) == before


async def test_twenty_take_twenty_one_keys(service, start: Start, clock: Clock):
    service.create_many([MemoryCreate(content=f"memory {n}") for n in range(20)])
    clock.tick(days=100)
    async with start(peek=True) as session:
        await open_stale(session)
        await session.press(*["a", "9"] * 10)
        await session.until(lambda: "10 kept · 10 snoozed" in session.screen_text())
        await session.until(lambda: waiting(service) == [])


@pytest.mark.parametrize(("key", "days"), [("7", 7), ("3", 30), ("9", 90)])
async def test_a_snoozed_one_comes_again_after_that_long(unused, start, clock, key, days):
    async with start(peek=True) as session:
        await open_stale(session)
        await session.press(key)
        await session.until(lambda: 2 not in waiting(unused))
    clock.tick(days=days - 1)
    assert 2 not in waiting(unused)
    clock.tick(days=2)
    assert 2 in waiting(unused)


async def test_it_is_taken_up_where_it_was_left(unused, start: Start):
    async with start(peek=True) as session:
        await open_stale(session)
        await session.press("a", "7")
        await session.press("escape")
        await session.until(lambda: waiting(unused) == [5, 1, 4])
        screen = await open_stale(session)
        assert title(screen).startswith("Stale  1 of 2")
        assert text(screen) == "memory 1"


async def test_undo_takes_each_decision_back_in_turn(unused, start: Start):
    async with start(peek=True) as session:
        screen = await open_stale(session)
        await session.press("a", "7", "x")
        await session.until(lambda: unused.get(1, touch=False).status == "invalid")
        await session.press("u")
        await session.until(lambda: unused.get(1, touch=False).status == "active")
        await session.until(lambda: text(screen) == "memory 1")
        await session.press("u", "u")
        assert text(screen) == "memory 2"
        assert title(screen).startswith("Stale  1 of 4")
        await session.until(lambda: waiting(unused) == [2, 3, 5, 1, 4])


async def test_another_age(unused, start: Start):
    async with start(peek=True) as session:
        screen = await open_stale(session)
        await session.press("a", "o")
        dialog = await shown(session, PickDialog)
        assert dialog._grid.cursor == 1
        await session.press("5")
        await shown(session, StaleScreen)
        await session.until(lambda: title(screen) == "Stale  2 of 5  all ages")
        await session.press("o", "4")
        await session.until(lambda: "All reviewed." in session.screen_text())
        await session.press("o", "escape")
        await shown(session, StaleScreen)
        assert "a year" in title(screen)


async def test_an_edit_shows_it_again(unused, start: Start):
    async with start(peek=True) as session:
        screen = await open_stale(session)
        await session.press("e")
        await session.until(lambda: isinstance(session.app.screen, EditScreen))
        await session.press("!", "ctrl+s")
        await session.until(lambda: text(screen) == "memory 2!")
        await session.press("a")
        await session.until(lambda: 2 not in waiting(unused))
        assert unused.get(2, touch=False).version == 2


async def test_one_that_was_changed_meanwhile_is_left_alone_and_comes_again(unused, start):
    async with start(peek=True) as session:
        screen = await open_stale(session)
        unused.patch(2, MemoryPatch(content="changed"))
        screen.action_keep_active()
        await session.until(lambda: "was changed meanwhile" in notice(screen))
        assert 2 in waiting(unused)
        screen.action_stale_skip()
        await session.until(lambda: text(screen) == "changed")


async def test_one_that_is_gone_is_dropped(unused, start: Start):
    async with start(peek=True) as session:
        screen = await open_stale(session)
        unused.delete(2)
        screen.action_keep_active()
        await session.until(lambda: "was deleted by someone else" in notice(screen))
        assert title(screen).startswith("Stale  1 of 3")


async def test_a_session_that_may_not_write_can_walk_through(unused, start: Start):
    async with start(read_only=True) as session:
        screen = await open_stale(session)
        await session.press("a", "7", "s", "u", "u")
        assert text(screen) == "memory 3"
        await session.press("x")
        await session.until(lambda: "read-only" in notice(screen))
    assert len(waiting(unused)) == 5


async def test_nothing_stale_says_so_and_every_key_twice_case_32(seeded, start: Start):
    async with start(size=(80, 24)) as session:
        screen = await open_stale(session)
        assert "Nothing is stale." in session.screen_text()
        assert "keep" not in hints(screen)
        await every_key_twice(session, StaleScreen, "z")
    assert seeded.search(MemoryQuery(status=MemoryStatus.DELETED), touch=False).total == 0


async def test_at_every_size_case_34(unused, start: Start):
    async with start() as session:
        screen = await open_stale(session)
        for size in SIZES:
            await session.pilot.resize_terminal(*size)
            await session.press("s", "j", "k")
        assert session.app.screen is screen


async def test_help_over_it(unused, start: Start):
    async with start() as session:
        screen = await open_stale(session)
        await session.press("question_mark")
        await session.until(lambda: "In the stale queue" in session.screen_text())
        await session.press("q")
        await session.until(lambda: session.app.screen is screen)


async def test_untrusted_text_does_nothing_case_27(service, start: Start, clock: Clock):
    for nasty in NASTY:
        service.create(MemoryCreate(content=nasty, tags=(nasty[:60].strip() or "x",)))
    clock.tick(days=400)
    async with start(size=(80, 24), peek=True) as session:
        screen = cast(StaleScreen, await open_stale(session))
        for _text in NASTY:
            await session.until(lambda: "Looking…" not in session.screen_text())
            assert_harmless(session)
            screen.action_keep_active()
