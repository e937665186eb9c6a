"""A curator's own things: saved views and review queues."""

from __future__ import annotations

from memtui.models import (
    MemoryPage,
    ReviewMark,
    ReviewQuery,
    ReviewQueue,
    SavedView,
)
from memtui.service import curation
from memtui.service.calls.base import Calls


class CurationCalls(Calls):
    """Saved views, and what waits for a person."""

    def views(self) -> tuple[SavedView, ...]:
        """Every saved view, by name."""
        return curation.views(self._context)

    def view(self, name: str) -> SavedView:
        """One saved view. Raises `NotFoundError`."""
        return curation.view(self._context, name)

    def save_view(self, view: SavedView) -> None:
        """Keep a query under a name, replacing one of the same name."""
        curation.save_view(self._writing(), view)

    def rename_view(self, old: str, new: str) -> SavedView:
        """Give a view another name, replacing one that has it. Raises `NotFoundError`."""
        return curation.rename_view(self._writing(), old, new)

    def delete_view(self, name: str) -> None:
        """Forget a view. Raises `NotFoundError`."""
        curation.delete_view(self._writing(), name)

    def review(self, query: ReviewQuery) -> MemoryPage:
        """What waits for a person in a queue, see `ReviewQuery`; always a peek."""
        return curation.review(self._context, query)

    def mark_reviewed(self, mark: ReviewMark, *, expected_version: int | None = None) -> None:
        """Remember that a person left a memory as it is: no access mark, no new version.

        Raises `NotFoundError`, and `ConflictError` when it is not at `expected_version`.
        """
        curation.mark_reviewed(self._writing(), mark, expected_version)

    def unmark_reviewed(self, queue: ReviewQueue, memory_id: int) -> None:
        """Put a memory back into a queue; the undo of `mark_reviewed`."""
        curation.unmark_reviewed(self._writing(), queue, memory_id)
