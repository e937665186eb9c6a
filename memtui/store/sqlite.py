"""SQLite behind the store's interface: one writing connection, several that only read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, Engine, func, insert, select, text, update

from memtui.errors import CannotOpenError, ReadOnlyError
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
from memtui.store import journal, kept_answers, records, sqlite_search
from memtui.store.base import Change, Filter, KeptAnswer, NewBatch, Order
from memtui.store.checks import faults
from memtui.store.engine import (
    connector,
    prepare_file,
    reader_engine,
    translated,
    writer_engine,
)
from memtui.store.migrations import migrate, require_current, schema_version
from memtui.store.rows import to_micros, to_moment
from memtui.store.sqlite_agents import SqliteAgentsRead, SqliteAgentsWrite
from memtui.store.sqlite_curation import SqliteCurationRead, SqliteCurationWrite
from memtui.store.sqlite_transfer import SqliteTransferRead, SqliteTransferWrite
from memtui.store.tables import BATCH, MEMORY, REVISION
from memtui.store.tokens import ChangeToken

_LIVE = MEMORY.c.status != MemoryStatus.DELETED.value


class SqliteRead(SqliteTransferRead, SqliteCurationRead, SqliteAgentsRead):
    """A transaction that only reads; see `memtui.store.base.ReadTransaction`."""

    def find(self, ids: Sequence[int]) -> list[Memory]:
        """See `ReadTransaction.find`."""
        return sqlite_search.find(self._connection, ids)

    def count(self, filter_: Filter) -> int:
        """See `ReadTransaction.count`."""
        return sqlite_search.count(self._connection, filter_)

    def page(self, filter_: Filter, order: Order, limit: int, offset: int) -> list[Memory]:
        """See `ReadTransaction.page`."""
        return sqlite_search.page(self._connection, filter_, order, limit, offset)

    def ids_after(self, filter_: Filter, after: int, limit: int) -> list[int]:
        """See `ReadTransaction.ids_after`."""
        return sqlite_search.ids_after(self._connection, filter_, after, limit)

    def ids(self, filter_: Filter, order: Order) -> Sequence[int]:
        """See `ReadTransaction.ids`."""
        return sqlite_search.ids(self._connection, filter_, order)

    def facets(self, filter_: Filter, statuses: Sequence[str]) -> Facets:
        """See `ReadTransaction.facets`."""
        return sqlite_search.facets(self._connection, filter_, statuses)

    def tags(self) -> list[TagCount]:
        """See `ReadTransaction.tags`."""
        return sqlite_search.tags(self._connection)

    def stats(self) -> Stats:
        """See `ReadTransaction.stats`."""
        everything = Filter(statuses=tuple(MemoryStatus))
        live = Filter(statuses=(MemoryStatus.ACTIVE, MemoryStatus.INVALID))
        facets = sqlite_search.facets(self._connection, live, tuple(everything.statuses))
        first, last = self._one(
            select(func.min(MEMORY.c.created_at), func.max(MEMORY.c.updated_at)).where(_LIVE)
        )
        return Stats(
            statuses=facets.statuses,
            types={kind: facets.types.get(kind, 0) for kind in MemoryType},
            tags=len(self.tags()),
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

    def revision_at(self, memory_id: int, version: int) -> Revision | None:
        """See `ReadTransaction.revision_at`."""
        return journal.revision_at(self._connection, memory_id, version)

    def latest_access(self) -> datetime | None:
        """See `ReadTransaction.latest_access`."""
        newest = self._one(select(func.max(MEMORY.c.last_accessed_at)))[0]
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

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._open: dict[int, NewBatch] = {}

    def new_ids(self, count: int) -> Sequence[int]:
        """See `WriteTransaction.new_ids`."""
        used = self._connection.execute(
            text("SELECT seq FROM sqlite_sequence WHERE name = 'memory'")
        ).scalar_one_or_none()
        first = (used or 0) + 1
        return range(first, first + count)

    def open_batch(self, batch: NewBatch) -> int:
        """See `WriteTransaction.open_batch`."""
        inserted = self._connection.execute(
            insert(BATCH).values(
                at=to_micros(batch.at),
                actor=batch.actor,
                label=batch.label,
                size=0,
                undoes=batch.undoes,
                is_undo=batch.is_undo,
            )
        )
        batch_id = int(inserted.lastrowid)
        self._open[batch_id] = batch
        return batch_id

    def apply(self, batch_id: int, changes: Sequence[Change]) -> None:
        """See `WriteTransaction.apply`."""
        records.apply(self._connection, batch_id, self._open[batch_id], changes)

    def touch(self, ids: Sequence[int], at: datetime) -> None:
        """See `WriteTransaction.touch`."""
        for start in range(0, len(ids), sqlite_search.CHUNK):
            chunk = ids[start : start + sqlite_search.CHUNK]
            self._connection.execute(
                update(MEMORY).where(MEMORY.c.id.in_(chunk)).values(last_accessed_at=to_micros(at))
            )

    def purge(self, ids: Sequence[int]) -> None:
        """See `WriteTransaction.purge`."""
        records.purge(self._connection, ids)
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

    def __init__(self, path: Path, *, read_only: bool) -> None:
        self.read_only = read_only
        self.location = str(path)
        self._path = path
        with translated(self.location):
            mode = self._prepare(path)
            self._reader = reader_engine(path, mode=mode)
            self._writer = None if read_only else writer_engine(path)
            self._token = ChangeToken(connector(path, mode=mode, query_only=True))
            self._file = _identity(path)

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

    @contextmanager
    def read(self) -> Iterator[SqliteRead]:
        """See `Store.read`."""
        self._require_file()
        with translated(self.location), self._reader.begin() as connection:
            yield SqliteRead(connection)

    @contextmanager
    def write(self) -> Iterator[SqliteWrite]:
        """See `Store.write`."""
        self._require_file()
        with translated(self.location), self._writing_engine().begin() as connection:
            yield SqliteWrite(connection)

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
        with translated(self.location), self._reader.begin() as connection:
            yield from faults(connection)

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
