"""The cheapest way to a page: which index to read, from which end, and when to give up and sort.

Under `id` the search index gives the matches in order. Under a time there are two ways: *walk* the
index of that time and test each memory, or *gather* the matches from the search index and sort
them. A walk is short when much matches and hopeless when little does, or when the matches lie at
the far end; so it is bounded by what gathering would cost, and gathering takes over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from memtui.store import matching
from memtui.store.base import Order
from memtui.store.matching import Match
from memtui.store.raw import raw_rows
from memtui.store.rows import MemoryColumns, to_micros

COLUMNS = (
    "m.id, m.content, m.tags, m.created_at, m.updated_at, m.last_accessed_at, m.memory_type, "
    "m.status, m.version"
)

# What one row costs, in nanoseconds of one machine; only their ratios matter.
_STEP = 60
_TAG_TEST = 350
_TEXT_TEST = 900
_GATHER = 550

_NEAR = 1_000
"""Rows that the table itself is read for; beyond, an index of ids alone is shorter."""


@dataclass(frozen=True, slots=True)
class _Sorting:
    """An order: its column and index, and whether it ascends."""

    column: str
    index: str
    ascending: bool = False

    def by(self, alias: str, *, backwards: bool) -> str:
        """The ORDER BY of this order, or of its reverse."""
        way = "ASC" if self.ascending != backwards else "DESC"
        return f"{alias}.{self.column} {way}, {alias}.id {way}"


# SQLite sorts null below every value: never-accessed memories come last, and first ascending.
_SORTINGS = {
    Order.CREATED_AT: _Sorting("created_at", "memory_by_created"),
    Order.UPDATED_AT: _Sorting("updated_at", "memory_by_updated"),
    Order.LAST_ACCESSED_AT: _Sorting("last_accessed_at", "memory_by_accessed"),
    Order.LEAST_RECENTLY_USED: _Sorting("last_accessed_at", "memory_by_accessed", ascending=True),
}


@dataclass(frozen=True, slots=True)
class Slice:
    """Which of the `total` matches, counted from the nearer end."""

    total: int
    limit: int
    offset: int

    @property
    def size(self) -> int:
        """How many there are to be found."""
        return max(0, min(self.limit, self.total - self.offset))

    @property
    def backwards(self) -> bool:
        """Whether the end is nearer than the beginning."""
        return self.total - self.offset - self.size < self.offset

    @property
    def skipped(self) -> int:
        """How many to pass over from there."""
        return self.total - self.offset - self.size if self.backwards else self.offset


@dataclass(frozen=True, slots=True)
class _Statement:
    """A SELECT of ids in order, the values of its places, and whether it may fall short."""

    sql: str
    values: tuple[object, ...]


def rows(
    connection: Connection, found: Match, order: Order, part: Slice
) -> Sequence[MemoryColumns]:
    """The rows of a page in its order, each with all columns of the memory table."""
    if not part.size:
        return []
    for statement in _ways(found, order, part):
        page: Sequence[MemoryColumns] = raw_rows(connection, _late(statement.sql), statement.values)
        if len(page) == part.size:
            break
    return page[::-1] if part.backwards else page


def ids(connection: Connection, found: Match, order: Order, part: Slice) -> Sequence[int]:
    """The ids of a page in its order."""
    if not part.size:
        return []
    for statement in _ways(found, order, part):
        page = [row[0] for row in raw_rows(connection, statement.sql, statement.values)]
        if len(page) == part.size:
            break
    return page[::-1] if part.backwards else page


def ids_after(connection: Connection, found: Match, after: int, limit: int) -> list[int]:
    """The matching ids greater than `after`, ascending."""
    question = found.question
    if question.expression is None:
        sql = "SELECT id FROM memory WHERE id > ? ORDER BY id LIMIT ?"
        return [row[0] for row in raw_rows(connection, sql, (after, limit))]
    sql = (
        f"SELECT memory_index.rowid {question.matches} AND memory_index.rowid > ? "
        "ORDER BY memory_index.rowid LIMIT ?"
    )
    return [row[0] for row in raw_rows(connection, sql, (*question.values, after, limit))]


def _late(ids: str) -> str:
    """Find the ids first and read the rows of those alone, in their order: a join goes along it."""
    return f"SELECT {COLUMNS} FROM ({ids}) page CROSS JOIN memory m ON m.id = page.id"


def _ways(found: Match, order: Order, part: Slice) -> list[_Statement]:
    """The statements to try, one after the other until one finds all."""
    if order is Order.ID:
        return [_by_id(found, part)]
    sorting = _SORTINGS[order]
    step = _step(found)
    gathering = part.total * (_GATHER + _TEXT_TEST * (found.question.needle is not None))
    steps = (part.skipped + part.size) * found.population // max(part.total, 1)
    bound = max(gathering // step, _NEAR)
    if found.filter_.unused_since is not None or bound >= found.population:
        return [_walk(found, sorting, part)]
    if steps * step > gathering:
        return [_gather(found, sorting, part)]
    return [_bounded_walk(found, sorting, part, bound), _gather(found, sorting, part)]


def _step(found: Match) -> int:
    """What one step of a walk costs, with its tests."""
    tagged, sought = found.tag_id is not None, found.filter_.needle is not None
    return _STEP + _TAG_TEST * tagged + _TEXT_TEST * sought


def _by_id(found: Match, part: Slice) -> _Statement:
    way = "DESC" if part.backwards else "ASC"
    if found.question.expression is None and part.skipped <= _NEAR:
        sql = f"SELECT id FROM memory ORDER BY id {way} LIMIT ? OFFSET ?"
        return _Statement(sql, (part.size, part.skipped))
    question = matching.every_one(found)
    sql = (
        f"SELECT memory_index.rowid AS id {question.matches} "
        f"ORDER BY memory_index.rowid {way} LIMIT ? OFFSET ?"
    )
    return _Statement(sql, (*question.values, part.size, part.skipped))


def _gather(found: Match, sorting: _Sorting, part: Slice) -> _Statement:
    question = matching.every_one(found)
    by = sorting.by("t", backwards=part.backwards)
    matched = f"SELECT memory_index.rowid AS id {question.matches}"
    sql = (
        f"SELECT t.id FROM ({matched}) matched CROSS JOIN memory t ON t.id = matched.id "
        f"ORDER BY {by} LIMIT ? OFFSET ?"
    )
    return _Statement(sql, (*question.values, part.size, part.skipped))


def _walk(found: Match, sorting: _Sorting, part: Slice) -> _Statement:
    tests, values = _tests(found)
    by = sorting.by("w", backwards=part.backwards)
    sql = (
        f"SELECT w.id FROM memory w INDEXED BY {sorting.index} WHERE {tests} "
        f"ORDER BY {by} LIMIT ? OFFSET ?"
    )
    return _Statement(sql, (*values, part.size, part.skipped))


def _bounded_walk(found: Match, sorting: _Sorting, part: Slice, bound: int) -> _Statement:
    # The inner query is a co-routine: its LIMIT keeps it from being merged into the outer one,
    # rows come in its order and the outer LIMIT ends it.
    tests, values = _tests(found)
    by = sorting.by("m", backwards=part.backwards)
    sql = (
        "SELECT w.id FROM ("
        f"SELECT m.id, m.status, m.memory_type FROM memory m INDEXED BY {sorting.index} "
        f"ORDER BY {by} LIMIT ?) w WHERE {tests} LIMIT ? OFFSET ?"
    )
    return _Statement(sql, (bound, *values, part.size, part.skipped))


def _tests(found: Match) -> tuple[str, list[object]]:
    """The conditions of a filter on a row `w` of a walk."""
    filter_ = found.filter_
    condition, values = matching.conditions(filter_, "w", found.every_status)
    tests = [condition]
    if found.tag_id is not None:
        tests.append(
            "EXISTS (SELECT 1 FROM memory_tag t WHERE t.tag_id = ? AND t.memory_id = w.id)"
        )
        values.append(found.tag_id)
    if filter_.needle is not None:
        tests.append(
            "EXISTS (SELECT 1 FROM memory_text x WHERE x.id = w.id AND instr(x.folded, ?) > 0)"
        )
        values.append(filter_.needle)
    if filter_.unused_since is not None:
        tests.append("coalesce(w.last_accessed_at, w.created_at) < ?")
        values.append(to_micros(filter_.unused_since))
    return " AND ".join(tests), values
