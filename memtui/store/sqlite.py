"""SQLite behind the store's interface: one writing connection, several that only read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from threading import Event

from sqlalchemy import Connection, Engine, func, select

from memtui.errors import CannotOpenError, ReadOnlyError
from memtui.interchange import LoadedMemory
from memtui.models import (
    Batch,
    Facets,
    Memory,
    MemoryStatus,
    MemoryType,
    Revision,
    RevisionQuery,
    Stats,
    TagCount,
)
from memtui.store import facet_counts, index_upkeep, journal, kept_answers, records
from memtui.store.base import Change, Filter, KeptAnswer, NewBatch, Order, Progress
from memtui.store.checks import faults
from memtui.store.engine import (
    checking_engine,
    connector,
    interruptible,
    prepare_file,
    reader_engine,
    translated,
    writer_engine,
)
from memtui.store.migrations import migrate, require_current, schema_version
from memtui.store.raw import raw_insert, raw_one, raw_rows
from memtui.store.rows import to_micros, to_moment
from memtui.store.sqlite_agents import SqliteAgentsRead, SqliteAgentsWrite
from memtui.store.sqlite_curation import SqliteCurationRead, SqliteCurationWrite
from memtui.store.sqlite_ranking import SqliteRankingRead
from memtui.store.sqlite_search import Search, find, touch, versions
from memtui.store.sqlite_transfer import SqliteTransferRead, SqliteTransferWrite
from memtui.store.tables import MEMORY, REVISION
from memtui.store.tokens import ChangeToken
from memtui.store.totals import Totals

_LIVE = MEMORY.c.status != MemoryStatus.DELETED.value
_LIVE_ONES = Filter(statuses=(MemoryStatus.ACTIVE.value, MemoryStatus.INVALID.value))
_LATEST_ACCESS = "SELECT max(last_accessed_at) FROM memory"
_LAST_ID = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'memory'"
_BATCH = "INSERT INTO batch (at, actor, label, size, undoes, is_undo) VALUES (?, ?, ?, 0, ?, ?)"


class SqliteRead(SqliteTransferRead, SqliteCurationRead, SqliteAgentsRead, SqliteRankingRead):
    """A transaction that only reads; see `memtui.store.base.ReadTransaction`."""

    def __init__(self, connection: Connection, totals: Totals) -> None:
        super().__init__(connection)
        self._search = Search(connection, totals)

    def find(self, ids: Sequence[int]) -> list[Memory]:
        """See `ReadTransaction.find`."""
        return find(self._connection, ids)

    def count(self, filter_: Filter) -> int:
        """See `ReadTransaction.count`."""
        return self._search.count(filter_)

    def page(self, filter_: Filter, order: Order, limit: int, offset: int) -> list[Memory]:
        """See `ReadTransaction.page`."""
        return self._search.page(filter_, order, limit, offset)

    def ids_after(self, filter_: Filter, after: int, limit: int) -> list[int]:
        """See `ReadTransaction.ids_after`."""
        return self._search.ids_after(filter_, after, limit)

    def ids(self, filter_: Filter, order: Order) -> Sequence[int]:
        """See `ReadTransaction.ids`."""
        return self._search.ids(filter_, order)

    def versions(self, ids: Sequence[int]) -> dict[int, int]:
        """See `ReadTransaction.versions`."""
        return versions(self._connection, ids)

    def facets(self, filter_: Filter, statuses: Sequence[str]) -> Facets:
        """See `ReadTransaction.facets`."""
        return facet_counts.facets(self._connection, filter_, statuses)

    def tags(self) -> list[TagCount]:
        """See `ReadTransaction.tags`."""
        return facet_counts.tags(self._connection, _LIVE_ONES)

    def stats(self) -> Stats:
        """See `ReadTransaction.stats`."""
        facets = self.facets(_LIVE_ONES, tuple(MemoryStatus))
        first, last = self._one(
            select(func.min(MEMORY.c.created_at), func.max(MEMORY.c.updated_at)).where(_LIVE)
        )
        return Stats(
            statuses=facets.statuses,
            types={kind: facets.types.get(kind, 0) for kind in MemoryType},
            tags=len(facets.tags),
            untagged=self._number(_LIVE, MEMORY.c.tags == "[]"),
            never_accessed=self._number(_LIVE, MEMORY.c.last_accessed_at.is_(None)),
            revisions=self._one(select(func.count()).select_from(REVISION))[0],
            first_created_at=None if first is None else to_moment(first),
            last_updated_at=None if last is None else to_moment(last),
            database_bytes=self._pragma("page_count") * self._pragma("page_size"),
        )

    def revisions(self, query: RevisionQuery) -> tuple[list[Revision], int]:
        """See `ReadTransaction.revisions`."""
        return journal.revisions(self._connection, query)

    def revisions_after(self, seq: int, *, limit: int, other_than: str | None) -> list[Revision]:
        """See `ReadTransaction.revisions_after`."""
        return journal.revisions_after(self._connection, seq, limit=limit, other_than=other_than)

    def earlier(self, revisions: Sequence[Revision]) -> dict[int, Revision]:
        """See `ReadTransaction.earlier`."""
        return journal.earlier(self._connection, revisions)

    def latest(self, ids: Sequence[int]) -> dict[int, Revision]:
        """See `ReadTransaction.latest`."""
        return journal.latest(self._connection, ids)

    def batch(self, batch_id: int) -> Batch | None:
        """See `ReadTransaction.batch`."""
        return journal.batch(self._connection, batch_id)

    def batches(self, *, limit: int, actor: str | None) -> list[Batch]:
        """See `ReadTransaction.batches`."""
        return journal.batches(self._connection, limit=limit, actor=actor)

    def batch_members(
        self, batch_id: int, after: int, limit: int
    ) -> list[tuple[Revision, Revision]]:
        """See `ReadTransaction.batch_members`."""
        return journal.batch_members(self._connection, batch_id, after, limit)

    def undoable(self, actor: str) -> Batch | None:
        """See `ReadTransaction.undoable`."""
        return journal.undoable(self._connection, actor)

    def redoable(self, actor: str) -> Batch | None:
        """See `ReadTransaction.redoable`."""
        return journal.redoable(self._connection, actor)

    def revision_at(self, memory_id: int, version: int) -> Revision | None:
        """See `ReadTransaction.revision_at`."""
        return journal.revision_at(self._connection, memory_id, version)

    def latest_access(self) -> datetime | None:
        """See `ReadTransaction.latest_access`."""
        newest = raw_rows(self._connection, _LATEST_ACCESS)[0][0]
        return None if newest is None else to_moment(newest)

    def _number(self, *conditions: object) -> int:
        query = select(func.count()).select_from(MEMORY)
        for condition in conditions:
            query = query.where(condition)  # type: ignore[arg-type]
        return int(self._one(query)[0])

    def _one(self, query: object) -> Sequence[int]:
        return tuple(self._connection.execute(query).one())  # type: ignore[call-overload]

    def _pragma(self, name: str) -> int:
        return int(self._connection.exec_driver_sql(f"PRAGMA {name}").scalar_one())


class SqliteWrite(SqliteRead, SqliteTransferWrite, SqliteCurationWrite, SqliteAgentsWrite):
    """A transaction that holds the write lock; see `memtui.store.base.WriteTransaction`."""

    def __init__(self, connection: Connection, totals: Totals) -> None:
        super().__init__(connection, totals)
        self._open: dict[int, NewBatch] = {}

    def new_ids(self, count: int) -> Sequence[int]:
        """See `WriteTransaction.new_ids`."""
        first = raw_one(self._connection, _LAST_ID) + 1
        return range(first, first + count)

    def open_batch(self, batch: NewBatch) -> int:
        """See `WriteTransaction.open_batch`."""
        values = (to_micros(batch.at), batch.actor, batch.label, batch.undoes, batch.is_undo)
        batch_id = raw_insert(self._connection, _BATCH, values)
        self._open[batch_id] = batch
        return batch_id

    def apply(self, batch_id: int, changes: Sequence[Change]) -> None:
        """See `WriteTransaction.apply`."""
        records.apply(self._connection, batch_id, self._open[batch_id], changes)
        self._search.changed()

    def touch(self, ids: Sequence[int], at: datetime) -> None:
        """See `WriteTransaction.touch`."""
        touch(self._connection, ids, at)

    def touched_page(
        self, filter_: Filter, order: Order, limit: int, offset: int, at: datetime
    ) -> list[Memory]:
        """See `WriteTransaction.touched_page`."""
        return self._search.touched_page(filter_, order, limit, offset, at)

    def load(self, memories: Sequence[LoadedMemory], batch_id: int | None) -> None:
        """See `WriteTransaction.load`."""
        super().load(memories, batch_id)
        self._search.changed()

    def purge(self, ids: Sequence[int]) -> None:
        """See `WriteTransaction.purge`."""
        records.purge(self._connection, ids)
        self._search.changed()
        kept_answers.forget_all(self._connection)

    def kept_answer(self, key: str) -> KeptAnswer | None:
        """See `WriteTransaction.kept_answer`."""
        return kept_answers.find(self._connection, key)

    def keep_answer(self, key: str, answer: KeptAnswer, *, forget_before: datetime) -> None:
        """See `WriteTransaction.keep_answer`."""
        kept_answers.forget_before(self._connection, forget_before)
        kept_answers.keep(self._connection, key, answer)


class SqliteStore:
    """A SQLite file; see `memtui.store.base.Store`."""

    def __init__(self, path: Path, *, read_only: bool, progress: Progress | None = None) -> None:
        self.read_only = read_only
        self.location = str(path)
        self._path = path
        self._totals = Totals()
        with translated(self.location):
            mode = self._prepare(path)
            self._reader = reader_engine(path, mode=mode)
            self._writer = None if read_only else writer_engine(path)
            self._token = ChangeToken(connector(path, mode=mode, query_only=True))
            self._file = _identity(path)
            self._bring_index_up_to_date(progress)

    def _prepare(self, path: Path) -> str:
        if self.read_only:
            if not path.is_file():
                raise CannotOpenError(f"{path} does not exist", "Open it once without --read-only.")
            with closing(connector(path, mode="ro", query_only=True)()) as connection:
                require_current(connection, path)
            return "ro"
        prepare_file(path)
        with closing(connector(path, mode="ro", query_only=True)()) as connection:
            schema_version(connection, path)  # refuses before anything is written
        with closing(connector(path, mode="rw", query_only=False)()) as connection:
            migrate(connection, path)
        return "rw"

    def _require_file(self) -> None:
        """Open connections outlive the file: what they write after it is gone would be lost."""
        if _identity(self._path) != self._file:
            raise CannotOpenError(
                f"{self.location} was removed or replaced while it was in use",
                "Put it back, or start memtui again.",
            )

    def _bring_index_up_to_date(self, progress: Progress | None) -> None:
        with self._reader.begin() as connection:
            if index_upkeep.is_current(connection):
                return
            is_usable = index_upkeep.is_usable(connection)
        if self._writer is not None:
            with self._writer.begin() as connection:
                index_upkeep.bring_up_to_date(connection, progress)
        elif not is_usable:
            raise ReadOnlyError(
                f"The search index of {self.location} must be built, and it may not be written",
                "Open it once without --read-only to bring it up to date.",
            )

    @contextmanager
    def read(self, stop: Event | None = None) -> Iterator[SqliteRead]:
        """See `Store.read`."""
        self._require_file()
        with (
            translated(self.location),
            self._reader.begin() as connection,
            interruptible(connection, stop),
        ):
            yield SqliteRead(connection, self._totals)

    @contextmanager
    def write(self, stop: Event | None = None) -> Iterator[SqliteWrite]:
        """See `Store.write`."""
        self._require_file()
        with (
            translated(self.location),
            self._writing_engine().begin() as connection,
            interruptible(connection, stop),
        ):
            yield SqliteWrite(connection, self._totals)

    def _writing_engine(self) -> Engine:
        if self._writer is None:
            raise ReadOnlyError("This session is read-only", "Start without --read-only.")
        return self._writer

    def change_token(self) -> int:
        """See `Store.change_token`."""
        self._require_file()
        with translated(self.location):
            return self._token.read()

    def check(self) -> Iterator[str]:
        """See `Store.check`."""
        # Nothing is committed at the end: in a damaged file even that fails.
        with translated(self.location), checking_engine(self._path).connect() as connection:
            yield from faults(connection)

    def rebuild(self, progress: Progress | None = None) -> None:
        """See `Store.rebuild`."""
        self._require_file()
        with translated(self.location), self._writing_engine().begin() as connection:
            index_upkeep.rebuild(connection, progress)
        self._totals.clear()

    def backup(self, path: Path) -> None:
        """See `Store.backup`."""
        with (
            translated(self.location),
            closing(connector(self._path, mode="ro", query_only=True)()) as source,
            closing(sqlite3.connect(path)) as target,
        ):
            source.backup(target)

    def close(self) -> None:
        """See `Store.close`."""
        self._token.close()
        self._reader.dispose()
        if self._writer is not None:
            self._writer.dispose()


def _identity(path: Path) -> tuple[int, int] | None:
    """Which file is at `path`, or None when there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
