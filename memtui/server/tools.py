"""The six tools that agents get: what they are called, what they take, what they answer.

Nothing here knows the MCP SDK: a tool takes plain arguments to the service and gives JSON back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field, Strict, TypeAdapter, ValidationError

from memtui.errors import (
    ConflictError,
    InvalidError,
    MemtuiError,
    NotFoundError,
    Problem,
    StoreError,
)
from memtui.models import (
    MAX_LIMIT,
    MAX_NEEDLE,
    MAX_OFFSET,
    Memory,
    MemoryCreate,
    MemoryPage,
    MemoryPatch,
    MemoryQuery,
    MemoryStatus,
    SortKey,
    problems_of,
)
from memtui.server import schemas
from memtui.server.schemas import Schema
from memtui.server.words import public_words
from memtui.text import fold

if TYPE_CHECKING:
    from memtui.service import MemoryService

Arguments = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Answer:
    """A tool's result as compact JSON, and what is worth saying beside it."""

    json: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool; the hints are what MCP's annotations of these names mean."""

    name: str
    title: str
    description: str
    input_schema: Schema
    output_schema: Schema
    run: Callable[[MemoryService, Arguments], Answer]
    read_only: bool
    destructive: bool
    idempotent: bool


def call(tool: Tool, service: MemoryService, arguments: Arguments) -> Answer:
    """Run a tool. Explicit nulls count as left out. Raises what `refusal_words` puts in words."""
    given = {name: value for name, value in arguments.items() if value is not None}
    allowed = tool.input_schema["properties"]
    assert isinstance(allowed, dict)
    unknown = [name for name in given if name not in allowed]
    if unknown:
        message = f"is not an argument of {tool.name}; allowed: {', '.join(allowed)}"
        raise InvalidError([Problem((name,), message, "extra_forbidden") for name in unknown])
    return tool.run(service, given)


def refusal_words(error: MemtuiError) -> str:
    """What an agent is told: what happened, what is allowed, and what to do next."""
    match error:
        case ConflictError():
            current = error.current
            return (
                f"version is {current.version}, you passed {error.expected_version}; "
                f"current: {_json(current)}\n"
                "Nothing was written. Merge your change into the current memory and call again "
                f"with expected_version {current.version}."
            )
        case NotFoundError():
            return f"{error.message}. It may be deleted; search_memories finds the ids there are."
        case InvalidError():
            hint = error.hint or "Correct the arguments and call again."
            return f"{error.message}. Nothing was written. {hint}"
        case StoreError():
            return public_words(error)
        case _:
            return f"{error.message}. {error.hint}".strip()


# --- the tools -------------------------------------------------------------------------------


def _prime(service: MemoryService, given: Arguments) -> Answer:
    defaults = {"status": MemoryStatus.ACTIVE, "sort": SortKey.UPDATED_AT}
    return Answer(
        _json(
            service.prime(MemoryQuery.parse(defaults | dict(given)), noted="prime_memory_context")
        )
    )


def _search(service: MemoryService, given: Arguments) -> Answer:
    return Answer(_json(service.search(MemoryQuery.parse(dict(given)), noted="search_memories")))


def _record(service: MemoryService, given: Arguments) -> Answer:
    memory = service.create(MemoryCreate.parse(dict(given)))
    equal = _equal_active(service, memory)
    if not equal:
        return Answer(_json(memory))
    ids = ", ".join(str(id_) for id_ in equal)
    subject, verb = ("memory", "says") if len(equal) == 1 else ("memories", "say")
    note = (
        f"Note: it was recorded, but the active {subject} {ids} already {verb} the same. "
        f"Retire memory {memory.id} unless both are needed."
    )
    return Answer(_json(memory), note)


def _inspect(service: MemoryService, given: Arguments) -> Answer:
    return Answer(_json(service.get(_memory_id(given), noted="inspect_memory")))


def _revise(service: MemoryService, given: Arguments) -> Answer:
    memory_id, version = _memory_id(given), _expected_version(given)
    fields = {name: value for name, value in given.items() if name in MemoryPatch.model_fields}
    changes = MemoryPatch.parse(fields)
    return Answer(_json(service.patch(memory_id, changes, expected_version=version)))


def _retire(service: MemoryService, given: Arguments) -> Answer:
    memory_id, version = _memory_id(given), _expected_version(given)
    return Answer(_json(service.delete(memory_id, expected_version=version)))


