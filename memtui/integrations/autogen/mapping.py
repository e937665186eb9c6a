"""Between AutoGen's `MemoryContent` and memtui's memories, both ways and without loss.

The record holds what a person curates: the text (of JSON its text form, of images and bytes a
caption), the tags, the type. What it can't hold is kept beside it: the MIME type, the caller's
metadata as they were given, the data. Whatever the person changed wins over what was kept.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Literal

from autogen_core import Image
from autogen_core.memory import MemoryContent, MemoryMimeType
from pydantic import TypeAdapter, ValidationError

from memtui.agents import NewMemory, Ranked
from memtui.errors import InvalidError
from memtui.interchange import MAX_ATTACHMENT, Attachment
from memtui.models import MAX_TAGS, Memory, MemoryCreate, MemoryType, Tag, WritableStatus
from memtui.text import storable_problem

OURS = ("id", "version", "score")
"""What a returned item's metadata say of the memory: whole numbers, and a score from 0 to 1.

A caller's own values under these names are kept, and come back under `caller`. An item that a
memory returned may be added to another one: what the first one said of it is left out.
"""

CALLER = "caller"
SOURCE_TAG = "source:"
_TAG = TypeAdapter(Tag)
_TYPES = frozenset(member.value for member in MemoryType)
_CAPTIONS = ("caption", "description", "title", "name", "filename")
_LONGEST_CAPTION = 500
_PLAIN = MemoryMimeType.TEXT.value
_JSON = MemoryMimeType.JSON.value

Form = Literal["text", "json", "bytes", "image"]
"""What the caller's content was."""


class ContentRefusedError(InvalidError, ValueError):
    """A content that memtui does not take; the message says why. Nothing was stored."""


@dataclass(frozen=True, slots=True)
class _Kept:
    """What `Attachment.details` says: the content's form, its MIME type, the caller's metadata."""

    form: Form
    enumerated: bool
    metadata: dict[str, object] | None

    @classmethod
    def of(cls, attachment: Attachment | None) -> _Kept:
        if attachment is None:
            return cls("text", enumerated=True, metadata=None)
        details = json.loads(attachment.details)
        return cls(details["form"], details["enumerated"], details["metadata"])

    def details(self) -> str:
        return json.dumps(
            {"form": self.form, "enumerated": self.enumerated, "metadata": self.metadata},
            separators=(",", ":"),
        )


# --- to memtui -------------------------------------------------------------------------------


def to_memory(
    content: MemoryContent,
    *,
    scope: str,
    keep_data: bool,
    status: WritableStatus = WritableStatus.ACTIVE,
) -> NewMemory:
    """What is stored of a content; the content itself is left as it is.

    Raises `ContentRefusedError`, and `InvalidError` when the text breaks the contract.
    """
    form, text, data = _text_of(content, keep_data=keep_data)
    metadata = _kept_metadata(content.metadata)
    kept = _Kept(form, isinstance(content.mime_type, MemoryMimeType), metadata)
    media_type = _media_type(content)
    memory = MemoryCreate.parse(
        {
            "content": text,
            "tags": [*_own_tags(metadata, scope), *([scope] if scope else [])],
            "memory_type": _type_of(metadata),
            "status": status,
        }
    )
    if kept == _Kept.of(None) and media_type == _PLAIN:
        return NewMemory(memory)
    return NewMemory(memory, Attachment(media_type, kept.details(), data))


def _media_type(content: MemoryContent) -> str:
    given = content.mime_type
    media_type = given.value if isinstance(given, MemoryMimeType) else given
    if storable_problem(media_type):
        raise ContentRefusedError(f"The MIME type {media_type!r} can't be stored")
    return media_type


def _text_of(content: MemoryContent, *, keep_data: bool) -> tuple[Form, str, bytes | None]:
    given = content.content
    if isinstance(given, str):
        if _media_type(content) == _JSON and not _is_json(given):
            raise ContentRefusedError("JSON content must be a dict, or JSON text")
        return "text", given, None
    if isinstance(given, Mapping):
        return "json", _json_text(given, "content"), None
    data = b64decode(given.to_base64()) if isinstance(given, Image) else bytes(given)
    if not keep_data:
        raise ContentRefusedError(
            f"Unsupported content type: {_media_type(content)}",
            "This memory refuses images and bytes; attachments='keep' keeps them.",
        )
    if len(data) > MAX_ATTACHMENT:
        raise ContentRefusedError(
            f"The data are {len(data)} bytes; at most {MAX_ATTACHMENT} are kept",
            "Store a description and where the data are instead.",
        )
    if isinstance(given, Image):
        width, height = given.image.size
        return "image", _caption(content, f"image, {width}×{height} pixels", data), data
    return "bytes", _caption(content, _media_type(content), data), data


