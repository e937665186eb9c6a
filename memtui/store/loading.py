"""Bringing in many memories at once: whole rows, by `executemany`, with all that is beside them.

What `records.apply` does for a change, this does for new memories that come with their times, their
journal and their provenance. It writes through bare tuples because an import is measured in
thousands of memories a second.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple

from sqlalchemy import Connection

from memtui.errors import InvalidError
from memtui.interchange import LoadedMemory, PastBatch, Provenance, to_micros
from memtui.models import RevisionAction
from memtui.store import index_terms, search_index
from memtui.store.base import NewBatch
from memtui.store.raw import raw_many, raw_rows
from memtui.store.rows import tags_to_text
from memtui.store.search_index import Text

_MEMORY = "INSERT INTO memory VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_TAG = "INSERT OR IGNORE INTO tag (name) VALUES (?)"
_TAG_IDS = "SELECT name, id FROM tag WHERE name IN (SELECT value FROM json_each(?))"
_TAGGED = "INSERT INTO memory_tag (tag_id, memory_id) VALUES (?, ?)"
_COUNT = """
INSERT INTO facet (tag_id, status, memory_type, count) VALUES (?, ?, ?, ?)
ON CONFLICT (tag_id, status, memory_type) DO UPDATE SET count = count + excluded.count
"""
_REVISION = """
INSERT INTO revision
(seq, memory_id, version, action, content, tags, memory_type, status, at, actor, batch_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_SIZE = "UPDATE batch SET size = size + ? WHERE id = ?"
_BATCH = "INSERT INTO batch (id, at, actor, label, size, undoes, is_undo) VALUES (?,?,?,?,?,?,?)"
_ORIGIN = "INSERT OR IGNORE INTO origin (format, source) VALUES (?, ?)"
_ORIGIN_ID = "SELECT id FROM origin WHERE format = ? AND source = ?"
_PROVENANCE = """
INSERT OR IGNORE INTO provenance
(memory_id, "key", origin_id, source_id, digest, version, batch_id) VALUES (?, ?, ?, ?, ?, ?, ?)
"""
# No REPLACE here: it puts a savepoint around each row, and at each the search index is written out.
_FINGERPRINT = "INSERT INTO fingerprint (memory_id, hash) VALUES (?, ?)"
_ATTACHMENT = "INSERT INTO attachment (memory_id, media_type, details, data) VALUES (?, ?, ?, ?)"
_SEQUENCE = "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'memory'"
_NEW_SEQUENCE = """
INSERT INTO sqlite_sequence (name, seq)
SELECT 'memory', ? WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'memory')
"""
_CREATE = RevisionAction.CREATE.value
_ALL_TAGS = 0
Row = tuple[object, ...]
_KEPT_TAGS = 20_000


class Loader:
    """Loads memories in one transaction; remembers the ids of tags and origins that it has met."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._tags: dict[str, int] = {}
        self._origins: dict[tuple[str, str], int] = {}

    def load(
        self, memories: Sequence[LoadedMemory], batch_id: int | None, batch: NewBatch | None
    ) -> None:
        """Write new memories under their ids. With a batch their revisions count for it."""
        if not memories:
            return
        self._learn_tags(tag for loaded in memories for tag in loaded.memory.tags)
        tags_as_text = _TagTexts()
        rows: list[Row] = []
        tagged: list[Row] = []
        counts: Counter[tuple[int, str, str]] = Counter()
        for memory, *_ in memories:
            id_, content, tags, created, updated, accessed, kind, status, version = memory
            rows.append(
                (
                    id_,
                    content,
                    tags_as_text[tags],
                    created,
                    updated,
                    accessed,
                    kind,
                    status,
                    version,
                )
            )
            counts[_ALL_TAGS, status, kind] += 1
            for tag in tags:
                tag_id = self._tags[tag]
                tagged.append((tag_id, id_))
                counts[tag_id, status, kind] += 1
        self._many(_MEMORY, rows)
        search_index.put(self._connection, self._texts(memories))
        self._many(_FINGERPRINT, [(one.memory.id, one.fingerprint) for one in memories])
        self._many(_TAGGED, tagged)
        self._many(_COUNT, [(*key, number) for key, number in counts.items()])
        revisions = _revisions(memories, tags_as_text, batch_id, batch)
        self._many(_REVISION, revisions)
        self._many(
            _PROVENANCE,
            [
                self._provenance(one.memory.id, origin)
                for one in memories
                for origin in one.provenance
            ],
        )
        self._many(
            _ATTACHMENT,
            [(one.memory.id, *astuple(one.attachment)) for one in memories if one.attachment],
        )
        if batch_id is not None:
            self._many(_SIZE, [(len(revisions), batch_id)])

    def _texts(self, memories: Sequence[LoadedMemory]) -> list[Text]:
        """What the memories are found by; the same tokens are made once."""
        made: dict[tuple[str, str, tuple[str, ...]], str] = {}
        texts: list[Text] = []
        for memory, folded, *_ in memories:
            signs = (memory.status, memory.memory_type, memory.tags)
            tokens = made.get(signs)
            if tokens is None:
                tag_ids = [self._tags[tag] for tag in memory.tags]
                tokens = index_terms.tokens_of(memory.status, memory.memory_type, tag_ids)
                made[signs] = tokens
            texts.append(Text(memory.id, folded, tokens))
        return texts

    def load_batches(self, batches: Sequence[PastBatch], last_id: int) -> None:
        """Write another store's batches under their ids; ids up to `last_id` count as used."""
        self._many(_BATCH, [tuple(batch) for batch in batches])
        self._many(_NEW_SEQUENCE, [(last_id,)])
        self._many(_SEQUENCE, [(last_id,)])

    def _provenance(self, memory_id: int, origin: Provenance) -> tuple[object, ...]:
        place = (origin.format, origin.source)
        origin_id = self._origins.get(place)
        if origin_id is None:
            self._connection.exec_driver_sql(_ORIGIN, place)
            origin_id = int(self._connection.exec_driver_sql(_ORIGIN_ID, place).scalar_one())
            self._origins[place] = origin_id
        return (
            memory_id,
            origin.key,
            origin_id,
            origin.source_id,
            origin.digest,
            origin.version,
            origin.batch,
        )

    def _learn_tags(self, names: Iterable[str]) -> None:
        if len(self._tags) > _KEPT_TAGS:
            self._tags.clear()
        missing = list({name: None for name in names if name not in self._tags})
        if not missing:
            return
        self._many(_TAG, [(name,) for name in missing])
        wanted = tags_to_text(missing)
        self._tags |= raw_rows(self._connection, _TAG_IDS, (wanted,))

    def _many(self, statement: str, rows: Sequence[Row]) -> None:
        try:
            raw_many(self._connection, statement, rows)
        except sqlite3.IntegrityError as error:
            raise InvalidError(
                "Ids of memories, revisions or batches come twice",
                "Nothing was written: this is no export as memtui writes it.",
            ) from error


class _TagTexts(dict[tuple[str, ...], str]):
    """Tags as their column keeps them, each combination written once."""

    def __missing__(self, tags: tuple[str, ...]) -> str:
        text = self[tags] = tags_to_text(tags)
        return text


def _revisions(
    memories: Sequence[LoadedMemory],
    tags_as_text: _TagTexts,
    batch_id: int | None,
    batch: NewBatch | None,
) -> list[Row]:
    """The journal of new memories; a text that is the one before is not written again."""
    written: list[Row] = []
    at, by = (to_micros(batch.at), batch.actor) if batch else (0, "")
    for memory, _, _, past, *_ in memories:
        id_ = memory.id
        if not past:
            tags = tags_as_text[memory.tags]
            kind, status, version = memory.memory_type, memory.status, memory.version
            written.append(
                (None, id_, version, _CREATE, memory.content, tags, kind, status, at, by, batch_id)
            )
        before: str | None = None
        for seq, version, action, content, names, kind, status, when, actor, batch_of in past:
            said = None if content == before else content
            before = content
            tags = tags_as_text[names]
            written.append(
                (seq or None, id_, version, action, said, tags, kind, status, when, actor, batch_of)
            )
    return written
