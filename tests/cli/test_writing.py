"""Creating and changing memories from the command line."""

from __future__ import annotations

import json
import stat
import threading
from pathlib import Path

import pytest

from memtui.models import MemoryCreate, MemoryQuery
from memtui.service import MemoryService

from .conftest import Run, memtui


def script(tmp_path: Path, body: str) -> str:
    """An editor: a shell script that gets the file as $1."""
    path = tmp_path / "editor.sh"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


def test_add_prints_the_id(run: Run) -> None:
    assert run.ok("add", "one", "--tag", "a", "--tag", "b", "--type", "event") == "1"
    assert run.ok("add", "two", "--status", "invalid") == "2"
    assert run("get", "1", "--json").json["tags"] == ["a", "b"]


def test_values_that_begin_with_a_dash_work_after_dashes(run: Run) -> None:
    run.ok("add", "--tag", "x", "--", "--json")
    assert run("get", "1", "--json").json["content"] == "--json"
    run.ok("add", "--tag=-x", "y")
    assert run("list", "--tag=-x", "--json").json["total"] == 1
    assert "--flag=-value" in run("list", "--q", "--x").err


@pytest.mark.parametrize(
    ("typed", "stored"),
    [("hello\n", "hello"), ("hello", "hello"), ("a\r\nb\r\n", "a\r\nb"), ("a\n\n", "a\n"),
     ("ü \u2028 🐕\n", "ü \u2028 🐕")],
)  # fmt: skip
def test_a_dash_reads_standard_input(run: Run, typed: str, stored: str) -> None:
    run.ok("add", "-", stdin=typed)
    assert run("get", "1", "--json").json["content"] == stored
    run.ok("edit", "1", "--content", "other")
    run.ok("edit", "1", "--content", "-", stdin=typed)
    assert run("get", "1", "--json").json["content"] == stored


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"\xff\xfe", b"x\x00y", "🐕".encode() * 8001, b"x" * 10_000_000]
)
def test_bad_standard_input_is_refused(run: Run, data: bytes, db: Path) -> None:
    answer = run("add", "-", stdin=data)
    assert answer.code == 2
    assert not db.exists()


def test_the_longest_content_is_taken_in_bytes_of_any_length(run: Run) -> None:
    run.ok("add", "-", stdin="🐕" * 8000)
    assert len(run("get", "1", "--json").json["content"]) == 8000
    run.ok("edit", "1", "--content", "-", stdin="🐈" * 8000)


def test_bytes_that_are_no_text_are_refused(db: Path) -> None:
    ended = memtui("--db", db, "add", b"\xff".decode(errors="surrogateescape"))
    assert ended.returncode == 2
    assert b"surrogate" in ended.stderr


@pytest.mark.parametrize(
    "text",
    ['{"content": "one"}\n{"content": "two", "tags": ["t"]}\n',
     '\n{"content": "one"}\n\n{"content":"two"}',
     '[{"content": "one"},\n {"content": "two"}]',
     '\ufeff[{"content": "one"}, {"content": "two"}]'],
)  # fmt: skip
def test_a_batch_creates_all(run: Run, text: str, tmp_path: Path) -> None:
    assert run.ok("add", "--batch", "-", stdin=text) == "1\n2"
    file = tmp_path / "batch.json"
    file.write_text(text)
    assert [item["id"] for item in run("add", "--batch", file, "--json").json] == [3, 4]
    assert run("undo").code == 0
    assert run("list", "--json").json["total"] == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [('{"content": "one"}\n{"content": ""}', "line 2.content"),
     ('[{"content": "one"}, {"content": "x", "tags": "t"}]', "item 2.tags"),
     ('{"content": "one"}\n{"content"', "line 2: is not JSON"),
     ('{"content": "one", "id": 5}', "line 1.id: is not a field here; allowed: content"),
     ('{"content": NaN}', "line 1"), ("7", "line 1"), ("[" * 100_000, "not JSON"),
     ('{"content": "one"}\n{"content": null}', "line 2.content")],
    ids=lambda value: value[:30],
)  # fmt: skip
def test_a_bad_batch_creates_nothing_and_names_the_place(
    run: Run, text: str, said: str, db: Path
) -> None:
    answer = run("add", "--batch", "-", stdin=text)
    assert answer.code == 2
    assert said in answer.err
    assert not db.exists()


def test_a_batch_that_is_not_there(run: Run, tmp_path: Path) -> None:
    answer = run("add", "--batch", tmp_path / "nothing.json")
    assert answer.code == 1
    assert "no such file or directory" in answer.err


def test_edit_changes_what_is_given_in_one_version(run: Run) -> None:
    run.ok("add", "one", "--tag", "a", "--tag", "b")
    run.ok(
        "edit", "1", "--content", "two", "--add-tag", "c", "--remove-tag", "a", "--type", "event"
    )
    got = run("get", "1", "--json").json
    assert (got["content"], got["tags"], got["memory_type"], got["version"]) == (
        "two", ["b", "c"], "event", 2,
    )  # fmt: skip
    assert run("edit", "1", "--tags", "x, y", "--json").json["tags"] == ["x", "y"]
    assert run("edit", "1", "--tags", "", "--json").json["tags"] == []


