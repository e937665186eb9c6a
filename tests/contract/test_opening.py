"""Opening: any path, and clear refusals that leave a file as it was."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from memtui.errors import (
    CannotOpenError,
    DamagedError,
    MemtuiError,
    NewerDatabaseError,
    ReadOnlyError,
)
from memtui.models import MemoryCreate, MemoryQuery
from memtui.service import MemoryService


@pytest.mark.parametrize("name", ["a b.db", "#1?x=y.db", "100%.db", "ünï/記憶.db", "a:b;c&d.db"])
def test_a_path_opens_the_file_that_it_names(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with MemoryService.open(path) as service:
        service.create(MemoryCreate(content="x"))
    assert path.is_file()
    with MemoryService.open(f"sqlite:///{path}") as service:
        assert service.search(MemoryQuery()).total == 1


def test_a_new_database_is_private_to_its_owner(tmp_path: Path) -> None:
    with MemoryService.open(tmp_path / "m.db") as service:
        service.create(MemoryCreate(content="x"))
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert set(modes.values()) == {0o600}


def _folder(path: Path) -> None:
    path.mkdir()


def _text(path: Path) -> None:
    path.write_text("# Not a database at all, but a note that is long enough\n" * 40)


def _foreign(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE memories (id INTEGER)")
    other.close()


def _newer(path: Path) -> None:
    MemoryService.open(path).close()
    with sqlite3.connect(path) as other:
        other.execute("PRAGMA user_version = 999")
    other.close()


@pytest.mark.parametrize(
    ("make", "kind", "says"),
    [
        (_folder, CannotOpenError, "is a folder"),
        (_text, DamagedError, "not a memtui database"),
        (_foreign, DamagedError, "not one of memtui's"),
        (_newer, NewerDatabaseError, "newer memtui"),
    ],
)
def test_what_is_no_database_of_ours_is_refused_and_left_as_it_was(
    tmp_path: Path, make: object, kind: type[MemtuiError], says: str
) -> None:
    path = tmp_path / "thing"
    make(path)  # type: ignore[operator]
    before = None if path.is_dir() else path.read_bytes()
    with pytest.raises(kind, match=says) as refused:
        MemoryService.open(path)
    assert refused.value.hint
    assert before is None or path.read_bytes() == before


def test_a_device_is_no_database() -> None:
    with pytest.raises(CannotOpenError, match="not a regular file"):
        MemoryService.open("/dev/null")


@pytest.mark.parametrize("target", ["", ":memory:", "postgresql://localhost/x", "mysql://x"])
def test_a_target_that_is_no_file_is_refused(target: str) -> None:
    with pytest.raises(CannotOpenError):
        MemoryService.open(target)


def test_a_read_only_session_reads_and_never_writes(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with pytest.raises(CannotOpenError, match="does not exist"):
        MemoryService.open(path, read_only=True)
    assert not path.exists()
    with MemoryService.open(path) as service:
        service.create(MemoryCreate(content="x"))
    with MemoryService.open(path, read_only=True) as service:
        assert service.search(MemoryQuery()).items[0].last_accessed_at is None
        assert service.get(1).last_accessed_at is None
        for act in (
            lambda: service.create(MemoryCreate(content="y")),
            lambda: service.delete(1),
            service.undo,
            service.purge,
        ):
            with pytest.raises(ReadOnlyError):
                act()


def test_the_change_token_differs_once_anyone_has_written(tmp_path: Path) -> None:
    with (
        MemoryService.open(tmp_path / "m.db") as service,
        MemoryService.open(tmp_path / "m.db") as other,
    ):
        first = service.change_token()
        assert service.change_token() == first
        other.create(MemoryCreate(content="x"))
        second = service.change_token()
        assert second != first
        service.create(MemoryCreate(content="y"))
        assert service.change_token() != second
