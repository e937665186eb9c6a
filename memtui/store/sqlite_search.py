"""Finding memories in SQLite: filters, counts, pages, facets.

`q` is `instr` on the folded text; what has no `q` is counted from the facet table.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    Select,
    case,
    func,
    literal,
    select,
    union_all,
)

from memtui.models import Facets, Memory, MemoryStatus, MemoryType, TagCount
from memtui.store.base import Filter, Order
from memtui.store.rows import to_memory, to_micros
from memtui.store.tables import FACET, MEMORY, MEMORY_TAG, TAG, TEXT

ALL_TAGS = 0
"""The facet table's tag id for every memory, tagged or not."""

CHUNK = 500
"""Ids in one statement; below the 999 variables that every SQLite build allows."""

_ORDERS: dict[Order, tuple[ColumnElement[object], ...]] = {
    Order.ID: (MEMORY.c.id.asc(),),
    Order.CREATED_AT: (MEMORY.c.created_at.desc(), MEMORY.c.id.desc()),
    Order.UPDATED_AT: (MEMORY.c.updated_at.desc(), MEMORY.c.id.desc()),
    # SQLite sorts null below every value, so never-accessed rows come last, and first ascending.
    Order.LAST_ACCESSED_AT: (MEMORY.c.last_accessed_at.desc(), MEMORY.c.id.desc()),
    Order.LEAST_RECENTLY_USED: (MEMORY.c.last_accessed_at.asc(), MEMORY.c.id.asc()),
}
_NOT_DELETED = FACET.c.status != MemoryStatus.DELETED.value


def find(connection: Connection, ids: Sequence[int]) -> list[Memory]:
    """The memories that exist, in the order of `ids`."""
    found: dict[int, Memory] = {}
    for start in range(0, len(ids), CHUNK):
        chunk = ids[start : start + CHUNK]
        for row in connection.execute(select(MEMORY).where(MEMORY.c.id.in_(chunk))):
            found[row[0]] = to_memory(row)
    return [found[id_] for id_ in ids if id_ in found]


def count(connection: Connection, filter_: Filter) -> int:
    """How many memories match."""
    if filter_.needle is None and filter_.unused_since is None:
        return _counted(connection, filter_)
    return connection.execute(_matching(filter_, func.count())).scalar_one()


def page(
    connection: Connection, filter_: Filter, order: Order, limit: int, offset: int
) -> list[Memory]:
    """The matches from `offset` on: their ids from an index first, then those rows."""
    ids = _matching(filter_, MEMORY.c.id).order_by(*_ORDERS[order]).limit(limit).offset(offset)
    return find(connection, connection.execute(ids).scalars().all())


def ids_after(connection: Connection, filter_: Filter, after: int, limit: int) -> list[int]:
    """The matching ids greater than `after`, ascending."""
    ids = _matching(filter_, MEMORY.c.id).where(MEMORY.c.id > after)
    return list(connection.execute(ids.order_by(MEMORY.c.id).limit(limit)).scalars())


def ids(connection: Connection, filter_: Filter, order: Order) -> Sequence[int]:
    """Every matching id in that order."""
    query = _matching(filter_, MEMORY.c.id).order_by(*_ORDERS[order])
    return connection.execute(query).scalars().all()


def facets(connection: Connection, filter_: Filter, statuses: Sequence[str]) -> Facets:
    """Counts per status, type and tag, each under the other filters."""
    rows = (_facets_of_matches if filter_.needle else _facets_counted)(filter_, statuses)
    counts: dict[str, dict[str, int]] = {"status": {}, "type": {}, "tag": {}}
    for dimension, value, number in connection.execute(rows):
        counts[dimension][value] = number
    return Facets(
        total=count(connection, filter_),
        statuses={status: counts["status"].get(status, 0) for status in MemoryStatus},
        types={type_: counts["type"].get(type_, 0) for type_ in MemoryType},
        tags=tuple(_most_frequent_first(counts["tag"])),
    )


def tags(connection: Connection) -> list[TagCount]:
    """Every tag of a memory that is not deleted."""
    number = func.sum(FACET.c.count)
    rows = connection.execute(
        select(TAG.c.name, number)
        .join_from(FACET, TAG, TAG.c.id == FACET.c.tag_id)
        .where(_NOT_DELETED)
        .group_by(TAG.c.id)
        .having(number > 0)
    )
    return _most_frequent_first(dict(rows.all()))


def _most_frequent_first(counts: dict[str, int]) -> list[TagCount]:
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [TagCount(tag, number) for tag, number in ordered if number > 0]


