"""What the metadata beside a memory says, where it has a place; shared by several formats."""

from __future__ import annotations

from collections.abc import Iterable

from memtui.transfer.json_values import DECODER, Json
from memtui.transfer.mapping import TYPES, Mapper

_TAGS = ("tags", "labels")
_TYPES = ("memory_type", "type")


def labels(given: Json) -> Iterable[Json]:
    """Tags as they are met: a list, or text with commas, or a list written as JSON text."""
    if isinstance(given, list):
        return given
    if not isinstance(given, str):
        return ()
    text = given.strip()
    if text.startswith("["):
        try:
            inside = DECODER.decode(text)
        except (ValueError, RecursionError):
            inside = None
        if isinstance(inside, list):
            return inside
    return [part for part in text.split(",") if part.strip()]


def metadata_tags(metadata: Json, line: int, mapper: Mapper) -> tuple[Json, list[Json]]:
    """The type that metadata names, if any, and its tags; the rest is counted as left out.

    A `category` that is one of our types counts as the type, else it becomes the tag `category:…`.
    """
    if isinstance(metadata, str):
        try:
            metadata = DECODER.decode(metadata) if metadata.strip() else None
        except (ValueError, RecursionError):
            mapper.leave_out("metadata")
            return None, []
    if not isinstance(metadata, dict):
        if metadata:
            mapper.leave_out("metadata")
        return None, []
    kind: Json = next((metadata[name] for name in _TYPES if metadata.get(name)), None)
    tags: list[Json] = [tag for name in _TAGS for tag in labels(metadata.get(name))]
    category = metadata.get("category")
    if isinstance(category, str) and category:
        if kind is None and category.lower() in TYPES:
            kind = category
        else:
            tags.append(f"category:{category}")
    for name, value in metadata.items():
        if name not in {*_TAGS, *_TYPES, "category"} and value not in (None, "", [], {}):
            mapper.leave_out(f"metadata.{name}")
    return kind, tags
