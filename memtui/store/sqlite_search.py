"""Finding memories in SQLite: by id, by filters, in pages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from memtui.models import Memory
from memtui.store import matching, page_plans
from memtui.store.base import Filter, Order
from memtui.store.matching import Match
from memtui.store.page_plans import Slice
from memtui.store.raw import raw_execute, raw_one, raw_rows
from memtui.store.rows import MemoryColumns, to_memories, to_micros
from memtui.store.totals import State, Totals

CHUNK = 500
"""Ids in one statement; below the 999 variables that every SQLite build allows."""

_ONE = f"SELECT {page_plans.COLUMNS} FROM memory m WHERE m.id = ?"
_SOME = (
    f"SELECT {page_plans.COLUMNS} FROM memory m WHERE m.id IN (SELECT value FROM json_each(?)) "
    "ORDER BY m.id"
)
_VERSIONS = "SELECT id, version FROM memory WHERE id IN (SELECT value FROM json_each(?))"
_TOUCH = """
UPDATE memory SET last_accessed_at = ? WHERE id IN (SELECT value FROM json_each(?))
"""
_NEWEST_REVISION = "SELECT coalesce(max(seq), 0) FROM revision"


def find(connection: Connection, ids: Sequence[int]) -> list[Memory]:
    """The memories that exist, in the order of `ids`; beyond 64 bits there is none."""
    if len(ids) == 1:
        if not -(2**63) <= ids[0] < 2**63:
            return []
        return to_memories(raw_rows(connection, _ONE, ids))
    rows = raw_rows(connection, _SOME, (json.dumps(list(ids)),))
    found = {memory.id: memory for memory in to_memories(rows)}
    return [found[id_] for id_ in ids if id_ in found]


def versions(connection: Connection, ids: Sequence[int]) -> dict[int, int]:
    """The versions of the memories that exist, in the order of `ids`."""
    found = dict(raw_rows(connection, _VERSIONS, (json.dumps(list(ids)),)))
    return {id_: found[id_] for id_ in ids if id_ in found}


def touch(connection: Connection, ids: Sequence[int], at: datetime) -> None:
    """Set `last_accessed_at`, which writes no index but its own."""
    if ids:
        raw_execute(connection, _TOUCH, (to_micros(at), json.dumps(list(ids))))


class Search:
    """Filters, counts and pages in one transaction; what a filter comes to is found out once."""

    def __init__(self, connection: Connection, totals: Totals) -> None:
        self._connection = connection
        self._totals = totals
        self._matches: dict[Filter, Match] = {}
        self._counts: dict[Filter, int] = {}
        self._has_written = False

    def changed(self) -> None:
        """Forget what was found out: this transaction has written memories."""
        self._matches.clear()
        self._counts.clear()
        self._has_written = True

    def count(self, filter_: Filter) -> int:
        """How many memories match."""
        if filter_ not in self._counts:
            self._counts[filter_] = self._count(self._match(filter_))
        return self._counts[filter_]

    def page(self, filter_: Filter, order: Order, limit: int, offset: int) -> list[Memory]:
        """The matches from `offset` on, at most `limit`."""
        return to_memories(self._rows(filter_, order, limit, offset))

    def touched_page(
        self, filter_: Filter, order: Order, limit: int, offset: int, at: datetime
    ) -> list[Memory]:
        """The same, its rows marked as accessed; in the order before the marking."""
        rows = self._rows(filter_, order, limit, offset)
        touch(self._connection, [row[0] for row in rows], at)
        return to_memories(rows, accessed=at)

    def ids(self, filter_: Filter, order: Order) -> Sequence[int]:
        """Every matching id in that order."""
        total = self.count(filter_)
        part = Slice(total, total, 0)
        return page_plans.ids(self._connection, self._match(filter_), order, part)

    def ids_after(self, filter_: Filter, after: int, limit: int) -> list[int]:
        """The matching ids greater than `after`, ascending, at most `limit`."""
        match = self._match(filter_)
        if not match.possible:
            return []
        return page_plans.ids_after(self._connection, match, after, limit)

    def _rows(
        self, filter_: Filter, order: Order, limit: int, offset: int
    ) -> Sequence[MemoryColumns]:
        part = Slice(self.count(filter_), limit, offset)
        return page_plans.rows(self._connection, self._match(filter_), order, part)

    def _match(self, filter_: Filter) -> Match:
        if filter_ not in self._matches:
            self._matches[filter_] = matching.match(self._connection, filter_)
        return self._matches[filter_]

    def _count(self, match: Match) -> int:
        filter_ = match.filter_
        is_dear = filter_.needle is not None and filter_.unused_since is None
        if not is_dear or not match.possible or self._has_written:
            return matching.count(self._connection, match)
        newest = raw_one(self._connection, _NEWEST_REVISION)
        state = State(newest, match.population)
        total = self._totals.get(state, filter_)
        if total is None:
            total = matching.count(self._connection, match)
            self._totals.keep(state, filter_, total)
        return total
