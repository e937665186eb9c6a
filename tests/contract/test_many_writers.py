"""Several processes on one database: no lost update, no lock error, no wrong version."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.errors import LockedError
from memtui.models import MemoryCreate, MemoryQuery, RevisionQuery
from memtui.service import MemoryService

PATCHER = """
import json, sys
from memtui import MemoryPatch, MemoryService
from memtui.errors import ConflictError
path, name, checked = sys.argv[1], sys.argv[2], sys.argv[3] == "checked"
sys.stdin.readline()
done, conflicts = 0, 0
with MemoryService.open(path, actor=name) as service:
    while done < 200:
        seen = service.get(1)
        patch = MemoryPatch(content=seen.content + name[0] if checked else f"{name} {done}")
        try:
            service.patch(1, patch, expected_version=seen.version if checked else None)
            done += 1
        except ConflictError:
            conflicts += 1
print(json.dumps({"conflicts": conflicts}))
"""


@pytest.mark.parametrize("mode", ["checked", "unchecked"])
def test_two_processes_patch_one_memory_200_times_each(
    service: MemoryService, path: Path, mode: str
) -> None:
    service.create(MemoryCreate(content="."))
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", PATCHER, str(path), name, mode],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("ada", "bob")
    ]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    answers = [writer.communicate(timeout=120)[0] for writer in writers]
    assert all("conflicts" in json.loads(answer) for answer in answers)
    memory = service.get(1)
    assert memory.version == 401
    assert service.history(RevisionQuery(memory_id=1)).total == 401
    if mode == "checked":
        assert (memory.content.count("a"), memory.content.count("b")) == (200, 200)
    assert service.check() == ()


def test_a_lock_that_stays_is_a_clear_error_and_loses_nothing(
    service: MemoryService, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sqlite3

    monkeypatch.setattr("memtui.store.engine.LOCK_WAIT", 0.2)
    service.create(MemoryCreate(content="kept"))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(LockedError, match="locked by another process") as locked:
        service.create(MemoryCreate(content="waits"))
    assert "try again" in locked.value.hint
    assert service.search(MemoryQuery(), touch=False).total == 1
    other.execute("ROLLBACK")
    other.close()
    assert service.create(MemoryCreate(content="waits")).id == 2
