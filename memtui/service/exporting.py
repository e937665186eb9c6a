"""Reading memories out: one view of the store, however long it takes, and never a touch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from memtui.interchange import ExportedMemory, ExportedPast, Whole
from memtui.models import MemoryQuery, Selection
from memtui.service.context import Context
from memtui.service.retrieval import filter_of
from memtui.store import Order, ReadTransaction

CHUNK = 1_000
"""Memories that are read at a time."""


class Snapshot:
    """The store at one moment. It is only good inside the `with` of `MemoryService.snapshot`.

    Nothing that others write meanwhile is seen, and nothing is marked as accessed.
    """

    def __init__(self, transaction: ReadTransaction) -> None:
        self._transaction = transaction

    def count(self, selection: Selection) -> int:
        """How many memories a selection names; ids of memories that are gone count too."""
        if selection.query is None:
            return len(selection.ids)
        return self._transaction.count(filter_of(selection.query))

    def memories(self, selection: Selection) -> Iterator[ExportedMemory]:
        """The selected memories: ids in their order, a query's matches in the order of its sort.

        A query leaves deleted memories out unless it asks for them; its limit and offset play no
        part. Ids of memories that don't exist are passed over.
        """
        ids = self._ids(selection)
        for start in range(0, len(ids), CHUNK):
            yield from self._transaction.exported(ids[start : start + CHUNK])

    def with_past(self, selection: Selection | None = None) -> Iterator[ExportedPast]:
        """The same with journal and provenance; without a selection every memory there is."""
        if selection is not None:
            ids = self._ids(selection)
            for start in range(0, len(ids), CHUNK):
                found = self._transaction.exported(ids[start : start + CHUNK])
                yield from self._transaction.with_past(found)
            return
        last_id = 0
        while found := self._transaction.exported_after(last_id, CHUNK):
            last_id = found[-1].id
            yield from self._transaction.with_past(found)

    def whole(self) -> Whole:
        """What belongs to the store and to no single memory."""
        return self._transaction.whole()

    def total(self) -> int:
        """How many memories there are, deleted ones included."""
        every = [MemoryQuery(), MemoryQuery.parse({"status": "deleted"})]
        return sum(self._transaction.count(filter_of(query)) for query in every)

    def _ids(self, selection: Selection) -> Sequence[int]:
        if selection.query is None:
            return selection.ids
        query = selection.query
        return self._transaction.ids(filter_of(query), Order(query.sort.value))


@contextmanager
def snapshot(context: Context) -> Iterator[Snapshot]:
    """Open one view of the store."""
    with context.store.read() as transaction:
        yield Snapshot(transaction)


def duplicates(context: Context) -> tuple[tuple[int, ...], ...]:
    """Groups of live memories with equal texts, a peek."""
    with context.store.read() as peek:
        return tuple(peek.duplicates())
