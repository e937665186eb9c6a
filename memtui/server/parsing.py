"""What a request says, taken strictly: its query, its body, its id and its conditions.

The service's models judge the values; this module only finds them and says where they were.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated
from urllib.parse import parse_qsl

from pydantic import Field, TypeAdapter, ValidationError
from starlette.datastructures import Headers

from memtui.errors import InvalidError, NotFoundError, Problem
from memtui.models import (
    MAX_OFFSET,
    MemoryCreate,
    MemoryPatch,
    MemoryQuery,
    RevisionQuery,
    problems_of,
)
from memtui.server.answers import RefusedError, located

MAX_BATCH = 1_000
MAX_QUERY = 16_384

_BATCH = TypeAdapter(Annotated[list[MemoryCreate], Field(max_length=MAX_BATCH)])
_INTEGER = re.compile(r"-?[0-9]+")
_VERSION_TAG = re.compile(r'"(0|[1-9][0-9]{0,18})"')
_ENTITY_TAG = re.compile(r'"[\x21\x23-\x7e\x80-\xff]*"')
_KEY = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?")
_JSON_TYPE = re.compile(r"application/(?:[\w.+-]+\+)?json\s*(?:;.*)?", re.IGNORECASE)
NO_SUCH_VERSION = 0
"""Expected of a memory, this is a conflict whatever its version."""


@dataclass(frozen=True, slots=True)
class Call:
    """One request, complete."""

    method: str
    path: str
    path_params: dict[str, str]
    query: bytes
    headers: Headers
    body: bytes = field(default=b"", repr=False)


class ListQuery(MemoryQuery):
    """The query of a list, and whether to leave the rows unmarked."""

    peek: bool = False


# --- path and query --------------------------------------------------------------------------


def memory_id(call: Call) -> int:
    """The id in the path. Raises `InvalidError` for no integer, `NotFoundError` beyond 64 bits."""
    text = call.path_params["memory_id"]
    if not _INTEGER.fullmatch(text):
        problem = Problem(("memory_id",), "Input should be a valid integer", "int_parsing")
        raise located("path", [problem])
    if len(text) > len(str(MAX_OFFSET)) or not 0 < int(text) <= MAX_OFFSET:
        raise NotFoundError("Memory not found")
    return int(text)


def query_fields(call: Call, allowed: Sequence[str] = ()) -> dict[str, str]:
    """The query, each field once. Raises `InvalidError` for one that is unknown or repeated."""
    try:
        pairs = parse_qsl(call.query.decode(), keep_blank_values=True, errors="strict")
    except ValueError as error:
        problem = Problem((), "must be percent-encoded UTF-8", "string_unicode")
        raise located("query", [problem]) from error
    problems: list[Problem] = []
    values: dict[str, str] = {}
    for name, value in pairs:
        if name not in allowed:
            problems.append(Problem((name,), _unknown(allowed), "extra_forbidden"))
        elif name in values:
            problems.append(Problem((name,), "must be given once", "repeated"))
        values[name] = value
    if problems:
        raise located("query", dict.fromkeys(problems))
    return values


def list_query(call: Call) -> tuple[ListQuery, dict[str, str]]:
    """The query of `GET /memories`, and its fields as they were given."""
    values = query_fields(call, tuple(ListQuery.model_fields))
    try:
        return ListQuery.parse_strings(values), values
    except InvalidError as error:
        raise located("query", error.problems) from error


def facet_query(call: Call) -> MemoryQuery:
    """The filters of `GET /tags`."""
    values = query_fields(call, ("status", "memory_type", "tag", "q"))
    try:
        return MemoryQuery.parse_strings(values)
    except InvalidError as error:
        raise located("query", error.problems) from error


def revision_query(call: Call) -> tuple[RevisionQuery, dict[str, str]]:
    """The page of one memory's journal, and its fields as they were given."""
    values = query_fields(call, ("limit", "offset"))
    wanted = memory_id(call)
    try:
        query = RevisionQuery.parse_strings(values)
    except InvalidError as error:
        raise located("query", error.problems) from error
    return query.model_copy(update={"memory_id": wanted}), values


# --- body ------------------------------------------------------------------------------------


def new_memory(call: Call) -> MemoryCreate:
    """The body of a create."""
    try:
        return MemoryCreate.parse(_json(call))
    except InvalidError as error:
        raise located("body", error.problems) from error


def new_memories(call: Call) -> list[MemoryCreate]:
    """The body of a batch."""
    try:
        return _BATCH.validate_python(_json(call))
    except ValidationError as error:
        raise located("body", problems_of(error, MemoryCreate.model_fields)) from error
    except InvalidError as error:
        raise located("body", error.problems) from error


def patch(call: Call) -> MemoryPatch:
    """The body of a PATCH."""
    try:
        return MemoryPatch.parse(_json(call))
    except InvalidError as error:
        raise located("body", error.problems) from error


def _json(call: Call) -> object:
    content_type = call.headers.get("content-type")
    if content_type is not None and not _JSON_TYPE.fullmatch(content_type.strip()):
        raise RefusedError(415, "The body must be JSON: send Content-Type: application/json")
    try:
        return json.loads(
            call.body.decode(), parse_constant=_no_constant, object_pairs_hook=_distinct_names
        )
    except json.JSONDecodeError as error:
        raise InvalidError(
            [Problem((error.pos,), f"Invalid JSON: {error.msg}", "json_invalid")]
        ) from error
    except (ValueError, RecursionError) as error:
        reason = "nested too deep" if isinstance(error, RecursionError) else _reason(error)
        raise InvalidError([Problem((), f"Invalid JSON: {reason}", "json_invalid")]) from error


def _reason(error: ValueError) -> str:
    return "not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _distinct_names(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values = dict(pairs)
    if len(values) < len(pairs):
        raise ValueError("a name appears twice in one object")
    return values


# --- conditions ------------------------------------------------------------------------------


def expected_version(call: Call) -> int | None:
    """The version that `If-Match` names, or None for no condition beyond existence.

    A tag that can't be a version of ours matches nothing. Raises `RefusedError` 400 for a weak or
    malformed tag, and for more than one.
    """
    given = call.headers.getlist("if-match")
    if not given or [value.strip() for value in given] == ["*"]:
        return None
    text = ",".join(given).strip()
    if version := _VERSION_TAG.fullmatch(text):
        return min(int(version[1]), MAX_OFFSET)
    if _ENTITY_TAG.fullmatch(text):
        return NO_SUCH_VERSION
    raise RefusedError(400, 'If-Match must be one strong entity tag such as "3", or *')


def idempotency_key(call: Call) -> str | None:
    """The key under which a POST is done once. Raises `RefusedError` 400 for a malformed one."""
    given = call.headers.getlist("idempotency-key")
    if not given:
        return None
    if len(given) == 1 and _KEY.fullmatch(given[0].strip()):
        return given[0].strip()
    raise RefusedError(400, "Idempotency-Key must be 1 to 255 visible ASCII characters, once")


def _unknown(allowed: Sequence[str]) -> str:
    return f"is not a field here; allowed: {', '.join(allowed) or 'none'}"
