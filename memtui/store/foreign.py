"""Reading a SQLite database that another program owns, without changing anything of it."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

Value = None | int | float | str | bytes


class ForeignError(Exception):
    """The database is damaged, locked, or no database."""


def foreign_columns(path: Path, table: str) -> frozenset[str]:
    """The names of a table's columns; empty when there is no such table, or no database."""
    try:
        with _opened(path) as connection:
            rows = connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
            return frozenset(str(name) for (name,) in rows)
    except (sqlite3.Error, OSError):
        return frozenset()


def foreign_rows(path: Path, table: str, order: str) -> Iterator[dict[str, Value]]:
    """Each row of a table by column name. Raises `ForeignError`."""
    name, key = _quoted(table), _quoted(order)
    try:
        with _opened(path) as connection:
            cursor = connection.execute(f"SELECT * FROM {name} ORDER BY {key}")
            names = [column[0] for column in cursor.description]
            for row in cursor:
                yield dict(zip(names, row, strict=True))
    except (sqlite3.Error, OSError) as error:
        raise ForeignError(str(error)) from error


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that reads. `immutable` keeps SQLite from making files beside the database.

    It also ignores a write-ahead log, so with one beside it a private copy of both is read.
    """
    log = path.with_name(f"{path.name}-wal")
    if not log.exists() or log.stat().st_size == 0:
        with closing(_connected(path)) as connection:
            yield connection
        return
    with tempfile.TemporaryDirectory(prefix="memtui-") as folder:
        copy = Path(folder, "copy.db")
        shutil.copyfile(path, copy)
        shutil.copyfile(log, copy.with_name("copy.db-wal"))
        with closing(sqlite3.connect(copy)) as recovering:
            recovering.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        with closing(_connected(copy)) as connection:
            yield connection


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA query_only = ON")
    # Bytes that are no UTF-8 become lone surrogates, which the contract refuses with its reason.
    connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    return connection


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
