"""mcp-memory-service: its JSON export and its SQLite database."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.interchange import ImportRecord
from memtui.transfer.head import Head, Kind
from memtui.transfer.importer import Importer, Reading
from memtui.transfer.json_values import Json
from memtui.transfer.mapping import DELETED, Mapper
from memtui.transfer.metadata import labels, metadata_tags
from memtui.transfer.sqlite_source import columns_of, rows_of

_KNOWN = frozenset(
    {
        *("id", "content", "content_hash", "tags", "memory_type", "metadata", "deleted_at"),
        *("created_at", "updated_at", "created_at_iso", "updated_at_iso", "export_source"),
    }
)


def recognises(head: Head) -> bool:
    """An export with its metadata, or a table of memories with a content hash."""
    if head.kind is Kind.SQLITE:
        return {"content", "content_hash"} <= columns_of(head.source, "memories")
    return "export_metadata" in head.members or any(
        {"content", "content_hash"} <= sample.keys() for sample in head.samples
    )


def read(reading: Reading) -> Iterator[ImportRecord]:
    """One memory for each memory."""
    mapper = reading.mapper
    if reading.head.kind is Kind.SQLITE:
        values: Iterator[tuple[int, Json]] = rows_of(
            reading.head.source, "memories", reading.tally, order="id"
        )
    else:
        values = reading.head.objects(reading.tally, ("memories",))
    for line, value in values:
        memory = mapper.usable(value, line)
        if memory is None:
            continue
        content = memory.get("content")
        if not isinstance(content, str):
            mapper.skip(line, "has no text under content")
            continue
        yield _record(memory, content, line, mapper)


def _record(memory: dict[str, Json], content: str, line: int, mapper: Mapper) -> ImportRecord:
    mapper.leave_out_others(memory, _KNOWN)
    kind, more = metadata_tags(memory.get("metadata"), line, mapper)
    memory_type, type_tags = mapper.type_and_tags(memory.get("memory_type") or kind, line)
    tags = mapper.tags((*labels(memory.get("tags")), *more, *type_tags), line)
    hash_ = memory.get("content_hash")
    created = mapper.moment(memory.get("created_at") or memory.get("created_at_iso"), line)
    updated = mapper.moment(memory.get("updated_at") or memory.get("updated_at_iso"), line)
    return mapper.record(
        content,
        tags,
        line,
        identity=str(hash_) if hash_ else content,
        source_id=str(hash_) if hash_ else None,
        memory_type=memory_type,
        status=DELETED if memory.get("deleted_at") else "active",
        times=(created, updated, None),
    )


IMPORTER = Importer(
    name="mcp-memory-service",
    title="mcp-memory-service (a JSON export, or its SQLite database)",
    looks_for="export_metadata and memories, or a SQLite table memories with a content_hash",
    mapping="""\
content  content
tags     tags (a list, or text with commas); tags and category of the metadata
type     memory_type when it is one of ours, else fact with the tag type:…
status   active; soft-deleted rows stay deleted
times    created_at and updated_at
known by its content hash
left out embeddings, other metadata""",
    recognises=recognises,
    read=read,
)
