"""AutoGen: dumps of `ListMemory`, alone or inside an agent or a team, and its query results."""

from __future__ import annotations

import json
from collections.abc import Iterator

from memtui.interchange import ImportRecord
from memtui.transfer.head import Head, Kind
from memtui.transfer.importer import Importer, Reading
from memtui.transfer.json_values import Json
from memtui.transfer.mapping import Mapper
from memtui.transfer.metadata import metadata_tags

_CONTENTS = "memory_contents"
_KNOWN = frozenset({"content", "mime_type", "metadata"})
_TIMES = ("timestamp", "created_at")


def recognises(head: Head) -> bool:
    """A component with memory contents somewhere inside, or results with a MIME type."""
    if head.kind is not Kind.JSON_OBJECT:
        return any(_is_content(sample) for sample in head.samples)
    if any(_is_content(sample) for sample in head.samples_in("results")):
        return True
    return "provider" in head.members and next(_lists(head.document, ""), None) is not None


def _is_content(sample: dict[str, Json]) -> bool:
    return {"content", "mime_type"} <= sample.keys()


def read(reading: Reading) -> Iterator[ImportRecord]:
    """One memory for each content."""
    mapper = reading.mapper
    head = reading.head
    if head.kind is Kind.JSON_OBJECT and "results" not in head.members:
        for name, contents in _lists(head.document, ""):
            for place, content in enumerate(contents, 1):
                yield from _memory(content, place, name, mapper)
        head.source.meter.done += head.source.size
        return
    for line, content in head.objects(reading.tally, ("results",)):
        yield from _memory(content, line, "", mapper)


def _lists(value: Json, name: str) -> Iterator[tuple[str, list[Json]]]:
    """Each list of memory contents in a dump, however deep, with the name of its memory."""
    if isinstance(value, list):
        for inside in value:
            yield from _lists(inside, name)
    elif isinstance(value, dict):
        own = value.get("name")
        name = own if isinstance(own, str) else name
        for key, inside in value.items():
            if key == _CONTENTS and isinstance(inside, list):
                yield name, inside
            else:
                yield from _lists(inside, name)


def _memory(value: Json, line: int, name: str, mapper: Mapper) -> Iterator[ImportRecord]:
    item = mapper.usable(value, line)
    if item is None:
        return
    content = item.get("content")
    if isinstance(content, dict) and "data" in content and len(content) == 1:
        mapper.skip(line, "its content is binary")
        return
    if isinstance(content, dict | list):
        content = json.dumps(content, ensure_ascii=False)
    if not isinstance(content, str):
        mapper.skip(line, "has no content that is text")
        return
    mapper.leave_out_others(item, _KNOWN)
    metadata = item.get("metadata")
    said_at: Json = None
    if isinstance(metadata, dict):
        said_at = next((metadata[key] for key in _TIMES if metadata.get(key)), None)
        metadata = {key: inside for key, inside in metadata.items() if key not in _TIMES}
    kind, tags = metadata_tags(metadata, line, mapper)
    memory_type, type_tags = mapper.type_and_tags(kind, line)
    created = mapper.moment(said_at, line)
    yield mapper.record(
        content,
        mapper.tags((*tags, *type_tags, *_mime_tags(item.get("mime_type")), name), line),
        line,
        identity=f"{name}\x00{content}",
        memory_type=memory_type,
        times=(created, created, None),
    )


def _mime_tags(mime_type: Json) -> tuple[str, ...]:
    if not isinstance(mime_type, str):
        return ()
    kind = mime_type.split(";")[0].strip().lower()
    return () if kind in {"", "text/plain"} else (f"mime:{kind}",)


IMPORTER = Importer(
    name="autogen",
    title="AutoGen (a dump of ListMemory, of an agent or a team, or a query result)",
    looks_for="a component whose config holds memory_contents, or results with a mime_type",
    mapping="""\
content  the text; of JSON content its text form
tags     tags and category of the metadata; the memory's name; mime:… for what is not plain text
type     the metadata's type when it is one of ours, else fact with the tag type:…
times    the metadata's timestamp
known by the memory's name and the text
left out binary content, other metadata""",
    recognises=recognises,
    read=read,
)
