"""What a curator keeps beside the memories in SQLite: saved views and review marks."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    case,
    delete,
    exists,
    func,
    or_,
    select,
)
from sqlalchemy.dialects.sqlite import insert as upsert

from memtui.models import (
    ActorCount,
    Age,
    Memory,
    MemoryQuery,
    MemoryStatus,
    Month,
    ReviewMark,
    ReviewQuery,
    ReviewQueue,
    SavedView,
    TagSummary,
)
from memtui.store.base import Order
from memtui.store.rows import to_micros, to_moment
from memtui.store.tables import MEMORY, MEMORY_TAG, REVIEW_MARK, REVISION, SAVED_VIEW, TAG

_LIVE = MEMORY.c.status != MemoryStatus.DELETED.value


class SqliteCurationRead:
    """The part of `ReadTransaction` for a curator's own things."""

    _connection: Connection

    def views(self) -> list[SavedView]:
        """Every saved view, by name."""
        rows = self._connection.execute(select(SAVED_VIEW).order_by(SAVED_VIEW.c.name))
        return [
            SavedView(name=name, query=MemoryQuery.model_validate_json(text)) for name, text in rows
        ]

    def review(self, query: ReviewQuery, now: datetime) -> tuple[list[int], int]:
        """One page of ids that wait in a queue, and how many wait."""
        if query.queue is ReviewQueue.INVALID:
            waiting = and_(MEMORY.c.status == MemoryStatus.INVALID.value, ~_kept_as_it_is())
            order = (MEMORY.c.updated_at.desc(), MEMORY.c.id.desc())
        else:
            waiting = and_(
                MEMORY.c.status == MemoryStatus.ACTIVE.value, ~_not_yet_again(query, now)
            )
            if query.unused_since is not None:
                waiting = and_(waiting, _last_use() < to_micros(query.unused_since))
            order = (MEMORY.c.last_accessed_at.asc(), MEMORY.c.id.asc())
        page: Select[int] = select(MEMORY.c.id).where(waiting).order_by(*order)
        ids = self._connection.execute(page.limit(query.limit).offset(query.offset)).scalars().all()
        total = self._connection.execute(select(func.count()).select_from(MEMORY).where(waiting))
        return list(ids), total.scalar_one()

    def tag_summaries(self) -> list[TagSummary]:
        """Every tag in use with its count and the last time that one of its memories was used."""
        number = func.count()
        used = func.max(func.max(MEMORY.c.updated_at, func.coalesce(MEMORY.c.last_accessed_at, 0)))
        rows = self._connection.execute(
            select(TAG.c.name, number, used)
            .join_from(MEMORY_TAG, MEMORY, MEMORY.c.id == MEMORY_TAG.c.memory_id)
            .join(TAG, TAG.c.id == MEMORY_TAG.c.tag_id)
            .where(_LIVE)
            .group_by(TAG.c.id)
            .order_by(number.desc(), TAG.c.name)
        )
        return [TagSummary(name, counted, to_moment(micros)) for name, counted, micros in rows]

    def months(self) -> list[Month]:
        """Per calendar month (UTC) and type: memories made, and memories last read, in it."""
        return [
            Month(month, kind, made, read)
            for month, kind, made, read in self._connection.exec_driver_sql(_MONTHS)
        ]

    def ages(self, now: datetime, days: Sequence[int]) -> list[Age]:
        """Memories made and last read within so many days (ascending), and before all of them."""
        steps = [to_micros(now - timedelta(days=day)) for day in days]
        counts = [
            func.count(case((and_(column >= low, column < high), 1)))
            for column in (MEMORY.c.created_at, MEMORY.c.last_accessed_at)
            for low, high in zip([*steps, -_FOREVER], [_FOREVER, *steps], strict=True)
        ]
        row = self._connection.execute(select(*counts).where(_LIVE)).one()
        made, read = row[: len(steps) + 1], row[len(steps) + 1 :]
        return [Age(*age) for age in zip([*days, None], made, read, strict=True)]

    def count_long(self, characters: int) -> int:
        """How many memories, not deleted, have a text of at least so many characters."""
        found = select(func.count()).where(_LIVE, func.length(MEMORY.c.content) >= characters)
        return self._connection.execute(found).scalar_one()

    def actors(self) -> list[ActorCount]:
        """Everyone in the journal, the busiest first."""
        number = func.count()
        rows = self._connection.execute(
            select(REVISION.c.actor, number)
            .group_by(REVISION.c.actor)
            .order_by(number.desc(), REVISION.c.actor)
        )
        return [ActorCount(actor, counted) for actor, counted in rows]

    def count_before(self, memory: Memory, order: Order) -> int:
        """How many come before `memory` among all that are, as it is or isn't, deleted."""
        deleted = MEMORY.c.status == MemoryStatus.DELETED.value
        alike = deleted if memory.status == MemoryStatus.DELETED else ~deleted
        before = select(func.count()).select_from(MEMORY).where(alike, _before(memory, order))
        return self._connection.execute(before).scalar_one()


