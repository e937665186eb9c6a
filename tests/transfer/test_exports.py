"""What an export holds in each format, which memories it takes, and how it is written."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from memtui.errors import CancelledError, CannotOpenError, InvalidError
from memtui.models import MemoryCreate, MemoryPatch, MemoryQuery, Selection, SortKey
from memtui.service import MemoryService
from memtui.transfer.exporter import FIELDS
from memtui.transfer.exporting import (
    ExportOptions,
    export_to_file,
    export_to_stream,
    format_of,
)
from memtui.transfer.registry import EXPORTERS
from tests.clock import Clock

from .conftest import everything

FORMATS = [exporter.name for exporter in EXPORTERS]
HARD = 'two\r\nlines, "quotes" \x1b[31m 🇩🇪 \u2028\u202e=1+1'


@pytest.fixture
def filled(service: MemoryService, clock: Clock) -> MemoryService:
    service.create(MemoryCreate(content=HARD, tags=("a,b", 'c"d', "`tick`")))
    clock.tick()
    service.create(MemoryCreate.parse({"content": "b", "memory_type": "event", "tags": ["x"]}))
    clock.tick()
    service.create(MemoryCreate.parse({"content": "c", "status": "invalid", "tags": ["x"]}))
    service.create(MemoryCreate(content="gone", tags=("x",)))
    service.delete(4)
    return service


def text_of(service: MemoryService, format_: str, **options: object) -> str:
    stream = io.BytesIO()
    export_to_stream(service, stream, ExportOptions(format_, **options))  # type: ignore[arg-type]
    return stream.getvalue().decode()


def matching(**query: object) -> Selection:
    return Selection.matching(MemoryQuery.parse(query))


def contents_of(service: MemoryService, selection: Selection) -> list[str]:
    text = text_of(service, "json", selection=selection)
    return [one["content"][:3] for one in json.loads(text)]


# --- formats ---------------------------------------------------------------------------------


def test_json_holds_the_objects_of_the_contract(filled: MemoryService) -> None:
    found = json.loads(text_of(filled, "json"))
    assert found == [memory.model_dump(mode="json") for memory in everything(filled)]
    assert [list(one) for one in found] == [list(FIELDS)] * 3


def test_csv_gives_the_exact_values_back(filled: MemoryService) -> None:
    rows = list(csv.DictReader(io.StringIO(text_of(filled, "csv"), newline="")))
    first = everything(filled)[0].model_dump(mode="json")
    assert rows[0]["content"] == HARD
    assert json.loads(rows[0]["tags"]) == first["tags"]
    assert rows[0]["created_at"] == first["created_at"]
    assert rows[0]["last_accessed_at"] == ""


def test_markdown_keeps_a_memory_from_breaking_the_page(service: MemoryService) -> None:
    hostile = "# Not a heading\n```\n- not a list\n</details>\n\n---\nstill quoted"
    service.create(MemoryCreate(content=hostile, tags=("a`b``c", "[x](javascript:y)")))
    service.create(MemoryCreate(content="next"))
    tokens = MarkdownIt("commonmark").parse(text_of(service, "markdown"))
    headings = [tokens[n + 1].content for n, one in enumerate(tokens) if one.type == "heading_open"
                and one.level == 0]  # fmt: skip
    assert headings == ["Memories", "Memory 1", "Memory 2"]
    codes = [
        child.content
        for one in tokens
        for child in one.children or ()
        if child.type == "code_inline"
    ]
    assert codes == ["a`b``c", "[x](javascript:y)"]
    assert not any(child.type == "link_open" for one in tokens for child in one.children or ())


def test_json_lines_name_only_what_a_revision_changed(filled: MemoryService) -> None:
    filled.patch(2, MemoryPatch(content="b, edited"))
    lines = [json.loads(line) for line in text_of(filled, "jsonl").splitlines()]
    assert lines[0] == {"memtui": 1, "whole": True, "last_id": 4}
    assert [line["batch"]["label"] for line in lines if "batch" in line][-1].startswith("edit #")
    memories = {line["memory"]["id"]: line for line in lines if "memory" in line}
    assert memories.keys() == {1, 2, 3, 4}
    first, second = memories[2]["revisions"]
    assert (first["content"], "content" in second) == ("b", False)
    assert memories[4]["memory"]["status"] == "deleted"


def test_a_line_of_json_is_one_line_for_every_reader(service: MemoryService) -> None:
    text = "a\u2028b\u2029c\x85d\x0be\x1cf"
    service.create(MemoryCreate(content=text))
    line = text_of(service, "jsonl", fields=["content"])
    assert len(line.splitlines()) == 1
    assert json.loads(line) == {"content": text}


@pytest.mark.parametrize("format_", FORMATS)
def test_an_empty_store_and_an_empty_answer(service: MemoryService, format_: str) -> None:
    for options in ({}, {"selection": matching(tag="nothing")}, {"fields": ["id"]}):
        text = text_of(service, format_, **options)
        assert text.endswith("\n") or text == ""
        if format_ == "json":
            assert json.loads(text) == []


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_ends_with_a_newline_in_utf8_and_touches_nothing(
    filled: MemoryService, format_: str
) -> None:
    token = filled.change_token()
    stream = io.BytesIO()
    export_to_stream(filled, stream, ExportOptions(format_))
    assert stream.getvalue().endswith(b"\n")
    assert "🇩🇪" in stream.getvalue().decode("utf-8")
    assert filled.change_token() == token
    assert filled.stats().never_accessed == 3


# --- which memories, which fields ------------------------------------------------------------


def test_the_filters_of_the_contract(filled: MemoryService) -> None:
    assert contents_of(filled, matching(tag="x")) == ["b", "c"]
    assert contents_of(filled, matching(tag="x", status="deleted")) == ["gon"]
    assert contents_of(filled, matching(memory_type="event")) == ["b"]
    assert contents_of(filled, matching(status="invalid")) == ["c"]
    assert contents_of(filled, matching(q="QUOTES")) == ["two"]
    assert contents_of(filled, matching(sort="created_at")) == ["c", "b", "two"]
    assert contents_of(filled, Selection.of([3, 9, 1])) == ["c", "two"]
    assert contents_of(filled, Selection.of([4])) == ["gon"]


def test_limit_and_offset_play_no_part(filled: MemoryService) -> None:
    assert contents_of(filled, matching(limit=1, offset=2)) == ["two", "b", "c"]


@pytest.mark.parametrize("sort", list(SortKey))
def test_every_sort_gives_every_memory_of_a_larger_store(
    service: MemoryService, sort: SortKey
) -> None:
    service.create_many([MemoryCreate(content=f"memory {n}") for n in range(2_345)])
    found = json.loads(text_of(service, "json", selection=matching(sort=sort), fields=["id"]))
    assert sorted(one["id"] for one in found) == list(range(1, 2_346))


def test_fields_in_their_order(filled: MemoryService) -> None:
    chosen = {"selection": matching(tag="x"), "fields": ["status", "id", "status"]}
    assert text_of(filled, "json", **chosen) == (
        '[\n{"status":"active","id":2},\n{"status":"invalid","id":3}\n]\n'
    )
    assert text_of(filled, "jsonl", **chosen) == (
        '{"status":"active","id":2}\n{"status":"invalid","id":3}\n'
    )
    assert text_of(filled, "csv", **chosen) == "status,id\nactive,2\ninvalid,3\n"
    for fields in (["colour"], []):
        with pytest.raises(InvalidError, match="no field"):
            text_of(filled, "json", fields=fields)


def test_what_others_write_meanwhile_is_not_seen(service: MemoryService) -> None:
    service.create_many([MemoryCreate(content=f"memory {n}") for n in range(1_500)])

    def write(done: int, total: int) -> None:
        service.create(MemoryCreate(content=f"late {done} of {total}"))

    stream = io.BytesIO()
    assert export_to_stream(service, stream, ExportOptions("json"), progress=write) == 1_500
    assert b"late" not in stream.getvalue()
    assert service.search(MemoryQuery()).total > 1_500


# --- files -----------------------------------------------------------------------------------


def test_a_file_is_private_and_complete_or_not_there_case_24(
    filled: MemoryService, tmp_path: Path
) -> None:
    path = tmp_path / "out" / "memories.json"
    path.parent.mkdir()
    assert export_to_file(filled, path, ExportOptions("json")) == 3
    assert path.stat().st_mode & 0o777 == 0o600
    before = path.read_bytes()
    with pytest.raises(CancelledError):
        export_to_file(filled, path, ExportOptions("json"), progress=lambda *_: False)
    assert path.read_bytes() == before
    assert [entry.name for entry in path.parent.iterdir()] == ["memories.json"]


def test_a_file_behind_a_link_is_replaced_and_the_link_stays(
    filled: MemoryService, tmp_path: Path
) -> None:
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    export_to_file(filled, tmp_path / "link.json", ExportOptions("json"))
    assert (tmp_path / "link.json").is_symlink()
    assert len(json.loads((tmp_path / "real.json").read_text())) == 3


def test_what_cannot_be_written_is_refused(filled: MemoryService, tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "no" / "folder" / "x.json"):
        with pytest.raises(CannotOpenError):
            export_to_file(filled, path)


def test_the_ending_names_the_format() -> None:
    names = ["a.jsonl", "a.JSON", "a.csv", "a.md", "a"]
    assert [format_of(Path(name)) for name in names] == [
        *("jsonl", "json", "csv", "markdown", "jsonl"),
    ]
    with pytest.raises(InvalidError, match=r"No format has the ending \.txt"):
        format_of(Path("a.txt"))


def test_it_is_utf8_whatever_the_locale_case_24(filled: MemoryService, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "memtui", "--db", filled.location, "export"]
    env = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "cp1252", "HOME": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, env=env, check=True)
    assert "🇩🇪" in done.stdout.decode("utf-8")
    assert done.stdout.endswith(b"\n")


# --- backup ----------------------------------------------------------------------------------


def test_a_backup_is_a_whole_private_database(filled: MemoryService, tmp_path: Path) -> None:
    path = tmp_path / "copies" / "backup.db"
    path.parent.mkdir()
    path.write_text("an older copy")
    assert filled.backup(path) == path
    assert path.stat().st_mode & 0o777 == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["backup.db"]
    with MemoryService.open(path, read_only=True) as copy:
        assert copy.check() == ()
        assert everything(copy) == everything(filled)


def test_a_backup_while_others_write_is_consistent(filled: MemoryService, tmp_path: Path) -> None:
    writer = (
        "import sys\nfrom memtui.service import MemoryService\nfrom memtui.models import *\n"
        "with MemoryService.open(sys.argv[1]) as s:\n"
        "    print('begins', flush=True)\n"
        "    while True: s.create(MemoryCreate(content='busy', tags=('busy',)))\n"
    )
    running = subprocess.Popen(
        [sys.executable, "-c", writer, filled.location], stdout=subprocess.PIPE
    )
    try:
        assert running.stdout is not None
        running.stdout.readline()
        for n in range(5):
            filled.backup(tmp_path / f"{n}.db")
            with MemoryService.open(tmp_path / f"{n}.db", read_only=True) as copy:
                assert copy.check() == ()
    finally:
        running.kill()
        running.wait()


def test_a_backup_does_not_overwrite_the_database_itself(
    filled: MemoryService, tmp_path: Path
) -> None:
    for path in (filled.location, tmp_path, tmp_path / "no" / "folder.db"):
        with pytest.raises(CannotOpenError):
            filled.backup(path)
    assert len(everything(filled)) == 3


def test_a_read_only_session_can_export_and_back_up(filled: MemoryService, tmp_path: Path) -> None:
    with MemoryService.open(filled.location, read_only=True) as reader:
        assert json.loads(text_of(reader, "json"))
        reader.backup(tmp_path / "copy.db")
        assert reader.duplicates() == ()