def _equal_active(service: MemoryService, memory: Memory) -> list[int]:
    """The other active memories with the same text, apart from case and outer white space."""
    text = memory.content.strip()
    needle = text if len(text) <= MAX_NEEDLE else text[:MAX_NEEDLE].rsplit(maxsplit=1)[0]
    query = MemoryQuery(q=needle, status=MemoryStatus.ACTIVE, limit=MAX_LIMIT)
    return [
        other.id
        for other in service.search(query, touch=False).items
        if other.id != memory.id and fold(other.content.strip()) == fold(text)
    ]


_NUMBER = TypeAdapter(Annotated[int, Strict(), Field(ge=1)])


def _memory_id(given: Arguments) -> int:
    if "memory_id" not in given:
        raise InvalidError([Problem(("memory_id",), "Field required", "missing")])
    memory_id = _number("memory_id", given["memory_id"])
    if memory_id > MAX_OFFSET:
        raise NotFoundError(f"Memory {memory_id} not found")
    return memory_id


def _expected_version(given: Arguments) -> int | None:
    if "expected_version" not in given:
        return None
    return _number("expected_version", given["expected_version"])


def _number(name: str, value: object) -> int:
    try:
        return _NUMBER.validate_python(value)
    except ValidationError as error:
        problems = problems_of(error)
        raise InvalidError(
            [Problem((name,), found.message, found.kind) for found in problems]
        ) from (error)


def _json(model: Memory | MemoryPage) -> str:
    return model.__pydantic_serializer__.to_json(model, warnings=False).decode()


_ANY_TYPE = "any type"

TOOLS: tuple[Tool, ...] = (
    Tool(
        name="prime_memory_context",
        title="What to know first",
        description="Call this once at the start of a task: the user's identity and preferences, "
        "newest change first. Give memory_type or q to look at something else.",
        input_schema=schemas.arguments(
            schemas.query(
                status=MemoryStatus.ACTIVE,
                sort=SortKey.UPDATED_AT,
                memory_type="identities and preferences",
            )
        ),
        output_schema=schemas.PAGE,
        run=_prime,
        read_only=True,
        destructive=False,
        idempotent=True,
    ),
    Tool(
        name="search_memories",
        title="Search memories",
        description="Find memories by words in them, tag, type and status. Use it before you "
        "record or revise anything, and whenever the task may depend on what was said before.",
        input_schema=schemas.arguments(
            schemas.query(status=None, sort=SortKey.ID, memory_type=_ANY_TYPE)
        ),
        output_schema=schemas.PAGE,
        run=_search,
        read_only=True,
        destructive=False,
        idempotent=True,
    ),
    Tool(
        name="record_memory",
        title="Record a memory",
        description="Store one new statement. Search first: revise what is there rather than "
        "record it again. Never store passwords, keys or other secrets.",
        input_schema=schemas.arguments(schemas.editable(new=True), required=("content",)),
        output_schema=schemas.MEMORY,
        run=_record,
        read_only=False,
        destructive=False,
        idempotent=False,
    ),
    Tool(
        name="inspect_memory",
        title="Read one memory",
        description="Read one memory by its id, with its current version.",
        input_schema=schemas.arguments(schemas.MEMORY_ID, required=("memory_id",)),
        output_schema=schemas.MEMORY,
        run=_inspect,
        read_only=True,
        destructive=False,
        idempotent=True,
    ),
    Tool(
        name="revise_memory",
        title="Revise a memory",
        description="Change the content, tags, type or status of one memory; the earlier version "
        "stays in its history. Pass the version that you saw as expected_version.",
        input_schema=schemas.arguments(
            schemas.MEMORY_ID | schemas.editable(new=False) | schemas.EXPECTED_VERSION,
            required=("memory_id",),
        ),
        output_schema=schemas.MEMORY,
        run=_revise,
        read_only=False,
        destructive=True,
        idempotent=True,
    ),
    Tool(
        name="retire_memory",
        title="Retire a memory",
        description="Take one memory out of use because it is wrong or no longer needed; a person "
        "can restore it. To mark it as doubtful instead, revise its status to invalid.",
        input_schema=schemas.arguments(
            schemas.MEMORY_ID | schemas.EXPECTED_VERSION, required=("memory_id",)
        ),
        output_schema=schemas.MEMORY,
        run=_retire,
        read_only=False,
        destructive=True,
        idempotent=True,
    ),
)
