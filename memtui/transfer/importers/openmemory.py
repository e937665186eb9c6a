"""OpenMemory: `memories.json` of an export archive, and its `memories.jsonl`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from memtui.interchange import ImportRecord
from memtui.transfer.head import Head, Kind
from memtui.transfer.importer import Importer, Reading
from memtui.transfer.json_values import Json, elements
from memtui.transfer.mapping import Mapper
from memtui.transfer.metadata import labels, metadata_tags

_KNOWN = frozenset(
    {
        *("id", "content", "metadata", "state", "app", "app_id", "categories", "user_id"),
        *("category_ids", "created_at", "updated_at"),
    }
)
_BESIDE = frozenset({"memory_categories", "status_history", "export_meta", "access_controls"})


@dataclass(slots=True)
class _Names:
    """Names that a document keeps apart from its memories."""

    categories: dict[Json, Json] = field(default_factory=dict)
    apps: dict[Json, Json] = field(default_factory=dict)
    of_memory: dict[Json, list[Json]] = field(default_factory=dict)


def recognises(head: Head) -> bool:
    """A document of memories and their categories, or lines with a state and an app."""
    if head.kind is Kind.JSON_OBJECT:
        return "memories" in head.members and not _BESIDE.isdisjoint(head.members)
    return any({"content", "state", "app"} <= sample.keys() for sample in head.samples)


def read(reading: Reading) -> Iterator[ImportRecord]:
    """One memory for each memory."""
    mapper = reading.mapper
    names = _names(reading) if reading.head.kind is Kind.JSON_OBJECT else _Names()
    for line, value in reading.head.objects(reading.tally, ("memories",)):
        memory = mapper.usable(value, line)
        if memory is None:
            continue
        content = memory.get("content")
        if not isinstance(content, str):
            mapper.skip(line, "has no text under content")
            continue
        yield _record(memory, content, line, names, mapper)
    for member in ("status_history", "access_controls"):
        if reading.head.samples_in(member):
            mapper.leave_out(member)


def _record(
    memory: dict[str, Json], content: str, line: int, names: _Names, mapper: Mapper
) -> ImportRecord:
    mapper.leave_out_others(memory, _KNOWN)
    kind, tags = metadata_tags(memory.get("metadata"), line, mapper)
    memory_type, type_tags = mapper.type_and_tags(kind, line)
    status, status_tags = mapper.status_and_tags(memory.get("state"), line)
    app = memory.get("app") or names.apps.get(_key(memory.get("app_id")))
    id_ = memory.get("id")
    categories = [*labels(memory.get("categories")), *names.of_memory.get(_key(id_), ())]
    tags = [*categories, *tags, *type_tags, *status_tags, *([f"app:{app}"] if app else ())]
    created = mapper.moment(memory.get("created_at"), line)
    return mapper.record(
        content,
        mapper.tags(tags, line),
        line,
        identity=str(id_) if id_ else content,
        source_id=str(id_) if id_ else None,
        memory_type=memory_type,
        status=status,
        times=(created, mapper.moment(memory.get("updated_at"), line), None),
    )


def _names(reading: Reading) -> _Names:
    names = _Names()
    meter = reading.head.source.meter
    before = meter.done
    pairs: list[tuple[Json, Json]] = []
    from memtui.interchange import Tally

    for _, member, value in elements(reading.head.source, Tally()):
        if not isinstance(value, dict):
            continue
        if member == "categories":
            names.categories[_key(value.get("id"))] = value.get("name")
        elif member == "apps":
            names.apps[_key(value.get("id"))] = value.get("name")
        elif member == "memory_categories":
            pairs.append((_key(value.get("memory_id")), _key(value.get("category_id"))))
    for memory_id, category_id in pairs:
        names.of_memory.setdefault(memory_id, []).append(names.categories.get(category_id))
    meter.done = before
    return names


def _key(value: Json) -> Json:
    return value if isinstance(value, str | int) else None


IMPORTER = Importer(
    name="openmemory",
    title="OpenMemory (an export archive, or its memories.json or memories.jsonl)",
    looks_for="memories beside memory_categories, or lines with content, state and app",
    mapping="""\
content  content
tags     the names of its categories; app:… for the app that wrote it
type     the metadata's type when it is one of ours, else fact
status   active; paused and archived become invalid with the tag status:…; deleted stays deleted
times    created_at and updated_at
known by its id
left out the history of states, access rules, other metadata""",
    recognises=recognises,
    read=read,
)
