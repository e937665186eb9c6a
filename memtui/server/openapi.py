"""The OpenAPI document: every route with its parameters, bodies, answers and examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from memtui import __version__
from memtui.server import openapi_parts as parts
from memtui.server.openapi_parts import MEMORY_EXAMPLE, Part

_EVERYWHERE = (401, 403, 421, 500)
_BODY = (408, 413, 415)
_ETAG = {"ETag": "The memory's version."}
_LINK = {"Link": "The next and the previous page."}
_ABOUT = """\
The memories that a person curates in memtui, for programs. The same rules hold over MCP, which is
at `/mcp`. Reading marks a memory as accessed unless the route says that it peeks.

An `X-Request-Id` header is echoed and is in the server's log; without one an id is made."""


@dataclass(frozen=True)
class Operation:
    """One method of one path."""

    method: str
    path: str
    name: str
    summary: str
    answer: Part
    status: int = 200
    parameters: Sequence[Part] = ()
    body: tuple[str, object] | None = None
    refusals: Sequence[int] = ()
    more: dict[str, Part] = field(default_factory=dict)

    def described(self) -> Part:
        """The OpenAPI operation object."""
        statuses = {*self.refusals, *_EVERYWHERE, *(_BODY if self.body else ())}
        responses: dict[str, Part] = {str(self.status): self.answer, **self.more}
        for status in sorted(statuses):
            responses[str(status)] = {"$ref": f"#/components/responses/{status}"}
        operation: Part = {
            "operationId": self.name,
            "summary": self.summary,
            "parameters": list(self.parameters),
            "responses": dict(sorted(responses.items())),
        }
        if self.body:
            schema, example = self.body
            media = {"schema": {"$ref": f"#/components/schemas/{schema}"}, "example": example}
            operation["requestBody"] = {"required": True, "content": {"application/json": media}}
        return operation


_FACETS = {
    "total": 38,
    "statuses": {"active": 37, "invalid": 1, "deleted": 0},
    "types": {"preference": 12, "fact": 20, "identity": 4, "event": 2},
    "tags": [{"tag": "style", "count": 9}],
}
_STATS = {
    "statuses": {"active": 1211, "invalid": 37, "deleted": 12},
    "types": {"preference": 402, "fact": 690, "identity": 61, "event": 95},
    "tags": 140,
    "untagged": 31,
    "never_accessed": 12,
    "revisions": 2210,
    "first_created_at": "2026-04-06T14:12:00.000000Z",
    "last_updated_at": "2026-06-01T08:00:00.000000Z",
    "database_bytes": 1048576,
}
_REVISION = {
    "seq": 901,
    "memory_id": 214,
    "version": 1,
    "action": "create",
    "content": "User prefers concise answers with examples.",
    "tags": ["style", "writing"],
    "memory_type": "preference",
    "status": "active",
    "at": "2026-04-06T14:12:00.000000Z",
    "actor": "http:nightly-import",
    "batch": 77,
}
_READY = {"status": "ready", "checks": {"database": "ok", "memories_table": "ok"}}
_NOT_READY = {"status": "not ready", "checks": {"database": "failed", "memories_table": "failed"}}


def _page(item: object) -> Part:
    return {"items": [item], "total": 38, "limit": 10, "offset": 0, "has_more": True}


