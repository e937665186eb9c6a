"""Plain JSON and JSON Lines: objects with a text, under common names or as `--map` says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from memtui.interchange import ImportRecord
from memtui.transfer.head import Head, Kind
from memtui.transfer.importer import Importer, Reading
from memtui.transfer.json_values import Json
from memtui.transfer.mapping import ACTIVE, FACT, NO_TIMES, TYPES, Mapper, Times, identity_of
from memtui.transfer.metadata import labels, metadata_tags

FIELDS: Mapping[str, tuple[str, ...]] = {
    "content": ("content", "text", "memory", "note", "observation", "fact", "body", "statement"),
    "tags": ("tags", "labels", "categories", "keywords"),
    "memory_type": ("memory_type", "type", "category", "kind"),
    "status": ("status", "state"),
    "created_at": ("created_at", "createdAt", "created", "timestamp", "date", "time", "added_at"),
    "updated_at": ("updated_at", "updatedAt", "updated", "modified"),
    "last_accessed_at": ("last_accessed_at", "lastAccessedAt", "last_accessed"),
    "id": ("id", "memory_id", "uuid", "key"),
    "metadata": ("metadata",),
}
"""Each field of a memory, and the names that it is looked for under."""

_LISTS = ("memories", "results", "items", "data", "entries", "records")
_KEPT_SHAPES = 1_000
_KINDS = frozenset({Kind.JSON_LINES, Kind.JSON_ARRAY, Kind.JSON_OBJECT})


def recognises(head: Head) -> bool:
    """Objects with a text under a common name."""
    return head.kind in _KINDS and any(
        isinstance(sample.get(name), str)
        for member in ("", *_LISTS)
        for sample in head.samples_in(member)
        for name in FIELDS["content"]
    )


def read(reading: Reading) -> Iterator[ImportRecord]:
    """One memory for each object."""
    mapper = reading.mapper
    columns = Columns(reading.choices.columns)
    for line, value in reading.head.objects(reading.tally, _LISTS):
        if isinstance(value, list):
            mapper.skip(line, "is a list, not an object")
            continue
        fields = mapper.usable(value, line)
        record = None if fields is None else record_of(fields, line, columns, mapper)
        if record is not None:
            yield record


class Columns:
    """Under which names the fields of a memory stand: as the person said, else the common ones."""

    def __init__(self, said: Mapping[str, str]) -> None:
        self._names = {
            field: (said[field],) if field in said else names for field, names in FIELDS.items()
        }
        self._shapes: dict[tuple[str, ...], _Shape] = {}

    @property
    def texts(self) -> str:
        """The names that a text is looked for under."""
        return " or ".join(self._names["content"][:3])

    def shape(self, record: dict[str, Json]) -> _Shape:
        """Where the fields stand in this record. Records of one source look much the same."""
        given = tuple([name for name, value in record.items() if value is not None])
        shape = self._shapes.get(given)
        if shape is None:
            found = {
                field: next((name for name in names if name in given), None)
                for field, names in self._names.items()
            }
            others = frozenset(given).difference(name for name in found.values() if name)
            shape = _Shape(**found, others=tuple(sorted(others)))
            if len(self._shapes) < _KEPT_SHAPES:
                self._shapes[given] = shape
        return shape


class _Shape(NamedTuple):
    """The name that each field stands under, and the names that have no place."""

    content: str | None
    tags: str | None
    memory_type: str | None
    status: str | None
    created_at: str | None
    updated_at: str | None
    last_accessed_at: str | None
    id: str | None
    metadata: str | None
    others: tuple[str, ...]


def record_of(
    record: dict[str, Json], line: int, columns: Columns, mapper: Mapper
) -> ImportRecord | None:
    """The memory that an object describes, or None when it is refused."""
    shape = columns.shape(record)
    content = record[shape.content] if shape.content else None
    if not isinstance(content, str):
        mapper.skip(line, f"has no text under {columns.texts}")
        return None
    tags: list[Json] = list(labels(record[shape.tags])) if shape.tags else []
    memory_type, status = FACT, ACTIVE
    times: Times = NO_TIMES
    if shape.memory_type:
        memory_type = _type(record[shape.memory_type], shape.memory_type, tags, line, mapper)
    if shape.status:
        status, status_tags = mapper.status_and_tags(record[shape.status], line)
        tags += status_tags
    if shape.metadata:
        tags += metadata_tags(record[shape.metadata], line, mapper)[1]
    if shape.created_at or shape.updated_at or shape.last_accessed_at:
        times = (
            mapper.moment(record[shape.created_at], line) if shape.created_at else None,
            mapper.moment(record[shape.updated_at], line) if shape.updated_at else None,
            mapper.moment(record[shape.last_accessed_at], line) if shape.last_accessed_at else None,
        )
    for name in shape.others:
        if record[name] not in ("", [], {}):
            mapper.leave_out(name)
    identity, source_id = identity_of(
        record[shape.id] if shape.id else None,
        content,
        record[shape.created_at] if shape.created_at else None,
    )
    return mapper.record(
        content,
        mapper.tags(tags, line) if tags else (),
        line,
        identity=identity,
        source_id=source_id,
        memory_type=memory_type,
        status=status,
        times=times,
    )


def _type(given: Json, name: str, tags: list[Json], line: int, mapper: Mapper) -> str:
    """A category is only a type when it says so; other words for the type are meant as one."""
    if isinstance(given, str) and given in TYPES:
        return given
    if name == "category" and str(given).lower() not in TYPES:
        tags.append(f"category:{given}")
        return FACT
    memory_type, type_tags = mapper.type_and_tags(given, line)
    tags += type_tags
    return memory_type


MAPPING = """\
content  content, text, memory, note, observation, fact, body or statement
tags     tags, labels, categories or keywords (a list, or text with commas)
type     memory_type, type, category or kind: one of ours, else fact with the tag type:…
status   status or state: one of ours, else a tag status:…
times    created_at (createdAt, created, timestamp, date, …), updated_at, last_accessed_at
known by its id (id, memory_id, uuid, key); a short one together with the time of creation
left out every other field, counted by name
--map FIELD=NAME,… names the source's own words, as in --map content=note,tags=topics"""

IMPORTER = Importer(
    name="json",
    title="plain JSON or JSON Lines (objects with a text)",
    looks_for="objects with content, text or memory, in an array or one a line",
    mapping=MAPPING,
    recognises=recognises,
    read=read,
    general=True,
)
