"""`import`, `export` and `backup` as verbs; what the formats mean is tested with them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from .conftest import Run

GRAPH = "\n".join(
    json.dumps({"type": "entity", "name": name, "entityType": "kind", "observations": texts})
    for name, texts in (("A", ["one", "two"]), ("B", ["three"]))
)


def test_import_brings_in_once_and_undo_takes_it_back(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "memory.jsonl"
    file.write_text(GRAPH)
    dry = run("import", file, "--dry-run", "--json").json
    assert (dry["counts"]["new"], dry["batch"], len(dry["preview"])) == (3, None, 3)
    assert run("list", "--json").json["total"] == 0
    assert "3 new" in run.ok("import", file, "--tag", "graph", "--type", "event")
    items = run("list", "--tag", "graph", "--type", "event", "--json").json["items"]
    assert [item["content"] for item in items] == ["one", "two", "three"]
    again = run("import", file, "--json").json
    assert (again["counts"]["new"], again["counts"]["same"]) == (0, 3)
    run.ok("undo")
    assert run("list", "--json").json["total"] == 0
    assert file.read_text() == GRAPH


def test_import_reads_standard_input(run: Run) -> None:
    assert "3 new" in run.ok("import", "-", stdin=GRAPH)
    assert "2 new" in run.ok("import", "-", "--format", "text", stdin="a line\nanother\n")


def test_import_names_what_cannot_come_in(run: Run) -> None:
    torn = GRAPH + '\n{"type": "entity", "na'
    answer = run("import", "-", stdin=torn)
    assert answer.code == 7
    assert "line 3" in answer.out
    assert run("import", "-", "--json", stdin=torn).json["skipped"] == 1


@pytest.mark.parametrize(
    ("words", "stdin"),
    [
        (["import", "nothing-here.json"], ""),
        (["import", "-"], "neither this\nnor that"),
        (["import", "-"], ""),
        (["import", "-", "--format", "papyrus"], GRAPH),
        (["import", "-", "--map", "content"], GRAPH),
        (["import", "-", "--map", "colour=red"], GRAPH),
        (["import", "-", "--tag", "x" * 65], GRAPH),
        (["import", "--help", "papyrus"], ""),
        (["export", "--fields", "colour"], ""),
        (["export", "--format", "papyrus"], ""),
        (["export", "--id", "1", "--tag", "x"], ""),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("made")
def test_what_makes_no_sense_is_2(run: Run, words: list[str], stdin: str) -> None:
    assert run(*words, stdin=stdin).code == 2
    assert run("list", "--json").json["total"] == 0


def test_credentials_stop_an_import_until_one_decides(run: Run) -> None:
    key = "sk-ant-api03-" + "a1" * 30
    text = f"harmless\nthe key is {key}\n"
    answer = run("import", "-", "--format", "text", stdin=text)
    assert answer.code == 2
    assert key not in answer.err
    assert "--skip-secrets" in answer.err
    assert run("list", "--json").json["total"] == 0
    assert "1 new" in run.ok("import", "-", "--format", "text", "--skip-secrets", stdin=text)
    assert "1 new" in run.ok("import", "-", "--format", "text", "--allow-secrets", stdin=text)


def test_help_says_what_becomes_what_in_each_format(run: Run) -> None:
    from memtui.transfer.registry import IMPORTERS

    overview = "".join(run.ok("import", "--help").split())
    for importer in IMPORTERS:
        assert importer.name in overview
        assert importer.mapping in run.ok("import", "--help", importer.name)


def test_a_mapping_names_other_columns(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "notes.csv"
    file.write_text("what,labels\nhello,a;b\n")
    run.ok("import", file, "--map", "content=what,tags=labels")
    assert run("list", "--json").json["items"][0]["content"] == "hello"


def test_export_and_import_make_an_identical_store(run: Run, tmp_path: Path) -> None:
    for word in ("one", "two", "three"):
        run.ok("add", word, "--tag", "t")
    run.ok("edit", "1", "--content", "ONE")
    run.ok("delete", "2")
    run.ok("get", "3")
    first, second, other = (tmp_path / name for name in ("a.jsonl", "b.jsonl", "other.db"))
    assert run("export", first, "--json").json == {"path": str(first), "count": 3}
    run.ok("--db", other, "import", first)
    run.ok("--db", other, "export", second)
    assert first.read_bytes() == second.read_bytes()
    assert run.ok("export").encode() + b"\n" == first.read_bytes()


def test_export_takes_filters_fields_formats_and_marks_nothing(run: Run, tmp_path: Path) -> None:
    for word in ("one", "two"):
        run.ok("add", word, "--tag", word)
    run.ok("views", "save", "mine", "--tag", "two")
    assert (
        run.ok("export", "--format", "csv", "--fields", "id,content", "--tag", "two")
        == "id,content\n2,two"
    )
    assert json.loads(run.ok("export", "--format", "json", "--view", "mine", "--fields", "id")) == [
        {"id": 2}
    ]
    assert run.ok("export", "--id", "1", "--fields", "content") == '{"content":"one"}'
    newest_first = run.ok("export", "--format", "json", "--sort", "created_at", "--fields", "id")
    assert json.loads(newest_first) == [{"id": 2}, {"id": 1}]
    markdown = tmp_path / "notes.md"
    run.ok("export", markdown)
    assert "two" in markdown.read_text()
    assert run("stats", "--json").json["never_accessed"] == 2


def test_an_export_that_cannot_be_written_leaves_what_was_there(run: Run, tmp_path: Path) -> None:
    run.ok("add", "one")
    assert run("export", tmp_path).code == 1
    assert run("export", tmp_path / "no" / "such" / "folder.jsonl").code == 1


def test_an_export_to_a_terminal_is_safe_to_look_at(run: Run, db: Path) -> None:
    pexpect = pytest.importorskip("pexpect")
    run.ok("add", "\x1b[31mred \x9b \u202eleft")
    shown = pexpect.run(f"{sys.executable} -m memtui --db {db} export --format markdown").decode()
    assert "[31mred" in shown
    assert not {char for char in shown if not char.isprintable()} - {"\r", "\n"}


def test_backup_copies_while_the_database_is_in_use(run: Run, db: Path, tmp_path: Path) -> None:
    run.ok("add", "one")
    copy = tmp_path / "copy.db"
    answer = run("backup", copy, "--json")
    assert answer.json == {"path": str(copy), "bytes": copy.stat().st_size}
    assert (
        run("--db", copy, "get", "1", "--peek", "--json").json
        == run("get", "1", "--peek", "--json").json
    )
    assert copy.stat().st_mode & 0o077 == 0
    assert run("backup", db).code != 0
    assert run("backup", tmp_path).code == 1
    assert run("list", "--json").json["total"] == 1
