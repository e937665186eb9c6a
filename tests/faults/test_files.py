"""Disks that are full or read-only, files that are damaged, gone or another's: every surface says

so in words, writes nothing, leaves the file as it was, and goes on when all is well again.
"""

from __future__ import annotations

import random
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.models import MemoryCreate, MemoryPatch, MemoryQuery
from memtui.service import MemoryService
from tests.clock import Clock
from tests.faults.killed import Acknowledged, lost_or_half_done
from tests.faults.places import COUNT, SURFACES, by_command, filled, full, mounted, small_disk
from tests.server.support import locked, memory_count

PAGE = 4096
REFUSED = {"command line": {5, 6}, "HTTP": {503}, "MCP": {1}}
DONE = {"command line": 0, "HTTP": 201, "MCP": 0}


def is_well(path: Path) -> bool:
    return lost_or_half_done(path, Acknowledged()) == []


# --- the disk -------------------------------------------------------------------------------------


@pytest.mark.parametrize("surface", SURFACES)
def test_a_full_disk_is_said_and_nothing_is_written(tmp_path: Path, surface: str) -> None:
    with small_disk(tmp_path / "disk") as disk:
        db = filled(disk / "m.db")
        with SURFACES[surface](db) as write:
            with full(disk):
                answer = write()
                assert answer.code in REFUSED[surface], answer
                assert "space" in answer.said.lower() or "full" in answer.said.lower(), answer
                if surface != "command line":  # the files that readers share are there
                    assert memory_count(db) == COUNT
                    assert by_command(db, "list", "--peek").code == 0, "looking needs no space"
            assert write().code == DONE[surface]
        assert memory_count(db) == COUNT + 1
        assert is_well(db)


def test_an_import_a_bulk_change_and_copies_leave_nothing_on_a_full_disk(tmp_path: Path) -> None:
    source = tmp_path / "notes.jsonl"
    source.write_text("".join(f'{{"content": "{n} {"y" * 900}"}}\n' for n in range(3_000)))
    with small_disk(tmp_path / "disk") as disk:
        db = filled(disk / "m.db")
        assert by_command(db, "import", str(source)).code == 5
        with full(disk):
            for words in (
                ("bulk", "--all", "--add-tag", "new"),
                ("backup", str(disk / "copy.db")),
                ("export", str(disk / "out.jsonl")),
            ):
                answer = by_command(db, *words)
                assert answer.code == 5, (words, answer)
                assert "space" in answer.said.lower()
        assert {path.name for path in disk.iterdir()} <= {"m.db", "m.db-wal", "m.db-shm"}
        assert memory_count(db) == COUNT
        assert is_well(db)


