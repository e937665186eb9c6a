"""Limits, enumerations, field types and the two kinds of model that the others build on."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Self, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    Strict,
    StringConstraints,
    ValidationError,
)

from memtui.errors import InvalidError, Problem
from memtui.text import storable_problem

MAX_CONTENT = 8_000
MAX_TAGS = 20
MAX_TAG = 64
MAX_NEEDLE = 256
DEFAULT_LIMIT = 10
MAX_LIMIT = 100
MAX_OFFSET = 2**63 - 1


class MemoryType(StrEnum):
    """What kind of thing a memory says."""

    PREFERENCE = "preference"
    FACT = "fact"
    IDENTITY = "identity"
    EVENT = "event"


class MemoryStatus(StrEnum):
    """Whether a memory is used (`active`), kept for review (`invalid`) or soft-deleted."""

    ACTIVE = "active"
    INVALID = "invalid"
    DELETED = "deleted"


class WritableStatus(StrEnum):
    """The statuses a caller may write; only delete makes a memory `deleted`."""

    ACTIVE = "active"
    INVALID = "invalid"


class SortKey(StrEnum):
    """`id` ascends; the times descend, ties by id descending, never-accessed rows last."""

    ID = "id"
    CREATED_AT = "created_at"
    UPDATED_AT = "updated_at"
    LAST_ACCESSED_AT = "last_accessed_at"


def format_timestamp(moment: datetime) -> str:
    """Write a UTC moment as the contract does: `2026-04-06T14:12:00.000000Z`."""
    if moment.tzinfo is not UTC:
        moment = moment.astimezone(UTC)
    # Three of these in every memory: this is the fastest way to write one.
    return "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ" % (  # noqa: UP031
        moment.year,
        moment.month,
        moment.day,
        moment.hour,
        moment.minute,
        moment.second,
        moment.microsecond,
    )


def storable(text: str) -> str:
    """Return `text`. Raises `ValueError` when it cannot be stored faithfully everywhere."""
    if problem := storable_problem(text):
        raise ValueError(problem)
    return text


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be only white space")
    return text


def _distinct_tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    distinct = tuple(dict.fromkeys(tags))
    if len(distinct) > MAX_TAGS:
        raise ValueError(f"must be at most {MAX_TAGS} tags, got {len(distinct)}")
    return distinct


def _from_list(tags: object) -> object:
    return tuple(tags) if isinstance(tags, list) else tags


Timestamp = Annotated[
    datetime, PlainSerializer(format_timestamp, return_type=str, when_used="json")
]
Content = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_CONTENT),
    AfterValidator(storable),
    AfterValidator(_not_blank),
]
Tag = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_TAG),
    AfterValidator(storable),
]
Tags = Annotated[tuple[Tag, ...], BeforeValidator(_from_list), AfterValidator(_distinct_tags)]
Needle = Annotated[
    str, StringConstraints(min_length=1, max_length=MAX_NEEDLE), AfterValidator(storable)
]
Version = Annotated[int, Field(ge=1, le=MAX_OFFSET)]


_E = TypeVar("_E", bound=StrEnum)
OneOf = Annotated[_E, Strict(False)]
"""An enumeration that its plain string value stands for as well."""


def problems_of(error: ValidationError, allowed: Iterable[str] = ()) -> tuple[Problem, ...]:
    """Translate Pydantic's findings, one `Problem` per refused value.

    `allowed` names the fields there are, for the message about one that there is not.
    """
    fields = ", ".join(allowed)
    words = {
        "extra_forbidden": f"is not a field here; allowed: {fields}"
        if fields
        else "is not a field",
        "string_unicode": "must not contain a lone surrogate",
        "tuple_type": "Input should be a list of strings",
    }
    return tuple(
        Problem(
            found["loc"],
            words.get(found["type"], found["msg"].removeprefix("Value error, ")),
            found["type"],
        )
        for found in error.errors(include_url=False, include_context=False, include_input=False)
    )


class Frozen(BaseModel):
    """A value that does not change."""

    model_config = ConfigDict(frozen=True)


class Input(BaseModel):
    """What a caller passes: no coercion, no unknown field, no explicit null."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    @classmethod
    def parse(cls, values: object) -> Self:
        """Validate plain values: strings for enumerations, lists for tags.

        Raises `InvalidError` with one `Problem` per refused value, each saying what is allowed.
        """
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise InvalidError(problems_of(error, cls.model_fields)) from error

    @classmethod
    def parse_strings(cls, values: object) -> Self:
        """Validate values that arrive as text, as in a URL: `{"limit": "5"}`."""
        try:
            return cls.model_validate_strings(values)
        except ValidationError as error:
            raise InvalidError(problems_of(error, cls.model_fields)) from error
