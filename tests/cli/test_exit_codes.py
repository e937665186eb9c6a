"""Case 39: one exit code a kind of end, and errors on standard error, as JSON with --json."""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.cli.exits import MEANINGS, Exit
from memtui.service import MemoryService

from .conftest import Run, memtui


def test_0_when_done(run: Run) -> None:
    assert run("add", "hello").code == 0


def test_1_for_a_database_that_cannot_be_opened(run: Run, tmp_path: Path) -> None:
    answer = run("--db", tmp_path, "list")
    assert (answer.code, answer.out) == (1, "")
    assert "is a folder" in answer.err


@pytest.mark.parametrize(
    "words",
    [
        ["frobnicate"],
        ["--frob"],
        ["list", "--frob"],
        ["list", "extra"],
        ["list", "--limit", "101"],
        ["list", "--limit", "many"],
        ["list", "--offset", "-1"],
        ["list", "--tag", ""],
        ["list", "--status", "gone"],
        ["list", "--all", "--limit", "5"],
        ["add"],
        ["add", ""],
        ["add", " \n"],
        ["add", "x" * 8001],
        ["add", "x", "--type", "goal"],
        ["add", "x", "--status", "deleted"],
        ["add", "x", "--tag", "t" * 65],
        ["get"],
        ["get", "seven"],
        ["edit", "1"],
        ["edit", "1", "--tags", "a", "--add-tag", "b"],
        ["bulk", "--add-tag", "x"],
        ["bulk", "--all"],
        ["bulk", "--all", "--delete", "--restore"],
        ["stale", "--older-than", "soon"],
        ["history", "--batches", "--action", "delete"],
        ["demo", "--no-ui"],
        ["completion", "fish-and-chips"],
    ],
    ids=" ".join,
)
def test_2_for_wrong_usage_and_invalid_input(run: Run, words: list[str], db: Path) -> None:
    answer = run(*words)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("memtui: ")
    assert "Traceback" not in answer.err
    assert not db.exists(), "a refused command makes no database"


@pytest.mark.parametrize(
    "words",
    [["get", "7"], ["edit", "7", "--content", "x"], ["edit", "7", "--add-tag", "x"],
     ["delete", "7"], ["restore", "7"], ["history", "7"], ["revert", "7", "--to", "1"],
     ["get", "9" * 30], ["get", "-5"], ["get", "9" * 5000], ["history", "9" * 30],
     ["undo", "9" * 30], ["revert", "7", "--to", "9" * 30], ["bulk", "9" * 30, "--delete"],
     ["undo"], ["undo", "7"], ["tags", "rename", "a", "b"], ["bulk", "7", "--delete"]],
    ids=lambda words: " ".join(words)[:30],
)  # fmt: skip
def test_3_for_what_is_not_there(run: Run, words: list[str]) -> None:
    assert run(*words).code == 3


def test_4_for_another_version_with_the_current_object(run: Run) -> None:
    run.ok("add", "one")
    run.ok("edit", "1", "--content", "two")
    answer = run("edit", "1", "--content", "three", "--expect-version", "1", "--json")
    assert (answer.code, answer.out) == (4, "")
    assert answer.error["code"] == "conflict"
    assert answer.error["current"] == run("get", "1", "--peek", "--json").json
    assert run("delete", "1", "--expect-version", "1").code == 4
    assert run("revert", "1", "--to", "1", "--expect-version", "1").code == 4


def test_5_when_read_only(run: Run) -> None:
    run.ok("add", "one")
    for words in (["add", "x"], ["edit", "1", "--content", "x"], ["delete", "1"]):
        assert run("--read-only", *words).code == 5
    assert run.ok("get", "1", "--read-only", "--json")
    assert run("list", "--json", "--peek").json["items"][0]["last_accessed_at"] is None


