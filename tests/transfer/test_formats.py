"""What becomes of each format: small sources in the shapes that are met, and their memories."""

from __future__ import annotations

import gzip
import json
import sqlite3
import zipfile
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import pytest

from memtui.interchange import ImportReport
from memtui.models import Memory
from memtui.service import MemoryService
from memtui.transfer.head import Head
from memtui.transfer.importing import ReadingOptions
from memtui.transfer.registry import IMPORTERS, recognised
from memtui.transfer.sources import source_of

from .conftest import Bring, contents, everything, fates, new, source

ENTITY = {"type": "entity", "name": "Falcon", "entityType": "project"}


def taken(service: MemoryService) -> list[tuple[str, tuple[str, ...], str, str]]:
    return [
        (one.content, one.tags, str(one.memory_type), str(one.status))
        for one in everything(service)
    ]


def created(memory: Memory) -> str:
    return memory.model_dump(mode="json")["created_at"]


def left_out(report: ImportReport) -> dict[str, int]:
    return dict(report.tally.left_out)


# --- the MCP reference memory server ---------------------------------------------------------


def test_mcp_observations_become_memories_tagged_with_their_entity(
    bring: Bring, service: MemoryService
) -> None:
    report = bring(
        [
            {**ENTITY, "observations": ["Ships in May", "Led by Kim"]},
            {"type": "relation", "from": "Falcon", "to": "Kim", "relationType": "led by"},
        ]
    )
    assert taken(service) == [
        ("Ships in May", ("Falcon", "project"), "fact", "active"),
        ("Led by Kim", ("Falcon", "project"), "fact", "active"),
    ]
    assert left_out(report) == {"relations between entities": 1}


@pytest.mark.parametrize(
    "shape",
    [
        {"entities": [{**ENTITY, "observations": ["x"]}], "relations": []},
        [{"name": "Falcon", "entityType": "project", "observations": ["x"]}],
        [{"_type": "entity", **ENTITY, "observations": [{"text": "x", "version": "1.0"}]}],
        [{**ENTITY, "observations": [{"content": "x"}]}],
        [{**ENTITY, "observations": "x"}],
        [{**ENTITY, "observations": ["x"]}, {"from_entity": "a", "to_entity": "b"}],
    ],
)  # fmt: skip
def test_mcp_variants_mean_the_same(bring: Bring, service: MemoryService, shape: object) -> None:
    bring(shape)
    assert taken(service) == [("x", ("Falcon", "project"), "fact", "active")]


def test_mcp_times_come_from_the_observation_else_from_the_entity(
    bring: Bring, service: MemoryService
) -> None:
    bring(
        [
            {
                **ENTITY,
                "createdAt": 1775484720,
                "observations": ["old", {"text": "own", "timestamp": "2026-05-01T00:00:00Z"}],
            }
        ]
    )
    assert [created(memory) for memory in everything(service)] == [
        "2026-04-06T14:12:00.000000Z",
        "2026-05-01T00:00:00.000000Z",
    ]


def test_mcp_entities_without_observations_are_counted(bring: Bring) -> None:
    report = bring([{**ENTITY, "observations": []}, ENTITY, {**ENTITY, "observations": ["x"]}])
    assert left_out(report) == {"entities without observations": 2}


# --- mem0 and OpenMemory ---------------------------------------------------------------------

MEM0 = {
    "id": "8b3598dc-be3b-5e2c-a7ff-9fbce88b3f59",
    "memory": "Likes tea",
    "hash": "b7b7",
    "metadata": {"category": "drinks", "mood": "calm"},
    "categories": ["taste"],
    "created_at": "2026-04-06T07:12:00-07:00",
    "updated_at": None,
    "user_id": "kim",
    "score": 0.3,
}


@pytest.mark.parametrize(
    "shape",
    [{"results": [MEM0], "relations": []}, [MEM0], {"count": 1, "next": None, "results": [MEM0]}],
)
def test_mem0_open_source_and_platform(bring: Bring, service: MemoryService, shape: object) -> None:
    report = bring(shape)
    assert taken(service) == [
        ("Likes tea", ("taste", "category:drinks", "user:kim"), "fact", "active")
    ]
    assert created(everything(service)[0]) == "2026-04-06T14:12:00.000000Z"
    assert left_out(report)["metadata.mood"] == left_out(report)["score"] == 1


