"""LangGraph: items of a store, as `search` returns them or as they were dumped."""

from __future__ import annotations

import json
from collections.abc import Iterator

from memtui.interchange import ImportRecord
from memtui.transfer.head import Head
from memtui.transfer.importer import Importer, Reading
from memtui.transfer.json_values import Json
from memtui.transfer.metadata import metadata_tags

_LISTS = ("items", "results", "memories")
_KNOWN = frozenset({"namespace", "key", "value", "created_at", "updated_at", "score"})
_TEXTS = ("content", "text", "memory", "data", "fact", "value")


def recognises(head: Head) -> bool:
    """Objects with a namespace, a key and a value."""
    return any({"namespace", "key", "value"} <= sample.keys() for sample in head.samples)


def read(reading: Reading) -> Iterator[ImportRecord]:
    """One memory for each item."""
    mapper = reading.mapper
    for line, given in reading.head.objects(reading.tally, _LISTS):
        item = mapper.usable(given, line)
        if item is None:
            continue
        content, rest = _content(item.get("value"))
        if content is None:
            mapper.skip(line, "has no value")
            continue
        mapper.leave_out_others(item, _KNOWN)
        namespace = _namespace(item.get("namespace"))
        kind, tags = metadata_tags(rest, line, mapper)
        memory_type, type_tags = mapper.type_and_tags(kind, line)
        source_id = "/".join((*namespace, str(item.get("key"))))
        yield mapper.record(
            content,
            mapper.tags((*namespace, *tags, *type_tags), line),
            line,
            identity=source_id,
            source_id=source_id,
            memory_type=memory_type,
            times=(
                mapper.moment(item.get("created_at"), line),
                mapper.moment(item.get("updated_at"), line),
                None,
            ),
        )


def _namespace(given: Json) -> tuple[str, ...]:
    if isinstance(given, list):
        return tuple(str(part) for part in given if part is not None)
    return tuple(part for part in str(given or "").split(".") if part)


def _content(value: Json) -> tuple[str | None, Json]:
    """The text of a value, and what else it says. A value of no known shape is its JSON text."""
    if isinstance(value, str):
        return value, None
    if not isinstance(value, dict):
        return (None if value is None else json.dumps(value, ensure_ascii=False)), None
    inside = value.get("content")
    if isinstance(inside, dict) and isinstance(inside.get("content"), str):
        # LangMem wraps what it remembers: {"kind": "Memory", "content": {"content": "…"}}
        return _content({**value, **inside, "kind": None})
    for name in _TEXTS:
        if isinstance(text := value.get(name), str):
            return text, {key: inside for key, inside in value.items() if key != name}
    return json.dumps(value, ensure_ascii=False), None


IMPORTER = Importer(
    name="langgraph",
    title="LangGraph store items",
    looks_for="objects with namespace, key and value",
    mapping="""\
content  the value's content, text, memory, data or fact; another value as JSON text
tags     the parts of the namespace; tags and category of the value
type     the value's type when it is one of ours, else fact with the tag type:…
times    created_at and updated_at
known by its namespace and key
left out scores, embeddings, other parts of the value""",
    recognises=recognises,
    read=read,
)
