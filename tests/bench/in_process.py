"""The service against the bare SQLite statements that the same answer needs."""

from __future__ import annotations

import itertools
import json
import random
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from memtui.models import (
    BulkChange,
    MemoryCreate,
    MemoryPatch,
    MemoryQuery,
    Selection,
)
from memtui.service import MemoryService
from tests.bench.timing import Act, Line, in_turns

_ROWS = "SELECT m.* FROM ({}) page CROSS JOIN memory m ON m.id = page.id"
_BY_UPDATE = "SELECT id FROM memory WHERE status <> 'deleted' ORDER BY updated_at DESC, id DESC"
_TOUCH = """
UPDATE memory SET last_accessed_at = ? WHERE id IN (SELECT value FROM json_each(?))
"""
_TABLES = """
SELECT sum(pgsize) FROM dbstat WHERE name IN ({})
"""
_TYPED = ("e", "th", "the", "the ", "meeting", "prefers", "vegetarian", "no such text")
_RETAGGED = 20_000


class Bench:
    """One database, asked through the service and with bare statements."""

    def __init__(self, path: Path, times: int) -> None:
        self._path = path
        self._times = times
        self._service = MemoryService.open(path)
        self._totals = self._service._context.store._totals  # type: ignore[attr-defined]
        self._bare = sqlite3.connect(path, isolation_level=None)
        for pragma in ("synchronous = NORMAL", "foreign_keys = ON", "temp_store = MEMORY"):
            self._bare.execute(f"PRAGMA {pragma}")
        self._ticks = itertools.count(2 * 10**15)
        self._chance = random.Random(1)
        self._last_id = self._bare.execute("SELECT max(id) FROM memory").fetchone()[0]

    def close(self) -> None:
        """Release both."""
        self._service.close()
        self._bare.close()

    def lines(self) -> Iterator[Line]:
        """Measure everything."""
        yield from self._pages()
        yield from self._needles()
        yield from self._facets()
        yield from self._writes()
        yield self._size()

    # --- pages -------------------------------------------------------------------------------

    def _pages(self) -> Iterator[Line]:
        deep = self._last_id * 9 // 10
        first = self._page_line("page of 100 and touch", {}, self._bare_page(0), at_most=2)
        yield first
        by_change = self._page_line(
            "  by change", {"sort": "updated_at"}, self._bare_page(0, _BY_UPDATE), at_most=2
        )
        yield by_change
        offset = {"offset": deep}
        yield self._against(first, "offset 90 %", self._page_line("", offset, None), 4)
        offset = {"offset": deep, "sort": "updated_at"}
        yield self._against(
            by_change, "offset 90 % by change", self._page_line("", offset, None), 4
        )
        offset = {"offset": self._last_id // 2, "sort": "updated_at"}
        yield self._against(by_change, "offset 50 % by change", self._page_line("", offset, None))
        tag = self._service.tags()[0].tag
        yield self._against(first, "frequent tag", self._page_line("", {"tag": tag}, None), 2)
        by_creation = {"tag": tag, "sort": "created_at"}
        yield self._against(first, "  by creation", self._page_line("", by_creation, None))
        get = self._any_get()
        ours, bare = in_turns((get, self._bare_get()), self._times * 5)
        yield Line("one memory and touch", ours, bare)

    def _page_line(
        self, name: str, values: dict[str, object], bare: Act | None, at_most: float | None = None
    ) -> Line:
        query = MemoryQuery.parse({"limit": 100, **values})

        def page() -> None:
            self._totals.clear()
            self._service.search(query)

        if bare is None:
            return Line(name, in_turns((page,), self._times)[0])
        ours, theirs = in_turns((page, bare), self._times)
        return Line(name, ours, theirs, at_most)

    @staticmethod
    def _against(first: Line, name: str, line: Line, at_most: float | None = None) -> Line:
        return Line(name, line.ours, first.ours, at_most, "(against the first page)")

    def _bare_page(self, offset: int, ids: str = "SELECT id FROM memory ORDER BY id") -> Act:
        statement = _ROWS.format(f"{ids} LIMIT 100 OFFSET {offset}")

        def page() -> None:
            run = self._bare.execute
            run("BEGIN IMMEDIATE")
            run("SELECT sum(count) FROM facet WHERE tag_id = 0 AND status <> 'deleted'").fetchone()
            rows = run(statement).fetchall()
            run("SELECT max(last_accessed_at) FROM memory").fetchone()
            run(_TOUCH, (next(self._ticks), json.dumps([row[0] for row in rows])))
            run("COMMIT")

        return page

    def _any_get(self) -> Act:
        live = self._service.search(MemoryQuery(limit=100), touch=False).items
        return lambda: self._service.get(self._chance.choice(live).id)

    def _bare_get(self) -> Act:
        def get() -> None:
            id_ = self._chance.randrange(self._last_id) + 1
            run = self._bare.execute
            run("BEGIN IMMEDIATE")
            run("SELECT * FROM memory WHERE id = ?", (id_,)).fetchone()
            run("SELECT max(last_accessed_at) FROM memory").fetchone()
            run("UPDATE memory SET last_accessed_at = ? WHERE id = ?", (next(self._ticks), id_))
            run("COMMIT")

        return get

    # --- text --------------------------------------------------------------------------------

    def _needles(self) -> Iterator[Line]:
        peek = self._page_line
        for needle, expression in (("the", '"the"'), ("ing", '"ing"'), ("zzq", '"zzq"')):
            ours, bare = in_turns((self._count(needle), self._bare_count(expression)), self._times)
            # The bare count leaves out the status, which every answer must look at.
            yield Line(f"count of {needle!r}", ours, bare, 1.5 if needle == "the" else None)
        for needle in (
            "e",
            "th",
            "the",
            "the ",
            "meeting",
            "prefers",
            "vegetarian",
            "no such text",
        ):
            line = peek("", {"q": needle, "sort": "updated_at"}, None)
            yield Line(f"page of {needle!r} by change", line.ours, at_most=100)
        yield Line("two characters, rare ('zq')", peek("", {"q": "zq"}, None).ours, at_most=5)
        yield Line("two characters, rarer ('Σί')", peek("", {"q": "Σί"}, None).ours, at_most=5)

    def _count(self, needle: str) -> Act:
        query = MemoryQuery(q=needle, limit=1)

        def count() -> None:
            self._totals.clear()
            self._service.search(query, touch=False)

        return count

    def _bare_count(self, expression: str) -> Act:
        statement = "SELECT count(*) FROM memory_index WHERE memory_index MATCH ?"
        return lambda: self._bare.execute(statement, (expression,)).fetchone()

    def _facets(self) -> Iterator[Line]:
        queries = {
            "facets": MemoryQuery(),
            "facets of a status and a type": MemoryQuery.parse(
                {"status": "active", "memory_type": "fact"}
            ),
            "facets of a tag": MemoryQuery(tag="style"),
            "facets of 'the'": MemoryQuery(q="the"),
            "facets of 'th'": MemoryQuery(q="th"),
            "facets of 'meeting'": MemoryQuery(q="meeting"),
            "facets of 'vegetarian'": MemoryQuery(q="vegetarian"),
        }
        for name, query in queries.items():
            act = lambda query=query: self._service.facets(query)  # noqa: E731
            yield Line(name, in_turns((act,), max(self._times // 3, 3))[0], at_most=150)

    # --- writing -----------------------------------------------------------------------------

    def _writes(self) -> Iterator[Line]:
        words = itertools.count()
        live = self._service.search(MemoryQuery(limit=100, sort="created_at"), touch=False).items
        ids = [memory.id for memory in live]

        def patch() -> None:
            content = f"User prefers the answer number {next(words)} in the morning."
            self._service.patch(self._chance.choice(ids), MemoryPatch(content=content))

        def bare() -> None:
            run = self._bare.execute
            run("BEGIN IMMEDIATE")
            content = f"User prefers the answer number {next(words)} in the morning."
            values = (content, next(self._ticks), self._chance.choice(ids))
            run(
                "UPDATE memory SET content = ?, updated_at = ?, version = version + 1 WHERE id = ?",
                values,
            )
            run("COMMIT")

        ours, theirs = in_turns((patch, bare), self._times * 10)
        yield Line("PATCH of a text", ours, theirs, 12, f"{ours:.2f} ms, target 1 ms")
        tag = lambda: self._service.patch(  # noqa: E731
            self._chance.choice(ids), MemoryPatch(tags=(f"t{next(words) % 50}",))
        )
        yield Line("PATCH of the tags", in_turns((tag,), self._times * 5)[0], at_most=1)
        new = lambda: self._service.create(  # noqa: E731
            MemoryCreate(content=f"User likes the number {next(words)}.", tags=("style", "new"))
        )
        yield Line("create", in_turns((new,), self._times * 5)[0], at_most=1)
        yield from self._bulk()

    def _bulk(self) -> Iterator[Line]:
        number = min(_RETAGGED, self._last_id // 2)
        some = self._chance.sample(range(1, self._last_id), number)
        for name, change in (
            ("add a tag to", BulkChange(add_tags=("bulk",))),
            ("take a tag from", BulkChange(remove_tags=("bulk",))),
            ("invalidate", BulkChange.parse({"status": "invalid"})),
        ):
            started = time.process_time()
            result = self._service.bulk(Selection.of(sorted(some)), change)
            seconds = time.process_time() - started
            rate = len(result.outcomes) / seconds
            yield Line(
                f"bulk: {name} {number:,}",
                seconds * 1e3,
                at_most=number / 20,
                note=f"{rate:,.0f}/s",
            )

    def _size(self) -> Line:
        with closing(sqlite3.connect(self._path)) as connection:
            total = connection.execute("SELECT sum(pgsize) FROM dbstat").fetchone()[0]
            bare = connection.execute(_TABLES.format("'memory'")).fetchone()[0]
            both = connection.execute(_TABLES.format("'memory', 'revision'")).fetchone()[0]
        note = f"(MB; {total / both:.1f} of records and journal)"
        return Line("size of the database", total / 1e6, bare / 1e6, 4, note)
