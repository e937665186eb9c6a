"""Writing one memory or a list of new ones (CONTRACT §2)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.models import (
    Memory,
    MemoryCreate,
    MemoryPatch,
)
from memtui.service import journal, writing
from memtui.service.calls.base import Calls


class LifecycleCalls(Calls):
    """Create, patch, delete, restore, revert, purge."""

    def create(self, memory: MemoryCreate) -> Memory:
        """Store a new memory at version 1, never yet accessed."""
        return writing.create_many(self._writing(), [memory], label="create")[0]

    def create_many(
        self, memories: Sequence[MemoryCreate], *, label: str = "create many"
    ) -> tuple[Memory, ...]:
        """Store all or nothing, as one batch. An empty sequence writes nothing."""
        return writing.create_many(self._writing(), memories, label=label)

    def patch(
        self, memory_id: int, patch: MemoryPatch, *, expected_version: int | None = None
    ) -> Memory:
        """Change the given fields as one new version; a patch that changes nothing writes nothing.

        Raises `NotFoundError`, and `ConflictError` when `expected_version` is not the stored one.
        """
        return writing.patch(self._writing(), memory_id, patch, expected_version)

    def delete(self, memory_id: int, *, expected_version: int | None = None) -> Memory:
        """Soft-delete: keep the row, hide it from reads. Returns it as it is now.

        Raises `NotFoundError` (also for a second delete) and `ConflictError`.
        """
        return writing.delete(self._writing(), memory_id, expected_version)

    def restore(self, memory_id: int) -> Memory:
        """Bring a deleted memory back with the status it had; version and times stay.

        Raises `NotFoundError` when it does not exist or is not deleted.
        """
        return writing.restore(self._writing(), memory_id)

    def revert(
        self, memory_id: int, version: int, *, expected_version: int | None = None
    ) -> Memory:
        """PATCH a memory back to the values of an earlier version, as a new version.

        Raises `NotFoundError` when the memory or that version does not exist, and `ConflictError`.
        """
        return journal.revert(self._writing(), memory_id, version, expected_version)

    def purge(self, ids: Sequence[int] | None = None, *, dry_run: bool = False) -> int:
        """Remove deleted memories (all, or those of `ids`) and their revisions for good.

        Returns how many; with `dry_run` only counts. Memories that are not deleted are left alone.
        """
        context = self._context if dry_run else self._writing()
        return writing.purge(context, ids, dry_run=dry_run)
