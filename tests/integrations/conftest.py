from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("autogen_core")
pytest.importorskip("autogen_agentchat")
pytest.importorskip("autogen_ext")

from memtui.integrations.autogen import MemoryEvent, MemtuiMemory
from memtui.service import MemoryService

Make = Callable[..., MemtuiMemory]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memories.db"


@pytest.fixture
def person(path: Path) -> Iterator[MemoryService]:
    """The person who curates the same database, as the terminal UI would."""
    with MemoryService.open(path, actor="tui") as service:
        yield service


@pytest.fixture
def events() -> list[MemoryEvent]:
    return []


@pytest.fixture
async def make(path: Path, events: list[MemoryEvent]) -> AsyncIterator[Make]:
    """Makes memories on the database that tell `events`, and closes them in the end."""
    made: list[MemtuiMemory] = []

    def make(database: Path | None = path, **options: object) -> MemtuiMemory:
        made.append(MemtuiMemory(database, on_event=events.append, **options))  # type: ignore[arg-type]
        return made[-1]

    yield make
    for memory in made:
        await memory.close()


@pytest.fixture
def memory(make: Make) -> MemtuiMemory:
    return make()
