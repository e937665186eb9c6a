"""One change for many memories, and what became of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, Self

from pydantic import model_validator

from memtui.models.base import Frozen, Input, MemoryType, OneOf, Tags, WritableStatus
from memtui.models.memory import Memory, MemoryQuery


class Selection(Frozen):
    """Which memories a bulk change is about: ids, ids as they were seen, or all that match.

    With `seen` each memory is only changed when its stored version equals the one given.
    `query` is resolved inside the transaction; its sort, limit and offset play no part.
    """

    ids: tuple[int, ...] = ()
    seen: dict[int, int] | None = None
    query: MemoryQuery | None = None

    @classmethod
    def of(cls, ids: Sequence[int]) -> Selection:
        """These memories, whatever their version."""
        return cls(ids=tuple(dict.fromkeys(ids)))

    @classmethod
    def of_seen(cls, versions: Mapping[int, int]) -> Selection:
        """These memories, each only if it still has the version (the value) that was seen."""
        return cls(ids=tuple(versions), seen=dict(versions))

    @classmethod
    def matching(cls, query: MemoryQuery) -> Selection:
        """Everything that matches the filters of `query`."""
        return cls(query=query)


class BulkChange(Input):
    """One change for many memories. Deleting and restoring stand alone."""

    add_tags: Tags = ()
    remove_tags: Tags = ()
    memory_type: OneOf[MemoryType] | None = None
    status: OneOf[WritableStatus] | None = None
    delete: bool = False
    restore: bool = False

    @model_validator(mode="after")
    def _one_thing(self) -> Self:
        edits = bool(self.add_tags or self.remove_tags or self.memory_type or self.status)
        if edits + self.delete + self.restore != 1:
            raise ValueError(
                "give edits (add_tags, remove_tags, memory_type, status), or delete, or restore"
            )
        return self


class Outcome(StrEnum):
    """What became of one memory in a bulk change, an undo or an import."""

    CHANGED = "changed"
    UNCHANGED = "unchanged"
    NOT_FOUND = "not_found"
    CONFLICT = "conflict"
    REFUSED = "refused"


class ItemOutcome(NamedTuple):
    """One memory's outcome; `reason` says in words why it was not changed."""

    memory_id: int
    outcome: Outcome
    reason: str = ""


class Sample(NamedTuple):
    """One memory before and after a change, for a preview."""

    before: Memory
    after: Memory


class BulkResult(Frozen):
    """What a bulk change, an undo or a tag rename did, memory by memory.

    `batch` is None when nothing was changed or the run was dry. `samples` holds the first few
    changed memories, before and after.
    """

    batch: int | None
    outcomes: tuple[ItemOutcome, ...]
    samples: tuple[Sample, ...] = ()
    dry_run: bool = False

    def count(self, outcome: Outcome) -> int:
        """How many memories had this outcome."""
        return sum(item.outcome is outcome for item in self.outcomes)
