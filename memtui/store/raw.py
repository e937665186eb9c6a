"""Rows as the driver gives them, where thousands are read in a second."""

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
    connection: Connection, statement: str, values: Sequence[int | str] = ()
) -> list[tuple[Any, ...]]:
    """Plain tuples, inside the connection's own transaction."""
    return list(raw_stream(connection, statement, values))


def raw_stream(
    connection: Connection, statement: str, values: Sequence[int | str] = ()
) -> Iterator[tuple[Any, ...]]:
    """The same one by one, for what is too much to hold."""
    with closing(connection.connection.cursor()) as cursor:
        yield from cursor.execute(statement, tuple(values))
