"""Reading many memories in one view, as an export needs them: whole rows, journal, provenance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection

from memtui.interchange import (
    Attachment,
    ExportedMemory,
    ExportedPast,
    PastBatch,
    PastRevision,
    Whole,
)
from memtui.store import provenance
from memtui.store.raw import Which, raw_rows, raw_stream
from memtui.store.rows import tags_from_text

_COLUMNS = (
    "id, content, tags, created_at, updated_at, last_accessed_at, memory_type, status, version"
)
_AFTER = f"SELECT {_COLUMNS} FROM memory WHERE id > ? ORDER BY id LIMIT ?"
_BY_ID = f"SELECT {_COLUMNS} FROM memory WHERE id {{which}}"
_REVISIONS = """
SELECT memory_id, seq, version, action, content, tags, memory_type, status, at, actor, batch_id
FROM revision WHERE memory_id {which} ORDER BY memory_id, seq
"""
_ATTACHED = "SELECT memory_id FROM attachment WHERE memory_id {which}"
_ATTACHMENT = "SELECT media_type, details, data FROM attachment WHERE memory_id = ?"
_BATCHES = "SELECT id, at, actor, label, size, undoes, is_undo FROM batch ORDER BY id"
_LAST_ID = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'memory'"
_IS_NEW = "SELECT NOT EXISTS (SELECT 1 FROM batch) AND NOT EXISTS (SELECT 1 FROM memory)"


def is_new(connection: Connection) -> bool:
    """Whether nothing was ever kept here."""
    never = connection.exec_driver_sql(_LAST_ID).scalar_one() == 0
    return never and bool(connection.exec_driver_sql(_IS_NEW).scalar_one())


def whole(connection: Connection) -> Whole:
    """What belongs to the store and to no single memory."""
    rows = raw_rows(connection, _BATCHES)
    batches = tuple(PastBatch._make((*row[:6], bool(row[6]))) for row in rows)
    return Whole(int(connection.exec_driver_sql(_LAST_ID).scalar_one()), batches)


def after(connection: Connection, last_id: int, limit: int) -> list[ExportedMemory]:
    """The next memories by id, deleted ones included."""
    return _memories(raw_rows(connection, _AFTER, (last_id, limit)))


def by_id(connection: Connection, ids: Sequence[int]) -> list[ExportedMemory]:
    """Those of the memories that exist, in the order of `ids`."""
    which = Which.of(ids)
    rows = raw_rows(connection, _BY_ID.format(which=which.sql), which.values)
    found = {memory.id: memory for memory in _memories(rows)}
    return [found[id_] for id_ in ids if id_ in found]


def with_past(connection: Connection, memories: Sequence[ExportedMemory]) -> Iterator[ExportedPast]:
    """Each memory with its whole journal, where it comes from and what is kept beside it.

    For memories by ascending id the journal is read along; one long journal and one attachment at a
    time are held.
    """
    if not memories:
        return
    ids = [memory.id for memory in memories]
    if ids != sorted(ids):
        for memory in memories:
            yield from with_past(connection, [memory])
        return
    is_run = ids[-1] - ids[0] < 2 * len(ids)
    which = Which.between(ids[0], ids[-1]) if is_run else Which.of(ids)
    origins = provenance.of_memories(connection, which)
    with_attachment = {
        id_ for (id_,) in raw_rows(connection, _ATTACHED.format(which=which.sql), which.values)
    }
    journals = _journals(connection, which)
    journal = next(journals, None)
    for memory in memories:
        while journal is not None and journal[0] < memory.id:
            journal = next(journals, None)
        revisions = journal[1] if journal is not None and journal[0] == memory.id else ()
        attachment = _attachment(connection, memory.id) if memory.id in with_attachment else None
        yield ExportedPast(memory, revisions, origins.get(memory.id, ()), attachment)


def _journals(connection: Connection, which: Which) -> Iterator[tuple[int, list[PastRevision]]]:
    """The revisions of each memory that has some, by ascending id."""
    tags_of = _TagTuples()
    past: list[PastRevision] = []
    current = 0
    query = _REVISIONS.format(which=which.sql)
    for id_, seq, version, action, content, tags, *rest in raw_stream(
        connection, query, which.values
    ):
        if id_ != current:
            if past:
                yield current, past
            current, past = id_, []
        if content is None:
            content = past[-1].content if past else ""  # noqa: PLW2901 - as the entry before
        past.append(PastRevision(seq, version, action, content, tags_of[tags], *rest))
    if past:
        yield current, past


def _attachment(connection: Connection, memory_id: int) -> Attachment:
    return Attachment(*raw_rows(connection, _ATTACHMENT, (memory_id,))[0])


def _memories(rows: Sequence[tuple[Any, ...]]) -> list[ExportedMemory]:
    tags_of = _TagTuples()
    return [
        ExportedMemory(id_, content, tags_of[tags], *rest) for id_, content, tags, *rest in rows
    ]


class _TagTuples(dict[str, tuple[str, ...]]):
    """Tags from their column, each combination read once."""

    def __missing__(self, text: str) -> tuple[str, ...]:
        tags = self[text] = tags_from_text(text)
        return tags
