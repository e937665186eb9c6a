"""What agents ask and leave beside the memories: ranked queries, attachments, activities.

Nothing here is part of the memory object (CONTRACT §1); it is kept in tables of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from memtui.interchange import Attachment
from memtui.models import (
    DEFAULT_LIMIT,
    MAX_LIMIT,
    Memory,
    MemoryCreate,
    MemoryType,
    Needle,
    OneOf,
)


@dataclass(frozen=True, slots=True)
class NewMemory:
    """A memory to remember, with what is to be kept beside it."""

    memory: MemoryCreate
    attachment: Attachment | None = None


class Remembered(NamedTuple):
    """A memory, and whether it was stored now or had been there before."""

    memory: Memory
    is_new: bool


class RankedQuery(BaseModel):
    """Which active memories have most to do with a text (CONTRACT §6).

    `text` may be of any length; its words count, in any order, not its punctuation. Memories that
    score less than `min_score` (0 to 1) are left out.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    text: str
    tag: Needle | None = None
    memory_type: OneOf[MemoryType] | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT)] = DEFAULT_LIMIT
    min_score: Annotated[float, Field(ge=0, le=1)] = 0.0


class Ranked(NamedTuple):
    """A memory and its score, above 0 and at most 1.

    1 means that it holds every word of the query and is no longer than memories usually are.
    """

    memory: Memory
    score: float


class ActivityKind(StrEnum):
    """What an agent did that the journal does not tell, because it changed no memory."""

    QUERIED = "queried"
    INJECTED = "injected"
    RETRACTED = "retracted"
    DUPLICATE = "duplicate"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Activity:
    """One thing that an agent did; `seq` orders them, `memory_ids` are the memories it is about.

    `detail` says in a few words how (never what a user or a memory said).
    """

    seq: int
    at: datetime
    actor: str
    kind: ActivityKind
    memory_ids: tuple[int, ...]
    detail: str
