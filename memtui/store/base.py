"""What the service asks of a database.

A store has transactions; a transaction reads and writes whole `Memory` objects and keeps whatever
it needs beside them (tags, counts, search text, the journal) in step by itself. A second database
implements these two protocols and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from threading import Event
from typing import NamedTuple, Protocol

from memtui.agents import Activity, ActivityKind
from memtui.interchange import (
    Attachment,
    ExportedMemory,
    ExportedPast,
    Known,
    LoadedMemory,
    Provenance,
    Whole,
)
from memtui.models import (
    ActorCount,
    Age,
    Batch,
    Facets,
    Memory,
    Month,
    ReviewMark,
    ReviewQuery,
    ReviewQueue,
    Revision,
    RevisionAction,
    RevisionQuery,
    SavedView,
    SortKey,
    Stats,
    TagCount,
    TagSummary,
)

Progress = Callable[[int, int], bool | None]
"""Called with (done, total) between chunks of long work; returning False cancels it."""


class Order(StrEnum):
    """The orders a page can have: the contract's sort keys, and least recently used first."""

    ID = SortKey.ID.value
    CREATED_AT = SortKey.CREATED_AT.value
    UPDATED_AT = SortKey.UPDATED_AT.value
    LAST_ACCESSED_AT = SortKey.LAST_ACCESSED_AT.value
    LEAST_RECENTLY_USED = "least_recently_used"


@dataclass(frozen=True, slots=True)
class Filter:
    """Which memories; all parts compose with AND. `needle` is folded (`memtui.text.fold`).

    A memory has one of the `statuses`, and one of the `memory_types` when any are given.
    """

    statuses: tuple[str, ...]
    memory_types: tuple[str, ...] = ()
    tag: str | None = None
    needle: str | None = None
    unused_since: datetime | None = None


class TermMatch(StrEnum):
    """Where a word of a ranked query counts.

    `START`: fully where it starts a word, half inside one. `WHOLE`: as a word of its own.
    `ANYWHERE`: in a script that sets no words off.
    """

    START = "start"
    WHOLE = "whole"
    ANYWHERE = "anywhere"


class Term(NamedTuple):
    """A folded word of a ranked query."""

    text: str
    match: TermMatch


class Change(NamedTuple):
    """One memory's way from one state to the next, with the action that the journal records.

    `before` is None for a new memory.
    """

    before: Memory | None
    after: Memory
    action: RevisionAction


@dataclass(frozen=True, slots=True)
class NewBatch:
    """Who writes, when, and what for; see `memtui.models.Batch`."""

    actor: str
    at: datetime
    label: str
    undoes: int | None = None
    is_undo: bool = False


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """What a request was answered; `request` is a digest of it."""

    request: str
    answer: bytes
    at: datetime


