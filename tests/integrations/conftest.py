from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from memtui.service import MemoryService

if TYPE_CHECKING:
    from memtui.integrations.autogen import MemoryEvent, MemtuiMemory

    Make = Callable[..., MemtuiMemory]

if any(find_spec(name) is None for name in ("autogen_core", "autogen_agentchat", "autogen_ext")):
    about_autogen = ("autogen_suites", "components", "contexts", "events")
    about_autogen += ("examples", "mapping", "memory", "tools")
    collect_ignore = [f"test_{name}.py" for name in about_autogen]


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
    from memtui.integrations.autogen import MemtuiMemory

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