def _of_types(column: ColumnElement[str], filter_: Filter) -> ColumnElement[bool]:
    return column.in_(filter_.memory_types) if filter_.memory_types else literal(True)


def _tag_id(tag: str) -> ColumnElement[int]:
    return select(TAG.c.id).where(TAG.c.name == tag).scalar_subquery()


def _matching(filter_: Filter, column: ColumnElement[int]) -> Select[int]:
    query: Select[int] = (
        select(column).select_from(MEMORY).where(MEMORY.c.status.in_(filter_.statuses))
    )
    if filter_.memory_types:
        query = query.where(MEMORY.c.memory_type.in_(filter_.memory_types))
    if filter_.tag is not None:
        tagged = select(MEMORY_TAG.c.memory_id).where(MEMORY_TAG.c.tag_id == _tag_id(filter_.tag))
        query = query.where(MEMORY.c.id.in_(tagged))
    if filter_.needle is not None:
        query = query.join(TEXT, TEXT.c.id == MEMORY.c.id).where(
            func.instr(TEXT.c.folded, filter_.needle) > 0
        )
    if filter_.unused_since is not None:
        used = func.coalesce(MEMORY.c.last_accessed_at, MEMORY.c.created_at)
        query = query.where(used < to_micros(filter_.unused_since))
    return query


def _counted(connection: Connection, filter_: Filter) -> int:
    query = select(func.coalesce(func.sum(FACET.c.count), 0)).where(
        FACET.c.tag_id == (ALL_TAGS if filter_.tag is None else _tag_id(filter_.tag)),
        FACET.c.status.in_(filter_.statuses),
    )
    if filter_.memory_types:
        query = query.where(FACET.c.memory_type.in_(filter_.memory_types))
    return int(connection.execute(query).scalar_one())


def _facets_counted(filter_: Filter, statuses: Sequence[str]) -> CompoundSelect[str, str, int]:
    number = func.sum(FACET.c.count)
    of_tag = FACET.c.tag_id == (ALL_TAGS if filter_.tag is None else _tag_id(filter_.tag))
    of_status = FACET.c.status.in_(filter_.statuses)
    of_type = _of_types(FACET.c.memory_type, filter_)
    return union_all(
        select(literal("status"), FACET.c.status, number)
        .where(of_tag, of_type, FACET.c.status.in_(statuses))
        .group_by(FACET.c.status),
        select(literal("type"), FACET.c.memory_type, number)
        .where(of_tag, of_status)
        .group_by(FACET.c.memory_type),
        select(literal("tag"), TAG.c.name, number)
        .join_from(FACET, TAG, TAG.c.id == FACET.c.tag_id)
        .where(of_status, of_type)
        .group_by(TAG.c.id),
    )


def _facets_of_matches(filter_: Filter, statuses: Sequence[str]) -> CompoundSelect[str, str, int]:
    """The same counts from the memories that hold the needle, found once."""
    hits = (
        select(
            MEMORY.c.id,
            MEMORY.c.status,
            MEMORY.c.memory_type,
            literal(True).label("tagged")
            if filter_.tag is None
            else case(
                (
                    MEMORY.c.id.in_(
                        select(MEMORY_TAG.c.memory_id).where(
                            MEMORY_TAG.c.tag_id == _tag_id(filter_.tag)
                        )
                    ),
                    True,
                ),
                else_=False,
            ).label("tagged"),
        )
        .join_from(TEXT, MEMORY, MEMORY.c.id == TEXT.c.id)
        .where(
            func.instr(TEXT.c.folded, filter_.needle) > 0,
            MEMORY.c.status.in_(set(statuses) | set(filter_.statuses)),
        )
        .cte("hits")
        .prefix_with("MATERIALIZED", dialect="sqlite")
    )
    of_status = hits.c.status.in_(filter_.statuses)
    of_type = _of_types(hits.c.memory_type, filter_)
    return union_all(
        select(literal("status"), hits.c.status, func.count())
        .where(hits.c.tagged, of_type, hits.c.status.in_(statuses))
        .group_by(hits.c.status),
        select(literal("type"), hits.c.memory_type, func.count())
        .where(hits.c.tagged, of_status)
        .group_by(hits.c.memory_type),
        select(literal("tag"), TAG.c.name, func.count())
        .select_from(hits)
        .join(MEMORY_TAG, MEMORY_TAG.c.memory_id == hits.c.id)
        .join(TAG, TAG.c.id == MEMORY_TAG.c.tag_id)
        .where(of_status, of_type)
        .group_by(TAG.c.id),
    )
