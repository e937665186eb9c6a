"""The MCP tools' JSON schemas: flat and spelled out, so that every client understands them.

No reference, no union, no null: some clients drop or refuse a schema that holds one.
"""

from __future__ import annotations

from memtui.models import (
    DEFAULT_LIMIT,
    MAX_CONTENT,
    MAX_LIMIT,
    MAX_NEEDLE,
    MAX_OFFSET,
    MAX_TAG,
    MAX_TAGS,
    MemoryStatus,
    MemoryType,
    SortKey,
    WritableStatus,
)

Schema = dict[str, object]
Properties = dict[str, Schema]


def arguments(properties: Properties, required: tuple[str, ...] = ()) -> Schema:
    """The schema of a tool's arguments."""
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    return schema | ({"required": list(required)} if required else {})


def query(*, status: str | None, sort: str, memory_type: str) -> Properties:
    """The seven query fields, with a tool's own defaults.

    `memory_type` says which types are meant without one.
    """
    status_says = "Only memories with this status."
    return {
        "status": _choice(
            MemoryStatus,
            f"{status_says} Left out: {status or 'active and invalid'}. Example: active",
            status,
        ),
        "memory_type": _choice(
            MemoryType, f"Only memories of this type. Left out: {memory_type}. Example: preference"
        ),
        "tag": {
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_NEEDLE,
            "description": "Only memories with exactly this tag, case and all. Example: style",
        },
        "q": {
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_NEEDLE,
            "description": "Only memories whose content or one of whose tags holds this text, "
            "whatever its case; a literal piece of text, no pattern and no list of words. "
            "Example: deadline",
        },
        "sort": _choice(
            SortKey,
            "id ascends; the times descend, so updated_at gives the newest change first. "
            "Example: updated_at",
            sort,
        ),
        "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": MAX_LIMIT,
            "default": DEFAULT_LIMIT,
            "description": "How many memories at most. Example: 20",
        },
        "offset": {
            "type": "integer",
            "minimum": 0,
            "maximum": MAX_OFFSET,
            "default": 0,
            "description": "How many matches to skip, for the next page: offset + limit of this "
            "one while has_more is true. Example: 10",
        },
    }


def editable(*, new: bool) -> Properties:
    """The fields that a caller writes; a new memory has defaults."""
    kept = "" if new else " Left out: stays as it is."
    return {
        "content": {
            "type": "string",
            "minLength": 1,
            "maxLength": MAX_CONTENT,
            "description": "One self-contained statement, kept exactly as given."
            f"{kept} Example: User prefers concise answers.",
        },
        "tags": {
            "type": "array",
            "items": {"type": "string", "minLength": 1, "maxLength": MAX_TAG},
            "maxItems": MAX_TAGS,
            "description": "A few short labels to find it by; they replace all earlier ones."
            f'{kept} Example: ["style", "writing"]',
            **({"default": []} if new else {}),
        },
        "memory_type": _choice(
            MemoryType,
            "identity: who the user is; preference: how they want things; event: what happened or "
            f"will; fact: the rest.{kept} Example: preference",
            MemoryType.FACT if new else None,
        ),
        "status": _choice(
            WritableStatus,
            "active is in use; invalid is doubtful and waits for a person's review."
            f"{kept} Example: active",
            WritableStatus.ACTIVE if new else None,
        ),
    }


MEMORY_ID: Properties = {
    "memory_id": {
        "type": "integer",
        "minimum": 1,
        "maximum": MAX_OFFSET,
        "description": "The memory's id, as a search or a recording gave it. Example: 214",
    }
}
EXPECTED_VERSION: Properties = {
    "expected_version": {
        "type": "integer",
        "minimum": 1,
        "maximum": MAX_OFFSET,
        "description": "The version that you saw. If the memory was changed since, nothing is "
        "written and you get the current one. Left out: applies to whatever is there. Example: 3",
    }
}


def _choice(
    values: type[MemoryStatus | MemoryType | SortKey | WritableStatus],
    says: str,
    default: str | None = None,
) -> Schema:
    schema: Schema = {
        "type": "string",
        "enum": [str(value) for value in values],
        "description": says,
    }
    return schema if default is None else schema | {"default": str(default)}


_MEMORY: Properties = {
    "id": {"type": "integer", "description": "Never reused."},
    "content": {"type": "string"},
    "tags": {"type": "array", "items": {"type": "string"}},
    "created_at": {"type": "string", "description": "ISO 8601, UTC."},
    "updated_at": {"type": "string", "description": "ISO 8601, UTC; the last effective change."},
    "last_accessed_at": {"description": "ISO 8601, UTC; empty before the first read."},
    "memory_type": {"type": "string"},
    "status": {"type": "string"},
    "version": {"type": "integer", "description": "Grows by one with each effective change."},
}
MEMORY: Schema = {"type": "object", "properties": _MEMORY, "required": list(_MEMORY)}
PAGE: Schema = {
    "type": "object",
    "properties": {
        "items": {"type": "array", "items": MEMORY},
        "total": {"type": "integer", "description": "How many match in all."},
        "limit": {"type": "integer"},
        "offset": {"type": "integer"},
        "has_more": {"type": "boolean", "description": "Whether there is a next page."},
    },
    "required": ["items", "total", "limit", "offset", "has_more"],
}
