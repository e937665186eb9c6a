"""`MemoryService`, the one way to the memories: thread-safe, every call one transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from types import TracebackType
from typing import Self

from memtui.agents import (
    Activity,
    ActivityKind,
    Attachment,
    NewMemory,
    Ranked,
    RankedQuery,
    Remembered,
)
from memtui.errors import ReadOnlyError
from memtui.interchange import ImportOptions, ImportReport, Measure, Records, Tally, Whole
from memtui.models import (
    ActorCount,
    Batch,
    BulkChange,
    BulkResult,
    Facets,
    Measures,
    Memory,
    MemoryCreate,
    MemoryPage,
    MemoryPatch,
    MemoryQuery,
    Month,
    ReviewMark,
    ReviewQuery,
    ReviewQueue,
    Revision,
    RevisionPage,
    RevisionQuery,
    SavedView,
    Selection,
    SortKey,
    StaleQuery,
    Stats,
    TagCount,
    TagMerge,
    TagSummary,
)
from memtui.service import (
    backing_up,
    bulk,
    curation,
    exporting,
    importing,
    journal,
    once,
    ranking,
    related,
    remembering,
    retrieval,
    writing,
)
from memtui.service.context import Context, Progress
from memtui.service.exporting import Snapshot
from memtui.service.once import Done
from memtui.store import Store, open_store

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The present moment, aware and in UTC."""
    return datetime.now(UTC)


