"""One change for many memories: a transaction, a batch, an outcome for each (CONTRACT §2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime

from memtui.errors import CancelledError, NotFoundError
from memtui.models import (
    MAX_TAGS,
    BulkChange,
    BulkResult,
    ItemOutcome,
    Memory,
    MemoryPatch,
    MemoryQuery,
    MemoryStatus,
    Outcome,
    Sample,
    Selection,
)
from memtui.service.context import Context, Progress
from memtui.service.retrieval import filter_of
from memtui.service.uncollected import uncollected
from memtui.service.writing import (
    deleted,
    patched,
    restored,
    revised,
    statuses_before_deletion,
)
from memtui.store import Change, NewBatch, ReadTransaction, WriteTransaction

CHUNK = 1_000
"""Memories that are read, changed and written at a time; progress is told between chunks."""

SAMPLES = 5
Step = Sequence[Change] | ItemOutcome
"""What is to become of one memory: changes, or the reason why there are none."""


@dataclass(slots=True)
class Run:
    """One bulk run: collects steps, writes their changes under a batch that opens when needed."""

    context: Context
    transaction: ReadTransaction
    batch: Callable[[datetime], NewBatch]
    writer: WriteTransaction | None
    now: datetime
    total: int
    progress: Progress | None
    batch_id: int | None = None
    outcomes: list[ItemOutcome] = field(default_factory=list)
    samples: list[Sample] = field(default_factory=list)

    def take(self, steps: Sequence[Step]) -> None:
        """Write one chunk. Raises `CancelledError` when progress says so."""
        changes: list[Change] = []
        for step in steps:
            if isinstance(step, ItemOutcome):
                self.outcomes.append(step)
                continue
            changes += step
            self.outcomes.append(ItemOutcome(step[0].after.id, Outcome.CHANGED))
            if len(self.samples) < SAMPLES:
                self.samples.append(Sample(step[0].before or step[0].after, step[-1].after))
        if changes and self.writer is not None:
            self.writer.apply(self.open_batch(), changes)
        if self.progress is not None and self.progress(len(self.outcomes), self.total) is False:
            raise CancelledError("Cancelled; nothing was written")

    def open_batch(self) -> int:
        """The batch of this run, opened when it is first asked for; 0 for a dry run."""
        if self.batch_id is None and self.writer is not None:
            self.batch_id = self.writer.open_batch(self.batch(self.now))
        return self.batch_id or 0

    def result(self) -> BulkResult:
        """What was done, or with a dry run what would be."""
        return BulkResult.model_construct(
            batch=self.batch_id,
            outcomes=tuple(self.outcomes),
            samples=tuple(self.samples),
            dry_run=self.writer is None,
        )


def change(
    context: Context,
    selection: Selection,
    wanted: BulkChange,
    *,
    dry_run: bool,
    progress: Progress | None,
) -> BulkResult:
    """Make `wanted` of everything selected."""
    label = describe(wanted)
    with transaction_for(context, dry_run) as transaction:
        run = start(context, transaction, label, dry_run=dry_run, progress=progress)
        run.total = _size(transaction, selection)
        for ids in _chunks(transaction, selection):
            run.take(_steps(transaction, ids, selection.seen, _plan_for(wanted, run.now)))
        return run.result()


def patch_many(
    context: Context,
    patches: Mapping[int, tuple[MemoryPatch, int | None]],
    *,
    label: str,
    dry_run: bool,
    progress: Progress | None,
) -> BulkResult:
    """Make its own change of each memory; see `MemoryService.patch_many`."""
    seen = {id_: version for id_, (_, version) in patches.items() if version is not None}

    def plan(_: ReadTransaction, memories: Sequence[Memory]) -> list[Step]:
        return [_patching(memory, patches[memory.id][0], run.now) for memory in memories]

    selection = Selection.of(tuple(patches))
    with transaction_for(context, dry_run) as transaction:
        run = start(context, transaction, label, dry_run=dry_run, progress=progress)
        run.total = len(patches)
        for ids in _chunks(transaction, selection):
            run.take(_steps(transaction, ids, seen, plan))
        return run.result()


def replace_tags(
    context: Context,
    olds: Sequence[str],
    new: str | None,
    *,
    dry_run: bool,
    progress: Progress | None,
) -> BulkResult:
    """Put `new`, or nothing, in the place of tags; the order stays, duplicates fall away."""
    renamed = None if new is None else MemoryPatch.parse({"tags": [new]}).tags[0]
    olds = tuple(dict.fromkeys(olds))
    selections = [Selection(query=MemoryQuery.parse({"tag": old})) for old in olds]

    def plan(_: ReadTransaction, memories: Sequence[Memory]) -> list[Step]:
        return [
            _changing(memory, {"tags": _replaced(memory.tags, olds, renamed)}, run.now)
            for memory in memories
        ]

    with transaction_for(context, dry_run) as transaction:
        label = _describe_tags(olds, renamed)
        run = start(context, transaction, label, dry_run=dry_run, progress=progress)
        for old, selection in zip(olds, selections, strict=True):
            if _size(transaction, selection) == 0:
                hint = "memtui tags lists those in use."
                raise NotFoundError(f"No memory has the tag {old}", hint)
        seen: set[int] = set()
        for number, selection in enumerate(selections):
            ahead = sum(_size(transaction, later) for later in selections[number:])
            run.total = len(run.outcomes) + ahead
            for ids in _chunks(transaction, selection):
                fresh = [id_ for id_ in ids if id_ not in seen]
                run.total -= len(ids) - len(fresh)
                seen.update(fresh)
                run.take(_steps(transaction, fresh, None, plan))
        return run.result()


def _describe_tags(olds: Sequence[str], new: str | None) -> str:
    if new is None:
        return ", ".join(f"remove tag {old}" for old in olds)
    if len(olds) == 1:
        return f"rename tag {olds[0]} to {new}"
    return f"merge tags {', '.join(olds)} into {new}"


@contextmanager
def transaction_for(
    context: Context, dry_run: bool
) -> Iterator[ReadTransaction | WriteTransaction]:
    """A transaction that can write, or for a dry run one that cannot."""
    with (
        uncollected(),
        context.store.read() if dry_run else context.store.write() as transaction,
    ):
        yield transaction


def start(
    context: Context,
    transaction: ReadTransaction | WriteTransaction,
    label: str,
    *,
    dry_run: bool,
    progress: Progress | None,
    undoes: int | None = None,
    is_undo: bool = False,
) -> Run:
    """Begin a run in a transaction of `transaction_for`."""
    return Run(
        context=context,
        transaction=transaction,
        batch=lambda now: NewBatch(context.actor, now, label, undoes, is_undo),
        writer=None if dry_run else transaction,  # type: ignore[arg-type]
        now=context.clock(),
        total=0,
        progress=progress,
    )


def describe(wanted: BulkChange) -> str:
    """A bulk change in a few words, for the journal."""
    if wanted.delete or wanted.restore:
        return "delete" if wanted.delete else "restore"
    words = [f"add tag {tag}" for tag in wanted.add_tags]
    words += [f"remove tag {tag}" for tag in wanted.remove_tags]
    if wanted.memory_type is not None:
        words.append(f"set type {wanted.memory_type}")
    if wanted.status is not None:
        words.append(f"set status {wanted.status}")
    return ", ".join(words)


def _size(transaction: ReadTransaction, selection: Selection) -> int:
    if selection.query is None:
        return len(selection.ids)
    return transaction.count(filter_of(selection.query))


def _chunks(transaction: ReadTransaction, selection: Selection) -> Iterator[Sequence[int]]:
    if selection.query is None:
        for begin in range(0, len(selection.ids), CHUNK):
            yield selection.ids[begin : begin + CHUNK]
        return
    # Ascending ids: what a chunk changes can't bring a memory into or out of a later chunk.
    filter_ = filter_of(selection.query)
    ids: Sequence[int] = (0,)
    while ids := transaction.ids_after(filter_, ids[-1], CHUNK):
        yield ids


Plan = Callable[[ReadTransaction, Sequence[Memory]], list[Step]]


def _steps(
    transaction: ReadTransaction, ids: Sequence[int], seen: dict[int, int] | None, plan: Plan
) -> list[Step]:
    """One step an id, in their order; `plan` decides for those that are as they were seen."""
    found = {memory.id: memory for memory in transaction.find(ids)}
    refused = {id_: reason for id_ in ids if (reason := _refusal(id_, found.get(id_), seen))}
    planned = [found[id_] for id_ in ids if id_ not in refused]
    steps = dict(zip((memory.id for memory in planned), plan(transaction, planned), strict=True))
    return [refused.get(id_) or steps[id_] for id_ in ids]


def _refusal(
    memory_id: int, memory: Memory | None, seen: dict[int, int] | None
) -> ItemOutcome | None:
    if memory is None:
        return ItemOutcome(memory_id, Outcome.NOT_FOUND, "does not exist")
    if seen is not None and seen.get(memory_id, memory.version) != memory.version:
        reason = f"is at version {memory.version}, not {seen[memory_id]}"
        return ItemOutcome(memory_id, Outcome.CONFLICT, reason)
    return None


def _plan_for(wanted: BulkChange, now: datetime) -> Plan:
    if wanted.delete:
        return lambda _, memories: [_deleting(memory) for memory in memories]
    if wanted.restore:
        return _restoring
    return lambda _, memories: [_editing(memory, wanted, now) for memory in memories]


def _deleting(memory: Memory) -> Step:
    return _gone(memory) or [deleted(memory)]


def _gone(memory: Memory) -> ItemOutcome | None:
    if memory.status == MemoryStatus.DELETED:
        return ItemOutcome(memory.id, Outcome.NOT_FOUND, "is deleted")
    return None


def _restoring(transaction: ReadTransaction, memories: Sequence[Memory]) -> list[Step]:
    gone = [memory.id for memory in memories if memory.status == MemoryStatus.DELETED]
    statuses = statuses_before_deletion(transaction, gone)
    return [
        [restored(memory, statuses[memory.id])]
        if memory.id in statuses
        else ItemOutcome(memory.id, Outcome.UNCHANGED, "is not deleted")
        for memory in memories
    ]


def _editing(memory: Memory, wanted: BulkChange, now: datetime) -> Step:
    if gone := _gone(memory):
        return gone
    fields: dict[str, object] = {}
    if wanted.add_tags or wanted.remove_tags:
        fields["tags"] = _edited(memory.tags, wanted)
    if wanted.memory_type is not None:
        fields["memory_type"] = wanted.memory_type
    if wanted.status is not None:
        fields["status"] = MemoryStatus(wanted.status.value)
    return _changing(memory, fields, now)


def _patching(memory: Memory, patch: MemoryPatch, now: datetime) -> Step:
    if gone := _gone(memory):
        return gone
    made = patched(memory, patch, now)
    return [made] if made else ItemOutcome(memory.id, Outcome.UNCHANGED)


def _edited(tags: tuple[str, ...], wanted: BulkChange) -> tuple[str, ...]:
    removed = set(wanted.remove_tags)
    kept = [tag for tag in tags if tag not in removed]
    return tuple(dict.fromkeys((*kept, *wanted.add_tags)))


def _replaced(tags: tuple[str, ...], olds: Sequence[str], new: str | None) -> tuple[str, ...]:
    replaced = (new if tag in olds else tag for tag in tags)
    return tuple(dict.fromkeys(tag for tag in replaced if tag is not None))


def _changing(memory: Memory, fields: dict[str, object], now: datetime) -> Step:
    tags = fields.get("tags", ())
    if isinstance(tags, tuple) and len(tags) > max(MAX_TAGS, len(memory.tags)):
        return ItemOutcome(
            memory.id, Outcome.REFUSED, f"would have {len(tags)} tags; at most {MAX_TAGS}"
        )
    # The values were validated once for all memories; validating each again would cost the speed.
    made = revised(memory, fields, now)
    return [made] if made else ItemOutcome(memory.id, Outcome.UNCHANGED)
