"""The parts that the OpenAPI document is put together from: schemas, parameters, refusals."""

from __future__ import annotations

from typing import Literal

from pydantic.json_schema import models_json_schema

from memtui.models import (
    MAX_NEEDLE,
    MAX_OFFSET,
    MAX_TAGS,
    Facets,
    Memory,
    MemoryCreate,
    MemoryPage,
    MemoryPatch,
    MemoryQuery,
    MemoryStatus,
    MemoryType,
    RevisionPage,
    SortKey,
    Stats,
)
from memtui.server.parsing import MAX_BATCH

Part = dict[str, object]

MEMORY_EXAMPLE: Part = {
    "id": 214,
    "content": "User prefers concise answers with examples.",
    "tags": ["style", "writing"],
    "created_at": "2026-04-06T14:12:00.000000Z",
    "updated_at": "2026-04-06T14:12:00.000000Z",
    "last_accessed_at": None,
    "memory_type": "preference",
    "status": "active",
    "version": 1,
}
CREATE_EXAMPLE: Part = {
    "content": "User prefers concise answers with examples.",
    "tags": ["style", "writing"],
    "memory_type": "preference",
}
PATCH_EXAMPLE: Part = {"tags": ["style"], "status": "invalid"}

_DESCRIPTIONS = {
    "Memory": "One memory. `version` starts at 1 and grows by one with every effective change; "
    "`last_accessed_at` is null until the first read. Times are ISO 8601 in UTC.",
    "MemoryCreate": "A new memory. Unknown fields and nulls are refused.",
    "MemoryPatch": "The fields to change; what is left out stays. Unknown fields and nulls are "
    "refused; a patch that changes nothing succeeds and makes no version.",
    "MemoryPage": "One page; `total` counts all matches.",
    "Revision": "What a memory was after an action; `batch` groups what one call changed.",
    "RevisionPage": "One page of the journal, newest first.",
    "Facets": "Counts beside the filters, each dimension under the other filters.",
    "Stats": "Figures of the whole store; deleted memories count under `statuses` only.",
}


def schemas() -> dict[str, Part]:
    """The component schemas: the service's models, described for callers."""
    written: Literal["validation"] = "validation"
    read: Literal["serialization"] = "serialization"
    _, definitions = models_json_schema(
        [
            (Memory, read),
            (MemoryPage, read),
            (RevisionPage, read),
            (Facets, read),
            (Stats, read),
            (MemoryCreate, written),
            (MemoryPatch, written),
        ],
        ref_template="#/components/schemas/{model}",
    )
    found: dict[str, Part] = definitions["$defs"]
    for name, description in _DESCRIPTIONS.items():
        found[name]["description"] = description
    for name in ("MemoryCreate", "MemoryPatch"):
        _bound(found[name], keep_defaults=name == "MemoryCreate")
    return found | {
        "NewMemories": {
            "type": "array",
            "maxItems": MAX_BATCH,
            "items": _ref("MemoryCreate"),
            "description": "Created together or not at all.",
        },
        "Memories": {"type": "array", "items": _ref("Memory")},
        "Health": _object({"status": {"type": "string", "const": "ok"}}),
        "Ready": _object(
            {
                "status": {"type": "string", "enum": ["ready", "not ready"]},
                "checks": _object(
                    {
                        "database": {"type": "string", "enum": ["ok", "failed"]},
                        "memories_table": {"type": "string", "enum": ["ok", "failed"]},
                    }
                ),
            }
        ),
        "Refusal": _object({"detail": {"type": "string"}}),
        "Conflict": _object({"detail": {"type": "string"}, "current": _ref("Memory")}),
        "Invalid": _object({"detail": {"type": "array", "items": _PROBLEM}}),
    }


def _object(properties: Part) -> Part:
    return {"type": "object", "properties": properties, "required": list(properties)}


_PROBLEM = _object(
    {
        "loc": {
            "type": "array",
            "items": {"type": ["string", "integer"]},
            "description": "Where: body, query or path, then the field or position.",
        },
        "msg": {"type": "string"},
        "type": {"type": "string"},
    }
)


def _ref(name: str) -> Part:
    return {"$ref": f"#/components/schemas/{name}"}


def _bound(schema: Part, *, keep_defaults: bool) -> None:
    """Say what the models check in code: no NUL, not only white space, at most so many tags."""
    properties = schema["properties"]
    assert isinstance(properties, dict)
    properties["content"]["pattern"] = VISIBLE
    properties["tags"]["items"]["pattern"] = VISIBLE
    properties["tags"]["maxItems"] = MAX_TAGS
    if not keep_defaults:
        for property_ in properties.values():
            property_.pop("default", None)


VISIBLE = r"^[^\u0000]*[^\s\u0000\u001c-\u001f\u0085][^\u0000]*$"
"""No NUL, and something beside white space as Python knows it."""


# --- parameters ------------------------------------------------------------------------------


def _parameter(name: str, place: str, schema: Part, description: str, example: object) -> Part:
    return {
        "name": name,
        "in": place,
        "required": place == "path",
        "schema": schema,
        "description": description,
        "example": example,
    }


_NEEDLE: Part = {
    "type": "string",
    "minLength": 1,
    "maxLength": MAX_NEEDLE,
    "pattern": r"^[^\u0000]+$",
}


