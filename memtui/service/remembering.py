"""What agents need beside the contract: remember once, keep more beside, say what was done."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.agents import Activity, ActivityKind, NewMemory, Remembered
from memtui.errors import InvalidError, Problem
from memtui.interchange import MAX_ATTACHMENT, Attachment
from memtui.models import ActorCount, Memory, MemoryStatus
from memtui.service.context import Context
from memtui.service.retrieval import access_time
from memtui.service.writing import create_in
from memtui.store import ReadTransaction, WriteTransaction

PLAIN = "text/plain"

_Kept = tuple[str, str, bytes | None]
"""What makes two memories the same to an agent: text, media type, data."""


def remember(
    context: Context, new: Sequence[NewMemory], *, tag: str | None, label: str
) -> tuple[Remembered, ...]:
    """Store what is not there yet, all or none, in the order given."""
    for place, item in enumerate(new):
        _require_size(place, item.attachment)
    keys = [_kept(item.memory.content, item.attachment) for item in new]
    with context.store.write() as transaction:
        known: dict[_Kept, Memory] = {}
        missing: dict[_Kept, NewMemory] = {}
        for key, item in dict(zip(keys, new, strict=True)).items():
            existing = _existing(transaction, key, tag)
            if existing is None:
                missing[key] = item
            else:
                known[key] = existing
        created = _create(transaction, context, missing, label) if missing else {}
    known |= created
    unseen = set(created)
    answers = []
    for key in keys:
        answers.append(Remembered(known[key], key in unseen))
        unseen.discard(key)
    return tuple(answers)


def _require_size(place: int, attachment: Attachment | None) -> None:
    size = len(attachment.data or b"") if attachment else 0
    if size > MAX_ATTACHMENT:
        raise InvalidError(
            [Problem((place, "data"), f"must be at most {MAX_ATTACHMENT} bytes, got {size}")]
        )


def _kept(content: str, attachment: Attachment | None) -> _Kept:
    if attachment is None:
        return content, PLAIN, None
    return content, attachment.media_type, attachment.data


def _existing(transaction: WriteTransaction, key: _Kept, tag: str | None) -> Memory | None:
    equal = transaction.equal_memories(key[0], tag)
    beside = transaction.attachments([memory.id for memory in equal])
    same = (memory for memory in equal if _kept(memory.content, beside.get(memory.id)) == key)
    return next(same, None)


def _create(
    transaction: WriteTransaction, context: Context, missing: dict[_Kept, NewMemory], label: str
) -> dict[_Kept, Memory]:
    items = missing.values()
    memories = create_in(transaction, context, [item.memory for item in items], label=label)
    transaction.attach(
        {
            memory.id: item.attachment
            for memory, item in zip(memories, items, strict=True)
            if item.attachment is not None
        }
    )
    return dict(zip(missing, memories, strict=True))


def get_many(context: Context, ids: Sequence[int], *, touch: bool) -> tuple[Memory, ...]:
    """Those of the memories that exist and are not deleted, marked unless this is a peek."""
    if not touch or context.store.read_only:
        with context.store.read() as peek:
            return _live(peek, ids)
    with context.store.write() as transaction:
        memories = _live(transaction, ids)
        if not memories:
            return ()
        at = access_time(context, transaction)
        transaction.touch([memory.id for memory in memories], at)
    return tuple(memory.having(last_accessed_at=at) for memory in memories)


def _live(transaction: ReadTransaction, ids: Sequence[int]) -> tuple[Memory, ...]:
    found = transaction.find(tuple(dict.fromkeys(ids)))
    return tuple(memory for memory in found if memory.status != MemoryStatus.DELETED)


def attachments(context: Context, ids: Sequence[int]) -> dict[int, Attachment]:
    """What is kept beside memories; a peek."""
    with context.store.read() as peek:
        return peek.attachments(ids)


def note_activity(
    context: Context, kind: ActivityKind, memory_ids: Sequence[int], detail: str
) -> None:
    """Append to what agents did; a store that is read-only stays as it is."""
    if context.store.read_only:
        return
    with context.store.write() as transaction:
        transaction.add_activity(context.clock(), context.actor, kind, memory_ids, detail)


def activities(
    context: Context, *, limit: int, before: int | None, actor: str | None
) -> tuple[Activity, ...]:
    """The newest activities first."""
    with context.store.read() as peek:
        return tuple(peek.activities(limit=limit, before=before, actor=actor))


def activity_actors(context: Context) -> tuple[ActorCount, ...]:
    """Everyone with an activity, the busiest first."""
    with context.store.read() as peek:
        return tuple(peek.activity_actors())
