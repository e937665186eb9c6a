"""No export, backup or copy is written over the memories, over a device, or under another's log."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.errors import CannotOpenError
from memtui.models import MemoryCreate
from memtui.service import MemoryService
from memtui.transfer.exporting import export_to_file
from tests.faults.places import by_command, filled

Write = Callable[[MemoryService, Path], object]
WRITES: dict[str, Write] = {
    "export": export_to_file,
    "backup": lambda service, path: service.backup(path),
}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("named", ["", "-wal", "-shm", "-journal", "link", "hard link", "dotted"])
def test_the_database_is_never_written_over(
    tmp_path: Path, write: str, named: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = filled(tmp_path / "m.db")
    monkeypatch.chdir(tmp_path)
    target = Path(f"m.db{named}") if not named or named[0] == "-" else tmp_path / "other"
    if named == "link":
        target.symlink_to(db)
    elif named == "hard link":
        target.hardlink_to(db)
    elif named == "dotted":
        (tmp_path / "folder").mkdir()
        target = tmp_path / "folder" / ".." / "m.db"
    with MemoryService.open(db) as service:
        service.create(MemoryCreate(content="one more"))
        with pytest.raises(CannotOpenError, match="database itself"):
            WRITES[write](service, target)
        assert service.check() == ()
        assert service.get(1).content.startswith("memory 0")


@pytest.mark.parametrize("write", WRITES)
def test_a_device_or_a_pipe_is_not_replaced(tmp_path: Path, write: str) -> None:
    db = filled(tmp_path / "m.db")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    refused = pytest.raises(CannotOpenError, match="not a regular file")
    with MemoryService.open(db) as service, refused:
        WRITES[write](service, pipe)
    assert pipe.is_fifo()


@pytest.mark.parametrize("write", WRITES)
def test_a_database_that_is_being_written_is_not_replaced(tmp_path: Path, write: str) -> None:
    """Its log would be taken for writes to the new file."""
    db, other = filled(tmp_path / "m.db"), filled(tmp_path / "other.db")
    with MemoryService.open(db) as service, MemoryService.open(other) as in_use:
        in_use.create(MemoryCreate(content="in the log"))
        with pytest.raises(CannotOpenError, match="unfinished writes"):
            WRITES[write](service, other)
        assert in_use.check() == ()


def test_a_backup_behind_a_link_is_replaced_and_the_link_stays(tmp_path: Path) -> None:
    db, kept, link = filled(tmp_path / "m.db"), tmp_path / "kept.db", tmp_path / "link.db"
    kept.touch()
    link.symlink_to(kept)
    with MemoryService.open(db) as service:
        assert service.backup(link) == kept
    assert link.is_symlink()
    with MemoryService.open(link, read_only=True) as service:
        assert service.check() == ()


@pytest.mark.parametrize("verb", [("export", "--format", "jsonl"), ("backup",)])
def test_the_command_line_says_so(tmp_path: Path, verb: tuple[str, ...]) -> None:
    db = filled(tmp_path / "m.db")
    before = db.read_bytes()
    answer = by_command(db, *verb, str(db))
    assert (answer.code, "database itself" in answer.said) == (1, True)
    assert db.read_bytes() == before


@pytest.mark.parametrize("ending", ["-wal", "-shm", "-journal"])
def test_a_file_beside_a_database_is_no_database(tmp_path: Path, ending: str) -> None:
    db = filled(tmp_path / "m.db")
    beside = Path(f"{db}{ending}")
    beside.touch()
    assert by_command(beside, "add", "x").code == 1
    assert beside.stat().st_size == 0
