"""Plain JSON and JSON Lines: objects with a text, under common names or as `--map` says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
    fields = fields_of(reading.choices.columns)
    for line, value in reading.head.objects(reading.tally, _LISTS):
        if isinstance(value, list):
            mapper.skip(line, "is a list, not an object")
            continue
        record = mapper.usable(value, line)
        if record is not None:
            yield from record_of(record, line, fields, mapper)


def fields_of(columns: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The names to look under: what the person said, else the common ones."""
    return {
        field: (columns[field],) if field in columns else names for field, names in FIELDS.items()
    }


def record_of(
    record: dict[str, Json], line: int, fields: Mapping[str, tuple[str, ...]], mapper: Mapper
) -> Iterator[ImportRecord]:
    """The memory that an object describes, or its refusal."""
    found = {
        field: name
        for field, names in fields.items()
        if (name := next((name for name in names if record.get(name) is not None), None))
    }
    content = record[found["content"]] if "content" in found else None
    if not isinstance(content, str):
        names = " or ".join(fields["content"][:3])
        mapper.skip(line, f"has no text under {names}")
        return
    given = {field: record[name] for field, name in found.items()}
    tags: list[Json] = list(labels(given.get("tags")))
    memory_type, status = FACT, ACTIVE
    times: Times = NO_TIMES
    if "memory_type" in given:
        memory_type = _type(given["memory_type"], found["memory_type"], tags, line, mapper)
    if "status" in given:
        status, status_tags = mapper.status_and_tags(given["status"], line)
        tags += status_tags
    if "metadata" in given:
        tags += metadata_tags(given["metadata"], line, mapper)[1]
    if not given.keys().isdisjoint({"created_at", "updated_at", "last_accessed_at"}):
        times = (
            mapper.moment(given.get("created_at"), line),
            mapper.moment(given.get("updated_at"), line),
            mapper.moment(given.get("last_accessed_at"), line),
        )
    if len(found) < len(record):
        mapper.leave_out_others(record, frozenset(found.values()))
    identity, source_id = identity_of(given.get("id"), content, given.get("created_at"))
    yield mapper.record(
        content,
        mapper.tags(tags, line),
        line,
        identity=identity,
        source_id=source_id,
        memory_type=memory_type,
        status=status,
        times=times,
    )


def _type(given: Json, name: str, tags: list[Json], line: int, mapper: Mapper) -> str:
    """A category is only a type when it says so; other words for the type are meant as one."""
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