def test_a_quota_that_is_used_up_is_said_and_nothing_is_written(tmp_path: Path) -> None:
    db = filled(tmp_path / "m.db")
    code = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "from memtui.__main__ import main; sys.exit(main())"
    )
    command = [sys.executable, "-c", code, "--db", str(db), "add", "written"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 5, ended
    assert "takes no more" in ended.stderr or "disk is full" in ended.stderr
    assert memory_count(db) == COUNT
    assert is_well(db)


def test_no_space_for_temporary_files(tmp_path: Path) -> None:
    db = filled(tmp_path / "m.db")
    with small_disk(tmp_path / "disk", "64k") as disk, full(disk):
        for name in ("TMPDIR", "SQLITE_TMPDIR"):
            answer = by_command(db, "search", "memory 2", **{name: str(disk)})
            assert answer.code == 0, answer
        answer = by_command(db, "doctor", SQLITE_TMPDIR=str(disk), TMPDIR=str(disk))
        assert answer.code in {0, 5}, answer
    assert is_well(db)


@pytest.mark.parametrize("surface", SURFACES)
def test_a_read_only_disk_is_said_and_can_be_read(tmp_path: Path, surface: str) -> None:
    with small_disk(tmp_path / "disk") as disk:
        db = filled(disk / "m.db")
        mounted(disk, "ro")
        if surface != "HTTP":  # it says the same when it starts
            with SURFACES[surface](db) as write:
                answer = write()
                assert answer.code in REFUSED[surface], answer
                assert "may not be written" in answer.said
        if surface == "command line":
            assert by_command(db, "serve", "--port", "0").code == 5
            assert not list(disk.glob("m.db-*"))
            read = by_command(db, "list", "--read-only")
            assert (read.code, f"of {COUNT}" in read.said) == (0, True), read
            assert by_command(db, "doctor").code == 0
            assert by_command(db, "doctor", "--fix").code == 0, "there is nothing to mend"
            out = tmp_path / "out.jsonl"
            assert by_command(db, "export", str(out), "--read-only").code == 0
            copy = tmp_path / "copy.db"
            assert by_command(db, "backup", str(copy), "--read-only").code == 0
            assert is_well(copy)
        mounted(disk, "rw")
        with SURFACES[surface](db) as write:
            assert write().code == DONE[surface]


# --- the file -------------------------------------------------------------------------------------


def damaged(data: bytes, how: str) -> bytes:
    chance = random.Random(how)
    if how == "header":
        return bytes(100) + data[100:]
    if how == "truncated":
        return data[: len(data) // 2]
    if how == "short":
        return data[:60]
    page = int(how.split()[1])
    return data[: PAGE * page] + chance.randbytes(PAGE) + data[PAGE * (page + 1) :]


@pytest.mark.parametrize("how", ["header", "truncated", "short", "page 1", "page 3", "page 40"])
def test_doctor_says_what_is_damaged_and_changes_nothing(tmp_path: Path, how: str) -> None:
    db = filled(tmp_path / "m.db")
    db.write_bytes(damaged(db.read_bytes(), how))
    before = db.read_bytes()
    answer = by_command(db, "doctor")
    assert answer.code == 6
    for wanted in ("sqlite", "state", "damaged", "fault:", "Keep a copy"):
        assert wanted in answer.said, answer.said
    assert "memory 1" not in answer.said, "no memory is in it"
    if how == "page 3":  # of an index: the rest is read, counted and said all the same
        assert "some pages of the file" in answer.said, answer.said
        assert f"memories {COUNT}" in " ".join(answer.said.split())
    assert db.read_bytes() == before
    fixed = by_command(db, "doctor", "--fix")
    assert fixed.code in {0, 6}
    if fixed.code == 6:
        assert "backup" in fixed.said
        assert "export" in fixed.said
    else:
        assert is_well(db)
    copies = list(tmp_path.glob("m.db.*.bak"))
    assert ("copy before the repair" in fixed.said) == bool(copies)


@pytest.mark.parametrize("how", ["header", "truncated", "short", "page 1"])
def test_a_damaged_file_is_refused_and_left_as_it_was(tmp_path: Path, how: str) -> None:
    db = filled(tmp_path / "m.db")
    db.write_bytes(damaged(db.read_bytes(), how))
    before = db.read_bytes()
    for words in (("add", "x"), ("list",), ("get", "1"), ("export", "-")):
        answer = by_command(db, *words)
        assert answer.code == 6, (words, answer)
        assert len(answer.said.splitlines()) <= 3
    assert db.read_bytes() == before


def test_what_another_program_broke_beside_the_memories_is_mended_after_a_copy(
    tmp_path: Path,
) -> None:
    db = filled(tmp_path / "m.db")
    with sqlite3.connect(db) as raw:
        raw.execute("PRAGMA writable_schema = 1")
        raw.execute("UPDATE facet SET count = 7")
        raw.execute("DELETE FROM memory_tag WHERE memory_id < 50")
    raw.close()
    assert by_command(db, "doctor").code == 6
    assert by_command(db, "doctor", "--fix").code == 0
    assert is_well(db)
    (copy,) = tmp_path.glob("m.db.*.bak")
    assert copy.stat().st_mode & 0o077 == 0
    assert memory_count(copy) == COUNT
    assert by_command(copy, "doctor").code == 6, "the copy is from before"


def test_a_log_of_writes_that_is_missing_loses_no_more_than_it_held(tmp_path: Path) -> None:
    """A file without its `-wal` is the state of the last checkpoint, and sound."""
    db = filled(tmp_path / "m.db")
    apart = tmp_path / "apart.db"
    with MemoryService.open(db) as service:
        service.create(MemoryCreate(content="in the log"))
        shutil.copy(db, apart)
    assert is_well(apart)
    assert memory_count(apart) == COUNT
    assert by_command(apart, "add", "after").code == 0


@pytest.mark.parametrize("torn", [0, 20, 5_000])
def test_a_log_of_writes_that_is_torn_or_another_files_is_left_out(
    tmp_path: Path, torn: int
) -> None:
    db = filled(tmp_path / "m.db")
    apart = tmp_path / "apart.db"
    with MemoryService.open(db) as service:
        service.create(MemoryCreate(content="in the log"))
        service.create(MemoryCreate(content="and another"))
        shutil.copy(db, apart)
        log = Path(f"{db}-wal").read_bytes()
    Path(f"{apart}-wal").write_bytes(log[:torn] + random.Random(1).randbytes(len(log) - torn))
    assert is_well(apart)
    assert memory_count(apart) in {COUNT, COUNT + 1}


@pytest.mark.parametrize("surface", ["HTTP", "MCP"])
def test_a_file_that_is_removed_or_replaced_takes_no_write_that_would_be_lost(
    tmp_path: Path, surface: str
) -> None:
    db, kept = filled(tmp_path / "m.db"), tmp_path / "kept.db"
    with SURFACES[surface](db) as write:
        db.rename(kept)
        answer = write()
        assert answer.code in REFUSED[surface], answer
        assert not db.exists(), "nothing is made in its place"
        other = filled(tmp_path / "other.db")
        before = other.read_bytes()
        other.rename(db)
        assert write().code in REFUSED[surface]
        assert db.read_bytes() == before
    assert memory_count(kept) == COUNT


def test_a_database_of_a_newer_program_is_left_as_it_was(tmp_path: Path) -> None:
    db = filled(tmp_path / "m.db")
    with sqlite3.connect(db) as raw:
        raw.execute("PRAGMA user_version = 999")
    raw.close()
    before = db.read_bytes()
    for words in (("add", "x"), ("list",), ("doctor",), ("doctor", "--fix"), ("backup", "b.db")):
        answer = by_command(db, *words)
        assert answer.code == 6, (words, answer)
        assert "newer" in answer.said
    assert db.read_bytes() == before


@pytest.mark.parametrize("surface", SURFACES)
def test_a_lock_of_ten_seconds_is_said_within_them(tmp_path: Path, surface: str) -> None:
    """Case 36 on the surfaces of programs; what waits gives up with words, then it works."""
    db = filled(tmp_path / "m.db")
    with SURFACES[surface](db) as write:
        with locked(db):
            answer = write()
            assert answer.code in REFUSED[surface]
            assert "lock" in answer.said.lower() or "busy" in answer.said.lower(), answer
        assert write().code == DONE[surface]
    assert memory_count(db) == COUNT + 1


# --- the clock, and what goes away ----------------------------------------------------------------


def test_a_clock_that_is_set_back_turns_no_time_back(tmp_path: Path) -> None:
    clock = Clock()
    with MemoryService.open(tmp_path / "m.db", clock=clock) as service:
        first = service.create(MemoryCreate(content="first"))
        read = service.search(MemoryQuery()).items[0]
        clock.tick(days=-400)
        second = service.create(MemoryCreate(content="second"))
        changed = service.patch(first.id, MemoryPatch(content="changed"))
        again = service.get(first.id)
        service.undo()
        assert changed.updated_at >= first.updated_at
        assert again.last_accessed_at is not None
        assert read.last_accessed_at is not None
        assert again.last_accessed_at >= read.last_accessed_at
        assert second.updated_at >= second.created_at
        assert service.get(first.id).content == "first"
        assert service.check() == ()


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_the_end_of_the_terminal_ends_a_long_import_whole_or_not_at_all(
    tmp_path: Path, number: signal.Signals
) -> None:
    db = filled(tmp_path / "m.db")
    source = tmp_path / "notes.jsonl"
    source.write_text("".join(f'{{"content": "{n} {"y" * 300}"}}\n' for n in range(30_000)))
    command = [sys.executable, "-m", "memtui", "--db", str(db), "import", str(source)]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    while running.poll() is None and not Path(f"{db}-wal").exists():
        pass
    running.send_signal(number)
    _, said = running.communicate(timeout=60)
    assert b"Traceback" not in said
    assert memory_count(db) in {COUNT, COUNT + 30_000}
    assert is_well(db)
