"""The journal: revisions, and the batches that undo takes."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from memtui.models.base import (
    DEFAULT_LIMIT,
    MAX_LIMIT,
    MAX_NEEDLE,
    MAX_OFFSET,
    Frozen,
    Input,
    MemoryStatus,
    MemoryType,
    OneOf,
    Timestamp,
)


class RevisionAction(StrEnum):
    """What a revision records."""

    CREATE = "create"
    PATCH = "patch"
    DELETE = "delete"
    RESTORE = "restore"


class Revision(Frozen):
    """One entry of the journal: a memory's values after an action (CONTRACT §2, revisions).

    `seq` orders the whole journal; `batch` groups what one call changed and is what undo takes.
    """

    seq: int
    memory_id: int
    version: int
    action: RevisionAction
    content: str
    tags: tuple[str, ...]
    memory_type: MemoryType
    status: MemoryStatus
    at: Timestamp
    actor: str
    batch: int


class RevisionQuery(Input):
    """Which revisions, newest first."""

    memory_id: int | None = None
    actor: Annotated[str, Field(max_length=MAX_NEEDLE)] | None = None
    action: OneOf[RevisionAction] | None = None
    batch: int | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT)] = DEFAULT_LIMIT
    offset: Annotated[int, Field(ge=0, le=MAX_OFFSET)] = 0


class RevisionPage(Frozen):
    """One page of the journal."""

    items: tuple[Revision, ...]
    total: int
    limit: int
    offset: int
    has_more: bool


class Batch(Frozen):
    """One writing call: everything it changed is undone together.

    `label` says in a few words what it was ("add tag style", "import notes.jsonl"); `size` counts
    its revisions; `undoes` names the batch that this one took back, `undone_by` the other way.
    An undo of an undo is a redo: it counts as a change again, with `is_undo` false.
    """

    id: int
    at: Timestamp
    actor: str
    label: str
    size: int
    undoes: int | None
    is_undo: bool
    undone_by: int | None
