from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.service import MemoryService
from tests.clock import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memories.db"


@pytest.fixture
def service(path: Path, clock: Clock) -> Iterator[MemoryService]:
    with MemoryService.open(path, clock=clock) as opened:
        yield opened
