"""A seeded database, a fixed clock, and the app on both."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from threading import Event
from time import monotonic

import pytest
from textual import events
from textual.keys import key_to_character
from textual.pilot import Pilot

from memtui.models import MemoryCreate, MemoryType
from memtui.service import MemoryService
from memtui.tui.app import MemtuiApp
from memtui.tui.options import UiOptions
from memtui.tui.screens.browse import BrowseScreen
from tests.clock import Clock

PATIENCE = 20.0
"""Seconds after which a condition counts as never becoming true."""

SEED = [
    ("User prefers concise answers with examples.", ("style", "writing"), MemoryType.PREFERENCE),
    ("Project Falcon launch moved to May.", ("falcon",), MemoryType.FACT),
    ("Lives in Albany, works remotely.", ("profile",), MemoryType.IDENTITY),
    ("Kick-off with the design team.", ("falcon", "dates"), MemoryType.EVENT),
    ("Die Straße zum Büro ist gesperrt.", ("日本", "café"), MemoryType.FACT),
    ("Falcon uses PostgreSQL 16.", ("falcon", "database"), MemoryType.FACT),
]


async def until(pilot: Pilot[None], condition: Callable[[], object]) -> None:
    """Wait until `condition` is true; fail, naming it, when it never becomes so."""
    deadline = monotonic() + PATIENCE
    while not condition():
        if monotonic() > deadline:
            raise AssertionError(f"never became true: {inspect.getsource(condition).strip()}")
        await pilot.pause(0.01)
    await pilot.pause()


class Session:
    """The app under test with what a test looks at."""

    def __init__(self, app: MemtuiApp, pilot: Pilot[None], service: MemoryService) -> None:
        self.app = app
        self.pilot = pilot
        self.service = service

    @property
    def browse(self) -> BrowseScreen:
        screen = self.app.screen_stack[0]
        assert isinstance(screen, BrowseScreen)
        return screen

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def burst(self, *keys: str) -> None:
        """Press keys as fast as a terminal can deliver them, then let the app catch up."""
        driver = self.app._driver
        assert driver is not None
        for key in keys:
            event = events.Key(key, key if len(key) == 1 else key_to_character(key))
            event.set_sender(self.app)
            driver.send_message(event)
        await self.pilot.pause()

    async def until(self, condition: Callable[[], object]) -> None:
        await until(self.pilot, condition)

    async def idle(self) -> None:
        """Wait until nothing that was asked is unanswered."""
        await self.until(lambda: self.browse.page is not None and self.browse.idle)

    @property
    def ids(self) -> list[int]:
        return [memory.id for memory in self.browse.table.memories]

    @property
    def current_id(self) -> int | None:
        memory = self.browse.table.current
        return memory.id if memory else None

    @property
    def toasts(self) -> list[str]:
        return [toast.message for toast in self.app._notifications]

    def screen_text(self) -> str:
        """What is on the terminal, line by line."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join(strip.text for strip in strips)


Start = Callable[..., AbstractAsyncContextManager[Session]]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memories.db"


@pytest.fixture
def service(path: Path, clock: Clock) -> Iterator[MemoryService]:
    """Another program's way to the same database."""
    with MemoryService.open(path, actor="agent", clock=clock) as opened:
        yield opened


@pytest.fixture
def seeded(service: MemoryService, clock: Clock) -> MemoryService:
    """Six memories, made an hour apart; the last one invalid."""
    for content, tags, memory_type in SEED:
        service.create(MemoryCreate(content=content, tags=tags, memory_type=memory_type))
        clock.tick(hours=1)
    return service


@pytest.fixture
def start(path: Path, clock: Clock, service: MemoryService) -> Start:
    """Start the app on the database: `async with start(size=(80, 24)) as session`.

    With `hold` the database is opened only once that event is set.
    """

    @asynccontextmanager
    async def begin(
        size: tuple[int, int] = (120, 40),
        *,
        wait: bool = True,
        hold: Event | None = None,
        **options: object,
    ) -> AsyncIterator[Session]:
        chosen = UiOptions(**{"db": str(path), **options})  # type: ignore[arg-type]

        def open_service() -> MemoryService:
            if hold is not None:
                hold.wait(PATIENCE)
            return MemoryService.open(
                chosen.db, actor=chosen.actor, read_only=chosen.read_only, clock=clock
            )

        app = MemtuiApp(chosen, open_service=open_service, now=clock)
        async with app.run_test(size=size) as pilot:
            session = Session(app, pilot, service)
            await session.until(lambda: isinstance(app.screen, BrowseScreen))
            if wait:
                await session.idle()
            yield session
        app.gateway.close()

    return begin
