"""Rows as the driver takes and gives them, where thousands are written or read in a second.

Whoever asks knows the types of the columns: they are those of the schema.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any, NamedTuple

from sqlalchemy import Connection


class Which(NamedTuple):
    """A condition on ids for the end of a comparison: `WHERE id {sql}`, with its values."""

    sql: str
    values: tuple[int | str, ...]

    @classmethod
    def of(cls, ids: Sequence[int]) -> Which:
        """These ids, in any order."""
        return cls("IN (SELECT value FROM json_each(?))", (json.dumps(list(ids)),))

    @classmethod
    def between(cls, first: int, last: int) -> Which:
        """All ids from `first` to `last`."""
        return cls("BETWEEN ? AND ?", (first, last))


def raw_rows(
    connection: Connection, statement: str, values: Sequence[object] = ()
) -> list[tuple[Any, ...]]:
    """Plain tuples, inside the connection's own transaction."""
    with closing(connection.connection.cursor()) as cursor:
        rows: list[tuple[Any, ...]] = cursor.execute(statement, tuple(values)).fetchall()
        return rows


def raw_stream(
    connection: Connection, statement: str, values: Sequence[object] = ()
) -> Iterator[tuple[Any, ...]]:
    """The same one by one, for what is too much to hold."""
    with closing(connection.connection.cursor()) as cursor:
        yield from cursor.execute(statement, tuple(values))


def raw_one(connection: Connection, statement: str, values: Sequence[object] = ()) -> int:
    """The one number that a statement gives."""
    return int(raw_rows(connection, statement, values)[0][0])


def raw_insert(connection: Connection, statement: str, values: Sequence[object]) -> int:
    """Insert one row and return its id."""
    with closing(connection.connection.cursor()) as cursor:
        cursor.execute(statement, tuple(values))
        return int(cursor.lastrowid or 0)


def raw_many(connection: Connection, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
    """Run a statement once for each row; nothing without rows."""
    if rows:
        with closing(connection.connection.cursor()) as cursor:
            cursor.executemany(statement, rows)


def raw_execute(connection: Connection, statement: str, values: Sequence[object] = ()) -> None:
    """Run a statement that gives no rows."""
    with closing(connection.connection.cursor()) as cursor:
        cursor.execute(statement, tuple(values))
