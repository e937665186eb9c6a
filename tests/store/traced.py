"""What a service really asks SQLite: the statements, their plans, and which trees they write."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import event

from memtui.service import MemoryService

_SHADOW = "memory_index_"


@contextmanager
def statements_of(service: MemoryService) -> Iterator[list[str]]:
    """Collect the statements that run, with their values, without those that FTS5 makes itself."""
    seen: list[str] = []

    def note(statement: str) -> None:
        own = _SHADOW in statement or statement.startswith(("--", "PRAGMA"))
        if not own:
            seen.append(" ".join(statement.split()))

    def trace(connection: sqlite3.Connection, *_: object) -> None:
        connection.set_trace_callback(note)

    def untrace(connection: sqlite3.Connection, *_: object) -> None:
        connection.set_trace_callback(None)

    store = service._context.store
    engines = [store._reader, store._writer]  # type: ignore[attr-defined]
    for engine in engines:
        event.listen(engine, "checkout", trace)
        event.listen(engine, "checkin", untrace)
    try:
        yield seen
    finally:
        for engine in engines:
            event.remove(engine, "checkout", trace)
            event.remove(engine, "checkin", untrace)


def plan(path: Path, statement: str) -> list[str]:
    """The lines of EXPLAIN QUERY PLAN."""
    with sqlite3.connect(path) as connection:
        return [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {statement}")]


def trees_written(path: Path, statement: str) -> set[str]:
    """The tables and indexes that a statement opens for writing."""
    with sqlite3.connect(path) as connection:
        roots = dict(connection.execute("SELECT rootpage, name FROM sqlite_schema"))
        program = connection.execute(f"EXPLAIN {statement}").fetchall()
    return {roots[step[3]] for step in program if step[1] == "OpenWrite"}
