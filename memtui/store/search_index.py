"""What memories are found by in SQLite: their texts, and an FTS5 table of grams, kept in step.

The index holds what `memtui.store.index_terms` says of each row of `memory_text`. FTS5 remembers
neither the texts nor which column a gram came from; so taking something out needs the exact words
that were put in, and they are read from `memory_text`, never made again: another Python may fold
otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from functools import cache
from itertools import islice
from typing import NamedTuple

from sqlalchemy import Connection

from memtui.store import index_terms
from memtui.store.index_difference import LONGEST_AGAIN, MOST_AGAIN, Text, difference
from memtui.store.raw import raw_execute, raw_many, raw_rows, raw_stream

__all__ = ["CREATE", "NewText", "Text", "clear", "differing_grams", "drop", "put", "replace"]

_FILLER = (-1, *["Z" * LONGEST_AGAIN] * MOST_AGAIN)
_AGAIN = [f"again_{number}" for number in range(1, MOST_AGAIN + 1)]
_COLUMNS = ("folded", "pairs", "tokens", *_AGAIN)
_USING = (
    f"USING fts5({', '.join(_COLUMNS)}, content='', tokenize='trigram case_sensitive 1', "
    "detail=none, columnsize=0)"
)
CREATE = (
    f"CREATE VIRTUAL TABLE memory_index {_USING}",
    # Bytes of new grams that are gathered in memory before they become a segment of the index.
    "INSERT INTO memory_index (memory_index, rank) VALUES ('hashsize', 16777216)",
    # FTS5 takes it for damage when more is taken out of a column than is in it. What is taken out
    # of these is put back at once, so one row of filler that no needle meets is enough.
    f"INSERT INTO memory_index (rowid, {', '.join(_AGAIN)}) VALUES {_FILLER}",
)
_ADD = "INSERT INTO memory_index (rowid, folded, pairs, tokens) VALUES (?, ?, ?, ?)"
_REMOVE = (
    "INSERT INTO memory_index (memory_index, rowid, folded, pairs, tokens) "
    "VALUES ('delete', ?, ?, ?, ?)"
)
_CLEAR = (
    "DELETE FROM memory_text",
    "DROP TABLE IF EXISTS memory_index",
    *CREATE,
)
_TEXTS = """
SELECT id, folded, tokens FROM memory_text WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id
"""
_PUT = "INSERT INTO memory_text (id, folded, tokens) VALUES (?, ?, ?)"
_REPLACE = "UPDATE memory_text SET folded = ?, tokens = ? WHERE id = ?"
_DROP = "DELETE FROM memory_text WHERE id IN (SELECT value FROM json_each(?))"
_ALL_TEXTS = "SELECT id, folded, tokens FROM memory_text ORDER BY id"
_CREATE_FRESH = (
    *(
        statement.replace("VIRTUAL TABLE memory_index", "VIRTUAL TABLE temp.memory_index")
        .replace("INTO memory_index", "INTO temp.memory_index")
        .replace("memory_index", "fresh_index")
        for statement in CREATE
    ),
    "CREATE VIRTUAL TABLE temp.kept_gram USING fts5vocab(main, memory_index, instance)",
    "CREATE VIRTUAL TABLE temp.fresh_gram USING fts5vocab(temp, fresh_index, instance)",
)
_ADD_FRESH = "INSERT INTO temp.fresh_index (rowid, folded, pairs, tokens) VALUES (?, ?, ?, ?)"
_DROP_FRESH = (
    "DROP TABLE temp.kept_gram",
    "DROP TABLE temp.fresh_gram",
    "DROP TABLE temp.fresh_index",
)
# A gram's memories are compared by their number and a sum that tells sets of ids apart.
_GRAMS = "SELECT term, count(*), sum((doc % 65537) * (doc % 65521)) FROM {} GROUP BY term"
_CHUNK = 5_000


class NewText(NamedTuple):
    """What becomes of a row of `memory_text`; None leaves a part as it is."""

    memory_id: int
    folded: str | None
    tokens: str | None


def put(connection: Connection, texts: Sequence[Text]) -> None:
    """Write memories that are not there yet. Ascending ids are written fastest."""
    raw_many(connection, _PUT, texts)
    raw_many(connection, _ADD, [index_terms.entry(*text) for text in texts])


def replace(connection: Connection, texts: Sequence[NewText]) -> None:
    """Bring memories to new texts, writing only what differs to the index."""
    before = _texts(connection, [text.memory_id for text in texts])
    changes: list[tuple[Text, Text]] = []
    for id_, folded, tokens in texts:
        old = before.get(id_, Text(id_, "", ""))
        new = Text(
            id_,
            old.folded if folded is None else folded,
            old.tokens if tokens is None else tokens,
        )
        if new != old:
            changes.append((old, new))
    known = [(new.folded, new.tokens, new.memory_id) for old, new in changes if old.folded]
    raw_many(connection, _REPLACE, known)
    raw_many(connection, _PUT, [new for old, new in changes if not old.folded])
    _index(connection, changes)


def drop(connection: Connection, ids: Sequence[int]) -> None:
    """Remove memories."""
    texts = _texts(connection, ids).values()
    raw_many(connection, _REMOVE, [index_terms.entry(*text) for text in texts])
    raw_execute(connection, _DROP, (json.dumps(list(ids)),))


def clear(connection: Connection) -> None:
    """Remove everything, also an index that is damaged or of an older layout."""
    for statement in _CLEAR:
        raw_execute(connection, statement)


def differing_grams(connection: Connection) -> int:
    """How many grams are said to occur in other memories than the texts say.

    Builds a second index in the temporary database; the one that is kept is read only.
    """
    for statement in _CREATE_FRESH:
        raw_execute(connection, statement)
    texts = raw_stream(connection, _ALL_TEXTS)
    while chunk := [index_terms.entry(*text) for text in islice(texts, _CHUNK)]:
        raw_many(connection, _ADD_FRESH, chunk)
    kept, fresh = (
        set(raw_rows(connection, _GRAMS.format(f"temp.{name}_gram"))) for name in ("kept", "fresh")
    )
    for statement in _DROP_FRESH:
        raw_execute(connection, statement)
    return len({term for term, *_ in kept ^ fresh})


def _texts(connection: Connection, ids: Sequence[int]) -> dict[int, Text]:
    if not ids:
        return {}
    rows = raw_rows(connection, _TEXTS, (json.dumps(list(ids)),))
    return {row[0]: Text._make(row) for row in rows}


def _index(connection: Connection, changes: Sequence[tuple[Text, Text]]) -> None:
    """Write the difference between the texts, memory by memory in the order of ids.

    FTS5 joins the two halves of a memory when they follow each other; all of one before all of
    the other would be twice as many segments.
    """
    with closing(connection.connection.cursor()) as cursor:
        for before, after in sorted(changes):
            gone, come, again = difference(before, after)
            remove, add = _with_again(len(again))
            cursor.execute(remove, (*gone, *again))
            cursor.execute(add, (*come, *again))


@cache
def _with_again(number: int) -> tuple[str, str]:
    """The statements that take out and put in a memory with so many texts that stay."""
    columns = ", ".join(_COLUMNS[: len(_COLUMNS) - MOST_AGAIN + number])
    places = ", ?" * (len(_COLUMNS) - MOST_AGAIN + number)
    return (
        f"INSERT INTO memory_index (memory_index, rowid, {columns}) VALUES ('delete', ?{places})",
        f"INSERT INTO memory_index (rowid, {columns}) VALUES (?{places})",
    )
