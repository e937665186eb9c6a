"""The Memories API: a SQLite database whose `memories` table has the contract's nine columns."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.interchange import ImportRecord
from memtui.transfer.head import Head, Kind
from memtui.transfer.importer import Importer, Reading
from memtui.transfer.mapping import identity_of
from memtui.transfer.metadata import labels
from memtui.transfer.sqlite_source import columns_of, rows_of

_NEEDED = frozenset({"id", "content", "tags", "created_at", "memory_type", "status"})
_KNOWN = _NEEDED | {"updated_at", "last_accessed_at", "version"}


def recognises(head: Head) -> bool:
    """A table of memories with status and type."""
    return head.kind is Kind.SQLITE and columns_of(head.source, "memories") >= _NEEDED


def read(reading: Reading) -> Iterator[ImportRecord]:
    """One memory for each row; a row's number stands for its line."""
    mapper = reading.mapper
    for line, row in rows_of(reading.head.source, "memories", reading.tally, order="id"):
        content = row.get("content")
        if not isinstance(content, str):
            mapper.skip(line, "has no text under content")
            continue
        mapper.leave_out_others(row, _KNOWN)
        memory_type, type_tags = mapper.type_and_tags(row.get("memory_type"), line)
        status, status_tags = mapper.status_and_tags(row.get("status"), line)
        identity, source_id = identity_of(row.get("id"), content, row.get("created_at"))
        yield mapper.record(
            content,
            mapper.tags((*labels(row.get("tags")), *type_tags, *status_tags), line),
            line,
            identity=identity,
            source_id=source_id,
            memory_type=memory_type,
            status=status,
            times=(
                mapper.moment(row.get("created_at"), line),
                mapper.moment(row.get("updated_at"), line),
                mapper.moment(row.get("last_accessed_at"), line),
            ),
        )


IMPORTER = Importer(
    name="memories-api",
    title="Memories API (its SQLite database, newer or older)",
    looks_for="a SQLite table memories with content, tags, created_at, memory_type and status",
    mapping="""\
content  content
tags     tags
type     memory_type; one of an older database becomes fact with the tag type:…
status   status; one of an older database becomes invalid (archived, …) or active with status:…
times    created_at, updated_at and last_accessed_at
known by its id together with created_at
left out version, which begins at 1 here""",
    recognises=recognises,
    read=read,
)
