"""Writing changes: the record, its tags, counts, search text and journal entry together.

Statements are plain and take tuples: a bulk change is measured in tens of thousands of memories a
second. An UPDATE names the columns that change and no others, because SQLite writes anew each index
entry that has one of the columns named, changed or not.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from memtui.models import Memory
from memtui.store import index_terms, search_index
from memtui.store.base import Change, NewBatch
from memtui.store.raw import raw_execute, raw_many, raw_one, raw_rows
from memtui.store.rows import memory_columns, tags_to_text, to_micros
from memtui.store.search_index import NewText, Text
from memtui.store.sqlite_search import CHUNK, find
from memtui.text import folded_row

ALL_TAGS = 0
"""The facet table's tag id for every memory, tagged or not."""

_INSERT = "INSERT INTO memory VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
_REVISE = "content = ?, tags = ?, updated_at = ?, version = ?"
_CLASSIFY = "memory_type = ?, status = ?"
_ADD_TAG = "INSERT INTO tag (id, name) VALUES (?, ?)"
_TAG_IDS = "SELECT name, id FROM tag WHERE name IN (SELECT value FROM json_each(?))"
_NEXT_TAG = "SELECT coalesce(max(id), 0) + 1 FROM tag"
# Another program may have changed the tags of a record and left these entries behind.
_TAG = "INSERT OR IGNORE INTO memory_tag (tag_id, memory_id) VALUES (?, ?)"
_UNTAG = "DELETE FROM memory_tag WHERE tag_id = ? AND memory_id = ?"
_COUNT = """
INSERT INTO facet (tag_id, status, memory_type, count) VALUES (?, ?, ?, ?)
ON CONFLICT (tag_id, status, memory_type) DO UPDATE SET count = count + excluded.count
"""
_REVISION = """
INSERT INTO revision
(memory_id, version, action, content, tags, memory_type, status, at, actor, batch_id)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_SIZE = "UPDATE batch SET size = size + ? WHERE id = ?"
_PURGE = (
    "DELETE FROM revision WHERE memory_id IN (SELECT value FROM json_each(?))",
    "DELETE FROM memory WHERE id IN (SELECT value FROM json_each(?))",
)

_Key = tuple[int, str, str]


class _Net(NamedTuple):
    """What a memory was before a list of changes (None for a new one) and is after it.

    What follows from the two is asked for several times, so it is found out once.
    """

    before: Memory | None
    after: Memory
    text_differs: bool
    is_revised: bool
    is_classified: bool
    is_counted_anew: bool

    @classmethod
    def of(cls, before: Memory | None, after: Memory) -> _Net:
        if before is None:
            return cls(None, after, True, True, True, True)
        retagged = before.tags != after.tags
        text_differs = retagged or before.content != after.content
        classified = before.status != after.status or before.memory_type != after.memory_type
        return cls(
            before,
            after,
            text_differs,
            text_differs or before.version != after.version,
            classified,
            classified or retagged,
        )


def apply(
    connection: Connection, batch_id: int, batch: NewBatch, changes: Sequence[Change]
) -> None:
    """Write `changes` and everything that is kept beside them, under an open batch."""
    if not changes:
        return
    nets = _nets(changes)
    tag_ids = _tag_ids(connection, nets)
    _write_records(connection, nets)
    _write_tags(connection, nets, tag_ids)
    _write_counts(connection, nets, tag_ids)
    _write_texts(connection, nets, tag_ids)
    _write_journal(connection, batch_id, batch, changes)


def purge(connection: Connection, ids: Sequence[int]) -> None:
    """Remove memories for good, with their tags, counts, text and revisions."""
    for start in range(0, len(ids), CHUNK):
        memories = find(connection, ids[start : start + CHUNK])
        chunk = [memory.id for memory in memories]
        tag_ids = _known_tags(connection, {tag for memory in memories for tag in memory.tags})
        counts: Counter[_Key] = Counter()
        for memory in memories:
            counts.subtract(_keys(memory, tag_ids))
        _add_counts(connection, counts)
        tagged = [(tag_ids[tag], memory.id) for memory in memories for tag in memory.tags]
        raw_many(connection, _UNTAG, tagged)
        search_index.drop(connection, chunk)
        for statement in _PURGE:
            raw_execute(connection, statement, (json.dumps(chunk),))


def _nets(changes: Sequence[Change]) -> list[_Net]:
    """One net change a memory, in the order of ids."""
    ends: dict[int, tuple[Memory | None, Memory]] = {}
    for before, after, _ in changes:
        earlier = ends.get(after.id)
        ends[after.id] = (earlier[0] if earlier else before, after)
    return [_Net.of(*ends[id_]) for id_ in sorted(ends)]


def _write_records(connection: Connection, nets: Sequence[_Net]) -> None:
    raw_many(connection, _INSERT, [memory_columns(net.after) for net in nets if net.before is None])
    updates: dict[str, list[tuple[object, ...]]] = {}
    for net in nets:
        if net.before is None:
            continue
        columns: list[str] = []
        values: list[object] = []
        after = net.after
        if net.is_revised:
            columns.append(_REVISE)
            values += [after.content, tags_to_text(after.tags), to_micros(after.updated_at)]
            values.append(after.version)
        if net.is_classified:
            columns.append(_CLASSIFY)
            values += [str(after.memory_type), str(after.status)]
        if columns:
            updates.setdefault(", ".join(columns), []).append((*values, after.id))
    for assignments, rows in updates.items():
        raw_many(connection, f"UPDATE memory SET {assignments} WHERE id = ?", rows)


def _write_texts(connection: Connection, nets: Sequence[_Net], tag_ids: dict[str, int]) -> None:
    new: list[Text] = []
    changed: list[NewText] = []
    for net in nets:
        after = net.after
        folded = folded_row(after.content, after.tags) if net.text_differs else None
        tokens = _tokens(after, tag_ids) if net.is_counted_anew else None
        if net.before is None:
            new.append(Text(after.id, folded or "", tokens or ""))
        elif folded is not None or tokens is not None:
            changed.append(NewText(after.id, folded, tokens))
    search_index.put(connection, new)
    search_index.replace(connection, changed)


def _tokens(memory: Memory, tag_ids: dict[str, int]) -> str:
    ids = [tag_ids[tag] for tag in dict.fromkeys(memory.tags)]
    return index_terms.tokens_of(str(memory.status), str(memory.memory_type), ids)


def _write_tags(connection: Connection, nets: Sequence[_Net], tag_ids: dict[str, int]) -> None:
    added: list[tuple[object, ...]] = []
    removed: list[tuple[object, ...]] = []
    for before, after, *_ in nets:
        old = before.tags if before else ()
        if old == after.tags:
            continue
        added += [(tag_ids[tag], after.id) for tag in after.tags if tag not in old]
        removed += [(tag_ids[tag], after.id) for tag in old if tag not in after.tags]
    raw_many(connection, _UNTAG, removed)
    raw_many(connection, _TAG, added)


def _write_counts(connection: Connection, nets: Sequence[_Net], tag_ids: dict[str, int]) -> None:
    counts: Counter[_Key] = Counter()
    for net in nets:
        before, after = net.before, net.after
        if before is None or net.is_classified:
            counts.update(_keys(after, tag_ids))
            if before is not None:
                counts.subtract(_keys(before, tag_ids))
        elif before.tags != after.tags:
            status, memory_type = str(after.status), str(after.memory_type)
            for tag in set(after.tags).difference(before.tags):
                counts[tag_ids[tag], status, memory_type] += 1
            for tag in set(before.tags).difference(after.tags):
                counts[tag_ids[tag], status, memory_type] -= 1
    _add_counts(connection, counts)


def _add_counts(connection: Connection, counts: Counter[_Key]) -> None:
    raw_many(connection, _COUNT, [(*key, number) for key, number in counts.items() if number])


def _keys(memory: Memory, tag_ids: dict[str, int]) -> Iterator[_Key]:
    status, memory_type = str(memory.status), str(memory.memory_type)
    yield ALL_TAGS, status, memory_type
    for tag in dict.fromkeys(memory.tags):
        yield tag_ids[tag], status, memory_type


def _write_journal(
    connection: Connection, batch_id: int, batch: NewBatch, changes: Sequence[Change]
) -> None:
    at = to_micros(batch.at)
    rows = [
        (
            after.id,
            after.version,
            str(action),
            None if before and before.content == after.content else after.content,
            tags_to_text(after.tags),
            str(after.memory_type),
            str(after.status),
            at,
            batch.actor,
            batch_id,
        )
        for before, after, action in changes
    ]
    raw_many(connection, _REVISION, rows)
    raw_execute(connection, _SIZE, (len(changes), batch_id))


def _tag_ids(connection: Connection, nets: Sequence[_Net]) -> dict[str, int]:
    """The ids of the tags of every memory whose tags, status or type change; new ones are made."""
    names: dict[str, None] = {}
    for net in nets:
        if net.is_counted_anew:
            names.update(dict.fromkeys(net.after.tags))
            names.update(dict.fromkeys(net.before.tags if net.before else ()))
    known = _known_tags(connection, names)
    missing = [name for name in names if name not in known]
    if missing:
        first = raw_one(connection, _NEXT_TAG)
        fresh = {name: first + place for place, name in enumerate(missing)}
        raw_many(connection, _ADD_TAG, [(tag_id, name) for name, tag_id in fresh.items()])
        known |= fresh
    return known


def _known_tags(connection: Connection, names: Iterable[str]) -> dict[str, int]:
    wanted = list(names)
    if not wanted:
        return {}
    return dict(raw_rows(connection, _TAG_IDS, (tags_to_text(wanted),)))