class MemoryService:
    """The contract's rules on one database.

    Open it with `MemoryService.open`, use it from any thread, close it (or use `with`). `actor`
    names who acts in the journal ("tui", "cli", "mcp:claude"); `as_actor` gives the same service
    under another name. Every call is one transaction and raises a `MemtuiError` of the kind that
    its docstring names, or a `StoreError` when the database cannot do its part.
    """

    def __init__(self, store: Store, *, actor: str = "python", clock: Clock = utc_now) -> None:
        self._context = Context(store, actor, clock)

    @classmethod
    def open(
        cls,
        target: str | Path,
        *,
        actor: str = "python",
        read_only: bool = False,
        clock: Clock = utc_now,
        progress: Progress | None = None,
    ) -> Self:
        """Open the database at `target`, a path or a URL, and bring its schema up to date.

        A missing file is created, with its folder. With `read_only` nothing is ever written: every
        retrieval is a peek and writing calls raise `ReadOnlyError`.
        `progress(done, total)` is told how far it is when a search index must be built first.
        Raises `CannotOpenError`, `DamagedError`, `NewerDatabaseError`, `LockedError`.
        """
        store = open_store(target, read_only=read_only, progress=progress)
        return cls(store, actor=actor, clock=clock)

    def as_actor(self, actor: str) -> MemoryService:
        """The same database under another actor's name; closing either closes both."""
        return MemoryService(self._context.store, actor=actor, clock=self._context.clock)

    def close(self) -> None:
        """Release every connection. Calling it twice is allowed."""
        self._context.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def actor(self) -> str:
        """Who acts."""
        return self._context.actor

    @property
    def read_only(self) -> bool:
        """Whether this service writes nothing, not even access marks."""
        return self._context.store.read_only

    @property
    def location(self) -> str:
        """Where the memories are: the path of the file, or a URL without its password."""
        return self._context.store.location

    def change_token(self) -> int:
        """A number that differs when anyone, this service included, has changed the database."""
        return self._context.store.change_token()

    # --- writing (CONTRACT §2) ---------------------------------------------------------------

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

    def once(self, key: str, request: str, work: Callable[[MemoryService], bytes]) -> Done:
        """Do a request once: return the answer kept under `key`, or do `work` and keep its answer.

        What `work` writes through the service that it is given, and the answer it returns, are one
        transaction. `request` identifies the request (a digest of it). Answers are kept for a day.
        Raises `InvalidError` when the key was used for another request, and whatever `work` does;
        then nothing is written and nothing is kept.
        """

        def joined(context: Context) -> bytes:
            return work(MemoryService(context.store, actor=context.actor, clock=context.clock))

        return once.once(self._writing(), key, request, joined)

    # --- retrieval (CONTRACT §§3-5) ----------------------------------------------------------

    def get(self, memory_id: int, *, touch: bool = True) -> Memory:
        """Read one memory and mark it as accessed; `touch=False` is a peek.

        Raises `NotFoundError` when it does not exist or is deleted.
        """
        return retrieval.get(self._context, memory_id, touch=touch)

    def search(
        self, query: MemoryQuery, *, touch: bool = True, stop: Event | None = None
    ) -> MemoryPage:
        """Retrieve one page and mark exactly its rows as accessed; `touch=False` is a peek.

        Count, page and marks are one transaction; the page is in the order before the marking.
        Setting `stop`, from any thread, ends a long search soon with `CancelledError`; then
        nothing was marked.
        """
        return retrieval.search(self._context, query, touch=touch, stop=stop)

    def prime(self, query: MemoryQuery) -> MemoryPage:
        """What to know first: as `search`, but only identities and preferences.

        A query that names another `memory_type` is searched as it is.
        """
        return retrieval.prime(self._context, query)

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

    # --- curation ----------------------------------------------------------------------------

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

    # --- the journal -------------------------------------------------------------------------

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

    # --- bulk work ---------------------------------------------------------------------------

    def bulk(
        self,
        selection: Selection,
        change: BulkChange,
        *,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> BulkResult:
        """Make one change to many memories in one transaction and one batch.

        Each memory has its own outcome; one that is gone, was changed meanwhile or may not be
        changed so is left alone and named. `progress(done, total)` is called between chunks; when
        it returns False everything is rolled back and `CancelledError` is raised.
        With `dry_run` nothing is written and the result says what would be.
        """
        return bulk.change(self._writing(), selection, change, dry_run=dry_run, progress=progress)

    def patch_many(
        self,
        patches: Mapping[int, tuple[MemoryPatch, int | None]],
        *,
        label: str = "edit many",
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> BulkResult:
        """PATCH memories, each in its own way, in one transaction and one batch.

        `patches` gives for each id its patch and the version that was seen, or None for whatever
        version there is. Each memory has its own outcome, as with `bulk`; so have `progress` and
        `dry_run` the same meaning.
        """
        return bulk.patch_many(
            self._writing(), patches, label=label, dry_run=dry_run, progress=progress
        )

    def rename_tag(
        self, old: str, new: str, *, dry_run: bool = False, progress: Progress | None = None
    ) -> BulkResult:
        """Rename a tag on every memory that is not deleted, merging where `new` is there already.

        Raises `NotFoundError` when nothing carries `old`, `InvalidError` when `new` is no tag.
        """
        return bulk.replace_tags(self._writing(), [old], new, dry_run=dry_run, progress=progress)

    def merge_tags(
        self,
        olds: Sequence[str],
        new: str,
        *,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> BulkResult:
        """Put one tag in the place of several, as one batch; otherwise as `rename_tag`."""
        return bulk.replace_tags(self._writing(), olds, new, dry_run=dry_run, progress=progress)

    def remove_tags(
        self, tags: Sequence[str], *, dry_run: bool = False, progress: Progress | None = None
    ) -> BulkResult:
        """Take tags off every memory that is not deleted, as one batch.

        Raises `NotFoundError` when nothing carries one of them.
        """
        return bulk.replace_tags(self._writing(), tags, None, dry_run=dry_run, progress=progress)

    # --- in and out --------------------------------------------------------------------------

    def import_records(
        self,
        records: Records,
        *,
        label: str,
        options: ImportOptions | None = None,
        whole: Whole | None = None,
        tally: Tally | None = None,
        measure: Measure | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Take in records from elsewhere in one transaction and one batch that undo takes back.

        A record whose source gave it before is not new: see `Fate` for what it may be. Records
        that break the contract are named in `tally`, the others come in. With `whole`, what a
        complete export says of its store, an empty store becomes an exact copy, with the batches
        and revisions of the original instead of one batch of its own.
        `progress` is called with what `measure` tells between chunks; when it returns False
        everything is rolled back and `CancelledError` is raised. With `dry_run` nothing is written.
        Raises `SecretsError`, and writes nothing, when `options.detect` finds credentials and the
        policy is to stop.
        """
        intake = importing.Intake(
            records=records,
            label=label,
            options=options or ImportOptions(),
            whole=whole,
            tally=tally or Tally(),
            measure=measure,
            progress=progress,
        )
        context = self._context if dry_run else self._writing()
        return importing.import_records(context, intake, dry_run=dry_run)

    def snapshot(self) -> AbstractContextManager[Snapshot]:
        """One view of the whole store to export from, however long that takes; a peek."""
        return exporting.snapshot(self._context)

    def duplicates(self) -> tuple[tuple[int, ...], ...]:
        """Groups of memories, not deleted, whose texts are equal but for case and white space.

        Each group holds ids in ascending order. Reads every text; a peek.
        """
        return exporting.duplicates(self._context)

    def backup(self, path: str | Path) -> Path:
        """Write a consistent copy of the database while it is in use, and return its path.

        The copy is private to its owner and appears complete or not at all; an existing file is
        replaced. Raises `CannotOpenError` when the path can't be written, `NoSpaceError`.
        """
        return backing_up.backup(self._context, Path(path))

    # --- what agents need (CONTRACT §6 and beside it) ----------------------------------------

    def ranked(self, query: RankedQuery, *, touch: bool = True) -> tuple[Ranked, ...]:
        """The active memories with the most to do with a text, best first, marked unless a peek.

        BM25 over the words of the text: any of them, in any order; rare ones say more. Of equal
        ones the one used last comes first. The work is bounded: in a big store the thousand
        memories with the most and the rarest of the words are scored. No words, no memories.
        """
        return ranking.ranked(self._context, query, touch=touch)

    def get_many(self, ids: Sequence[int], *, touch: bool = True) -> tuple[Memory, ...]:
        """Those that exist and are not deleted, in the order given, marked unless a peek."""
        return remembering.get_many(self._context, ids, touch=touch)

    def remember(
        self, new: Sequence[NewMemory], *, tag: str | None = None, label: str = "remember"
    ) -> tuple[Remembered, ...]:
        """Store what is not there yet, as one batch, all or none; answers are in the order given.

        There already is a memory, active or invalid, with exactly that text, media type and data
        (and with `tag`, when it is given): it is returned as it is. An invalid one stays invalid.
        Raises `InvalidError` when the data beside a memory are too large.
        """
        return remembering.remember(self._writing(), new, tag=tag, label=label)

    def attachments(self, ids: Sequence[int]) -> dict[int, Attachment]:
        """What is kept beside memories, by id; those without have no entry. A peek."""
        return remembering.attachments(self._context, ids)

    def note_activity(
        self, kind: ActivityKind, memory_ids: Sequence[int] = (), detail: str = ""
    ) -> None:
        """Keep what this actor did that changed no memory; nothing happens when read-only.

        `detail` says in a few words how; it is kept, so it holds no text of users or memories.
        """
        remembering.note_activity(self._context, kind, memory_ids, detail)

    def activities(
        self, *, limit: int = 50, before: int | None = None, actor: str | None = None
    ) -> tuple[Activity, ...]:
        """What agents did that the journal does not tell, newest first; a peek.

        `before` is the `seq` of the last one seen, for the next page; `actor` keeps one actor's.
        """
        return remembering.activities(self._context, limit=limit, before=before, actor=actor)

    # --- health ------------------------------------------------------------------------------

    def check(self) -> tuple[str, ...]:
        """One sentence per fault of the file or of what is kept beside the memories; a peek.

        Reads the whole database. Empty when all is well.
        """
        return tuple(self._context.store.check())

    def repair(self, *, progress: Progress | None = None) -> None:
        """Build tags, counts, search texts and the search index anew from the memories.

        The memories and the journal stay as they are: what is wrong in them only a backup can
        mend. All or nothing; keep a copy first (`backup`). Raises `CancelledError`.
        """
        self._writing().store.rebuild(progress)

    def _writing(self) -> Context:
        if self.read_only:
            raise ReadOnlyError(
                "This session is read-only", "Start without --read-only to change memories."
            )
        return self._context
