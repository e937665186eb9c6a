"""What one process does with the database never takes away the locks it holds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memtui.models import MemoryCreate
from memtui.service import MemoryService

VISIT = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
print(connection.execute("SELECT count(*) FROM memory").fetchone()[0])
connection.close()
"""


@pytest.mark.parametrize("read_only", [False, True])
def test_opening_the_database_again_keeps_the_locks(tmp_path: Path, read_only: bool) -> None:
    """Without them another process takes itself for the last one and removes the log in use."""
    db = tmp_path / "memories.db"
    log = tmp_path / "memories.db-wal"
    with MemoryService.open(db) as service:
        service.create(MemoryCreate(content="x"))
        in_use = log.stat().st_ino
        with MemoryService.open(db, read_only=read_only) as again:
            again.get(1, touch=False)
        other = subprocess.run(
            [sys.executable, "-c", VISIT, str(db)], capture_output=True, text=True, check=True
        )
        assert other.stdout.strip() == "1"
        assert log.stat().st_ino == in_use
