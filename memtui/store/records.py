"""Writing changes: the record, its tags, counts, search text and journal entry together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, bindparam, delete, func, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from memtui.models import Memory
from memtui.store.base import Change, NewBatch
from memtui.store.rows import from_memory, tags_to_text, to_micros
from memtui.store.sqlite_search import ALL_TAGS, CHUNK, find
from memtui.store.tables import BATCH, FACET, MEMORY, MEMORY_TAG, REVISION, TAG, TEXT
from memtui.text import folded_row

_UPDATE_MEMORY = (
    update(MEMORY)
    .where(MEMORY.c.id == bindparam("b_id"))
    .values(
        content=bindparam("content"),
        tags=bindparam("tags"),
        updated_at=bindparam("updated_at"),
        memory_type=bindparam("memory_type"),
        status=bindparam("status"),
        version=bindparam("version"),
    )
)
_UPDATE_TEXT = update(TEXT).where(TEXT.c.id == bindparam("b_id")).values(folded=bindparam("folded"))
_UNTAG = delete(MEMORY_TAG).where(
    MEMORY_TAG.c.tag_id == bindparam("b_tag_id"), MEMORY_TAG.c.memory_id == bindparam("b_memory_id")
)
# Another program may have changed the tags of a record and left these entries behind.
_TAG = upsert(MEMORY_TAG).on_conflict_do_nothing()
_COUNT = upsert(FACET)
_COUNT = _COUNT.on_conflict_do_update(
    index_elements=[FACET.c.tag_id, FACET.c.status, FACET.c.memory_type],
    set_={"count": FACET.c.count + _COUNT.excluded.count},
)

_Key = tuple[int, str, str]


def apply(
    connection: Connection, batch_id: int, batch: NewBatch, changes: Sequence[Change]
) -> None:
    """Write `changes` and everything that is kept beside them, under an open batch."""
    if not changes:
        return
    tag_ids = _tag_ids(connection, changes)
    _write_records(connection, changes)
    _write_texts(connection, changes)
    _write_tags(connection, changes, tag_ids)
    _write_counts(connection, changes, tag_ids)
    _write_journal(connection, batch_id, batch, changes)


def purge(connection: Connection, ids: Sequence[int]) -> None:
    """Remove memories for good, with their tags, counts, text and revisions."""
    for start in range(0, len(ids), CHUNK):
        memories = find(connection, ids[start : start + CHUNK])
        chunk = [memory.id for memory in memories]
        names = _tag_ids_of(connection, {tag for memory in memories for tag in memory.tags})
        counts: Counter[_Key] = Counter()
        for memory in memories:
            counts.subtract(_keys(memory, names))
        _add_counts(connection, counts)
        tagged = [
            {"b_tag_id": names[tag], "b_memory_id": memory.id}
            for memory in memories
            for tag in memory.tags
        ]
        if tagged:
            connection.execute(_UNTAG, tagged)
        connection.execute(delete(TEXT).where(TEXT.c.id.in_(chunk)))
        connection.execute(delete(REVISION).where(REVISION.c.memory_id.in_(chunk)))
        connection.execute(delete(MEMORY).where(MEMORY.c.id.in_(chunk)))


def _write_records(connection: Connection, changes: Sequence[Change]) -> None:
    new = [from_memory(change.after) for change in changes if change.before is None]
    if new:
        connection.execute(insert(MEMORY), new)
    changed = [
        {"b_id": change.after.id, **_without(from_memory(change.after), _KEPT)}
        for change in changes
        if change.before is not None
    ]
    if changed:
        connection.execute(_UPDATE_MEMORY, changed)


_KEPT = frozenset({"id", "created_at", "last_accessed_at"})


def _without(columns: dict[str, object], left_out: frozenset[str]) -> dict[str, object]:
    return {name: value for name, value in columns.items() if name not in left_out}


def _write_texts(connection: Connection, changes: Sequence[Change]) -> None:
    new, changed = [], []
    for before, after, _ in changes:
        if before is None:
            new.append({"id": after.id, "folded": folded_row(after.content, after.tags)})
        elif (before.content, before.tags) != (after.content, after.tags):
            changed.append({"b_id": after.id, "folded": folded_row(after.content, after.tags)})
    if new:
        connection.execute(insert(TEXT), new)
    if changed:
        connection.execute(_UPDATE_TEXT, changed)


def _write_tags(connection: Connection, changes: Sequence[Change], tag_ids: dict[str, int]) -> None:
    added, removed = [], []
    for before, after, _ in changes:
        old, new = set(before.tags if before else ()), set(after.tags)
        added += [{"tag_id": tag_ids[tag], "memory_id": after.id} for tag in new - old]
        removed += [{"b_tag_id": tag_ids[tag], "b_memory_id": after.id} for tag in old - new]
    if removed:
        connection.execute(_UNTAG, removed)
    if added:
        connection.execute(_TAG, added)


def _write_counts(
    connection: Connection, changes: Sequence[Change], tag_ids: dict[str, int]
) -> None:
    counts: Counter[_Key] = Counter()
    for before, after, _ in changes:
        counts.update(_keys(after, tag_ids))
        if before is not None:
            counts.subtract(_keys(before, tag_ids))
    _add_counts(connection, counts)


def _add_counts(connection: Connection, counts: Counter[_Key]) -> None:
    rows = [
        {"tag_id": tag_id, "status": status, "memory_type": memory_type, "count": number}
        for (tag_id, status, memory_type), number in counts.items()
        if number
    ]
    if rows:
        connection.execute(_COUNT, rows)


def _keys(memory: Memory, tag_ids: dict[str, int]) -> Iterable[_Key]:
    status, memory_type = str(memory.status), str(memory.memory_type)
    yield ALL_TAGS, status, memory_type
    for tag in dict.fromkeys(memory.tags):
        yield tag_ids[tag], status, memory_type


def _write_journal(
    connection: Connection, batch_id: int, batch: NewBatch, changes: Sequence[Change]
) -> None:
    at = to_micros(batch.at)
    connection.execute(
        insert(REVISION),
        [
            {
                "memory_id": after.id,
                "version": after.version,
                "action": str(action),
                "content": None if before and before.content == after.content else after.content,
                "tags": tags_to_text(after.tags),
                "memory_type": str(after.memory_type),
                "status": str(after.status),
                "at": at,
                "actor": batch.actor,
                "batch_id": batch_id,
            }
            for before, after, action in changes
        ],
    )
    connection.execute(
        update(BATCH).where(BATCH.c.id == batch_id).values(size=BATCH.c.size + len(changes))
    )


def _tag_ids(connection: Connection, changes: Sequence[Change]) -> dict[str, int]:
    names: dict[str, None] = {}
    for before, after, _ in changes:
        names.update(dict.fromkeys(after.tags))
        if before is not None:
            names.update(dict.fromkeys(before.tags))
    known = _tag_ids_of(connection, names)
    missing = [name for name in names if name not in known]
    if missing:
        first = connection.execute(select(func.coalesce(func.max(TAG.c.id), 0))).scalar_one() + 1
        fresh = {name: first + place for place, name in enumerate(missing)}
        rows = [{"id": tag_id, "name": name} for name, tag_id in fresh.items()]
        connection.execute(insert(TAG), rows)
        known |= fresh
    return known


def _tag_ids_of(connection: Connection, names: Iterable[str]) -> dict[str, int]:
    wanted = list(names)
    known: dict[str, int] = {}
    for start in range(0, len(wanted), CHUNK):
        chunk = wanted[start : start + CHUNK]
        for tag_id, name in connection.execute(select(TAG).where(TAG.c.name.in_(chunk))):
            known[name] = tag_id
    return known
