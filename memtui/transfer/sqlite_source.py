"""SQLite databases of other programs as sources; read without changing anything beside them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memtui.interchange import Tally
from memtui.store.foreign import ForeignError, Value, foreign_columns, foreign_rows
from memtui.transfer.json_values import Json
from memtui.transfer.sources import Source


def columns_of(source: Source, table: str) -> frozenset[str]:
    """The names of a table's columns; empty when there is no such table or the file is damaged."""
    with _file(source) as path:
        return foreign_columns(path, table)


def rows_of(
    source: Source, table: str, tally: Tally, *, order: str
) -> Iterator[tuple[int, dict[str, Json]]]:
    """Each row with its number from 1. A damaged page ends the reading, and is named."""
    number = 0
    with _file(source) as path:
        try:
            for row in foreign_rows(path, table, order):
                number += 1
                yield number, {name: _plain(value) for name, value in row.items()}
        except ForeignError as error:
            tally.skip(source.label, number + 1, f"the database can't be read on: {error}")
    source.meter.done += source.size


def _plain(value: Value) -> Json:
    """A value as JSON has it; bytes are only said to be there."""
    return "(binary)" if isinstance(value, bytes) else value


@contextmanager
def _file(source: Source) -> Iterator[Path]:
    """A file to open: the source itself, or a copy of what came through a pipe or an archive."""
    if source.path is not None:
        yield source.path
        return
    with tempfile.NamedTemporaryFile(suffix=".db") as copy:
        with source.open() as stream:
            while block := stream.read(1024 * 1024):
                copy.write(block)
        copy.flush()
        yield Path(copy.name)
