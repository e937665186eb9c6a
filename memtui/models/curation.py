"""What a curator keeps beside the memories: saved views and review queues."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from memtui.models.base import DEFAULT_LIMIT, MAX_LIMIT, MAX_OFFSET, MAX_TAG, Input, OneOf, storable
from memtui.models.memory import MemoryQuery


class SavedView(Input):
    """A query under a name; its limit and offset play no part."""

    name: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_TAG),
        AfterValidator(storable),
    ]
    query: MemoryQuery


class ReviewQueue(StrEnum):
    """What waits for a person: invalid memories, and active ones that nobody uses."""

    INVALID = "invalid"
    STALE = "stale"


class ReviewQuery(Input):
    """What waits in a queue.

    `invalid`: newest change first, without those kept at their present version.
    `stale`: never-read first, then least recently used, without those snoozed or kept. With
    `unused_since` only what was last used (or kept, or made) before it.
    """

    queue: OneOf[ReviewQueue]
    unused_since: datetime | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT)] = DEFAULT_LIMIT
    offset: Annotated[int, Field(ge=0, le=MAX_OFFSET)] = 0


class ReviewMark(Input):
    """A decision to leave a memory as it is: for good, or with `until` to ask again then."""

    queue: OneOf[ReviewQueue]
    memory_id: int
    until: datetime | None = None
