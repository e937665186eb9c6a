"""The journal: history, batches, revert and undo (CONTRACT §2, revisions)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memtui.errors import NotFoundError
from memtui.models import (
    Batch,
    BulkResult,
    ItemOutcome,
    Memory,
    MemoryPatch,
    MemoryStatus,
    Outcome,
    Revision,
    RevisionPage,
    RevisionQuery,
)
from memtui.service.bulk import CHUNK, Step, start, transaction_for
from memtui.service.context import Context, Progress
from memtui.service.retrieval import live
from memtui.service.writing import deleted, patched, require_version, restored
from memtui.store import Change, NewBatch, ReadTransaction


def history(context: Context, query: RevisionQuery) -> RevisionPage:
    """One page of the journal, newest first."""
    with context.store.read() as peek:
        items, total = peek.revisions(query)
    if total == 0 and query.memory_id is not None:
        raise NotFoundError(f"Memory {query.memory_id} not found")
    return RevisionPage(
        items=tuple(items),
        total=total,
        limit=query.limit,
        offset=query.offset,
        has_more=query.offset + len(items) < total,
    )


def earlier(context: Context, revisions: Sequence[Revision]) -> dict[int, Revision]:
    """What each revision changed: the one of the same memory before it."""
    with context.store.read() as peek:
        return peek.earlier(revisions)


def news(
    context: Context, after: int, *, limit: int, other_than: str | None
) -> tuple[Revision, ...]:
    """What came into the journal since."""
    with context.store.read() as peek:
        return tuple(peek.revisions_after(after, limit=limit, other_than=other_than))


def batches(context: Context, *, limit: int, actor: str | None) -> tuple[Batch, ...]:
    """The newest batches first."""
    with context.store.read() as peek:
        return tuple(peek.batches(limit=limit, actor=actor))


def revert(context: Context, memory_id: int, version: int, expected_version: int | None) -> Memory:
    """PATCH a memory to the values that it had at `version`."""
    with context.store.write() as transaction:
        current = require_version(live(transaction, memory_id), expected_version)
        target = transaction.revision_at(memory_id, version)
        if target is None:
            raise NotFoundError(
                f"Memory {memory_id} has no version {version}",
                f"Its versions are 1 to {current.version}.",
            )
        now = context.clock()
        change = patched(current, _values_of(target), now)
        if change is None:
            return current
        label = f"revert #{memory_id} to version {version}"
        batch = transaction.open_batch(NewBatch(context.actor, now, label))
        transaction.apply(batch, [change])
        return change.after


def undo(
    context: Context, batch_id: int | None, *, dry_run: bool, progress: Progress | None
) -> BulkResult:
    """Take a batch back where it is still as the batch left it."""
    with transaction_for(context, dry_run) as transaction:
        batch = _batch(transaction, context.actor, batch_id)
        run = start(
            context,
            transaction,
            f"undo {batch.id}: {batch.label}" if not batch.is_undo else f"redo: {batch.label}",
            dry_run=dry_run,
            progress=progress,
            undoes=batch.id,
            is_undo=not batch.is_undo,
        )
        run.total = batch.size
        after = 0
        while members := transaction.batch_members(batch.id, after, CHUNK):
            run.take(_undoing(transaction, members, run.now))
            after = members[-1][0].memory_id
        run.open_batch()  # also an undo that found nothing to take back is done: the next goes on
        return run.result()


def redo(context: Context, *, progress: Progress | None) -> BulkResult:
    """Take the actor's newest undo back, unless it made another change since."""
    with context.store.read() as peek:
        batch = peek.redoable(context.actor)
    if batch is None:
        raise NotFoundError(f"{context.actor} has nothing to redo")
    return undo(context, batch.id, dry_run=False, progress=progress)


def _batch(transaction: ReadTransaction, actor: str, batch_id: int | None) -> Batch:
    if batch_id is not None:
        batch = transaction.batch(batch_id)
        if batch is None:
            raise NotFoundError(f"There is no batch {batch_id}")
        return batch
    batch = transaction.undoable(actor)
    if batch is None:
        raise NotFoundError(f"{actor} has nothing to undo")
    return batch


def _undoing(
    transaction: ReadTransaction, members: Sequence[tuple[Revision, Revision]], now: datetime
) -> list[Step]:
    """Steps for each memory of a batch, given as its first and last revision in it."""
    ids = [last.memory_id for _, last in members]
    memories = {memory.id: memory for memory in transaction.find(ids)}
    newest = transaction.latest(ids)
    before = transaction.earlier([first for first, _ in members])
    steps: list[Step] = []
    for first, last in members:
        memory = memories.get(last.memory_id)
        if memory is None:
            steps.append(ItemOutcome(last.memory_id, Outcome.NOT_FOUND, "was purged"))
        elif not _as_left(memory, last):
            steps.append(_changed_since(newest[memory.id]))
        else:
            changes = _way_back(memory, before.get(first.seq), now)
            steps.append(changes or ItemOutcome(memory.id, Outcome.UNCHANGED))
    return steps


def _as_left(memory: Memory, last: Revision) -> bool:
    """Whether a memory says what a revision left, also after later changes were taken back."""
    return (memory.content, memory.tags, memory.memory_type, memory.status) == (
        last.content,
        last.tags,
        last.memory_type,
        last.status,
    )


def _changed_since(newest: Revision) -> ItemOutcome:
    reason = f"was changed since by {newest.actor} (version {newest.version})"
    return ItemOutcome(newest.memory_id, Outcome.CONFLICT, reason)


def _way_back(current: Memory, target: Revision | None, now: datetime) -> list[Change]:
    """The changes that lead from the present to an earlier revision; from nothing, to deleted."""
    changes: list[Change] = []
    if current.status == MemoryStatus.DELETED and target and target.status != MemoryStatus.DELETED:
        changes.append(restored(current, MemoryStatus(target.status)))
        current = changes[-1].after
    if target is not None and target.status != MemoryStatus.DELETED:
        if change := patched(current, _values_of(target), now):
            changes.append(change)
    elif current.status != MemoryStatus.DELETED:
        changes.append(deleted(current))
    return changes


def _values_of(revision: Revision) -> MemoryPatch:
    # Values that were stored once are put back as they were, also those of another program; that a
    # memory was deleted is no value of it: only delete makes a memory deleted.
    values: dict[str, object] = {
        "content": revision.content,
        "tags": revision.tags,
        "memory_type": revision.memory_type,
    }
    if revision.status != MemoryStatus.DELETED:
        values["status"] = revision.status
    return MemoryPatch.trusted(values)
