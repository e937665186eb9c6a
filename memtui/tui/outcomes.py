"""What became of a change of many memories, in words; pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memtui.models import BulkResult, Outcome

_WHY = {
    "conflict": "changed meanwhile: left alone",
    "not_found": "gone",
    "refused": "refused",
    "unchanged": "as before",
}


class Told(NamedTuple):
    """A sentence, what else there is to know, and whether it is about something that went wrong."""

    text: str
    hint: str = ""
    bad: bool = False


def counted(number: int, one: str = "memory", many: str = "memories") -> str:
    """Return `1 memory`, `2,000 memories`."""
    return f"{number:,} {one if number == 1 else many}"


def outcome(result: BulkResult, done: str, *, hint: str = "") -> Told:
    """Say how many memories were `done`, and what became of the others.

    `hint` is added where something was done.
    """
    changed = [item.memory_id for item in result.outcomes if item.outcome == "changed"]
    others = list(_others(result))
    if not changed:
        return Told(f"Nothing {done}", ", ".join(others), bad=bool(others))
    what = f"#{changed[0]}" if len(changed) == 1 else counted(len(changed))
    return Told(", ".join([f"{what} {done}", *others]), hint, bad=bool(others))


def undone(result: BulkResult, *, redo: bool = False, hint: str = "") -> Told:
    """Say what an undo, or a redo, took back and what it left alone."""
    return outcome(result, "made again" if redo else "taken back", hint=hint)


def _others(result: BulkResult) -> Iterator[str]:
    for name, why in _WHY.items():
        number = _count(result, name)
        if number:
            yield f"{number:,} {why}"


def _count(result: BulkResult, outcome_name: str | Outcome) -> int:
    return sum(item.outcome == outcome_name for item in result.outcomes)
