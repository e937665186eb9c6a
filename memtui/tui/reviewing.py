"""The order in which memories are reviewed, and what was decided; no screen, no store."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import zip_longest

from memtui.models import Memory, MemoryPage, MemoryStatus, Revision, RevisionAction


class Verdict(Enum):
    """What a person decided about one memory."""

    KEPT = "kept"
    SNOOZED = "snoozed"
    ACTIVE = "active again"
    INVALID = "made invalid"
    DELETED = "deleted"
    EDITED = "edited"
    SKIPPED = "skipped"

    @property
    def leaves_it(self) -> bool:
        """Whether the memory stays as it is, and only the decision is remembered."""
        return self in {Verdict.KEPT, Verdict.SNOOZED}


@dataclass(slots=True)
class Decision:
    """A verdict about a memory as it was shown.

    `batch` is what undo takes back, once the write was answered; until then it is `writing`.
    An edit that left the memory's status as it was `stays`: it still waits for a decision.
    """

    memory: Memory
    verdict: Verdict
    batch: int | None = None
    writing: bool = False
    stays: bool = False

    @property
    def final(self) -> bool:
        """Whether the memory is done with."""
        return self.verdict is not Verdict.SKIPPED and not self.stays


class ReviewRound:
    """Memories waiting for a verdict, the first one shown; skipped ones come again at the end.

    Only memories of `status` wait.
    """

    def __init__(self, status: MemoryStatus) -> None:
        self._status = status
        self._waiting: deque[Memory] = deque()
        self._seen: set[int] = set()
        self._total: int | None = None
        self.decisions: list[Decision] = []

    def restart(self) -> None:
        """Forget what waits, for another queue; what was decided stays decided."""
        self._waiting.clear()
        self._seen = {one.memory.id for one in self.decisions if one.final}
        self._total = None

    @property
    def current(self) -> Memory | None:
        """The memory to show."""
        return self._waiting[0] if self._waiting else None

    @property
    def position(self) -> int:
        """The number of the current one, from 1; past `total` when all are decided."""
        return sum(one.final for one in self.decisions) + 1

    @property
    def total(self) -> int:
        """How many there are to review in all, those already decided included."""
        return max(self._total or 0, self.position - 1 + len(self._waiting))

    def count(self, verdict: Verdict) -> int:
        """How many memories were decided so; an edit that stays is no decision yet."""
        return sum(one.verdict is verdict and not one.stays for one in self.decisions)

    @property
    def skipped(self) -> int:
        """How many of those that wait were put off."""
        put_off = {one.memory.id for one in self.decisions if one.verdict is Verdict.SKIPPED}
        return sum(memory.id in put_off for memory in self._waiting)

    @property
    def waiting(self) -> int:
        """How many of those that were seen still wait: where the unseen ones begin."""
        return len(self._waiting)

    def add(self, page: MemoryPage) -> int:
        """Take the memories of a page that were not seen yet; returns how many those were."""
        fresh = [memory for memory in page.items if memory.id not in self._seen]
        self._waiting.extend(fresh)
        self._seen.update(memory.id for memory in fresh)
        if self._total is None:
            self._total = page.total + self.position - 1
        return len(fresh)

    def decide(self, verdict: Verdict, *, writing: bool = False) -> Decision | None:
        """Decide about the current memory and go to the next one; None when there is none."""
        if not self._waiting:
            return None
        memory = self._waiting.popleft()
        if verdict is Verdict.SKIPPED:
            self._waiting.append(memory)
        decision = Decision(memory, verdict, writing=writing)
        self.decisions.append(decision)
        return decision

    def edited(self, memory: Memory) -> Decision | None:
        """The current memory was edited and still waits: show it as it is now."""
        before = self.current
        if before is None:
            return None
        self._waiting[0] = memory
        decision = Decision(before, Verdict.EDITED, writing=True, stays=True)
        self.decisions.append(decision)
        return decision

    def take_back(self, decision: Decision, memory: Memory) -> None:
        """Show the memory of a decision, no longer in force, again: as it is now."""
        self._forget(decision)
        self._remove(memory.id)
        self._waiting.appendleft(memory)

    def failed(self, decision: Decision) -> None:
        """A decision came to nothing: its memory comes next, after the one that is shown."""
        self._forget(decision)
        self._remove(decision.memory.id)
        self._waiting.insert(1, decision.memory)

    def gone(self, decision: Decision) -> None:
        """The memory of a decision was deleted meanwhile: there was nothing to decide."""
        self._forget(decision)
        self._total = max(0, (self._total or 0) - 1)

    def end(self) -> None:
        """There are no more than those that were seen."""
        self._total = self.position - 1 + len(self._waiting)

    def update(self, memory: Memory) -> None:
        """Show a memory as it is now; one that has another status now waits no more."""
        if memory.status != self._status:
            self.drop(memory.id)
            return
        self._waiting = deque(
            memory if waiting.id == memory.id else waiting for waiting in self._waiting
        )

    def drop(self, memory_id: int) -> None:
        """Take a memory out that is gone, or was decided about elsewhere."""
        if self._remove(memory_id):
            self._total = max(0, (self._total or 0) - 1)

    def _forget(self, decision: Decision) -> None:
        self.decisions = [one for one in self.decisions if one is not decision]

    def _remove(self, memory_id: int) -> bool:
        before = len(self._waiting)
        self._waiting = deque(one for one in self._waiting if one.id != memory_id)
        return len(self._waiting) < before


@dataclass(frozen=True, slots=True)
class LastChange:
    """A revision, and the one before it when that is known."""

    revision: Revision
    before: Revision | None


def last_changes(revisions: Sequence[Revision]) -> list[LastChange]:
    """Return what to show of a history (newest first), each once: the last change of all, how the
    memory became invalid, and the last change of its text.
    """
    pairs = [
        LastChange(revision, before) for revision, before in zip_longest(revisions, revisions[1:])
    ]
    wanted = [
        next(iter(pairs), None),
        next((pair for pair in pairs if _made_invalid(pair)), None),
        next((pair for pair in pairs if _changed_text(pair)), None),
    ]
    return [pair for pair in pairs if pair in wanted]


def _made_invalid(change: LastChange) -> bool:
    if change.revision.status != MemoryStatus.INVALID:
        return False
    if change.before is None:  # the first one, or the oldest of those that were read
        return change.revision.action is RevisionAction.CREATE
    return change.before.status != MemoryStatus.INVALID


def _changed_text(change: LastChange) -> bool:
    return change.before is not None and change.before.content != change.revision.content