OPENMEMORY = {
    "apps": [{"id": "a1", "name": "cursor"}],
    "memories": [
        {"id": f"m{n}", "content": f"memory {state}", "state": state, "app_id": "a1"}
        for n, state in enumerate(("active", "paused", "archived", "deleted"))
    ],
    # As in real exports, the names come after what uses them.
    "categories": [{"id": "c1", "name": "work"}],
    "memory_categories": [{"memory_id": "m0", "category_id": "c1"}],
}


def test_openmemory_states_categories_and_apps(bring: Bring, service: MemoryService) -> None:
    bring(OPENMEMORY)
    assert taken(service) == [
        ("memory active", ("work", "app:cursor"), "fact", "active"),
        ("memory paused", ("status:paused", "app:cursor"), "fact", "invalid"),
        ("memory archived", ("status:archived", "app:cursor"), "fact", "invalid"),
    ]
    assert contents(service, "deleted") == ["memory deleted"]


def test_openmemory_archive_holds_the_same_memories_twice_and_gives_them_once(
    bring: Bring, service: MemoryService, tmp_path: Path
) -> None:
    path = tmp_path / "export.zip"
    lines = [
        {"id": one["id"], "content": one["content"], "state": one["state"], "app": "cursor"}
        for one in OPENMEMORY["memories"]
    ]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("memories.json", json.dumps(OPENMEMORY))
        packed = gzip.compress("\n".join(json.dumps(line) for line in lines).encode())
        archive.writestr("memories.jsonl.gz", packed)
    assert fates(bring(path)) == {"new": 4}
    assert fates(bring(path)) == {"same": 4}
    assert len(contents(service)) == 3


# --- SQLite databases ------------------------------------------------------------------------


def database(path: Path, columns: str, rows: list[tuple[Any, ...]]) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"CREATE TABLE memories ({columns})")
        marks = ",".join("?" * len(rows[0]))
        connection.executemany(f"INSERT INTO memories VALUES ({marks})", rows)
        connection.commit()
    return path


API_COLUMNS = (
    "id INTEGER PRIMARY KEY, content TEXT, tags TEXT, created_at TEXT, updated_at TEXT, "
    "last_accessed_at TEXT, memory_type TEXT, status TEXT, version INTEGER"
)
AT = "2026-04-06T10:00:00Z"


def test_memories_api_databases_newer_and_older(
    bring: Bring, service: MemoryService, tmp_path: Path
) -> None:
    rows = [
        (1, "new", '["caf\\u00e9"]', AT, AT, None, "preference", "active", 3),
        (2, "retired", "[]", AT, AT, AT, "fact", "invalid", 1),
        (3, "gone", "[]", AT, AT, None, "fact", "deleted", 1),
        (4, "older type", "[]", AT, AT, None, "goal", "active", 1),
        (5, "older status", "[]", AT, AT, None, "event", "archived", 1),
    ]
    path = database(tmp_path / "api.db", API_COLUMNS, rows)
    before = path.read_bytes()
    report = bring(path)
    assert taken(service) == [
        ("new", ("café",), "preference", "active"),
        ("retired", (), "fact", "invalid"),
        ("older type", ("type:goal",), "fact", "active"),
        ("older status", ("status:archived",), "event", "invalid"),
    ]
    assert contents(service, "deleted") == ["gone"]
    assert created(everything(service)[0]) == "2026-04-06T10:00:00.000000Z"
    assert {note: kept.count for note, kept in report.tally.notes.items()} == {
        "unknown types, now fact with a tag type:…": 1,
        "unknown statuses, kept as a tag status:…": 1,
        "memories that are deleted at the source, and stay so": 1,
    }
    assert new(bring(path)) == 0
    assert path.read_bytes() == before
    assert sorted(entry.name for entry in tmp_path.glob("api.db*")) == ["api.db"]


def test_a_database_in_use_is_read_with_what_its_log_holds(
    bring: Bring, service: MemoryService, tmp_path: Path
) -> None:
    path = tmp_path / "live.db"
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute(f"CREATE TABLE memories ({API_COLUMNS})")
        row = (1, "only in the log", "[]", AT, AT, None, "fact", "active", 1)
        writer.execute("INSERT INTO memories VALUES (?,?,?,?,?,?,?,?,?)", row)
        writer.commit()
        before = {entry.name: entry.read_bytes() for entry in tmp_path.glob("live.db*")}
        bring(path)
        assert contents(service) == ["only in the log"]
        after = {entry.name: entry.read_bytes() for entry in tmp_path.glob("live.db*")}
        assert after == before


