"""Whether the file is sound, and whether what is kept beside the records agrees with them."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from memtui.store import index_terms, index_upkeep, search_index
from memtui.store.raw import raw_one, raw_rows, raw_stream
from memtui.store.rows import tags_from_text
from memtui.text import folded_row

_COUNTS = """
WITH counted AS (
    SELECT 0 AS tag_id, status, memory_type, count(*) AS count
    FROM memory GROUP BY status, memory_type
    UNION ALL
    SELECT t.tag_id, m.status, m.memory_type, count(*)
    FROM memory_tag t JOIN memory m ON m.id = t.memory_id
    GROUP BY t.tag_id, m.status, m.memory_type
),
kept AS (SELECT tag_id, status, memory_type, count FROM facet WHERE count <> 0)
SELECT count(*) FROM (
    SELECT * FROM (SELECT * FROM counted EXCEPT SELECT * FROM kept)
    UNION ALL
    SELECT * FROM (SELECT * FROM kept EXCEPT SELECT * FROM counted)
)
"""
_STRAY_TAGS = """
SELECT count(*) FROM memory_tag t
WHERE NOT EXISTS (SELECT 1 FROM memory m WHERE m.id = t.memory_id)
   OR NOT EXISTS (SELECT 1 FROM tag WHERE tag.id = t.tag_id)
"""
_STRAY_TEXTS = (
    "SELECT count(*) FROM memory_text x WHERE NOT EXISTS (SELECT 1 FROM memory m WHERE m.id = x.id)"
)
_ROWS = """
SELECT m.id, m.content, m.tags, m.status, m.memory_type, x.folded, x.tokens
FROM memory m LEFT JOIN memory_text x ON x.id = m.id
"""
_TAGGED = "SELECT memory_id, tag_id FROM memory_tag"
_TAG_IDS = "SELECT name, id FROM tag"
_JOURNAL = """
SELECT count(*) FROM memory m
LEFT JOIN revision r ON r.seq = (SELECT max(seq) FROM revision WHERE memory_id = m.id)
WHERE r.seq IS NULL OR r.version <> m.version OR r.status <> m.status
   OR r.tags <> m.tags OR r.memory_type <> m.memory_type
"""
_COUNTED = (
    ("the counts", _COUNTS, "tag and status counts that do not agree with the memories"),
    ("the tag entries", _STRAY_TAGS, "tag entries without a memory or a tag"),
    ("the search texts", _STRAY_TEXTS, "search texts without a memory"),
    ("the journal", _JOURNAL, "memories that differ from their newest revision"),
)
_UNREADABLE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR}
_UNKNOWN_TAG = 0


def faults(connection: Connection) -> Iterator[str]:
    """Yield one sentence per fault; nothing when all is well.

    The connection may write to its temporary database, and to no other.
    """
    yield from _readable("some pages of the file", _file_faults(connection))
    for part, query, what in _COUNTED:
        yield from _readable(part, _counted(connection, query, what))
    yield from _readable("the memories", _row_faults(connection))
    yield from _readable("the search index", _index_faults(connection))


def _readable(part: str, found: Iterator[str]) -> Iterator[str]:
    """What was found; a part of the file that cannot be read is one fault more, not the end."""
    try:
        yield from found
    except (sqlite3.DatabaseError, DBAPIError) as error:
        origin = error.orig if isinstance(error, DBAPIError) else error
        if getattr(origin, "sqlite_errorcode", 0) & 0xFF not in _UNREADABLE:
            raise
        yield f"damaged, and cannot be read through: {part}"


def _file_faults(connection: Connection) -> Iterator[str]:
    for row in raw_rows(connection, "PRAGMA integrity_check(20)"):
        if row[0] != "ok":
            yield f"file: {row[0]}"


def _counted(connection: Connection, query: str, what: str) -> Iterator[str]:
    number = raw_one(connection, query)
    if number:
        yield f"{number} {what}"


def _row_faults(connection: Connection) -> Iterator[str]:
    wrong_texts, wrong_tags = _compare_rows(connection)
    if wrong_texts:
        yield f"{wrong_texts} memories whose search text is not theirs"
    if wrong_tags:
        yield f"{wrong_tags} memories whose tag entries are not theirs"


def _index_faults(connection: Connection) -> Iterator[str]:
    if not index_upkeep.is_current(connection):
        yield "the search index was built with other rules than those of this Python"
    wrong_grams = search_index.differing_grams(connection)
    if wrong_grams:
        yield f"{wrong_grams} entries of the search index that do not agree with the texts"


def _compare_rows(connection: Connection) -> tuple[int, int]:
    # A sum of hashes stands for the tags of a memory: sets of all of them would fill the memory.
    tagged: defaultdict[int, int] = defaultdict(int)
    for memory_id, tag_id in raw_stream(connection, _TAGGED):
        tagged[memory_id] += _hash(tag_id)
    known: dict[str, int] = dict(raw_rows(connection, _TAG_IDS))
    wrong_texts = wrong_tags = 0
    for memory_id, content, tags_text, status, kind, folded, tokens in raw_stream(
        connection, _ROWS
    ):
        tags = dict.fromkeys(tags_from_text(tags_text))
        tag_ids = [known.get(tag, _UNKNOWN_TAG) for tag in tags]
        wrong_texts += folded != folded_row(
            content, tags_from_text(tags_text)
        ) or tokens != index_terms.tokens_of(status, kind, tag_ids)
        wrong_tags += tagged.get(memory_id, 0) != sum(map(_hash, tag_ids))
    return wrong_texts, wrong_tags


def _hash(tag_id: int) -> int:
    return hash((tag_id, "tag"))