def _caption(content: MemoryContent, what: str, data: bytes) -> str:
    metadata = content.metadata or {}
    said = (metadata.get(name) for name in _CAPTIONS)
    caption = next((text.strip() for text in said if isinstance(text, str) and text.strip()), "")
    kind = f"[{what}, {len(data):,} bytes]"
    return f"{caption[:_LONGEST_CAPTION]} {kind}" if caption else f"{kind} without a caption"


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _json_text(value: Mapping[str, object], where: str) -> str:
    """JSON text that reads back as the very same value. Raises `ContentRefusedError`."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
        if storable_problem(text):
            text = json.dumps(value, allow_nan=False)
        if _same(json.loads(text), value):
            return text
    except (TypeError, ValueError, RecursionError) as error:
        raise ContentRefusedError(f"The {where} can't be written as JSON: {error}") from error
    raise ContentRefusedError(
        f"The {where} would not come back from JSON as it is",
        "Use only dicts with text as keys, lists, text, numbers, true, false and None.",
    )


def _same(one: object, other: object) -> bool:
    """Equal, and of the same types all the way down: a tuple is no list, True is no 1."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return one == other


def _kept_metadata(metadata: Mapping[str, object] | None) -> dict[str, object] | None:
    own = caller_metadata(metadata)
    if not own:
        return None
    _json_text(own, "metadata")
    return own


def _type_of(metadata: Mapping[str, object] | None) -> str:
    given = metadata or {}
    said = (given.get(name) for name in ("memory_type", "type"))
    return next((value for value in said if isinstance(value, str) and value in _TYPES), "fact")


def _own_tags(metadata: Mapping[str, object] | None, scope: str) -> list[str]:
    """The caller's tags and source, as far as a record takes them."""
    given = metadata or {}
    tags = given.get("tags")
    wanted = list(tags) if isinstance(tags, list | tuple) else []
    source = given.get("source")
    if isinstance(source, str) and source.strip():
        wanted.append(SOURCE_TAG + source.strip())
    fitting = dict.fromkeys(tag for tag in map(_fitting_tag, wanted) if tag and tag != scope)
    return list(fitting)[: MAX_TAGS - bool(scope)]


def _fitting_tag(tag: object) -> str | None:
    try:
        return _TAG.validate_python(tag, strict=True)
    except ValidationError:
        return None


# --- to AutoGen ------------------------------------------------------------------------------


def to_content(found: Ranked, attachment: Attachment | None, *, scope: str) -> MemoryContent:
    """The item for a memory: as it was given, where a person has not changed it since."""
    memory, score = found
    kept = _Kept.of(attachment)
    metadata = _metadata_now(memory, kept.metadata, scope)
    given = {name: metadata.pop(name) for name in (*OURS, CALLER) if name in metadata}
    if given:
        metadata[CALLER] = given
    metadata |= {"id": memory.id, "version": memory.version, "score": score}
    content, media_type = _content_now(memory.content, attachment, kept)
    return MemoryContent(
        content=content,
        mime_type=_mime_type(media_type) if kept.enumerated else media_type,
        metadata=metadata,
    )


def caller_metadata(metadata: Mapping[str, object] | None) -> dict[str, object] | None:
    """What a caller once gave, from the metadata of an item that memtui returned.

    Metadata that no memory returned are returned as they are, in a copy; None stays None, and
    becomes of nothing else but what memtui itself had added.
    """
    if metadata is None:
        return None
    own = deepcopy(dict(metadata))
    if not _is_returned(own):
        return own
    for name in OURS:
        del own[name]
    given = own.pop(CALLER, None)
    if isinstance(given, dict):
        own |= given
    return own or None


def _is_returned(metadata: Mapping[str, object]) -> bool:
    """Whether a memory of memtui added its names: an id, a version and a score, all three."""
    id_, version, score = (metadata.get(name) for name in OURS)
    return type(id_) is int and type(version) is int and type(score) is float


def _metadata_now(memory: Memory, given: dict[str, object] | None, scope: str) -> dict[str, object]:
    metadata = dict(given or {})
    own_tags = [tag for tag in memory.tags if tag != scope]
    if own_tags != _own_tags(given, scope):
        source = metadata.get("source")
        of_source = f"{SOURCE_TAG}{source.strip()}" if isinstance(source, str) else None
        metadata["tags"] = [tag for tag in own_tags if tag != of_source]
    if memory.memory_type != _type_of(given):
        named = "type" if metadata.get("type") in _TYPES and "memory_type" not in metadata else None
        metadata[named or "memory_type"] = str(memory.memory_type)
    return metadata


def _content_now(
    text: str, attachment: Attachment | None, kept: _Kept
) -> tuple[str | bytes | dict[str, object] | Image, str]:
    media_type = attachment.media_type if attachment else _PLAIN
    if kept.form == "json":
        # A person may have made it text that is no JSON object: then text is what it is.
        value = json.loads(text) if _is_json(text) else None
        return (value, media_type) if isinstance(value, dict) else (text, _PLAIN)
    data = attachment.data if attachment else None
    if data is None:
        is_json_no_more = media_type == _JSON and not _is_json(text)
        return text, _PLAIN if is_json_no_more else media_type
    if kept.form == "image":
        return Image.from_base64(b64encode(data).decode("ascii")), media_type
    return data, media_type


def _mime_type(media_type: str) -> MemoryMimeType | str:
    try:
        return MemoryMimeType(media_type)
    except ValueError:
        return media_type


# --- questions -------------------------------------------------------------------------------


def question_of(query: str | MemoryContent) -> str:
    """The text to search for. Raises `ContentRefusedError` for images and bytes."""
    given = query if isinstance(query, str) else query.content
    if isinstance(given, str):
        return given
    if isinstance(given, Mapping):
        return _json_text(given, "query")
    raise ContentRefusedError("Images and bytes can't be searched for", "Search for a text.")