class ReadTransaction(Protocol):
    """One consistent view of the store."""

    def find(self, ids: Sequence[int]) -> list[Memory]:
        """The memories that exist, deleted ones included, in the order of `ids`."""
        ...

    def versions(self, ids: Sequence[int]) -> dict[int, int]:
        """The versions of the memories that exist, by id, in the order of `ids`."""
        ...

    def count(self, filter_: Filter) -> int:
        """How many memories match."""
        ...

    def page(self, filter_: Filter, order: Order, limit: int, offset: int) -> list[Memory]:
        """The matches from `offset` on, at most `limit`."""
        ...

    def ids_after(self, filter_: Filter, after: int, limit: int) -> list[int]:
        """The matching ids greater than `after`, ascending, at most `limit`."""
        ...

    def facets(self, filter_: Filter, statuses: Sequence[str]) -> Facets:
        """Counts beside `filter_`, see `Facets`; the statuses are counted among `statuses`."""
        ...

    def tags(self) -> list[TagCount]:
        """Every tag of a memory that is not deleted, most frequent first, ties by name."""
        ...

    def stats(self) -> Stats:
        """Figures of the whole store."""
        ...

    def revisions(self, query: RevisionQuery) -> tuple[list[Revision], int]:
        """One page of the journal, newest first, and how many match."""
        ...

    def revisions_after(self, seq: int, *, limit: int, other_than: str | None) -> list[Revision]:
        """The newest revisions after one, newest first; `other_than` leaves an actor's out."""
        ...

    def earlier(self, revisions: Sequence[Revision]) -> dict[int, Revision]:
        """By each revision's `seq`, the same memory's revision just before it, if any."""
        ...

    def latest(self, ids: Sequence[int]) -> dict[int, Revision]:
        """Each memory's newest revision."""
        ...

    def batch(self, batch_id: int) -> Batch | None:
        """One batch."""
        ...

    def batches(self, *, limit: int, actor: str | None) -> list[Batch]:
        """The newest batches first."""
        ...

    def batch_members(
        self, batch_id: int, after: int, limit: int
    ) -> list[tuple[Revision, Revision]]:
        """The first and last revision of each memory in a batch, by memory id after `after`."""
        ...

    def undoable(self, actor: str) -> Batch | None:
        """The actor's newest batch that is in force and is no undo."""
        ...

    def redoable(self, actor: str) -> Batch | None:
        """The actor's newest undo in force that took something back, if no change came after it."""
        ...

    def revision_at(self, memory_id: int, version: int) -> Revision | None:
        """The revision that made a version of a memory."""
        ...

    def latest_access(self) -> datetime | None:
        """The newest `last_accessed_at` of all."""
        ...

    def ids(self, filter_: Filter, order: Order) -> Sequence[int]:
        """Every matching id in that order."""
        ...

    def is_new(self) -> bool:
        """Whether nothing was ever kept here."""
        ...

    def known(self, keys: Sequence[int]) -> dict[int, Known]:
        """The memories that came from sources before, by `Provenance.key`."""
        ...

    def equal_texts(self, hashes: Iterable[int]) -> dict[int, int]:
        """The first live memory with each fingerprint, as of the last `renew_fingerprints`."""
        ...

    def stale_fingerprints(self) -> Iterator[tuple[int, int]]:
        """The memories written since `renew_fingerprints`, each with its true fingerprint."""
        ...

    def duplicates(self) -> list[tuple[int, ...]]:
        """Groups of live memories whose texts differ in case and white space at most."""
        ...

    def whole(self) -> Whole:
        """The batches, and the highest id ever given out."""
        ...

    def exported_after(self, last_id: int, limit: int) -> list[ExportedMemory]:
        """The next memories by id, deleted ones included."""
        ...

    def exported(self, ids: Sequence[int]) -> list[ExportedMemory]:
        """Those of the memories that exist, in the order of `ids`."""
        ...

    def with_past(self, memories: Sequence[ExportedMemory]) -> Iterator[ExportedPast]:
        """Each memory with its whole journal and where it comes from."""
        ...

    def views(self) -> list[SavedView]:
        """Every saved view, by name."""
        ...

    def review(self, query: ReviewQuery, now: datetime) -> tuple[list[int], int]:
        """One page of the ids that wait in a review queue, and how many wait."""
        ...

    def tag_summaries(self) -> list[TagSummary]:
        """Every tag in use, most frequent first, with the last use of one of its memories."""
        ...

    def months(self) -> list[Month]:
        """Memories made and last read per calendar month (UTC) and type, oldest month first."""
        ...

    def ages(self, now: datetime, days: Sequence[int]) -> list[Age]:
        """Memories made and last read within so many days (ascending), and before all of them."""
        ...

    def count_long(self, characters: int) -> int:
        """How many memories, not deleted, have a text of at least so many characters."""
        ...

    def actors(self) -> list[ActorCount]:
        """Everyone in the journal, the busiest first."""
        ...

    def count_before(self, memory: Memory, order: Order) -> int:
        """How many come before `memory` among all that are, as it is or isn't, deleted."""
        ...

    def attachments(self, ids: Sequence[int]) -> dict[int, Attachment]:
        """What is kept beside each of these memories; those without have no entry."""
        ...

    def activities(self, *, limit: int, before: int | None, actor: str | None) -> list[Activity]:
        """The newest activities first, those with a smaller `seq` than `before`."""
        ...

    def activity_actors(self) -> list[ActorCount]:
        """Everyone with an activity, the busiest first."""
        ...

    def equal_memories(self, content: str, tag: str | None) -> list[Memory]:
        """The memories with exactly this text, and the tag if any, not deleted, oldest first."""
        ...

    def ranked(
        self, terms: Sequence[Term], filter_: Filter, *, limit: int, min_score: float
    ) -> list[tuple[int, float]]:
        """The ids of the best matches of any of the words with their scores (0-1], best first."""
        ...