class SqliteCurationWrite:
    """The part of `WriteTransaction` for a curator's own things."""

    _connection: Connection

    def save_view(self, view: SavedView) -> None:
        """Write a view, replacing one of the same name."""
        statement = upsert(SAVED_VIEW).values(
            name=view.name, query=view.query.model_dump_json(exclude_defaults=True)
        )
        self._connection.execute(
            statement.on_conflict_do_update(
                index_elements=[SAVED_VIEW.c.name], set_={"query": statement.excluded.query}
            )
        )

    def delete_view(self, name: str) -> bool:
        """Remove a view; whether there was one."""
        return (
            self._connection.execute(delete(SAVED_VIEW).where(SAVED_VIEW.c.name == name)).rowcount
            > 0
        )

    def mark_reviewed(self, mark: ReviewMark, version: int, at: datetime) -> None:
        """Remember that a memory was reviewed, in place of an earlier mark."""
        statement = upsert(REVIEW_MARK).values(
            queue=mark.queue.value,
            memory_id=mark.memory_id,
            version=version,
            at=to_micros(at),
            until=None if mark.until is None else to_micros(mark.until),
        )
        fresh = {name: statement.excluded[name] for name in ("version", "at", "until")}
        self._connection.execute(
            statement.on_conflict_do_update(
                index_elements=[REVIEW_MARK.c.queue, REVIEW_MARK.c.memory_id], set_=fresh
            )
        )

    def unmark_reviewed(self, queue: ReviewQueue, memory_id: int) -> None:
        """Forget a mark, so that the memory waits again."""
        self._connection.execute(
            delete(REVIEW_MARK).where(
                REVIEW_MARK.c.queue == queue.value, REVIEW_MARK.c.memory_id == memory_id
            )
        )


_FOREVER = 2**62
"""Microseconds later than any moment that a database holds."""


def _before(memory: Memory, order: Order) -> ColumnElement[bool]:
    """Which memories come before one under a sort of the contract."""
    if order is Order.ID:
        return MEMORY.c.id < memory.id
    column = MEMORY.c[order.value]
    moment: datetime | None = getattr(memory, order.value)
    if moment is None:
        return or_(column.is_not(None), MEMORY.c.id > memory.id)
    at = to_micros(moment)
    return or_(column > at, and_(column == at, MEMORY.c.id > memory.id))


def _last_use() -> ColumnElement[int]:
    return func.coalesce(MEMORY.c.last_accessed_at, MEMORY.c.created_at)


def _mark(queue: ReviewQueue, *conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    return exists().where(
        REVIEW_MARK.c.queue == queue.value, REVIEW_MARK.c.memory_id == MEMORY.c.id, *conditions
    )


def _kept_as_it_is() -> ColumnElement[bool]:
    return _mark(ReviewQueue.INVALID, REVIEW_MARK.c.version == MEMORY.c.version)


def _not_yet_again(query: ReviewQuery, now: datetime) -> ColumnElement[bool]:
    snoozed = REVIEW_MARK.c.until > to_micros(now)
    kept: ColumnElement[bool] = REVIEW_MARK.c.until.is_(None)
    if query.unused_since is not None:
        kept = and_(kept, REVIEW_MARK.c.at >= to_micros(query.unused_since))
    return _mark(ReviewQueue.STALE, or_(snoozed, kept))


_MONTHS = """
SELECT month, memory_type, sum(made), sum(read) FROM (
    SELECT strftime('%Y-%m', created_at / 1000000, 'unixepoch') AS month, memory_type,
           1 AS made, 0 AS read
    FROM memory WHERE status <> 'deleted'
    UNION ALL
    SELECT strftime('%Y-%m', last_accessed_at / 1000000, 'unixepoch'), memory_type, 0, 1
    FROM memory WHERE status <> 'deleted' AND last_accessed_at IS NOT NULL
)
WHERE month IS NOT NULL GROUP BY month, memory_type ORDER BY month, memory_type
"""
