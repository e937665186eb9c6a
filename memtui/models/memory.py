"""A memory, what a caller may write of it, and the one query and its answer (CONTRACT §§1-5)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Self

from pydantic import Field

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
    def stored(  # noqa: PLR0917 - a row of the database, column by column
        cls,
        id_: int,
        content: str,
        tags: tuple[str, ...],
        created_at: datetime,
        updated_at: datetime,
        last_accessed_at: datetime | None,
        memory_type: MemoryType,
        status: MemoryStatus,
        version: int,
    ) -> Self:
        """A memory of values that come from the store: not validated, and made fast."""
        memory = cls.__new__(cls)
        # What `model_construct` comes to when every field is given, at a fifth of its time.
        _set(
            memory,
            "__dict__",
            {
                "id": id_,
                "content": content,
                "tags": tags,
                "created_at": created_at,
                "updated_at": updated_at,
                "last_accessed_at": last_accessed_at,
                "memory_type": memory_type,
                "status": status,
                "version": version,
            },
        )
        _set(memory, "__pydantic_fields_set__", set(_MEMORY_FIELDS))
        _set(memory, "__pydantic_extra__", None)
        _set(memory, "__pydantic_private__", None)
        return memory

    def accessed(self, at: datetime) -> Self:
        """The same memory with this `last_accessed_at`."""
        return self.stored(
            self.id,
            self.content,
            self.tags,
            self.created_at,
            self.updated_at,
            at,
            self.memory_type,
            self.status,
            self.version,
        )


_set = object.__setattr__
_MEMORY_FIELDS = frozenset(Memory.model_fields)


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
        patch = cls.model_construct(set(fields))
        for name, value in fields.items():
            patch.__dict__[name] = value
        return patch

    def applied_to(self, memory: Memory) -> Memory:
        """Return `memory` with the given fields replaced; version and times are the service's."""
        given = {name: getattr(self, name) for name in self.model_fields_set}
        if isinstance(given.get("status"), WritableStatus):
            given["status"] = MemoryStatus(given["status"].value)
        return memory.model_copy(update=given)


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
