"""memtui's own export: memories with their journal and provenance, as JSON Lines."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Iterator
from functools import lru_cache
from typing import cast

from memtui.errors import InvalidError
from memtui.interchange import (
    MAX_ATTACHMENT,
    Attachment,
    ImportRecord,
    Past,
    PastBatch,
    PastRevision,
    Provenance,
    Tally,
    Whole,
)
from memtui.text import storable_problem
from memtui.transfer.exporters.jsonl import FORMAT, MARK
from memtui.transfer.head import Head, Kind
from memtui.transfer.importer import Importer, Reading
from memtui.transfer.json_values import Json, json_lines
from memtui.transfer.mapping import Mapper
from memtui.transfer.times import micros_of

_KEYS = frozenset({"memory", "revisions"})
_DECODER = json.JSONDecoder()
"""Of keys that come twice the last one counts: memtui writes none."""


class _MalformedError(Exception):
    """A value is not what this format says it is."""


def recognises(head: Head) -> bool:
    """The line that every export begins with."""
    return head.kind in {Kind.JSON_LINES, Kind.JSON_OBJECT} and any(
        isinstance(sample.get(MARK), int) and "whole" in sample for sample in head.samples[:1]
    )


def whole(head: Head) -> Whole | None:
    """What a complete export says of its store, from the lines before the first memory.

    None for an export of a selection. Raises `InvalidError` for a newer format, and when those
    lines are malformed.
    """
    header = head.samples[0]
    _require_known(head.source.label, header)
    if header["whole"] is not True:
        return None
    batches: list[PastBatch] = []
    number = 1
    before = head.source.meter.done
    try:
        last_id = _natural(header, "last_id")
        for number, value in json_lines(head.source, Tally()):  # noqa: B007 - named in an error
            if not isinstance(value, dict) or "memory" in value:
                break
            if isinstance(batch := value.get("batch"), dict):
                batches.append(_batch(batch))
    except _MalformedError as error:
        raise InvalidError(f"{head.source.label}, line {number}: {error}") from error
    head.source.meter.done = before
    return Whole(last_id, tuple(batches))


def _require_known(label: str, header: dict[str, Json]) -> None:
    version = header[MARK]
    if not isinstance(version, int) or version > FORMAT:
        raise InvalidError(
            f"{label} was exported by a newer memtui: it has format {version}, this one knows "
            f"up to {FORMAT}",
            "Update memtui, or export it in another format there.",
        )


def read(reading: Reading) -> Iterator[ImportRecord]:
    """One record for each memory, with its past."""
    mapper = reading.mapper
    for line, value in json_lines(reading.head.source, reading.tally, _DECODER):
        record = mapper.usable(value, line)
        if record is None or MARK in record or "batch" in record:
            continue
        if not record.keys() >= _KEYS:
            mapper.skip(line, "is no memory of an export")
            continue
        try:
            yield _record(record, line, mapper)
        except _MalformedError as error:
            mapper.skip(line, str(error))


def _record(value: dict[str, Json], line: int, mapper: Mapper) -> ImportRecord:
    memory = value["memory"]
    revisions = value["revisions"]
    provenance = value.get("provenance", [])
    if not isinstance(memory, dict) or not isinstance(revisions, list):
        raise _MalformedError("memory or revisions are malformed")
    if not isinstance(provenance, list):
        raise _MalformedError("provenance is malformed")
    id_ = _natural(memory, "id")
    content, tags = _content(memory), _tags(memory.get("tags"))
    memory_type, status = _text(memory, "memory_type"), _text(memory, "status")
    accessed = memory.get("last_accessed_at")
    past = Past(
        id_,
        _natural(memory, "version"),
        tuple(_revision(r, content, tags, memory_type, status) for r in revisions),
        tuple(_provenance(origin) for origin in provenance),
        _attachment(value.get("attachment")),
    )
    # An id alone may be another memory's in another store, but not with the same first moment.
    source_id = f"{id_}@{past.revisions[0].at}" if past.revisions else str(id_)
    return ImportRecord(
        content, tags, memory_type, status,
        _moment(memory, "created_at"), _moment(memory, "updated_at"),
        None if accessed is None else _moment(memory, "last_accessed_at"),
        source_id, source_id, mapper.origin, line, past,
    )  # fmt: skip


def _revision(
    value: Json, content: str, tags: tuple[str, ...], memory_type: str, status: str
) -> PastRevision:
    if not isinstance(value, dict):
        raise _MalformedError("a revision is malformed")
    return PastRevision(
        _natural(value, "seq"),
        _natural(value, "version"),
        _text(value, "action"),
        _content(value) if "content" in value else content,
        _tags(value["tags"]) if "tags" in value else tags,
        _text(value, "memory_type") if "memory_type" in value else memory_type,
        _text(value, "status") if "status" in value else status,
        _moment(value, "at"),
        _text(value, "actor"),
        _natural(value, "batch"),
    )


def _provenance(value: Json) -> Provenance:
    if not isinstance(value, dict):
        raise _MalformedError("provenance is malformed")
    source_id = value.get("source_id")
    return Provenance(
        _text(value, "format"),
        _text(value, "source"),
        None if source_id is None else _text(value, "source_id"),
        _hash(value, "key"),
        _hash(value, "digest"),
        _natural(value, "version"),
        _natural(value, "batch"),
    )


def _attachment(value: Json) -> Attachment | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise _MalformedError("attachment is malformed")
    data = None
    if value.get("data") is not None:
        try:
            data = b64decode(_text(value, "data"), validate=True)
        except ValueError:
            raise _MalformedError("an attachment's data is no Base64") from None
        if len(data) > MAX_ATTACHMENT:
            raise _MalformedError(f"an attachment is larger than {MAX_ATTACHMENT:,} bytes")
    return Attachment(_text(value, "media_type"), _text(value, "details"), data)


def _batch(value: dict[str, Json]) -> PastBatch:
    undoes = value.get("undoes")
    return PastBatch(
        _natural(value, "id"),
        _moment(value, "at"),
        _text(value, "actor"),
        _text(value, "label"),
        _natural(value, "size"),
        None if undoes is None else _natural(value, "undoes"),
        value.get("is_undo") is True,
    )


def _natural(value: dict[str, Json], name: str) -> int:
    number = value.get(name)
    if type(number) is not int or not 0 <= number < 2**62:
        raise _MalformedError(f"{name} is no number that can be")
    return number


def _text(value: dict[str, Json], name: str) -> str:
    text = value.get(name)
    if not isinstance(text, str):
        raise _MalformedError(f"{name} is no text")
    if problem := _problem(text):
        raise _MalformedError(f"{name} {problem}")
    return text


def _content(value: dict[str, Json]) -> str:
    """The text itself, which the service checks."""
    content = value.get("content")
    if not isinstance(content, str):
        raise _MalformedError("content is no text")
    return content


def _tags(value: Json) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(tag, str) for tag in value):
        raise _MalformedError("tags are no list of texts")
    return tuple(cast("list[str]", value))


def _moment(value: dict[str, Json], name: str) -> int:
    said = value.get(name)
    moment = _micros(said) if isinstance(said, str) else None
    if moment is None:
        raise _MalformedError(f"{name} is no time that can be")
    return moment


# Types, actors and sources come again with every memory, and so do the times of a batch.
_problem = lru_cache(maxsize=4096)(storable_problem)
_micros = lru_cache(maxsize=1024)(micros_of)


def _hash(value: dict[str, Json], name: str) -> int:
    try:
        number = int(_text(value, name), 16)
    except ValueError:
        raise _MalformedError(f"{name} is no hash") from None
    if not 0 <= number < 2**64:
        raise _MalformedError(f"{name} is no hash")
    return number - 2**64 if number >= 2**63 else number


IMPORTER = Importer(
    name="memtui",
    title="memtui's own export (JSON Lines)",
    looks_for='a first line with "memtui" and "whole"',
    mapping="""\
everything as it was: the nine fields, every revision, where each memory came from, attachments
An empty database becomes an exact copy of a complete export, with its ids and batches.
Elsewhere memories get new ids; those that are here already (by id and the moment their history
begins, or by where they came from) are not added again.""",
    recognises=recognises,
    read=read,
    whole=whole,
)
