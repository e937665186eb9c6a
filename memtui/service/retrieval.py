"""Reading: one memory, a page, the stale view, counts (CONTRACT §§3-5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from threading import Event

from memtui.agents import ActivityKind
from memtui.errors import NotFoundError
from memtui.models import (
    Facets,
    Memory,
    MemoryPage,
    MemoryQuery,
    MemoryStatus,
    MemoryType,
    StaleQuery,
    Stats,
    TagCount,
)
from memtui.service.context import Context
from memtui.store import Filter, Order, ReadTransaction, WriteTransaction
from memtui.text import fold

PRIMING = (MemoryType.IDENTITY, MemoryType.PREFERENCE)
"""What an agent should know before anything else."""

LIVE = (MemoryStatus.ACTIVE.value, MemoryStatus.INVALID.value)


def filter_of(query: MemoryQuery) -> Filter:
    """The filters of a query; deleted memories only when they are asked for."""
    return Filter(
        statuses=LIVE if query.status is None else (query.status.value,),
        memory_types=() if query.memory_type is None else (query.memory_type,),
        tag=query.tag,
        needle=None if query.q is None else fold(query.q),
    )


def get(context: Context, memory_id: int, *, touch: bool, noted: str | None = None) -> Memory:
    """One memory, marked as accessed unless this is a peek."""
    if not touch or context.store.read_only:
        with context.store.read() as peek:
            return live(peek, memory_id)
    with context.store.write() as transaction:
        memory = live(transaction, memory_id)
        at = access_time(context, transaction)
        transaction.touch([memory_id], at)
        if noted is not None:
            _note(context, transaction, at, [memory], noted)
    return memory.having(last_accessed_at=at)


def live(transaction: ReadTransaction, memory_id: int) -> Memory:
    """The memory as it is stored. Raises `NotFoundError`, also for a deleted one."""
    for memory in transaction.find([memory_id]):
        if memory.status != MemoryStatus.DELETED:
            return memory
    raise NotFoundError(f"Memory {memory_id} not found")


def search(
    context: Context,
    query: MemoryQuery,
    *,
    touch: bool,
    stop: Event | None = None,
    noted: str | None = None,
) -> MemoryPage:
    """One page, its rows marked as accessed unless this is a peek."""
    return _search(context, filter_of(query), query, touch=touch, stop=stop, noted=noted)


def prime(context: Context, query: MemoryQuery, *, noted: str | None = None) -> MemoryPage:
    """One page of identities and preferences, unless the query names another type; marked."""
    filter_ = filter_of(query)
    if query.memory_type is None:
        filter_ = replace(filter_, memory_types=PRIMING)
    return _search(context, filter_, query, touch=True, noted=noted)


def _search(
    context: Context,
    filter_: Filter,
    query: MemoryQuery,
    *,
    touch: bool,
    stop: Event | None = None,
    noted: str | None = None,
) -> MemoryPage:
    order = Order(query.sort.value)
    if not touch or context.store.read_only:
        with context.store.read(stop) as peek:
            return _page(peek, filter_, order, query.limit, query.offset)
    if filter_.needle is not None:
        # To count what holds a text may take long. Counted before the write lock is taken, the
        # total is remembered, unless somebody writes in between: others need not wait for it.
        with context.store.read(stop) as peek:
            peek.count(filter_)
    with context.store.write(stop) as transaction:
        total = transaction.count(filter_)
        if query.offset >= total:
            return _made_page([], total, query.limit, query.offset)
        at = access_time(context, transaction)
        items = transaction.touched_page(filter_, order, query.limit, query.offset, at)
        if noted is not None:
            _note(context, transaction, at, items, noted)
    return _made_page(items, total, query.limit, query.offset)


def _note(
    context: Context,
    transaction: WriteTransaction,
    at: datetime,
    memories: Sequence[Memory],
    how: str,
) -> None:
    ids = [memory.id for memory in memories]
    transaction.add_activity(at, context.actor, ActivityKind.QUERIED, ids, how)


def access_time(context: Context, transaction: ReadTransaction) -> datetime:
    """The moment to mark with: now, but never before an access that is already recorded.

    So the rows of a page go to the front of `last_accessed_at` as a block, and walking forward
    under that sort still shows every match once, even when the clock was set back.
    """
    newest = transaction.latest_access()
    now = context.clock()
    return now if newest is None else max(now, newest)


def stale(context: Context, query: StaleQuery) -> MemoryPage:
    """Least recently used first, a peek."""
    filter_ = Filter(statuses=(query.status.value,), unused_since=query.unused_since)
    with context.store.read() as peek:
        return _page(peek, filter_, Order.LEAST_RECENTLY_USED, query.limit, query.offset)


def _page(
    transaction: ReadTransaction, filter_: Filter, order: Order, limit: int, offset: int
) -> MemoryPage:
    total = transaction.count(filter_)
    items = transaction.page(filter_, order, limit, offset) if offset < total else []
    return _made_page(items, total, limit, offset)


def _made_page(items: Sequence[Memory], total: int, limit: int, offset: int) -> MemoryPage:
    return MemoryPage.model_construct(
        items=tuple(items),
        total=total,
        limit=limit,
        offset=offset,
        has_more=offset + len(items) < total,
    )


def versions(context: Context, query: MemoryQuery) -> dict[int, int]:
    """Every match with its version, in the order of the query, a peek."""
    with context.store.read() as peek:
        return peek.versions(peek.ids(filter_of(query), Order(query.sort.value)))


def facets(context: Context, query: MemoryQuery, *, stop: Event | None = None) -> Facets:
    """Counts beside the filters, a peek."""
    with context.store.read(stop) as peek:
        return peek.facets(filter_of(query), tuple(MemoryStatus))


def tags(context: Context) -> tuple[TagCount, ...]:
    """Every tag in use, a peek."""
    with context.store.read() as peek:
        return tuple(peek.tags())


def stats(context: Context) -> Stats:
    """Figures of the store, a peek."""
    with context.store.read() as peek:
        return peek.stats()
