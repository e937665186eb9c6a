"""JSON Lines: complete, with journal, provenance and attachments, or chosen fields alone.

The first line says what the file is, then come the store's batches, then the memories by id. A
revision names only what differs from the memory as it is now.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from functools import lru_cache

from memtui.interchange import (
    Attachment,
    ExportedMemory,
    ExportedPast,
    PastBatch,
    PastRevision,
    Provenance,
    Whole,
)
from memtui.transfer.exporter import (
    Exporter,
    Rows,
    chosen,
    dumps,
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


@lru_cache(maxsize=4096)
def _often(value: str | tuple[str, ...]) -> str:
    """JSON of what comes again and again: types, actors, sources, sets of tags."""
    return dumps(value)


def _line(past: ExportedPast) -> str:
    """One memory; assembled from text because an export is measured in thousands a second."""
    memory = past.memory
    tags = _often(memory.tags)
    content = dumps(memory.content)
    accessed = memory.last_accessed_at
    values = (
        f'"id":{memory.id},"content":{content},"tags":{tags},'
        f'"created_at":"{timestamp(memory.created_at)}",'
        f'"updated_at":"{timestamp(memory.updated_at)}",'
        f'"last_accessed_at":{"null" if accessed is None else dumps(timestamp(accessed))},'
        f'"memory_type":{_often(memory.memory_type)},"status":{_often(memory.status)},'
        f'"version":{memory.version}'
    )
    revisions = ",".join([_revision(revision, memory) for revision in past.revisions])
    provenance = ",".join([_provenance(origin) for origin in past.provenance])
    beside = f',"provenance":[{provenance}]' if provenance else ""
    if past.attachment is not None:
        beside += f',"attachment":{_attachment(past.attachment)}'
    return f'{{"memory":{{{values}}},"revisions":[{revisions}]{beside}}}\n'


def _revision(revision: PastRevision, memory: ExportedMemory) -> str:
    seq, version, action, content, tags, memory_type, status, at, actor, batch = revision
    differs = ""
    if content != memory.content:
        differs += f',"content":{dumps(content)}'
    if tags != memory.tags:
        differs += f',"tags":{dumps(tags)}'
    if memory_type != memory.memory_type:
        differs += f',"memory_type":{_often(memory_type)}'
    if status != memory.status:
        differs += f',"status":{_often(status)}'
    return (
        f'{{"seq":{seq},"version":{version},"action":{_often(action)},"at":"{timestamp(at)}",'
        f'"actor":{_often(actor)},"batch":{batch}{differs}}}'
    )


def _provenance(origin: Provenance) -> str:
    format_, source, source_id, key, digest, version, batch = origin
    return (
        f'{{"format":{_often(format_)},"source":{_often(source)},"source_id":{dumps(source_id)},'
        f'"key":"{key & _MASK:016x}","digest":"{digest & _MASK:016x}",'
        f'"version":{version},"batch":{batch}}}'
    )


def _attachment(attachment: Attachment) -> str:
    data = attachment.data
    return dumps(
        {
            "media_type": attachment.media_type,
            "details": attachment.details,
            "data": None if data is None else b64encode(data).decode(),
        }
    )


EXPORTER = Exporter(
    "jsonl", "JSON Lines, complete: with history, provenance and attachments", ".jsonl", pieces
)