def test_mcp_memory_service_database_and_export(
    bring: Bring, service: MemoryService, tmp_path: Path
) -> None:
    columns = (
        "id INTEGER PRIMARY KEY, content_hash TEXT, content TEXT, tags TEXT, memory_type TEXT, "
        "metadata TEXT, created_at REAL, updated_at REAL, deleted_at REAL"
    )
    rows = [
        (1, "aa" * 16, "kept", "one, two", "decision", '{"x": 1}', 1775484720.5, None, None),
        (2, "bb" * 16, "dropped", "", None, None, 1775484720.0, None, 1775484721.0),
    ]
    path = database(tmp_path / "sqlite_vec.db", columns, rows)
    bring(path)
    assert taken(service) == [("kept", ("one", "two", "type:decision"), "fact", "active")]
    assert created(everything(service)[0]) == "2026-04-06T14:12:00.500000Z"
    assert contents(service, "deleted") == ["dropped"]
    export = {
        "export_metadata": {"total_memories": 1},
        "memories": [{"content": "kept", "content_hash": "aa" * 16, "tags": ["one", "two"],
                      "memory_type": "decision", "created_at": 1775484720.5, "metadata": {}}],
    }  # fmt: skip
    assert fates(bring(export)) == {"same": 1}


# --- agent frameworks ------------------------------------------------------------------------

LIST_MEMORY = {
    "provider": "autogen_core.memory.ListMemory",
    "component_type": "memory",
    "config": {
        "name": "prefs",
        "memory_contents": [
            {"content": "Metric units", "mime_type": "text/plain; charset=utf-8"},
            {
                "content": "Vegan",
                "mime_type": "text/markdown",
                "metadata": {"tags": ["food"], "timestamp": AT, "type": "preference", "score": 1},
            },
            {"content": {"theme": "dark"}, "mime_type": "application/json"},
            {"content": {"data": "aGk="}, "mime_type": "image/png"},
        ],
    },
}
AGENT = {
    "provider": "autogen_agentchat.agents.AssistantAgent",
    "config": {"name": "assistant", "memory": [LIST_MEMORY]},
}
TEAM = {"provider": "autogen_agentchat.teams.RoundRobin", "config": {"participants": [AGENT]}}


@pytest.mark.parametrize("dump", [LIST_MEMORY, AGENT, TEAM])
def test_autogen_dumps_alone_and_inside_others(
    bring: Bring, service: MemoryService, dump: object
) -> None:
    report = bring(dump)
    assert taken(service) == [
        ("Metric units", ("prefs",), "fact", "active"),
        ("Vegan", ("food", "mime:text/markdown", "prefs"), "preference", "active"),
        ('{"theme": "dark"}', ("mime:application/json", "prefs"), "fact", "active"),
    ]
    assert [skip.reason for skip in report.tally.skips] == ["its content is binary"]
    assert new(bring(dump)) == 0


def test_langgraph_items(bring: Bring, service: MemoryService) -> None:
    at = {"created_at": AT, "updated_at": AT}
    bring(
        [
            {"namespace": ["kim", "food"], "key": "a", "value": {"text": "Likes tea"}, **at},
            {
                "namespace": ["kim"],
                "key": "b",
                "value": {"kind": "Memory", "content": {"content": "Works remotely"}},
                **at,
            },
            {"namespace": "kim.misc", "key": "c", "value": {"n": 1}, **at},
        ]
    )
    assert taken(service) == [
        ("Likes tea", ("kim", "food"), "fact", "active"),
        ("Works remotely", ("kim",), "fact", "active"),
        ('{"n": 1}', ("kim", "misc"), "fact", "active"),
    ]


# --- Markdown and chats ----------------------------------------------------------------------

NOTE = """\
---
title: Coffee
permalink: food/coffee
tags: [drinks, brewing]
created: 2026-04-06
---

# Coffee

- [preference] Prefers light roast #taste (since 2020)
- [method] Pour over, 94 °C
- [ ] buy beans
- [x] clean the mill
- [00:11] a line of a transcript
- [link](https://example.com)
- [[Another note]]
- relates_to [[Tea]]
- just prose
> - [quoted] is not an observation

```
- [code] is not an observation
```
"""


