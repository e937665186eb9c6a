"""The parts of a SQLite transaction that imports and exports use; see `memtui.store.base`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import Connection

from memtui.interchange import (
    ExportedMemory,
    ExportedPast,
    Known,
    LoadedMemory,
    Provenance,
    Whole,
)
from memtui.store import provenance, snapshot
from memtui.store.base import NewBatch
from memtui.store.loading import Loader


class SqliteTransferRead:
    """What an export reads, and what an import asks before it writes."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def is_new(self) -> bool:
        """See `ReadTransaction.is_new`."""
        return snapshot.is_new(self._connection)

    def known(self, keys: Sequence[int]) -> dict[int, Known]:
        """See `ReadTransaction.known`."""
        return provenance.known(self._connection, keys)

    def equal_texts(self, hashes: Iterable[int]) -> dict[int, int]:
        """See `ReadTransaction.equal_texts`."""
        return provenance.equal_texts(self._connection, hashes)

    def stale_fingerprints(self) -> Iterator[tuple[int, int]]:
        """See `ReadTransaction.stale_fingerprints`."""
        return provenance.stale_fingerprints(self._connection)

    def duplicates(self) -> list[tuple[int, ...]]:
        """See `ReadTransaction.duplicates`."""
        return provenance.duplicates(self._connection)

    def whole(self) -> Whole:
        """See `ReadTransaction.whole`."""
        return snapshot.whole(self._connection)

    def exported_after(self, last_id: int, limit: int) -> list[ExportedMemory]:
        """See `ReadTransaction.exported_after`."""
        return snapshot.after(self._connection, last_id, limit)

    def exported(self, ids: Sequence[int]) -> list[ExportedMemory]:
        """See `ReadTransaction.exported`."""
        return snapshot.by_id(self._connection, ids)

    def with_past(self, memories: Sequence[ExportedMemory]) -> Iterator[ExportedPast]:
        """See `ReadTransaction.with_past`."""
        return snapshot.with_past(self._connection, memories)


class SqliteTransferWrite(SqliteTransferRead):
    """What an import writes."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._loader = Loader(connection)
        self._open: dict[int, NewBatch] = {}

    def load(self, memories: Sequence[LoadedMemory], batch_id: int | None) -> None:
        """See `WriteTransaction.load`."""
        self._loader.load(memories, batch_id, None if batch_id is None else self._open[batch_id])

    def load_whole(self, whole: Whole) -> None:
        """See `WriteTransaction.load_whole`."""
        self._loader.load_batches(whole.batches, whole.last_id)

    def mark_imported(self, marks: Sequence[tuple[Provenance, int]]) -> None:
        """See `WriteTransaction.mark_imported`."""
        provenance.mark(self._connection, marks)

    def renew_fingerprints(self) -> None:
        """See `WriteTransaction.renew_fingerprints`."""
        provenance.renew_fingerprints(self._connection)

    def fingerprints_are_new(self) -> None:
        """See `WriteTransaction.fingerprints_are_new`."""
        provenance.fingerprints_are_new(self._connection)