def test_5_when_locked(
    run: Run, db: Path, service: MemoryService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memtui.store.engine.LOCK_WAIT", 0.05)
    with sqlite3.connect(db) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = run("add", "x", "--json")
        other.rollback()
    assert (answer.code, answer.error["code"]) == (5, "locked")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_5_when_the_output_has_no_space(db: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "memtui", "config"], stdout=full, stderr=subprocess.PIPE,
            check=False,
        )  # fmt: skip
    assert ended.returncode == 5
    assert ended.stderr.count(b"\n") == 2, ended.stderr
    assert b"no space" in ended.stderr


def test_6_for_a_file_that_is_no_database(run: Run, tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("These are notes, not a database. " * 100)
    before = text.read_bytes()
    assert run("--db", text, "list").code == 6
    assert run("--db", text, "add", "x").code == 6
    assert run("--db", text, "doctor").code == 6
    assert text.read_bytes() == before


def test_6_for_a_database_of_a_newer_program(run: Run, db: Path) -> None:
    run.ok("add", "one")
    with sqlite3.connect(db) as other:
        other.execute("PRAGMA user_version = 9999")
    answer = run("list", "--json")
    assert (answer.code, answer.error["code"]) == (6, "newer_database")


def test_7_when_partly_done(run: Run) -> None:
    for word in ("one", "two"):
        run.ok("add", word)
    answer = run("bulk", "1", "2", "9", "--add-tag", "x", "--json")
    assert answer.code == 7
    assert answer.json["counts"]["changed"] == 2
    assert answer.json["outcomes"][2] == {
        "id": 9,
        "outcome": "not_found",
        "reason": "does not exist",
    }
    assert run("get", "1", "9").code == 7
    assert run("delete", "1", "9").code == 7


def test_130_when_interrupted(db: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "memtui", "--db", str(db), "add", "--batch", "-"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stderr is not None
    # More than a pipe holds: once it is written, the command is reading.
    process.stdin.write(b"x" * 200_000)
    while process.poll() is None:
        # A signal that arrives just before the system call is seen after it: as people do, again.
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(1)
    assert process.returncode == 130
    assert b"Traceback" not in process.stderr.read()
    assert not db.exists()


def test_unexpected_failures_are_one_line(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr("memtui.cli.call.Call.open", broken)
    answer = run("list")
    assert answer.code == 1
    assert answer.err.startswith("memtui: unexpected failure: ZeroDivisionError: by nothing\n")
    assert "Traceback" not in answer.err


def test_errors_are_json_on_stderr_with_json(run: Run) -> None:
    for words in (
        ["get", "7", "--json"],
        ["--json", "add", ""],
        ["list", "--jsonl", "--limit", "0"],
    ):
        answer = run(*words)
        assert answer.out == ""
        assert set(answer.error) >= {"code", "message", "hint", "exit_code"}
        assert answer.error["exit_code"] == answer.code


def test_invalid_input_names_the_field_in_json(run: Run) -> None:
    problems = run("add", "x", "--tag", "ok", "--tag", " ", "--json").error["problems"]
    assert problems[0]["loc"] == ["tags", 1]


def test_every_code_has_a_meaning() -> None:
    assert set(MEANINGS) == set(Exit)


def test_no_terminal_for_the_ui_is_one_line_and_2() -> None:
    ended = memtui(stdin=b"hello\n")
    assert ended.returncode == 2
    assert ended.stdout == b""
    assert ended.stderr.startswith(b"memtui: the terminal UI needs a terminal")


def test_a_reader_that_leaves_is_no_failure(run: Run, db: Path, service: MemoryService) -> None:
    from memtui.models import MemoryCreate

    service.create_many([MemoryCreate(content="x" * 4000) for _ in range(200)])
    listing = subprocess.Popen(
        [sys.executable, "-m", "memtui", "--db", str(db), "list", "--all", "--jsonl"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert listing.stdout is not None
    assert listing.stderr is not None
    listing.stdout.read(10)
    listing.stdout.close()
    assert listing.wait(30) == 0
    assert listing.stderr.read() == b""
