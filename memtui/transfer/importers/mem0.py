"""mem0: what `get_all` returns, open source and platform, and its benchmark's result files."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.interchange import ImportRecord
from memtui.transfer.head import Head
from memtui.transfer.importer import Importer, Reading
from memtui.transfer.json_values import Json, elements
from memtui.transfer.mapping import Mapper
from memtui.transfer.metadata import labels, metadata_tags

_LISTS = ("results", "memories")
_PEOPLE = {"user_id": "user", "agent_id": "agent", "run_id": "run", "app_id": "app"}
_KNOWN = frozenset(
    {"id", "memory", "metadata", "categories", "created_at", "updated_at", *_PEOPLE, "hash"}
)


def recognises(head: Head) -> bool:
    """Objects whose text is under `memory`, beside an id or a hash; or a benchmark's answers."""
    return any(map(_is_memory, head.samples)) or any(map(_is_answer, head.samples))


def _is_memory(sample: dict[str, Json]) -> bool:
    return isinstance(sample.get("memory"), str) and ("id" in sample or "hash" in sample)


def _is_answer(sample: dict[str, Json]) -> bool:
    return "question" in sample and isinstance(sample.get("memories"), list)


def read(reading: Reading) -> Iterator[ImportRecord]:
    """One memory for each result."""
    mapper = reading.mapper
    if any(map(_is_answer, reading.head.samples)):
        yield from _answers(reading, mapper)
        return
    for line, value in reading.head.objects(reading.tally, _LISTS):
        result = mapper.usable(value, line)
        if result is not None:
            yield from _memory(result, line, mapper)
    if "relations" in reading.head.members:
        mapper.leave_out("relations")


def _memory(result: dict[str, Json], line: int, mapper: Mapper) -> Iterator[ImportRecord]:
    content = result.get("memory")
    if not isinstance(content, str):
        mapper.skip(line, "has no text under memory")
        return
    mapper.leave_out_others(result, _KNOWN)
    kind, tags = metadata_tags(result.get("metadata"), line, mapper)
    people = [f"{short}:{result[long]}" for long, short in _PEOPLE.items() if result.get(long)]
    memory_type, type_tags = mapper.type_and_tags(kind, line)
    created = mapper.moment(result.get("created_at"), line)
    id_ = result.get("id") or result.get("hash")
    yield mapper.record(
        content,
        mapper.tags((*labels(result.get("categories")), *tags, *type_tags, *people), line),
        line,
        identity=str(id_) if id_ else content,
        source_id=str(id_) if id_ else None,
        memory_type=memory_type,
        times=(created, mapper.moment(result.get("updated_at"), line), None),
    )


def _answers(reading: Reading, mapper: Mapper) -> Iterator[ImportRecord]:
    for line, conversation, value in elements(reading.head.source, reading.tally):
        answer = mapper.usable(value, line)
        if answer is None:
            continue
        mapper.leave_out_others(answer, frozenset({"memories"}))
        memories = answer.get("memories")
        for content in memories if isinstance(memories, list) else ():
            if not isinstance(content, str):
                mapper.skip(line, "a memory is no text")
                continue
            tags = mapper.tags((conversation,), line)
            yield mapper.record(content, tags, line, identity=f"{conversation}\x00{content}")


IMPORTER = Importer(
    name="mem0",
    title="mem0 (get_all of the open source library or the platform)",
    looks_for="objects with id and memory, in results, in an array or one a line",
    mapping="""\
content  memory
tags     categories; tags and category of the metadata; user_id, agent_id, run_id and app_id as
         user:…, agent:…, run:… and app:…
type     the metadata's type or category when it is one of ours, else fact
times    created_at and updated_at
known by its id
left out scores, roles, relations, other metadata""",
    recognises=recognises,
    read=read,
)
