"""Answers and refusals as HTTP responses: one shape, and one translation of every error."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime

from pydantic import TypeAdapter
from starlette.responses import Response
from typing_extensions import TypedDict

from memtui.errors import ConflictError, InvalidError, MemtuiError, NotFoundError, Problem
from memtui.models import Memory, MemoryPage, format_timestamp
from memtui.server.words import public_words

NO_STORE = {"cache-control": "no-store"}
RETRY_SECONDS = 1
_MOMENTS = ("created_at", "updated_at", "last_accessed_at")
_SHOWN = 64
"""Characters of a field's name that a refusal repeats."""


class _WrittenMemory(TypedDict):
    """A memory whose moments may be written already."""

    id: int
    content: str
    tags: tuple[str, ...]
    created_at: datetime | str
    updated_at: datetime | str
    last_accessed_at: datetime | str | None
    memory_type: str
    status: str
    version: int


class _WrittenPage(TypedDict):
    """A page of such memories."""

    items: list[_WrittenMemory]
    total: int
    limit: int
    offset: int
    has_more: bool


_PAGE = TypeAdapter(_WrittenPage).serializer


class RefusedError(MemtuiError):
    """A request that is refused before the service is asked, with its status and headers."""

    code = "refused"

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.headers = headers or {}


def to_json(model: Memory | MemoryPage) -> bytes:
    """A model as compact JSON, in one go; a value that another program stored is kept as it is."""
    return model.__pydantic_serializer__.to_json(model, warnings=False)


def page_to_json(page: MemoryPage) -> bytes:
    """The same bytes as `to_json` for a page, in a third of the time.

    The library writes moments as the contract does, except those on a whole second, which it writes
    without decimals: only these are written here.
    """
    rows = []
    for memory in page.items:
        row = memory.__dict__
        for name in _MOMENTS:
            moment = row[name]
            if moment is not None and not moment.microsecond:
                row = {**row, name: format_timestamp(moment)}
        rows.append(row)
    return _PAGE.to_json({**page.__dict__, "items": rows}, warnings=False)


def etag(memory: Memory) -> str:
    """The entity tag of a memory: its version."""
    return f'"{memory.version}"'


def answer(body: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A JSON answer that nobody keeps."""
    return Response(body, status, {**NO_STORE, **(headers or {})}, "application/json")


def answer_memory(
    memory: Memory, status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """One memory with its entity tag."""
    return answer(to_json(memory), status, {"etag": etag(memory), **(headers or {})})


def refusal(status: int, detail: object, headers: Mapping[str, str] | None = None) -> Response:
    """`{"detail": …}`."""
    return answer(_compact({"detail": detail}), status, headers)


def failure(error: MemtuiError) -> Response:
    """Any of our errors as an answer."""
    match error:
        case RefusedError():
            return refusal(error.status, error.message, error.headers)
        case NotFoundError():
            return refusal(404, "Memory not found")
        case ConflictError():
            current = error.current
            detail = f"Memory {current.id} is at version {current.version}, If-Match names another"
            body = b'{"detail":%b,"current":%b}' % (json.dumps(detail).encode(), to_json(current))
            return answer(body, 412, {"etag": etag(current)})
        case InvalidError():
            return refusal(422, [_shown(problem) for problem in error.problems])
        case _:
            return refusal(503, public_words(error), {"retry-after": str(RETRY_SECONDS)})


def located(place: str, problems: Iterable[Problem]) -> InvalidError:
    """The same problems as found in `place`: `body`, `query` or `path`."""
    return InvalidError(
        [Problem((place, *problem.loc), problem.message, problem.kind) for problem in problems]
    )


def _shown(problem: Problem) -> dict[str, object]:
    loc = [part[:_SHOWN] if isinstance(part, str) else part for part in problem.loc]
    return {"loc": loc, "msg": problem.message, "type": problem.kind}


def _compact(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
