"""Imports and exports on real services; `bring` imports text or files and returns the report."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from memtui.interchange import Fate, ImportOptions, ImportReport
from memtui.models import Memory, MemoryQuery
from memtui.service import MemoryService
from memtui.transfer.importing import ReadingOptions, open_plan
from tests.clock import Clock

Bring = Callable[..., ImportReport]


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(tmp_path: Path, clock: Clock) -> Iterator[MemoryService]:
    with MemoryService.open(tmp_path / "memories.db", actor="test", clock=clock) as opened:
        yield opened


@pytest.fixture
def other(tmp_path: Path, clock: Clock) -> Iterator[MemoryService]:
    """A second, empty store."""
    with MemoryService.open(tmp_path / "other.db", actor="other", clock=clock) as opened:
        yield opened


@pytest.fixture
def bring(service: MemoryService, tmp_path: Path) -> Bring:
    """Import a text, bytes, values as JSON Lines, or the file at a path."""

    def run(
        given: object,
        options: ImportOptions | None = None,
        *,
        into: MemoryService = service,
        reading: ReadingOptions | None = None,
        dry: bool = False,
    ) -> ImportReport:
        path = given if isinstance(given, Path) else source(tmp_path, given)
        with open_plan([str(path)], reading) as plan:
            return (plan.preview if dry else plan.apply)(into, options)

    return run


def source(folder: Path, given: object, name: str = "source") -> Path:
    """Write a source: bytes, text, a sequence as JSON Lines, or one JSON value."""
    path = folder / name
    if isinstance(given, bytes):
        path.write_bytes(given)
    elif isinstance(given, str):
        path.write_bytes(given.encode())
    elif isinstance(given, Sequence):
        path.write_text("".join(json.dumps(value) + "\n" for value in given))
    else:
        path.write_text(json.dumps(given, indent=1))
    return path


def fates(report: ImportReport) -> dict[str, int]:
    """What became of the records, only what there was."""
    return {fate.value: number for fate, number in report.fates.items()}


def new(report: ImportReport) -> int:
    return report.fates[Fate.NEW]


def everything(service: MemoryService, status: str | None = None) -> list[Memory]:
    """Every memory, not deleted unless asked for, by id; a peek."""
    query = MemoryQuery.parse({"limit": 100} | ({"status": status} if status else {}))
    found: list[Memory] = []
    while True:
        page = service.search(query.model_copy(update={"offset": len(found)}), touch=False)
        found += page.items
        if not page.has_more:
            return found


def contents(service: MemoryService, status: str | None = None) -> list[str]:
    return [memory.content for memory in everything(service, status)]
