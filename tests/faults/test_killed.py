"""Killed (-9) at random moments: every acknowledged write is there, and nothing is half done.

`MEMTUI_KILLS=200` kills so often (30 otherwise): six in ten while everything that writes is at
work, two in ten each during a migration and during a repair with its copy.
"""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import pytest

from memtui.models import MemoryCreate
from memtui.service import MemoryService
from tests.faults.killed import Acknowledged, doing, lost_or_half_done
from tests.store.test_index_upkeep import DAMAGES, change, make_earlier

KILLS = int(os.environ.get("MEMTUI_KILLS", "30"))
ON_ONE_DATABASE = 6
SIZE = 1_500


def test_killed_at_work(tmp_path: Path) -> None:
    chance = random.Random(KILLS)
    told = 0
    for kill in range(KILLS * 6 // 10):
        if kill % ON_ONE_DATABASE == 0:
            known = Acknowledged()
            path = tmp_path / f"{kill}.db"
            MemoryService.open(path).close()
        known.copies.clear()
        for report in doing("at_work", path, kill, chance.uniform(0, 0.6)):
            assert report.kind != "failed", report
            known.take(report)
            told += 1
        assert lost_or_half_done(path, known) == [], f"kill {kill}"
    assert told > KILLS, "too little was acknowledged for this to say anything"


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("filled") / "m.db"
    with MemoryService.open(path) as service:
        service.create_many(
            [MemoryCreate(content=f"memory {n} Ägypten", tags=(f"t{n % 9}",)) for n in range(SIZE)]
        )
    return path


def test_killed_while_an_older_schema_is_brought_up_to_date(filled: Path, tmp_path: Path) -> None:
    older = shutil.copy(filled, tmp_path / "older.db")
    make_earlier(Path(older))
    chance = random.Random(KILLS)
    for kill in range(KILLS * 2 // 10):
        path = Path(shutil.copy(older, tmp_path / f"{kill}.db"))
        list(doing("opening", path, kill, chance.uniform(0, 0.15)))
        assert lost_or_half_done(path, Acknowledged()) == []
        assert count(path) == SIZE


def test_killed_while_it_is_repaired(filled: Path, tmp_path: Path) -> None:
    broken = Path(shutil.copy(filled, tmp_path / "broken.db"))
    for damage in ("counts", "tag entries", "texts", "the index"):
        change(broken, *DAMAGES[damage])
    chance = random.Random(KILLS)
    for kill in range(KILLS * 2 // 10):
        path = Path(shutil.copy(broken, tmp_path / f"{kill}.db"))
        told = {one.kind for one in doing("repairing", path, kill, chance.uniform(0, 0.3))}
        assert count(path) == SIZE
        with MemoryService.open(path) as service:
            is_well = service.check() == ()
            if "repaired" in told:
                assert is_well
            service.repair()
            assert service.check() == ()
        if "copy" in told:
            assert count(path.with_name(f"{path.name}.{kill}.bak")) == SIZE


def count(path: Path) -> int:
    with MemoryService.open(path, read_only=True) as service:
        return service.stats().revisions
