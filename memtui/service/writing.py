"""Writing one memory or a list of new ones (CONTRACT §2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from memtui.errors import ConflictError, NotFoundError
from memtui.models import (
    Memory,
    MemoryCreate,
    MemoryPatch,
    MemoryStatus,
    Revision,
    RevisionAction,
)
from memtui.service.context import Context
from memtui.service.retrieval import live
from memtui.store import Change, Filter, NewBatch, ReadTransaction, WriteTransaction

_DELETED = Filter(statuses=(MemoryStatus.DELETED.value,))
_PURGE_CHUNK = 1_000
_LONGEST_LABEL = 80


def create_many(
    context: Context, memories: Sequence[MemoryCreate], *, label: str
) -> tuple[Memory, ...]:
    """Store new memories, all or none."""
    if not memories:
        return ()
    with context.store.write() as transaction:
        return create_in(transaction, context, memories, label=label)


def create_in(
    transaction: WriteTransaction,
    context: Context,
    memories: Sequence[MemoryCreate],
    *,
    label: str,
) -> tuple[Memory, ...]:
    """Store new memories, at least one, as a batch of a transaction that is open."""
    now = context.clock()
    ids = transaction.new_ids(len(memories))
    created = tuple(
        Memory(
            id=memory_id,
            content=new.content,
            tags=new.tags,
            created_at=now,
            updated_at=now,
            last_accessed_at=None,
            memory_type=new.memory_type,
            status=MemoryStatus(new.status.value),
            version=1,
        )
        for memory_id, new in zip(ids, memories, strict=True)
    )
    named = f"{label} #{created[0].id}" if len(created) == 1 else label
    batch = transaction.open_batch(NewBatch(context.actor, now, named))
    transaction.apply(batch, [Change(None, memory, RevisionAction.CREATE) for memory in created])
    return created


def patch(
    context: Context, memory_id: int, changes: MemoryPatch, expected_version: int | None
) -> Memory:
    """Change the given fields, when that changes anything."""
    with context.store.write() as transaction:
        current = require_version(live(transaction, memory_id), expected_version)
        now = context.clock()
        change = patched(current, changes, now)
        if change is None:
            return current
        batch = transaction.open_batch(NewBatch(context.actor, now, edited(change)))
        transaction.apply(batch, [change])
        return change.after


def edited(change: Change) -> str:
    """An edit in a few words, for the journal: which memory, and what of it, but not its text."""
    before, after = change.before or change.after, change.after
    words = ["text"] if before.content != after.content else []
    words += [f"+{tag}" for tag in after.tags if tag not in before.tags]
    words += [f"-{tag}" for tag in before.tags if tag not in after.tags]
    words += [
        f"{new}"
        for old, new in ((before.memory_type, after.memory_type), (before.status, after.status))
        if old != new
    ]
    label = f"edit #{after.id}: {', '.join(words or ['tags'])}"
    return label if len(label) <= _LONGEST_LABEL else f"{label[: _LONGEST_LABEL - 1]}…"


def patched(current: Memory, changes: MemoryPatch, now: datetime) -> Change | None:
    """What a PATCH makes of a memory: one new version, or None when nothing differs."""
    return revised(current, changes.given(), now)


def revised(current: Memory, fields: Mapping[str, object], now: datetime) -> Change | None:
    """The same for valid values of some fields, as a memory holds them."""
    values = current.__dict__
    for name, value in fields.items():
        if values[name] != value:
            break
    else:
        return None
    updated_at = max(now, current.updated_at)
    after = current.having(**fields, version=current.version + 1, updated_at=updated_at)
    return Change(current, after, RevisionAction.PATCH)


def require_version(memory: Memory, expected_version: int | None) -> Memory:
    """Return the memory. Raises `ConflictError` when the caller saw another version."""
    if expected_version is not None and expected_version != memory.version:
        raise ConflictError(memory, expected_version)
    return memory


def delete(context: Context, memory_id: int, expected_version: int | None) -> Memory:
    """Soft-delete a memory."""
    with context.store.write() as transaction:
        change = deleted(require_version(live(transaction, memory_id), expected_version))
        batch = transaction.open_batch(
            NewBatch(context.actor, context.clock(), f"delete #{memory_id}")
        )
        transaction.apply(batch, [change])
        return change.after


def deleted(current: Memory) -> Change:
    """What deleting makes of a memory: version and times stay."""
    after = current.having(status=MemoryStatus.DELETED)
    return Change(current, after, RevisionAction.DELETE)


def restore(context: Context, memory_id: int) -> Memory:
    """Bring a deleted memory back."""
    with context.store.write() as transaction:
        found = transaction.find([memory_id])
        if not found or found[0].status != MemoryStatus.DELETED:
            raise NotFoundError(
                f"Memory {memory_id} is not among the deleted ones",
                "Deleted memories are listed with status=deleted.",
            )
        change = restored(found[0], statuses_before_deletion(transaction, [memory_id])[memory_id])
        batch = transaction.open_batch(
            NewBatch(context.actor, context.clock(), f"restore #{memory_id}")
        )
        transaction.apply(batch, [change])
        return change.after


def restored(current: Memory, status: MemoryStatus) -> Change:
    """What restoring makes of a deleted memory."""
    after = current.having(status=status)
    return Change(current, after, RevisionAction.RESTORE)


def statuses_before_deletion(
    transaction: ReadTransaction, ids: Sequence[int]
) -> dict[int, MemoryStatus]:
    """The status that each deleted memory had, from the journal; active where it does not say."""
    deletions = transaction.latest(ids)
    before = transaction.earlier(tuple(deletions.values()))
    return {id_: _status_before(deletions.get(id_), before) for id_ in ids}


def _status_before(deletion: Revision | None, before: dict[int, Revision]) -> MemoryStatus:
    previous = before.get(deletion.seq) if deletion else None
    invalid = previous is not None and previous.status == MemoryStatus.INVALID
    return MemoryStatus.INVALID if invalid else MemoryStatus.ACTIVE


def purge(context: Context, ids: Sequence[int] | None, *, dry_run: bool) -> int:
    """Remove deleted memories for good, or count them."""
    if dry_run:
        with context.store.read() as peek:
            return len(_purgeable(peek, ids))
    with context.store.write() as transaction:
        doomed = _purgeable(transaction, ids)
        for start in range(0, len(doomed), _PURGE_CHUNK):
            transaction.purge(doomed[start : start + _PURGE_CHUNK])
        return len(doomed)


def _purgeable(transaction: ReadTransaction, ids: Sequence[int] | None) -> list[int]:
    if ids is not None:
        found = transaction.find(tuple(dict.fromkeys(ids)))
        return [memory.id for memory in found if memory.status == MemoryStatus.DELETED]
    doomed: list[int] = []
    while chunk := transaction.ids_after(_DELETED, doomed[-1] if doomed else 0, _PURGE_CHUNK):
        doomed += chunk
    return doomed
