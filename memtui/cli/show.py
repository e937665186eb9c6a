"""Memories, outcomes and journal entries as people read them; JSON is written as it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from memtui.cli import output
from memtui.cli.table import Column, write_table
from memtui.models import BulkResult, Memory, MemoryStatus, Outcome
from memtui.text import safe_block, safe_line
from memtui.tui.times import ago, exact, short

_TIMES = {"created_at": "Created", "updated_at": "Changed", "last_accessed_at": "Read"}


_NAMED = 20


def memories(items: Sequence[Memory], times: str = "updated_at") -> None:
    """A table of memories; `times` names the moment in its last column."""
    columns = [
        Column("ID", right=True),
        Column("Type"),
        Column("Status"),
        Column("Memory", flexible=True),
        # The memory's text gets the room.
        Column("Tags", most=max(10, output.width() // 5)),
        Column(_TIMES[times], right=True),
    ]
    rows = [
        [
            str(memory.id),
            memory.memory_type,
            memory.status,
            memory.content,
            ", ".join(memory.tags),
            short(getattr(memory, times), datetime.now(UTC)),
        ]
        for memory in items
    ]
    if all(memory.status == MemoryStatus.ACTIVE for memory in items):
        del columns[2]
        for row in rows:
            del row[2]
    write_table(columns, rows)


def memory(item: Memory) -> None:
    """One memory in full."""
    head = f"#{item.id} · {item.memory_type} · {item.status} · version {item.version}"
    output.write(output.bold(safe_line(head)))
    output.write(safe_block(item.content))
    output.write("")
    facts = {
        "tags": ", ".join(item.tags) or "none",
        "created": both(item.created_at),
        "changed": both(item.updated_at),
        "read": both(item.last_accessed_at),
    }
    for name, value in facts.items():
        output.write(output.dim(f"{name:<9}") + safe_line(value))


def outcome_object(result: BulkResult) -> dict[str, object]:
    """What a change of many did, for JSON: counts, the batch, and each memory's outcome."""
    return {
        "batch": result.batch,
        "dry_run": result.dry_run,
        "counts": {outcome.value: result.count(outcome) for outcome in Outcome},
        "outcomes": [
            {"id": item.memory_id, "outcome": item.outcome.value, "reason": item.reason}
            for item in result.outcomes
        ],
        "samples": result.samples,
    }


def outcome(result: BulkResult) -> None:
    """What a change of many did, in words."""
    words = {Outcome.CHANGED: "would change" if result.dry_run else "changed"}
    words |= {Outcome.UNCHANGED: "already so", Outcome.NOT_FOUND: "not found"}
    words |= {Outcome.CONFLICT: "changed meanwhile, left alone", Outcome.REFUSED: "refused"}
    counts = [
        f"{result.count(kind):,} {text}" for kind, text in words.items() if result.count(kind)
    ]
    output.write(", ".join(counts) if counts else "nothing matches")
    failed = [
        one for one in result.outcomes if one.outcome not in (Outcome.CHANGED, Outcome.UNCHANGED)
    ]
    for item in failed[:_NAMED]:
        output.write(safe_line(f"  #{item.memory_id} {item.reason or words[item.outcome]}"))
    if len(failed) > _NAMED:
        output.write(f"  and {len(failed) - _NAMED:,} more; --json names all")
    if result.dry_run:
        _samples(result)
    if result.batch is not None:
        output.write(f"batch {result.batch} (memtui undo {result.batch} takes it back)")


def _samples(result: BulkResult) -> None:
    for sample in result.samples:
        changes = "; ".join(differences(sample.before, sample.after))
        output.write(f"  #{sample.before.id} {safe_line(changes)}")
    more = result.count(Outcome.CHANGED) - len(result.samples)
    if more > 0:
        output.write(f"  and {more:,} more")


def differences(before: Memory, after: Memory) -> Iterable[str]:
    """Each field that differs, as `field: before → after`."""
    for field, name in (("memory_type", "type"), ("status", "status"), ("content", "content")):
        if getattr(before, field) != getattr(after, field):
            yield f"{name}: {getattr(before, field)} → {getattr(after, field)}"
    if before.tags != after.tags:
        yield f"tags: {', '.join(before.tags) or 'none'} → {', '.join(after.tags) or 'none'}"


def both(moment: datetime | None) -> str:
    """The exact time, in UTC, and how long ago that is."""
    return "never" if moment is None else f"{exact(moment)} ({since(moment)})"


def since(moment: datetime | None) -> str:
    """How long ago, in a word or two."""
    return ago(moment, datetime.now(UTC))
