from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from memtui.service import MemoryService
from tests.server.support import Server, serving


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "memories.db"


@pytest.fixture
def server(db: Path) -> Iterator[Server]:
    with serving(db) as running:
        yield running


@pytest.fixture
def client(server: Server) -> Iterator[httpx.Client]:
    with server.client() as client:
        yield client


@pytest.fixture
def service(server: Server) -> Iterator[MemoryService]:
    """The same database from another side."""
    with MemoryService.open(server.db, actor="test") as service:
        yield service