_ONE: Final = parts.content("The memory", "Memory", MEMORY_EXAMPLE, _ETAG)
OPERATIONS: Final = (
    Operation(
        "get",
        "/memories",
        "searchMemories",
        "Search, one page at a time; marks the rows of the page unless `peek` is true",
        parts.content("One page", "MemoryPage", _page(MEMORY_EXAMPLE), _LINK),
        parameters=(*parts.FILTERS, parts.SORT, *parts.PAGING, parts.PEEK, parts.CLIENT),
        refusals=(422, 503),
    ),
    Operation(
        "post",
        "/memories",
        "createMemory",
        "Create one memory",
        parts.content(
            "Created", "Memory", MEMORY_EXAMPLE, {**_ETAG, "Location": "The memory's path."}
        ),
        status=201,
        parameters=(parts.ONCE, parts.CLIENT),
        body=("MemoryCreate", parts.CREATE_EXAMPLE),
        refusals=(400, 409, 422, 503),
    ),
    Operation(
        "post",
        "/memories/batch",
        "createMemories",
        "Create up to 1,000 memories, all or none",
        parts.content("Created, in the order given", "Memories", [MEMORY_EXAMPLE]),
        status=201,
        parameters=(parts.ONCE, parts.CLIENT),
        body=("NewMemories", [parts.CREATE_EXAMPLE]),
        refusals=(400, 409, 422, 503),
    ),
    Operation(
        "get",
        "/memories/{memory_id}",
        "readMemory",
        "Read one memory and mark it",
        _ONE,
        parameters=(parts.MEMORY_ID, parts.CLIENT),
        refusals=(404, 422, 503),
    ),
    Operation(
        "patch",
        "/memories/{memory_id}",
        "patchMemory",
        "Change content, tags, type or status",
        _ONE,
        parameters=(parts.MEMORY_ID, parts.IF_MATCH, parts.CLIENT),
        body=("MemoryPatch", parts.PATCH_EXAMPLE),
        refusals=(400, 404, 412, 422, 503),
    ),
    Operation(
        "delete",
        "/memories/{memory_id}",
        "deleteMemory",
        "Soft-delete; a person or `restore` brings it back",
        parts.content(
            "The deleted memory", "Memory", MEMORY_EXAMPLE | {"status": "deleted"}, _ETAG
        ),
        parameters=(parts.MEMORY_ID, parts.IF_MATCH, parts.CLIENT),
        refusals=(400, 404, 412, 422, 503),
    ),
    Operation(
        "post",
        "/memories/{deleted_id}/restore",
        "restoreMemory",
        "Bring a deleted memory back with the status that it had",
        _ONE,
        parameters=(parts.DELETED_ID, parts.ONCE, parts.CLIENT),
        refusals=(400, 404, 409, 413, 422, 503),
    ),
    Operation(
        "get",
        "/memories/{subject_id}/revisions",
        "listRevisions",
        "The journal of one memory, newest first; deleted ones have theirs too; a peek",
        parts.content("One page", "RevisionPage", _page(_REVISION), _LINK),
        parameters=(parts.SUBJECT_ID, *parts.PAGING),
        refusals=(404, 422, 503),
    ),
    Operation(
        "get",
        "/tags",
        "countTags",
        "Counts per tag, type and status beside the filters; a peek",
        parts.content("The counts", "Facets", _FACETS),
        parameters=parts.FILTERS,
        refusals=(422, 503),
    ),
    Operation(
        "get",
        "/stats",
        "readStats",
        "Figures of the whole store; a peek",
        parts.content("The figures", "Stats", _STATS),
        refusals=(422, 503),
    ),
    Operation(
        "get",
        "/health",
        "health",
        "Whether the process answers; touches no database",
        parts.content("It does", "Health", {"status": "ok"}),
    ),
    Operation(
        "get",
        "/ready",
        "ready",
        "Whether the database can be used",
        parts.content("It can", "Ready", _READY),
        refusals=(422,),
        more={"503": parts.content("It cannot", "Ready", _NOT_READY)},
    ),
)


def openapi_document() -> Part:
    """The document, as served at `/openapi.json`."""
    paths: dict[str, Part] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = operation.described()
    return {
        "openapi": "3.1.0",
        "info": {"title": "memtui", "version": __version__, "description": _ABOUT},
        "paths": paths,
        "components": {
            "schemas": parts.schemas(),
            "responses": parts.refusals(),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        # The token is asked for when the server was started with one.
        "security": [{}, {"token": []}],
    }
