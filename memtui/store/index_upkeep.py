"""Building what is kept beside the memories from the memories alone.

The search index records what it was built with: its layout, and the version of the Unicode data
that folded its texts, which comes with Python. Where the layout differs everything is built anew;
where only the data does, each text is folded again and those that differ are written.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from sqlalchemy import Connection

from memtui.errors import CancelledError
from memtui.store import index_terms, search_index
from memtui.store.base import Progress
from memtui.store.raw import raw_execute, raw_many, raw_one, raw_rows
from memtui.store.rows import tags_from_text
from memtui.store.search_index import NewText, Text
from memtui.text import folded_row

CHUNK = 2_000
_VERSION = "SELECT version FROM index_state"
_SET_VERSION = "UPDATE index_state SET version = ?"
_AFTER = """
SELECT id, content, tags, status, memory_type FROM memory WHERE id > ? ORDER BY id LIMIT ?
"""
_TEXT_AFTER = """
SELECT m.id, m.content, m.tags, x.folded FROM memory m JOIN memory_text x ON x.id = m.id
WHERE m.id > ? ORDER BY m.id LIMIT ?
"""
_TOTAL = "SELECT count(*) FROM memory"
_TAG_NAMES = "SELECT DISTINCT tags FROM memory"
_ADD_TAG = "INSERT OR IGNORE INTO tag (name) VALUES (?)"
_TAG_IDS = "SELECT name, id FROM tag"
_TAGGED = "INSERT OR IGNORE INTO memory_tag (tag_id, memory_id) VALUES (?, ?)"
_COUNTS = (
    "DELETE FROM facet",
    """INSERT INTO facet (tag_id, status, memory_type, count)
    SELECT 0, status, memory_type, count(*) FROM memory GROUP BY status, memory_type""",
    """INSERT INTO facet (tag_id, status, memory_type, count)
    SELECT t.tag_id, m.status, m.memory_type, count(*)
    FROM memory_tag t JOIN memory m ON m.id = t.memory_id
    GROUP BY t.tag_id, m.status, m.memory_type""",
)

_Record = tuple[int, str, str, str, str]


def current_version() -> str:
    """What an index is built with here: its layout and the version of the Unicode data."""
    return f"{index_terms.LAYOUT}/{unicodedata.unidata_version}"


def is_current(connection: Connection) -> bool:
    """Whether the index needs nothing."""
    return _version(connection) == current_version()


def is_usable(connection: Connection) -> bool:
    """Whether the index may be asked: it has this layout, if perhaps not the newest folding."""
    return _layout(_version(connection)) == _layout(current_version())


def bring_up_to_date(connection: Connection, progress: Progress | None) -> None:
    """Build or renew the index, in a transaction that writes; nothing when it is current."""
    if is_current(connection):
        return
    if is_usable(connection):
        _fold_again(connection, progress)
    else:
        _build_index(connection, _all_tags(connection), progress)
    raw_execute(connection, _SET_VERSION, (current_version(),))


def rebuild(connection: Connection, progress: Progress | None) -> None:
    """Build tag entries, counts, texts and every index anew from the memories."""
    raw_execute(connection, "REINDEX")
    tag_ids = _all_tags(connection)
    raw_execute(connection, "DELETE FROM memory_tag")
    for chunk in _chunks(connection):
        entries = [
            (tag_ids[tag], row[0]) for row in chunk for tag in dict.fromkeys(tags_from_text(row[2]))
        ]
        raw_many(connection, _TAGGED, entries)
    for statement in _COUNTS:
        raw_execute(connection, statement)
    _build_index(connection, tag_ids, progress)
    raw_execute(connection, _SET_VERSION, (current_version(),))


def _build_index(
    connection: Connection, tag_ids: dict[str, int], progress: Progress | None
) -> None:
    search_index.clear(connection)
    total = _total(connection)
    done = 0
    for chunk in _chunks(connection):
        search_index.put(connection, [_text(row, tag_ids) for row in chunk])
        done += len(chunk)
        _tell(progress, done, total)


def _fold_again(connection: Connection, progress: Progress | None) -> None:
    total = _total(connection)
    done = last_id = 0
    while rows := raw_rows(connection, _TEXT_AFTER, (last_id, CHUNK)):
        folded = [(row[0], folded_row(row[1], tags_from_text(row[2])), row[3]) for row in rows]
        differing = [NewText(id_, new, None) for id_, new, old in folded if new != old]
        search_index.replace(connection, differing)
        last_id = rows[-1][0]
        done += len(rows)
        _tell(progress, done, total)


def _text(row: _Record, tag_ids: dict[str, int]) -> Text:
    id_, content, tags_text, status, memory_type = row
    tags = tags_from_text(tags_text)
    signs = [tag_ids[tag] for tag in dict.fromkeys(tags)]
    tokens = index_terms.tokens_of(status, memory_type, signs)
    return Text(id_, folded_row(content, tags), tokens)


def _chunks(connection: Connection) -> Iterator[Sequence[_Record]]:
    last_id = 0
    while rows := raw_rows(connection, _AFTER, (last_id, CHUNK)):
        yield rows
        last_id = rows[-1][0]


def _all_tags(connection: Connection) -> dict[str, int]:
    """The ids of all tags that any memory carries; missing ones are made."""
    known = _tag_ids(connection)
    texts = [row[0] for row in raw_rows(connection, _TAG_NAMES)]
    missing = {tag: None for text in texts for tag in tags_from_text(text) if tag not in known}
    raw_many(connection, _ADD_TAG, [(tag,) for tag in missing])
    return _tag_ids(connection) if missing else known


def _tag_ids(connection: Connection) -> dict[str, int]:
    return dict(raw_rows(connection, _TAG_IDS))


def _total(connection: Connection) -> int:
    return raw_one(connection, _TOTAL)


def _tell(progress: Progress | None, done: int, total: int) -> None:
    if progress is not None and progress(done, total) is False:
        raise CancelledError("Cancelled; nothing was written")


def _version(connection: Connection) -> str:
    return str(raw_rows(connection, _VERSION)[0][0])


def _layout(version: str) -> str:
    return version.partition("/")[0]