def test_an_edit_that_changes_nothing_writes_nothing(run: Run) -> None:
    before = run("add", "one", "--tag", "a", "--json").json
    for words in (["--content", "one"], ["--tags", "a"], ["--add-tag", "a"], ["--remove-tag", "z"]):
        assert run("edit", "1", *words, "--json").json == before
    assert run("history", "1", "--json").json["total"] == 1


def test_too_many_tags_are_refused(run: Run) -> None:
    run.ok("add", "one", *[f"--tag=t{number}" for number in range(20)])
    answer = run("edit", "1", "--add-tag", "more")
    assert answer.code == 2
    assert "at most 20" in answer.err
    assert run.ok("edit", "1", "--add-tag", "more", "--remove-tag", "t3")


def test_tags_added_by_many_at_once_are_all_there(db: Path, service: MemoryService) -> None:
    from argparse import Namespace

    from memtui.cli.verbs.edit import _patch

    service.create(MemoryCreate(content="one"))

    def add(name: str) -> None:
        with MemoryService.open(db, actor=name) as mine:
            for number in range(5):
                args = Namespace(
                    id=1, type=None, status=None, tags=None, remove_tag=None,
                    add_tag=[f"{name}{number}"],
                )  # fmt: skip
                _patch(mine, args, None, None)

    threads = [threading.Thread(target=add, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    memory = service.get(1)
    assert sorted(memory.tags) == sorted(
        f"{name}{number}" for name in "abcd" for number in range(5)
    )
    assert memory.version == 21


def test_the_editor_gets_a_private_file_that_is_removed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = tmp_path / "seen"
    monkeypatch.setenv(
        "VISUAL",
        script(tmp_path, f'ls -l "$1" > {seen}; cat "$1" >> {seen}; printf "new\\n" > "$1"'),
    )
    run.ok("add", "old")
    run.ok("edit", "1", "--editor")
    assert run("get", "1", "--json").json["content"] == "new"
    listing, content = seen.read_text().splitlines()
    assert listing.startswith("-rw-------")
    assert content == "old"
    path = Path(listing.split()[-1])
    assert not path.exists()
    assert not path.parent.exists()


@pytest.mark.parametrize("content", ["one", "one\n", "a\r\nb\r\n", "a\tb  \n\n", "\u2028x"])
def test_an_editor_that_changes_nothing_writes_nothing(
    run: Run, tmp_path: Path, content: str, service: MemoryService, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = service.create(MemoryCreate(content=content))
    # As vi does: the last line is ended where it was not.
    monkeypatch.setenv("EDITOR", script(tmp_path, '[ -z "$(tail -c1 "$1")" ] || echo >> "$1"'))
    run.ok("edit", "1", "--editor")
    assert service.get(1, touch=False) == before


def test_text_that_cannot_be_saved_is_kept(
    run: Run, tmp_path: Path, db: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    run.ok("add", "old")
    # While the editor is open, someone else changes the memory.
    meanwhile = f"{sys.executable} -m memtui --db {db} edit 1 --content theirs"
    monkeypatch.setenv("EDITOR", script(tmp_path, f'{meanwhile}; printf "mine\\n" > "$1"'))
    answer = run("edit", "1", "--editor")
    assert answer.code == 4
    kept = Path(answer.err.rpartition("Your text is kept in ")[2].strip())
    assert kept.read_text() == "mine\n"
    assert stat.S_IMODE(kept.parent.stat().st_mode) == 0o700
    assert run("get", "1", "--json").json["content"] == "theirs"


@pytest.mark.parametrize(
    ("editor", "code"), [("false", 1), ("no-such-editor-here", 2), ("'unbalanced", 2)]
)
def test_an_editor_that_fails_changes_nothing(
    run: Run, editor: str, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    run.ok("add", "old")
    monkeypatch.setenv("EDITOR", editor)
    assert run("edit", "1", "--editor").code == code
    assert run("get", "1", "--json").json["version"] == 1


def test_delete_add_again_restore_the_first(run: Run) -> None:
    run.ok("add", "same")
    run.ok("delete", "1")
    assert run("get", "1").code == 3
    assert run("list", "--json").json["total"] == 0
    assert run.ok("add", "same") == "2"
    assert run("restore", "1", "--json").json["status"] == "active"
    assert run("list", "--json").json["total"] == 2
    assert run("delete", "1", "--json").json["status"] == "deleted"
    assert run("delete", "1").code == 3


def test_purge_needs_a_yes(run: Run) -> None:
    for word in ("one", "two", "three"):
        run.ok("add", word)
    run.ok("delete", "1", "2")
    assert run("purge", "--dry-run", "--json").json == {"purged": 0, "deleted": 2, "dry_run": True}
    answer = run("purge")
    assert (answer.code, "2 deleted memories" in answer.err) == (2, True)
    assert run.ok("purge", "1", "3", "--yes") == "1 removed for good"
    assert run.ok("purge", "--yes") == "1 removed for good"
    assert run("list", "--json").json["total"] == 1
    assert run("history", "1").code == 3


def test_bulk_by_filter_is_one_batch_that_undo_takes_back(run: Run) -> None:
    for word in ("red fox", "red dog", "blue fox"):
        run.ok("add", word, "--tag", word.split()[0])
    dry = run(
        "bulk", "--q", "fox", "--where-tag", "red", "--add-tag", "x", "--dry-run", "--json"
    ).json
    assert (dry["counts"]["changed"], dry["batch"], dry["samples"][0]["after"]["tags"]) == (
        1, None, ["red", "x"],
    )  # fmt: skip
    done = run("bulk", "--tag", "red", "--status", "invalid", "--type", "event", "--json").json
    assert done["counts"]["changed"] == 2
    assert run("list", "--status", "invalid", "--json").json["total"] == 2
    assert "memtui undo" in run.ok("bulk", "--where-status", "invalid", "--delete")
    assert run("list", "--status", "deleted", "--json").json["total"] == 2
    assert run("bulk", "--where-status", "deleted", "--restore").code == 0
    run.ok("edit", "1", "--content", "changed since")
    undone = run("undo", str(done["batch"]), "--json")
    assert (undone.code, undone.json["counts"]["conflict"]) == (7, 1), "the other one is undone"
    assert run("bulk", "--q", "no such text", "--delete", "--json").json["batch"] is None


def test_a_tag_is_only_ever_the_whole_tag(run: Run) -> None:
    for tag in ("100%", "my_tag", "myXtag", "[x]", "test", "testing", "a-test"):
        run.ok("add", f"about {tag}", "--tag", tag)
    for tag in ("100%", "my_tag", "[x]", "test"):
        assert run("list", "--tag", tag, "--json").json["total"] == 1
        assert (
            run("bulk", "--tag", tag, "--add-tag", "hit", "--json").json["counts"]["changed"] == 1
        )
    assert run("tags", "rename", "my_tag", "your_tag", "--json").json["counts"]["changed"] == 1
    counts = {entry["tag"]: entry["count"] for entry in run("tags", "--json").json}
    assert (counts["myXtag"], counts["your_tag"], counts["test"], counts["testing"]) == (1, 1, 1, 1)
    assert "my_tag" not in counts


def test_history_undo_and_revert(run: Run, service: MemoryService) -> None:
    run.ok("add", "one")
    run.ok("edit", "1", "--content", "two")
    service.as_actor("mcp:claude").create(MemoryCreate(content="an agent's"))
    history = run("history", "1", "--json").json
    assert [entry["content"] for entry in history["items"]] == ["two", "one"]
    assert run("history", "--by", "mcp:claude", "--json").json["total"] == 1
    assert run("history", "--action", "patch", "--jsonl").out.count("\n") == 1
    batches = run("history", "--batches", "--json").json
    assert [batch["actor"] for batch in batches] == ["mcp:claude", "cli", "cli"]
    run.ok("undo")
    assert run("get", "1", "--json").json["content"] == "one"
    assert run("undo", "--actor", "nobody").code == 3
    assert run("revert", "1", "--to", "2", "--json").json["content"] == "two"


def test_the_actor_is_in_the_journal(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run.ok("add", "one")
    run.ok("--actor", "me", "add", "two")
    monkeypatch.setenv("MEMTUI_ACTOR", "you")
    run.ok("add", "three")
    actors = [json.loads(line)["actor"] for line in run.ok("history", "--jsonl").splitlines()]
    assert actors == ["you", "me", "cli"]


def test_stale_and_stats(run: Run, service: MemoryService) -> None:
    for word in ("one", "two"):
        run.ok("add", word)
    run.ok("get", "1")
    page = run("stale", "--json").json
    assert [item["id"] for item in page["items"]] == [2, 1]
    assert run("stale", "--older-than", "1h", "--json").json["total"] == 0
    stats = run("stats", "--json").json
    assert (stats["statuses"]["active"], stats["never_accessed"]) == (2, 1)
    assert service.search(MemoryQuery(), touch=False).items[1].last_accessed_at is None


def test_doctor_reads_and_changes_nothing(run: Run, db: Path) -> None:
    assert "not there yet" in run.ok("doctor")
    assert not db.exists()
    run.ok("add", "private words", "--tag", "secret")
    answer = run("doctor", "--json")
    assert (answer.code, answer.json["state"], answer.json["faults"]) == (0, "well", [])
    assert "private" not in answer.out
    assert "secret" not in answer.out


def test_doctor_finds_damage(run: Run, db: Path) -> None:
    import sqlite3

    run.ok("add", "one", "--tag", "a")
    with sqlite3.connect(db) as other:
        other.execute("DELETE FROM memory_tag")
    answer = run("doctor", "--json")
    assert answer.code == 6
    assert answer.json["faults"]
    fixed = run("doctor", "--fix", "--json")
    assert (fixed.code, fixed.json["state"]) == (0, "well")
    assert Path(fixed.json["copy before the repair"]).is_file()
    assert run("list", "--tag", "a", "--json").json["total"] == 1