class WriteTransaction(ReadTransaction, Protocol):
    """One transaction that writes; it commits as a whole or not at all."""

    def new_ids(self, count: int) -> Sequence[int]:
        """Ids that no memory ever had."""
        ...

    def open_batch(self, batch: NewBatch) -> int:
        """Begin a batch and return its id; it vanishes when nothing is applied under it."""
        ...

    def apply(self, batch_id: int, changes: Sequence[Change]) -> None:
        """Write records, tags, counts, search text and the journal."""
        ...

    def touch(self, ids: Sequence[int], at: datetime) -> None:
        """Set `last_accessed_at`, and nothing else."""
        ...

    def touched_page(
        self, filter_: Filter, order: Order, limit: int, offset: int, at: datetime
    ) -> list[Memory]:
        """A `page`, its rows touched at `at`, as they are then; in the order before."""
        ...

    def purge(self, ids: Sequence[int]) -> None:
        """Remove deleted memories and their revisions for good, and every kept answer."""
        ...

    def kept_answer(self, key: str) -> KeptAnswer | None:
        """What was answered under an idempotency key."""
        ...

    def keep_answer(self, key: str, answer: KeptAnswer, *, forget_before: datetime) -> None:
        """Keep an answer under a key that has none, and forget the answers that are older."""
        ...

    def load(self, memories: Sequence[LoadedMemory], batch_id: int | None) -> None:
        """Write new memories as they are, under their ids; their revisions count for the batch."""
        ...

    def load_whole(self, whole: Whole) -> None:
        """Write another store's batches under their ids; ids up to its last count as used."""
        ...

    def mark_imported(self, marks: Sequence[tuple[Provenance, int]]) -> None:
        """Renew the provenance of memories (given by id) that their source has given again."""
        ...

    def renew_fingerprints(self) -> None:
        """Bring the fingerprints that `equal_texts` looks at up to date."""
        ...

    def fingerprints_are_new(self) -> None:
        """Note that all that was written since `renew_fingerprints` was written by `load`."""
        ...

    def save_view(self, view: SavedView) -> None:
        """Write a view, replacing one of the same name."""
        ...

    def delete_view(self, name: str) -> bool:
        """Remove a view; whether there was one."""
        ...

    def mark_reviewed(self, mark: ReviewMark, version: int, at: datetime) -> None:
        """Remember that a memory at this version was reviewed, in place of an earlier mark."""
        ...

    def unmark_reviewed(self, queue: ReviewQueue, memory_id: int) -> None:
        """Forget a mark."""
        ...

    def attach(self, attachments: Mapping[int, Attachment]) -> None:
        """Keep something beside memories (by id), in place of what was kept there."""
        ...

    def add_activity(
        self, at: datetime, actor: str, kind: ActivityKind, memory_ids: Sequence[int], detail: str
    ) -> None:
        """Append an activity, and forget the oldest beyond a bound."""
        ...


class Store(Protocol):
    """A database of memories; thread-safe."""

    read_only: bool
    location: str

    def read(self, stop: Event | None = None) -> AbstractContextManager[ReadTransaction]:
        """A transaction that only reads.

        Setting `stop`, from any thread, ends a running statement soon with `CancelledError`.
        """
        ...

    def write(self, stop: Event | None = None) -> AbstractContextManager[WriteTransaction]:
        """A transaction that holds the write lock from its start; for `stop` see `read`.

        Raises `LockedError` when the lock is not had within the bounded wait.
        """
        ...

    def change_token(self) -> int:
        """A number that differs once anyone has committed a change since the last call."""
        ...

    def check(self) -> Iterator[str]:
        """Yield one sentence per fault of the file or of what is kept beside the records."""
        ...

    def rebuild(self, progress: Progress | None = None) -> None:
        """Build what is kept beside the records (tags, counts, texts, index) anew from them."""
        ...

    def backup(self, path: Path) -> None:
        """Write a consistent copy while the database is in use."""
        ...

    def close(self) -> None:
        """Release every connection; calling it twice is allowed."""
        ...
