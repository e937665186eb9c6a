"""Bytes near valid samples of every format: what comes is imported or refused in words.

`MEMTUI_FUZZ=2000` tries so many variations of each sample (25 otherwise).
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import sqlite3
import zipfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtui.errors import MemtuiError
from memtui.models import MemoryQuery
from memtui.service import MemoryService
from memtui.transfer.importing import open_plan
from tests.transfer.test_formats import (
    AGENT,
    API_COLUMNS,
    AT,
    CHAT,
    CLAUDE,
    ENTITY,
    NOTE,
    OPENMEMORY,
)

TRIES = int(os.environ.get("MEMTUI_FUZZ", "25"))
SPLINTERS = [
    b"", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"null", b"{", b"}", b"[", b"]",
    b'"',
    b",", b"\n", b"\r", b"---\n", b"- [ ] ", b"1e999", b"NaN", b"-1", b"9" * 30, b"\\ud800",
    b"\\u0000", b'{"content":', b"[[[[[[[[", b"PK\x03\x04", b"SQLite format 3\0", b"\xe2\x80\xa8",
    b'"tags": 7, ', b'"created_at": "never", ', b'"content": null, ', b"true", b"x" * 9_000,
]  # fmt: skip
edits = st.lists(
    st.tuples(
        st.integers(0, 1 << 20),
        st.integers(0, 40),
        st.sampled_from(SPLINTERS) | st.binary(max_size=8),
    ),
    min_size=1,
    max_size=5,
)


def changed(data: bytes, how: list[tuple[int, int, bytes]]) -> bytes:
    for anywhere, length, put in how:
        at = anywhere % (len(data) + 1)
        data = data[:at] + put + data[at + length :]
    return data


def _table() -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(
        [["content", "tags", "created_at"], ["a, b", "x;y", "2026-01-01"], ['say "hi"', "", "1e3"]]
    )
    return text.getvalue().encode()


def _archive() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("notes/one.md", NOTE)
        archive.writestr("memory.jsonl", json.dumps(ENTITY | {"observations": ["zipped"]}))
    return packed.getvalue()


def _database() -> bytes:
    with sqlite3.connect(":memory:") as raw:
        raw.execute(f"CREATE TABLE memories ({API_COLUMNS})")
        raw.executemany(
            "INSERT INTO memories VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(n, f"row {n}", '["a"]', AT, AT, None, "fact", "active", 1) for n in range(1, 50)],
        )
        data: bytes = raw.serialize()
    raw.close()
    return data


def _lines(*values: object) -> bytes:
    return "".join(f"{json.dumps(value)}\n" for value in values).encode()


SAMPLES: dict[str, bytes] = {
    "mcp graph": _lines(ENTITY | {"observations": ["moved to May", {"content": "x"}]}),
    "openmemory": json.dumps(OPENMEMORY).encode(),
    "autogen": json.dumps(AGENT).encode(),
    "mem0": json.dumps({"results": [{"id": "1", "memory": "tea", "created_at": 1e9}]}).encode(),
    "langgraph": _lines({"namespace": ["a", "b"], "key": "k", "value": {"content": "x"}}),
    "memory service": json.dumps(
        {"memories": [{"content": "x", "content_hash": "h", "tags": ["a"], "metadata": {"a": 1}}]}
    ).encode(),
    "basic memory": NOTE.encode(),
    "claude code": CLAUDE.encode(),
    "chat": CHAT.encode(),
    "json": json.dumps([{"content": "one", "tags": ["a"]}, {"text": "two", "date": 5}]).encode(),
    "lines": _lines(*({"content": f"line {n}", "created_at": n} for n in range(5))),
    "table": _table(),
    "archive": _archive(),
    "database": _database(),
}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> MemoryService:
    with MemoryService.open(tmp_path_factory.mktemp("fuzz") / "m.db") as service:
        yield service
        assert service.check() == ()


@pytest.mark.parametrize("name", SAMPLES)
@settings(
    max_examples=TRIES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(how=edits)
def test_a_changed_sample_is_imported_or_refused_in_words(
    store: MemoryService, tmp_path: Path, name: str, how: list[tuple[int, int, bytes]]
) -> None:
    path = tmp_path / "source"
    data = changed(SAMPLES[name], how)
    path.write_bytes(data)
    before = store.search(MemoryQuery(limit=1), touch=False).total
    try:
        with open_plan([str(path)]) as plan:
            foreseen = plan.preview(store)
            report = plan.apply(store)
    except MemtuiError:
        assert store.search(MemoryQuery(limit=1), touch=False).total == before
    else:
        assert report.fates == foreseen.fates
    assert path.read_bytes() == data


@pytest.mark.parametrize("end", [b"\r", b"\r\n", b"\n", b"\x0c", b"\x85", b"\xe2\x80\xa8"])
@pytest.mark.parametrize("name", ["basic memory", "claude code", "chat"])
def test_other_ends_of_lines_are_no_failure(
    store: MemoryService, tmp_path: Path, name: str, end: bytes
) -> None:
    path = tmp_path / "source"
    for data in (SAMPLES[name].replace(b"\n", end), SAMPLES[name] + end + b"- last" + end):
        path.write_bytes(data)
        with contextlib.suppress(MemtuiError), open_plan([str(path)]) as plan:
            plan.preview(store)


@pytest.mark.parametrize("name", SAMPLES)
def test_the_samples_themselves_come_in(store: MemoryService, tmp_path: Path, name: str) -> None:
    path = tmp_path / "source"
    path.write_bytes(SAMPLES[name])
    with open_plan([str(path)]) as plan:
        assert sum(plan.preview(store).fates.values()) > 0