def _number(name: str, example: int) -> Part:
    """A query field whose bounds are the model's."""
    schema = MemoryQuery.model_json_schema()["properties"][name]
    bounds = {key: schema[key] for key in ("minimum", "maximum", "default")}
    words = {"limit": "How many at most.", "offset": "How many matches to skip."}
    return _parameter(name, "query", {"type": "integer", **bounds}, words[name], example)


def _choice(name: str, values: type[MemoryStatus | MemoryType | SortKey], says: str) -> Part:
    options = [str(value) for value in values]
    return _parameter(name, "query", {"type": "string", "enum": options}, says, options[0])


def _id(name: str, says: str) -> Part:
    schema: Part = {"type": "integer", "minimum": 1, "maximum": MAX_OFFSET}
    return _parameter(name, "path", schema, says, 214)


# Three names, because the three are about different memories: a tool that follows ids by their name
# would otherwise take a deleted memory's journal for a read of what is gone.
MEMORY_ID = _id("memory_id", "The id of a memory that is not deleted.")
DELETED_ID = _id("deleted_id", "The id of a deleted memory.")
SUBJECT_ID = _id("subject_id", "The id of a memory, deleted or not.")
FILTERS: list[Part] = [
    _choice("status", MemoryStatus, "Only this status; left out: all but deleted."),
    _choice("memory_type", MemoryType, "Only this type."),
    _parameter("tag", "query", _NEEDLE, "Only memories with exactly this tag.", "style"),
    _parameter(
        "q",
        "query",
        _NEEDLE,
        "Only memories whose content or one of whose tags holds this text, whatever its case.",
        "concise",
    ),
]
PAGING: list[Part] = [_number("limit", 20), _number("offset", 0)]
SORT = _choice("sort", SortKey, "`id` ascends, the times descend; left out: `id`.")
PEEK = _parameter(
    "peek", "query", {"type": "boolean", "default": False}, "Do not mark the rows as read.", True
)
CLIENT = _parameter(
    "X-Client-Id",
    "header",
    {"type": "string"},
    "Who acts; the journal names it, cut to 128 characters.",
    "nightly-import",
)
ONCE = _parameter(
    "Idempotency-Key",
    "header",
    {"type": "string", "pattern": r"^[!-~]([ -~]{0,253}[!-~])?$"},
    "Do this once: for a day the same request with the same key gets the first answer again, and "
    "another request with that key is refused with 422; 409 says that the first one still runs.",
    "8f2c1d9e-nightly-import-17",
)
IF_MATCH = _parameter(
    "If-Match",
    "header",
    {"type": "string", "pattern": r'^("[!#-~]*"|[*])$'},
    "The entity tag that an earlier answer had: if the memory was changed since, nothing is "
    "written and 412 carries the current memory. `*` asks only that the memory exists.",
    '"3"',
)


# --- refusals --------------------------------------------------------------------------------

_TEXT_REFUSALS = {
    400: ("A header is malformed", 'If-Match must be one strong entity tag such as "3", or *'),
    401: ("The bearer token is missing or wrong", "A bearer token is required"),
    403: (
        "The page of another site calls",
        "Pages of that Origin may not call; see --allow-origin",
    ),
    404: ("There is no such memory, or it is deleted", "Memory not found"),
    405: ("The path has no such method", "Method Not Allowed"),
    408: ("The body came too slowly", "The body did not arrive within 30 seconds"),
    409: (
        "The first request with this key is still running",
        "The first request with this Idempotency-Key is still running",
    ),
    413: ("The body is too large", "The body is larger than 8388608 bytes"),
    415: ("The body is no JSON", "The body must be JSON: send Content-Type: application/json"),
    421: (
        "The server is not known under that name",
        "This server is not known under that Host; see --allow-host",
    ),
    500: ("A fault of the server", "Internal Server Error"),
    503: (
        "The database is locked, read-only, full or gone",
        "The database is locked by another process; nothing was written. Try again soon.",
    ),
}
_HEADERS = {
    401: {"WWW-Authenticate": "How to authenticate."},
    405: {"Allow": "The methods that there are."},
    409: {"Retry-After": "Seconds to wait."},
    503: {"Retry-After": "Seconds to wait."},
}


def refusals() -> dict[str, Part]:
    """The refusals as reusable responses, by their status."""
    found = {
        str(status): content(words, "Refusal", {"detail": example}, _HEADERS.get(status))
        for status, (words, example) in _TEXT_REFUSALS.items()
    }
    problem = {
        "loc": ["query", "limit"],
        "msg": "Input should be less than or equal to 100",
        "type": "less_than_equal",
    }
    found["422"] = content("The request says something else", "Invalid", {"detail": [problem]})
    conflict = {
        "detail": "Memory 214 is at version 4, If-Match names another",
        "current": MEMORY_EXAMPLE | {"version": 4},
    }
    found["412"] = content(
        "The memory was changed meanwhile; nothing was written",
        "Conflict",
        conflict,
        {"ETag": "The current version."},
    )
    return found


def content(
    description: str, schema: str, example: object, headers: dict[str, str] | None = None
) -> Part:
    """A response with a JSON body."""
    every = {"X-Request-Id": "Names this request in the log.", **(headers or {})}
    return {
        "description": description,
        "headers": {
            name: {"description": words, "schema": {"type": "string"}}
            for name, words in every.items()
        },
        "content": {"application/json": {"schema": _ref(schema), "example": example}},
    }
