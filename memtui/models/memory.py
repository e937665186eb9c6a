"""A memory, what a caller may write of it, and the one query and its answer (CONTRACT §§1-5)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Self, TypeVar

from pydantic import BaseModel, Field

from memtui.models.base import (
    DEFAULT_LIMIT,
    MAX_LIMIT,
    MAX_OFFSET,
    Content,
    Frozen,
    Input,
    MemoryStatus,
    MemoryType,
    Needle,
    OneOf,
    SortKey,
    Tags,
    Timestamp,
    WritableStatus,
)


class Memory(Frozen):
    """One memory: exactly the nine fields of CONTRACT §1, in this order.

    `version` starts at 1 and grows by one with every effective PATCH; `last_accessed_at` is None
    until the first read. All times are aware and in UTC. A `memory_type` or `status` that another
    program wrote into the database and that is none of ours is kept as that plain string.
    """

    id: int
    content: str
    tags: tuple[str, ...]
    created_at: Timestamp
    updated_at: Timestamp
    last_accessed_at: Timestamp | None
    memory_type: MemoryType
    status: MemoryStatus
    version: int

    @classmethod
    def stored(cls, fields: dict[str, object]) -> Self:
        """A memory of all nine fields as they come from the store: not validated, and made fast."""
        return _made(cls, fields, _EVERY_FIELD)

    def having(self, **fields: object) -> Self:
        """The same memory with these fields replaced, by values that need no validation."""
        return _made(type(self), {**self.__dict__, **fields}, _EVERY_FIELD)


_Model = TypeVar("_Model", bound=BaseModel)
_EVERY_FIELD = set(Memory.model_fields)
_SLOTS = vars(BaseModel)
_set_dict = _SLOTS["__dict__"].__set__
_set_given = _SLOTS["__pydantic_fields_set__"].__set__
_set_extra = _SLOTS["__pydantic_extra__"].__set__
_set_private = _SLOTS["__pydantic_private__"].__set__


def _made(kind: type[_Model], fields: dict[str, object], given: set[str]) -> _Model:
    """What `model_construct` makes of valid values for every field, at a tenth of its time."""
    model = kind.__new__(kind)
    _set_dict(model, fields)
    _set_given(model, given)
    _set_extra(model, None)
    _set_private(model, None)
    return model


class MemoryCreate(Input):
    """A new memory (CONTRACT §2, create)."""

    content: Content
    tags: Tags = ()
    memory_type: OneOf[MemoryType] = MemoryType.FACT
    status: OneOf[WritableStatus] = WritableStatus.ACTIVE


class MemoryPatch(Input):
    """The fields to change (CONTRACT §2, PATCH); a field that is not given stays as it is.

    Read it through `applied_to`: the class defaults only stand for "not given".
    """

    content: Content = Field(default="")
    tags: Tags = ()
    memory_type: OneOf[MemoryType] = MemoryType.FACT
    status: OneOf[WritableStatus] = WritableStatus.ACTIVE

    @classmethod
    def trusted(cls, fields: Mapping[str, object]) -> MemoryPatch:
        """A patch of values that were validated once already, or were stored before."""
        return _made(cls, {**_NOT_GIVEN, **fields}, set(fields))

    def given(self) -> dict[str, object]:
        """Return the given fields with the values that the memory then has."""
        values = {name: getattr(self, name) for name in self.model_fields_set}
        if isinstance(values.get("status"), WritableStatus):
            values["status"] = MemoryStatus(values["status"].value)
        return values

    def applied_to(self, memory: Memory) -> Memory:
        """Return `memory` with the given fields replaced; version and times are the service's."""
        return memory.having(**self.given())


_NOT_GIVEN: dict[str, object] = dict(MemoryPatch())


class MemoryQuery(Input):
    """The one query of every surface (CONTRACT §3); None leaves a filter out."""

    status: OneOf[MemoryStatus] | None = None
    memory_type: OneOf[MemoryType] | None = None
    tag: Needle | None = None
    q: Needle | None = None
    sort: OneOf[SortKey] = SortKey.ID
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT)] = DEFAULT_LIMIT
    offset: Annotated[int, Field(ge=0, le=MAX_OFFSET)] = 0


class MemoryPage(Frozen):
    """One page of memories; `total` counts the matches before pagination (CONTRACT §3)."""

    items: tuple[Memory, ...]
    total: int
    limit: int
    offset: int
    has_more: bool


class StaleQuery(Input):
    """What to review as unused (CONTRACT §5): least recently used first, never-read before all.

    `unused_since` keeps memories whose last access, or creation when never read, is before it.
    """

    status: OneOf[WritableStatus] = WritableStatus.ACTIVE
    unused_since: datetime | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT)] = DEFAULT_LIMIT
    offset: Annotated[int, Field(ge=0, le=MAX_OFFSET)] = 0