def test_basic_memory_observations_and_nothing_else_case_25(
    bring: Bring, service: MemoryService
) -> None:
    report = bring(NOTE)
    assert taken(service) == [
        ("Prefers light roast #taste (since 2020)", ("taste", "drinks", "brewing", "Coffee"),
         "preference", "active"),
        ("Pour over, 94 °C", ("method", "drinks", "brewing", "Coffee"), "fact", "active"),
    ]  # fmt: skip
    assert created(everything(service)[0]) == "2026-04-06T00:00:00.000000Z"
    assert left_out(report) == {
        "check boxes": 2,
        "time codes": 1,
        "bullets that are only a link": 1,
        "relations between notes": 2,
        "list items that are no observations": 1,
        "lines of other text": 4,
    }


@pytest.mark.parametrize(
    "front",
    ["title: a: b: c", "title: [", "tags: !!python/object/apply:os.system ['true']", "? - x\n: y"],
)
def test_broken_front_matter_costs_only_itself(
    bring: Bring, service: MemoryService, front: str
) -> None:
    bring(f"---\n{front}\n---\n- [fact] kept\n")
    assert contents(service) == ["kept"]


def test_front_matter_makes_text_only(bring: Bring, service: MemoryService) -> None:
    bring("---\ntitle: yes\ntags: [2026-04-06, no, 1.50]\n---\n- [fact] kept\n")
    assert everything(service)[0].tags == ("2026-04-06", "no", "1.50", "yes")


def test_a_folder_of_notes(bring: Bring, service: MemoryService, tmp_path: Path) -> None:
    folder = tmp_path / "vault"
    (folder / "deep").mkdir(parents=True)
    (folder / ".obsidian").mkdir()
    (folder / "a.md").write_text("- [fact] one\n")
    (folder / "deep" / "b.md").write_text("- [fact] two\n")
    (folder / "prose.md").write_text("Nothing to see.\n")
    (folder / ".obsidian" / "c.md").write_text("- [fact] hidden\n")
    (folder / "link.md").symlink_to("/etc/hostname")
    report = bring(folder)
    assert contents(service) == ["one", "two"]
    assert left_out(report) == {"files that hold no memories": 1}


CLAUDE = """\
# Project

## Style
- Prefers small functions
  - even smaller ones
- Languages:
  - Python
  - Erlang, sometimes

Some prose.

## To do
- [ ] not a memory
- [Notes](notes.md) — an index entry
"""


def test_claude_code_bullets_under_their_headings(bring: Bring, service: MemoryService) -> None:
    report = bring(CLAUDE)
    assert taken(service) == [
        ("Prefers small functions\n- even smaller ones", ("Project", "Style"), "fact", "active"),
        ("Python", ("Project", "Style", "Languages"), "fact", "active"),
        ("Erlang, sometimes", ("Project", "Style", "Languages"), "fact", "active"),
    ]
    assert left_out(report)["check boxes"] == left_out(report)["links to other notes"] == 1


def test_claude_code_topic_files(bring: Bring, service: MemoryService) -> None:
    bring(
        "---\nname: user_role\ndescription: who\nmetadata:\n  type: user\n---\n\nA data engineer.\n"
    )
    assert taken(service) == [("A data engineer.", ("user_role", "type:user"), "fact", "active")]


CHAT = """\
=== MEMORY EXPORT ===

## 1. PREFERENCES
[2026-04-06] - Prefers short answers
  with examples
[unknown] - No emoji

## 2. PROJECTS
[2026-04] - Building a compiler
"""


@pytest.mark.parametrize("text", [CHAT, f"Here it is:\n\n```text\n{CHAT}```\n"])
def test_chat_exports_with_sections(bring: Bring, service: MemoryService, text: str) -> None:
    bring(text)
    assert taken(service) == [
        ("Prefers short answers\nwith examples", ("PREFERENCES",), "preference", "active"),
        ("No emoji", ("PREFERENCES",), "preference", "active"),
        ("Building a compiler", ("PROJECTS",), "fact", "active"),
    ]
    assert created(everything(service)[0]) == "2026-04-06T00:00:00.000000Z"


def test_chat_exports_as_numbered_lines(bring: Bring, service: MemoryService) -> None:
    bring("1. Has a dog\n2) Lives in Albany\n")
    assert contents(service) == ["Has a dog", "Lives in Albany"]


