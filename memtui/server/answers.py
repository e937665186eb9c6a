"""Answers and refusals as HTTP responses: one shape, and one translation of every error."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from starlette.responses import Response

from memtui.errors import ConflictError, InvalidError, MemtuiError, NotFoundError, Problem
from memtui.models import Memory, MemoryPage
from memtui.server.words import public_words

NO_STORE = {"cache-control": "no-store"}
RETRY_SECONDS = 1
_SHOWN = 64
"""Characters of a field's name that a refusal repeats."""


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
