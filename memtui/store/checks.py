"""Whether the file is sound, and whether what is kept beside the records agrees with them."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, text

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
SELECT m.id, m.content, m.tags, x.folded
FROM memory m LEFT JOIN memory_text x ON x.id = m.id
"""
_TAGGED = """
SELECT t.memory_id, tag.name FROM memory_tag t JOIN tag ON tag.id = t.tag_id ORDER BY t.memory_id
"""
_JOURNAL = """
SELECT count(*) FROM memory m
LEFT JOIN revision r ON r.seq = (SELECT max(seq) FROM revision WHERE memory_id = m.id)
WHERE r.seq IS NULL OR r.version <> m.version OR r.status <> m.status
   OR r.tags <> m.tags OR r.memory_type <> m.memory_type
"""


def faults(connection: Connection) -> Iterator[str]:
    """Yield one sentence per fault; nothing when all is well."""
    for row in connection.execute(text("PRAGMA integrity_check(20)")):
        if row[0] != "ok":
            yield f"file: {row[0]}"
    yield from _counted(
        connection, _COUNTS, "tag and status counts that do not agree with the memories"
    )
    yield from _counted(connection, _STRAY_TAGS, "tag entries without a memory or a tag")
    yield from _counted(connection, _STRAY_TEXTS, "search texts without a memory")
    yield from _counted(connection, _JOURNAL, "memories that differ from their newest revision")
    wrong_texts, wrong_tags = _compare_rows(connection)
    if wrong_texts:
        yield f"{wrong_texts} memories whose search text is not theirs"
    if wrong_tags:
        yield f"{wrong_tags} memories whose tag entries are not theirs"


def _counted(connection: Connection, query: str, what: str) -> Iterator[str]:
    number = connection.execute(text(query)).scalar_one()
    if number:
        yield f"{number} {what}"


def _compare_rows(connection: Connection) -> tuple[int, int]:
    tagged: dict[int, set[str]] = {}
    for memory_id, name in connection.execute(text(_TAGGED)):
        tagged.setdefault(memory_id, set()).add(name)
    wrong_texts = wrong_tags = 0
    for memory_id, content, tags_text, folded in connection.execute(text(_ROWS)):
        tags = tags_from_text(tags_text)
        wrong_texts += folded != folded_row(content, tags)
        wrong_tags += tagged.get(memory_id, set()) != set(tags)
    return wrong_texts, wrong_tags