def test_claude_data_export(bring: Bring, service: MemoryService, tmp_path: Path) -> None:
    memories = [
        {
            "account_uuid": "u",
            "conversations_memory": "**Work context**\n\nKim builds tools.\n\nAnd tests them.",
            "project_memories": {"p1": "Use plain SQL."},
        }
    ]
    path = tmp_path / "data.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("users.json", json.dumps([{"uuid": "u", "full_name": "Kim"}]))
        archive.writestr("conversations.json", json.dumps([{"uuid": "c", "chat_messages": []}]))
        archive.writestr("memories.json", json.dumps(memories))
    report = bring(path)
    assert taken(service) == [
        ("Kim builds tools.", ("Work context",), "fact", "active"),
        ("And tests them.", ("Work context",), "fact", "active"),
        ("Use plain SQL.", ("project:p1",), "fact", "active"),
    ]
    assert left_out(report) == {"files that hold no memories": 2}


# --- plain files -----------------------------------------------------------------------------


def test_plain_json_finds_common_names_and_counts_the_rest(
    bring: Bring, service: MemoryService
) -> None:
    report = bring(
        [
            {"text": "a", "labels": "x, y", "category": "preference", "timestamp": 1772201521685.0},
            {"content": "b", "type": "goal", "vector": [0.1], "metadata": '{"tags": ["z"]}'},
        ]
    )
    assert taken(service) == [
        ("a", ("x", "y"), "preference", "active"),
        ("b", ("type:goal", "z"), "fact", "active"),
    ]
    assert left_out(report) == {"vector": 1}


def test_plain_json_and_csv_with_a_mapping(bring: Bring, service: MemoryService) -> None:
    reading = ReadingOptions(columns={"content": "What", "tags": "topics"})
    bring([{"What": "a", "topics": ["x"], "text": "b"}], reading=reading)
    bring("What;topics\nc;y,z\n", reading=reading)
    assert taken(service) == [("a", ("x",), "fact", "active"), ("c", ("y", "z"), "fact", "active")]


def test_csv_cells_hold_line_ends_quotes_and_lists(bring: Bring, service: MemoryService) -> None:
    text = 'id,Content,tags,status\n1,"two\r\nlines, ""quoted""","[""a,b"",""c""]",invalid\n\n2,x\n'
    report = bring(text)
    assert taken(service) == [
        ('two\r\nlines, "quoted"', ("a,b", "c"), "fact", "invalid"),
        ("x", (), "fact", "active"),
    ]
    assert report.tally.skipped == 0


def test_csv_rows_with_too_many_cells_are_named(bring: Bring) -> None:
    report = bring("content,tags\na,b\nc,d,e\n")
    assert [(skip.line, skip.reason) for skip in report.tally.skips] == [
        (3, "has 3 cells, the header has 2")
    ]


def test_text_is_one_memory_a_line_when_asked(bring: Bring, service: MemoryService) -> None:
    bring("one\n\n  two  \n", reading=ReadingOptions(format="text"))
    assert contents(service) == ["one", "  two  "]


# --- all of them -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ([{**ENTITY, "observations": ["x"]}], "mcp"),
        ({"results": [MEM0]}, "mem0"),
        (OPENMEMORY, "openmemory"),
        (AGENT, "autogen"),
        ([{"namespace": ["a"], "key": "k", "value": {"text": "t"}}], "langgraph"),
        (NOTE, "basic-memory"),
        (CLAUDE, "claude-code"),
        (CHAT, "chat-export"),
        ("content,tags\na,b\n", "csv"),
        ([{"content": "x"}], "json"),
        ("just text\nand more\n", None),
    ],
)  # fmt: skip
def test_recognised_from_content_whatever_the_name(
    tmp_path: Path, given: object, name: str | None
) -> None:
    for file in ("a", "a.json", "a.csv", "a.md", "a.db"):
        with ExitStack() as resources:
            head = Head(source_of(str(source(tmp_path, given, file)), resources))
            found = recognised(head)
        assert (found.name if found else None) == name


def test_every_format_says_what_it_does() -> None:
    assert len({importer.name for importer in IMPORTERS}) == len(IMPORTERS)
    for importer in IMPORTERS:
        assert importer.title
        assert importer.mapping.startswith(("content ", "everything "))
