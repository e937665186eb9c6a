"""What a revision changed, in a few words; pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memtui.models import Revision, RevisionAction

DEEDS: Mapping[RevisionAction, str] = {
    RevisionAction.CREATE: "created",
    RevisionAction.PATCH: "changed",
    RevisionAction.DELETE: "deleted",
    RevisionAction.RESTORE: "restored",
}
"""What each action did to the memory."""
_LEAD = 12
_LONGEST = 80


def deed(revision: Revision) -> str:
    """Return what was done, in one word."""
    return DEEDS[revision.action]


def differs(one: Revision, other: Revision) -> bool:
    """Whether two revisions of a memory differ in what a person can edit."""
    return _values(one) != _values(other)


def summary(revision: Revision, before: Revision | None) -> str:
    """Return what a revision changed, on one line: `“…new text”, +style, −old, fact → event`.

    The text is untrusted. Without a revision before it, that is the beginning of its text.
    """
    if before is None:
        return revision.content[:200]
    return ", ".join(_parts(revision, before)) or "nothing"


def _parts(after: Revision, before: Revision) -> Iterator[str]:
    if after.content != before.content:
        yield _first_difference(before.content, after.content)
    yield from (f"+{tag}" for tag in after.tags if tag not in before.tags)
    yield from (f"−{tag}" for tag in before.tags if tag not in after.tags)
    if after.tags != before.tags and set(after.tags) == set(before.tags):
        yield "order of tags"
    for old, new in ((before.memory_type, after.memory_type), (before.status, after.status)):
        if old != new:
            yield f"{old} → {new}"


def _first_difference(before: str, after: str) -> str:
    """Return the new text from shortly before the first place where it differs."""
    at = _common(before, after)
    start = max(0, after.rfind(" ", 0, max(0, at - _LEAD)) + 1) if at > _LEAD else 0
    return f"“{'…' if start else ''}{after[start : start + _LONGEST]}”"


def _common(one: str, other: str) -> int:
    """Return how many characters two texts begin with in common, by halving."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


def _values(revision: Revision) -> tuple[object, ...]:
    return revision.content, revision.tags, revision.memory_type, revision.status
