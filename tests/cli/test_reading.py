"""`list` and `get`: what they return, mark, and how they look."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from rich.cells import cell_len

from memtui.models import MemoryCreate, MemoryQuery
from memtui.service import MemoryService

from .conftest import Run, memtui

FIELDS = [
    "id", "content", "tags", "created_at", "updated_at", "last_accessed_at", "memory_type",
    "status", "version",
]  # fmt: skip

HOSTILE = [
    "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b31m \x07bell",
    "[red]markup[/] [@click=app.quit]click[/] [/]",
    "right \u202eto left\u202c zero\u200bwidth \ufeffmark",
    "two\nlines\r\nand\ttabs \x0b\x0c\x85\u2028end",
    "日本語の記憶は長い長い長い長い長い長い長い長い長い長い長い文",
    "family 👨‍👩‍👧‍👦 flag 🇵🇹 e\u0301 combining שלום مرحبا",
]


@pytest.fixture
def hostile(service: MemoryService) -> MemoryService:
    service.create_many([MemoryCreate(content=text, tags=(text[:60],)) for text in HOSTILE])
    return service


def test_an_object_has_the_nine_fields_in_their_order(run: Run) -> None:
    added = run("add", "hello", "--tag", "a", "--type", "event", "--json").json
    assert list(added) == FIELDS
    assert added["last_accessed_at"] is None
    got = run("get", "1", "--json").json
    assert list(got) == FIELDS
    assert got["last_accessed_at"].endswith("Z")
    assert len(got["last_accessed_at"]) == len("2026-04-06T14:12:00.000000Z")


def test_list_answers_with_the_envelope(run: Run) -> None:
    for number in range(12):
        run.ok("add", f"memory {number}")
    answer = run("list", "--offset", "1", "--json").json
    assert list(answer) == ["items", "total", "limit", "offset", "has_more"]
    assert [item["id"] for item in answer["items"]] == list(range(2, 12))
    assert (answer["total"], answer["limit"], answer["has_more"]) == (12, 10, True)


def test_list_says_what_the_service_says(run: Run, service: MemoryService) -> None:
    for number in range(6):
        service.create(MemoryCreate(content=f"note {number}", tags=("a", "b")[: number % 3]))
    query = MemoryQuery.parse({"tag": "b", "q": "NOTE", "sort": "created_at", "limit": 2})
    mine = run(
        "list",
        "--tag",
        "b",
        "--q",
        "NOTE",
        "--sort",
        "created_at",
        "--limit",
        "2",
        "--peek",
        "--json",
    )
    assert mine.out.strip() == service.search(query, touch=False).model_dump_json()


def test_reading_marks_and_peeking_does_not(run: Run, service: MemoryService) -> None:
    for text in ("one", "two"):
        service.create(MemoryCreate(content=text))
    run.ok("list", "--peek")
    run.ok("get", "1", "2", "--peek")
    run.ok("history", "1")
    run.ok("stats")
    run.ok("tags")
    run.ok("stale")
    run.ok("bulk", "--all", "--add-tag", "x", "--dry-run")
    assert service.stats().never_accessed == 2
    run.ok("list", "--q", "one")
    assert service.stats().never_accessed == 1
    run.ok("get", "2")
    assert service.stats().never_accessed == 0


def test_all_walks_every_page_once(run: Run, service: MemoryService) -> None:
    service.create_many([MemoryCreate(content=f"memory {n}") for n in range(230)])
    lines = run.ok("list", "--all", "--jsonl", "--sort", "last_accessed_at").splitlines()
    assert sorted(json.loads(line)["id"] for line in lines) == list(range(1, 231))
    whole = run("list", "--all", "--json").json
    assert (len(whole["items"]), whole["total"], whole["has_more"]) == (230, 230, False)
    assert run("list", "--all", "--offset", "200", "--json").json["items"][0]["id"] == 201


@pytest.mark.usefixtures("made")
def test_nothing_found_is_said_beside_the_data(run: Run) -> None:
    answer = run("list")
    assert (answer.code, answer.out) == (0, "")
    assert "No memories yet" in answer.err
    assert run("list", "--json").json["items"] == []
    run.ok("add", "one")
    assert "there are 1" in run("list", "--offset", "5").err
    assert "No memory matches" in run("list", "--q", "two").err


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_columns_start_in_the_same_cell(
    run: Run, hostile: MemoryService, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    heading, *lines = run.ok("list").splitlines()
    assert len(lines) == len(HOSTILE)
    assert all(cell_len(line) <= width for line in [heading, *lines])
    if width >= 40:
        start = heading.index("Type")
        assert all(line[start:].startswith("fact") for line in lines)
    if width >= 80:
        # The gap before the last column: in cells, whatever the widths of the characters.
        ends = {cell_len(line) for line in [heading, *lines]}
        assert len(ends) == 1


def test_stored_text_never_reaches_the_terminal_as_control(
    run: Run, hostile: MemoryService
) -> None:
    hostile.as_actor("mcp:\x1b[2Jevil").create(MemoryCreate(content="by a hostile actor"))
    shown = "".join(
        run.ok(*words)
        for words in (
            ["list", "--limit", "100"], ["get", *map(str, range(1, 8))], ["tags"], ["history"],
            ["history", "--batches"], ["stale"],
            ["bulk", "--all", "--add-tag", "\x1b[1m", "--dry-run"],
        )
    )  # fmt: skip
    assert not {char for char in shown if not char.isprintable()} - {"\n"}
    assert "[@click=app.quit]click[/]" in shown


def test_errors_are_safe_to_look_at_too(run: Run) -> None:
    answer = run("tags", "rename", "\x1b[31mold", "new")
    assert answer.code == 3
    assert "\x1b" not in answer.err


@pytest.mark.parametrize(
    "env",
    [
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "cp1252"},
    ],
    ids=["LC_ALL=C", "cp1252"],
)
def test_emoji_under_a_narrow_encoding_case_40(
    hostile: MemoryService, db: Path, env: dict[str, str]
) -> None:
    human = memtui("--db", db, "list", env=env)
    assert (human.returncode, human.stdout.count(b"\n")) == (0, len(HOSTILE) + 1), human.stderr
    as_json = memtui("--db", db, "list", "--json", env=env)
    assert [item["content"] for item in json.loads(as_json.stdout)["items"]] == HOSTILE


@pytest.mark.parametrize("zone", ["Asia/Kolkata", "America/Los_Angeles"])
def test_times_are_utc_in_every_zone(run: Run, db: Path, zone: str) -> None:
    created = run("add", "hello", "--json").json["created_at"]
    shown = memtui("--db", db, "get", "1", env={"TZ": zone}).stdout.decode()
    assert f"{created[:10]} {created[11:19]} UTC (just now)" in shown
    assert (
        json.loads(memtui("--db", db, "get", "1", "--json", env={"TZ": zone}).stdout)["created_at"]
        == created
    )


@pytest.mark.parametrize(
    "name", ["with space.db", "a#b.db", "a?b=c.db", "100%.db", "ü.db", "%20.db"]
)
def test_any_path_opens_the_right_file(run: Run, tmp_path: Path, name: str) -> None:
    path = tmp_path / "a folder" / name
    run.ok("--db", path, "add", "here")
    assert path.is_file()
    assert {
        other.name.removesuffix("-wal").removesuffix("-shm") for other in path.parent.iterdir()
    } == {name}
    assert run("--db", path, "list", "--json").json["total"] == 1


def test_get_several_keeps_their_order(run: Run) -> None:
    for text in ("one", "two", "three"):
        run.ok("add", text)
    assert [item["id"] for item in run("get", "3", "1", "3", "--json").json] == [3, 1]
    assert run.ok("get", "2", "1", "--jsonl").count("\n") == 1
    assert "\x1b" not in run.ok("get", "1"), "no colours where nobody looks"


def test_a_terminal_gets_colours_unless_told_otherwise(run: Run, db: Path) -> None:
    pexpect = pytest.importorskip("pexpect")
    run.ok("add", "hello")
    command = f"{sys.executable} -m memtui --db {db} list"
    plain, coloured = (
        pexpect.run(command, env={**_terminal_env(), **more}) for more in ({"NO_COLOR": "1"}, {})
    )
    assert b"\x1b[" in coloured
    assert b"\x1b[" not in plain


def _terminal_env() -> dict[str, str]:
    import os

    return {**os.environ, "TERM": "xterm-256color"}


def test_json_on_a_terminal_holds_no_control_characters(hostile: MemoryService, db: Path) -> None:
    pexpect = pytest.importorskip("pexpect")
    command = f"{sys.executable} -m memtui --db {db} list --json"
    shown = pexpect.run(command, env=_terminal_env()).decode()
    assert not {char for char in shown if not char.isprintable()} - {"\r", "\n"}
    assert [item["content"] for item in json.loads(shown)["items"]] == HOSTILE


@pytest.mark.usefixtures("made")
def test_closed_output_is_no_crash(db: Path) -> None:
    ended = subprocess.run(
        f"{sys.executable} -m memtui --db {db} list >&- 2>&-", shell=True, check=False
    )
    assert ended.returncode == 0


@pytest.mark.parametrize(
    "words",
    [
        ["list"], ["list", "--all", "--jsonl"], ["search", "x"], ["get", "1"], ["history", "1"],
        ["stats"], ["export"], ["stale"], ["duplicates"], ["activity"],
    ],
)  # fmt: skip
def test_no_database_is_made_by_looking(run: Run, db: Path, words: list[str]) -> None:
    answer = run(*words)
    assert answer.code == 3
    assert f"There is no database {db}" in answer.err
    assert not db.exists()


@pytest.mark.parametrize(
    "words",
    [
        ["list", "--tag", "a", "--tag", "b"],
        ["bulk", "--tag", "a", "--where-tag", "b", "--delete", "--yes"],
        ["export", "--sort", "id", "--sort", "id"],
        ["list", "--q", "a", "--q", "b"],
        ["list", "--view", "a", "--view", "b"],
        ["bulk", "--where-status", "active", "--where-status", "invalid", "--delete"],
    ],
)
def test_of_two_filters_of_a_kind_none_is_acted_upon(run: Run, words: list[str]) -> None:
    run.ok("add", "x", "--tag", "a", "--tag", "b")
    answer = run(*words)
    assert answer.code == 2
    assert "may be given once only" in answer.err
    assert run("list", "--json").json["total"] == 1
