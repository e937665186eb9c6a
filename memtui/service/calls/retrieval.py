"""Reading memories and counting them (CONTRACT §§3-5)."""

from __future__ import annotations

from threading import Event

from memtui.models import (
    Facets,
    Measures,
    Memory,
    MemoryPage,
    MemoryQuery,
    Month,
    SortKey,
    StaleQuery,
    Stats,
    TagCount,
    TagMerge,
    TagSummary,
)
from memtui.service import curation, related, retrieval
from memtui.service.calls.base import Calls


class RetrievalCalls(Calls):
    """One memory, pages, counts and figures."""

    def get(self, memory_id: int, *, touch: bool = True, noted: str | None = None) -> Memory:
        """Read one memory and mark it as accessed; `touch=False` is a peek.

        With `noted`, a few words on how, it is an activity of the actor as well (see
        `activities`), in the same transaction as the mark; a peek is none.
        Raises `NotFoundError` when it does not exist or is deleted.
        """
        return retrieval.get(self._context, memory_id, touch=touch, noted=noted)

    def search(
        self,
        query: MemoryQuery,
        *,
        touch: bool = True,
        stop: Event | None = None,
        noted: str | None = None,
    ) -> MemoryPage:
        """Retrieve one page and mark exactly its rows as accessed; `touch=False` is a peek.

        Count, page and marks are one transaction; the page is in the order before the marking.
        Setting `stop`, from any thread, ends a long search soon with `CancelledError`; then
        nothing was marked. For `noted` see `get`; a page without rows is not noted.
        """
        return retrieval.search(self._context, query, touch=touch, stop=stop, noted=noted)

    def prime(self, query: MemoryQuery, *, noted: str | None = None) -> MemoryPage:
        """What to know first: as `search`, but only identities and preferences.

        A query that names another `memory_type` is searched as it is.
        """
        return retrieval.prime(self._context, query, noted=noted)

    def versions(self, query: MemoryQuery) -> dict[int, int]:
        """Every match of the filters with its version, in the query's order: `{id: version}`.

        For selecting all that match as they are now (`Selection.of_seen`); always a peek. The
        query's limit and offset play no part.
        """
        return retrieval.versions(self._context, query)

    def stale(self, query: StaleQuery) -> MemoryPage:
        """Least recently used first, never-read before all; always a peek (CONTRACT §5)."""
        return retrieval.stale(self._context, query)

    def related(self, memory_id: int, *, limit: int = 5) -> tuple[Memory, ...]:
        """The active memories with the most words in common with one, closest first; a peek.

        What could have replaced or contradicted it; empty when nothing is close. The work is
        bounded, so on a big store it is a good sample rather than the whole truth.
        Raises `NotFoundError` when the memory does not exist or is deleted.
        """
        return related.related(self._context, memory_id, limit)

    def facets(self, query: MemoryQuery, *, stop: Event | None = None) -> Facets:
        """Counts per status, type and tag beside the filters of `query`; always a peek.

        For `stop` see `search`.
        """
        return retrieval.facets(self._context, query, stop=stop)

    def tags(self) -> tuple[TagCount, ...]:
        """Every tag that a memory which is not deleted carries, most frequent first."""
        return retrieval.tags(self._context)

    def stats(self) -> Stats:
        """Figures of the whole store; a peek."""
        return retrieval.stats(self._context)

    def tag_summaries(self) -> tuple[TagSummary, ...]:
        """Every tag in use with its count and last use, most frequent first; a peek."""
        return curation.tag_summaries(self._context)

    def proposed_merges(self) -> tuple[TagMerge, ...]:
        """Tags that seem to mean the same (other case, other joints, plurals); a peek."""
        return curation.proposed_merges(self.tag_summaries())

    def months(self) -> tuple[Month, ...]:
        """Memories made and last read per month and type, oldest month first; a peek."""
        return curation.months(self._context)

    def measures(self, *, long_from: int = 1_000) -> Measures:
        """How old the memories are, and how many texts have `long_from` characters; a peek."""
        return curation.measures(self._context, long_from)

    def position(self, memory_id: int, sort: SortKey = SortKey.ID) -> int:
        """How many come before a memory under `sort` among all that, as it, are not deleted.

        The offset at which retrieval without a filter shows it; for a deleted one, retrieval with
        `status=deleted`. A peek. Raises `NotFoundError` when there never was such a memory.
        """
        return curation.position(self._context, memory_id, sort)
