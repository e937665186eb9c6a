"""JSON Lines: complete, with journal and provenance; or, with chosen fields, one object a line.

The first line says what the file is, then come the store's batches, then the memories by id. A
revision names only what differs from the memory as it is now.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memtui.interchange import ExportedPast, PastBatch, PastRevision, Provenance, Whole
from memtui.transfer.exporter import (
    Exporter,
    Rows,
    chosen,
    dumps,
    fields_of,
    timestamp,
)

MARK = "memtui"
FORMAT = 1
"""The version of this format; a reader refuses a newer one."""

_MASK = 2**64 - 1


def pieces(rows: Rows, fields: Sequence[str] | None) -> Iterator[str]:
    """The lines of the file."""
    if fields is not None:
        for memory in rows.memories():
            yield dumps(chosen(memory, fields)) + "\n"
        return
    if rows.selection is None:
        yield from _of_store(rows.whole())
    else:
        yield dumps({MARK: FORMAT, "whole": False}) + "\n"
    for past in rows.with_past():
        yield _line(past)


def _of_store(whole: Whole) -> Iterator[str]:
    yield dumps({MARK: FORMAT, "whole": True, "last_id": whole.last_id}) + "\n"
    for batch in whole.batches:
        yield dumps({"batch": _batch(batch)}) + "\n"


def _batch(batch: PastBatch) -> dict[str, object]:
    return batch._asdict() | {"at": timestamp(batch.at)}


def _line(past: ExportedPast) -> str:
    memory = past.memory
    line: dict[str, object] = {
        "memory": fields_of(memory),
        "revisions": [
            _revision(revision, memory.content, memory.tags, memory.memory_type, memory.status)
            for revision in past.revisions
        ],
    }
    if past.provenance:
        line["provenance"] = [_provenance(origin) for origin in past.provenance]
    return dumps(line) + "\n"


def _revision(
    revision: PastRevision, content: str, tags: tuple[str, ...], memory_type: str, status: str
) -> dict[str, object]:
    written: dict[str, object] = {
        "seq": revision.seq,
        "version": revision.version,
        "action": revision.action,
        "at": timestamp(revision.at),
        "actor": revision.actor,
        "batch": revision.batch,
    }
    if revision.content != content:
        written["content"] = revision.content
    if revision.tags != tags:
        written["tags"] = revision.tags
    if revision.memory_type != memory_type:
        written["memory_type"] = revision.memory_type
    if revision.status != status:
        written["status"] = revision.status
    return written


def _provenance(origin: Provenance) -> dict[str, object]:
    return {
        "format": origin.format,
        "source": origin.source,
        "source_id": origin.source_id,
        "key": f"{origin.key & _MASK:016x}",
        "digest": f"{origin.digest & _MASK:016x}",
        "version": origin.version,
        "batch": origin.batch,
    }


EXPORTER = Exporter("jsonl", "JSON Lines, complete: with history and provenance", ".jsonl", pieces)
