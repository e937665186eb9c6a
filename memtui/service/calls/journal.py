"""The journal: history, batches, undo and redo."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.models import (
    ActorCount,
    Batch,
    BulkResult,
    Revision,
    RevisionPage,
    RevisionQuery,
)
from memtui.service import curation, journal
from memtui.service.calls.base import Calls
from memtui.service.context import Progress


class JournalCalls(Calls):
    """Who changed what, and taking it back."""

    def history(self, query: RevisionQuery) -> RevisionPage:
        """The journal, newest first, of one memory or of all. Deleted memories have theirs too.

        Raises `NotFoundError` when `query.memory_id` names a memory that never was or was purged.
        """
        return journal.history(self._context, query)

    def earlier(self, revisions: Sequence[Revision]) -> dict[int, Revision]:
        """By each revision's `seq`, the same memory's revision just before it; a peek.

        What a revision changed is the difference between the two; the first one has none before.
        """
        return journal.earlier(self._context, revisions)

    def news(
        self, after: int, *, limit: int = 100, other_than: str | None = None
    ) -> tuple[Revision, ...]:
        """The newest revisions with a `seq` above `after`, newest first; a peek.

        With `other_than` those of one actor are left out.
        """
        return journal.news(self._context, after, limit=limit, other_than=other_than)

    def actors(self) -> tuple[ActorCount, ...]:
        """Everyone in the journal with the number of their revisions, busiest first; a peek."""
        return curation.actors(self._context)

    def batches(self, *, limit: int = 20, actor: str | None = None) -> tuple[Batch, ...]:
        """What undo can take, newest first; `actor` keeps one actor's own."""
        return journal.batches(self._context, limit=limit, actor=actor)

    def undo(
        self, batch: int | None = None, *, dry_run: bool = False, progress: Progress | None = None
    ) -> BulkResult:
        """Take a batch back, as a batch of its own (so undoing that one is the redo).

        Without `batch`: this actor's newest batch that is not undone and is no undo itself.
        A memory that was changed since is left as it is and reported as a conflict.
        An undo is recorded, and not offered again, also when it found nothing to take back.
        Raises `NotFoundError` when there is no such batch.
        """
        return journal.undo(self._writing(), batch, dry_run=dry_run, progress=progress)

    def redo(self, *, progress: Progress | None = None) -> BulkResult:
        """Take this actor's newest undo back, as `undo` does, unless it made a change since.

        Raises `NotFoundError` when there is nothing to redo.
        """
        return journal.redo(self._writing(), progress=progress)
