"""Reading many memories in one view, as an export needs them: whole rows, journal, provenance."""

from __future__ import annotations

import json
from collections.abc import Sequence

from sqlalchemy import Connection

from memtui.interchange import ExportedMemory, ExportedPast, PastBatch, PastRevision, Whole
from memtui.store import provenance
from memtui.store.rows import tags_from_text

_COLUMNS = (
    "id, content, tags, created_at, updated_at, last_accessed_at, memory_type, status, version"
)
_AFTER = f"SELECT {_COLUMNS} FROM memory WHERE id > ? ORDER BY id LIMIT ?"
_BY_ID = f"SELECT {_COLUMNS} FROM memory WHERE id IN (SELECT value FROM json_each(?))"
_REVISIONS = """
SELECT memory_id, seq, version, action, content, tags, memory_type, status, at, actor, batch_id
FROM revision WHERE memory_id IN (SELECT value FROM json_each(?)) ORDER BY memory_id, seq
"""
_BATCHES = "SELECT id, at, actor, label, size, undoes, is_undo FROM batch ORDER BY id"
_LAST_ID = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'memory'"
_IS_NEW = "SELECT NOT EXISTS (SELECT 1 FROM batch) AND NOT EXISTS (SELECT 1 FROM memory)"


def is_new(connection: Connection) -> bool:
    """Whether nothing was ever kept here."""
    never = connection.exec_driver_sql(_LAST_ID).scalar_one() == 0
    return never and bool(connection.exec_driver_sql(_IS_NEW).scalar_one())


def whole(connection: Connection) -> Whole:
    """What belongs to the store and to no single memory."""
    rows = connection.exec_driver_sql(_BATCHES).tuples()
    batches = tuple(PastBatch._make((*row[:6], bool(row[6]))) for row in rows)
    return Whole(int(connection.exec_driver_sql(_LAST_ID).scalar_one()), batches)


def after(connection: Connection, last_id: int, limit: int) -> list[ExportedMemory]:
    """The next memories by id, deleted ones included."""
    return _memories(connection.exec_driver_sql(_AFTER, (last_id, limit)).tuples().all())


def by_id(connection: Connection, ids: Sequence[int]) -> list[ExportedMemory]:
    """Those of the memories that exist, in the order of `ids`."""
    rows = connection.exec_driver_sql(_BY_ID, (json.dumps(ids),)).tuples().all()
    found = {memory.id: memory for memory in _memories(rows)}
    return [found[id_] for id_ in ids if id_ in found]


def with_past(connection: Connection, memories: Sequence[ExportedMemory]) -> list[ExportedPast]:
    """Each memory with its whole journal and where it comes from."""
    ids = [memory.id for memory in memories]
    revisions: dict[int, list[PastRevision]] = {id_: [] for id_ in ids}
    known_tags: dict[str, tuple[str, ...]] = {}
    for row in connection.exec_driver_sql(_REVISIONS, (json.dumps(ids),)).tuples():
        past = revisions[row[0]]
        content = row[4] if row[4] is not None else (past[-1].content if past else "")
        tags = known_tags.get(row[5])
        if tags is None:
            tags = known_tags[row[5]] = tags_from_text(row[5])
        past.append(PastRevision._make((*row[1:4], content, tags, *row[6:])))
    origins = provenance.of_memories(connection, ids)
    return [
        ExportedPast(memory, revisions[memory.id], origins.get(memory.id, ()))
        for memory in memories
    ]


def _memories(rows: Sequence[tuple[object, ...]]) -> list[ExportedMemory]:
    known_tags: dict[object, tuple[str, ...]] = {}
    made = []
    for row in rows:
        tags = known_tags.get(row[2])
        if tags is None:
            tags = known_tags[row[2]] = tags_from_text(str(row[2]))
        made.append(ExportedMemory(row[0], row[1], tags, *row[3:]))  # type: ignore[arg-type]
    return made
