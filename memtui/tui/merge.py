"""Word-wise differences and three-way merges of texts, tags and fields; pure functions.

Differences are found with `difflib` over words, so that what is marked is what a reader would call
a change. A merge never drops a side in silence: where both changed the same place, it is a clash
and both texts are kept in the result.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum
from typing import NamedTuple

from memtui.models import Memory

_IDEOGRAPHS = r"\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
_MARKS = r"\u0300-\u036f\u200d\ufe0e\ufe0f"
_WORDS = re.compile(
    rf"\r\n|\n|[^\S\n]+|[{_IDEOGRAPHS}][{_MARKS}]*|(?:[^\W{_IDEOGRAPHS}][{_MARKS}]*)+|.[{_MARKS}]*"
)
# Ideographs stand alone: a sentence without spaces would otherwise be a single "word".
_EXACT_LIMIT = 4_000_000
"""Above this product of word counts, words that are everywhere no longer anchor a match: comparing
every occurrence with every other would take seconds."""


class Change(Enum):
    """What became of a piece of text."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


class Piece(NamedTuple):
    """A run of text that was kept, removed or added."""

    change: Change
    text: str


def diff_words(old: str, new: str) -> tuple[Piece, ...]:
    """Return how `old` became `new`: kept and removed pieces make `old`, kept and added make `new`.

    White space alone between two changes counts as changed, so that a replaced phrase reads as one.
    """
    before, after = _words(old), _words(new)
    pieces: list[Piece] = []
    for run in _runs(before, after):
        gone, come = "".join(before[run.i1 : run.i2]), "".join(after[run.j1 : run.j2])
        if run.same:
            pieces.append(Piece(Change.SAME, gone))
            continue
        pieces += [Piece(Change.REMOVED, gone)] if gone else []
        pieces += [Piece(Change.ADDED, come)] if come else []
    return tuple(pieces)


@dataclass(frozen=True, slots=True)
class Three:
    """One value, or one place in a text: what it was, and what each side made of it."""

    base: str
    mine: str
    theirs: str

    @property
    def clash(self) -> bool:
        """Whether both sides changed it, differently."""
        return self.mine != self.theirs and self.base not in (self.mine, self.theirs)

    @property
    def merged(self) -> str:
        """The value of the side that changed it; mine at a clash."""
        return self.theirs if self.mine == self.base else self.mine


def _words(text: str) -> list[str]:
    return _WORDS.findall(text)


class _Run(NamedTuple):
    i1: int
    i2: int
    j1: int
    j2: int
    same: bool


def _runs(old: list[str], new: list[str]) -> list[_Run]:
    """Return the kept and changed ranges, in order; neither two kept nor two changed ones meet."""
    start = _common(old, new)
    stop = _common(old[start:][::-1], new[start:][::-1])
    inner_old, inner_new = old[start : len(old) - stop], new[start : len(new) - stop]
    junk = len(inner_old) * len(inner_new) > _EXACT_LIMIT
    matcher = SequenceMatcher(None, inner_old, inner_new, autojunk=junk)
    runs = [_Run(0, start, 0, start, True)]
    runs += [
        _Run(i1 + start, i2 + start, j1 + start, j2 + start, tag == "equal")
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
    ]
    runs.append(_Run(len(old) - stop, len(old), len(new) - stop, len(new), True))
    joined: list[_Run] = []
    for at, run in enumerate(runs):
        _join(joined, run._replace(same=run.same and not _is_gap(runs, at, old)))
    return joined


def _is_gap(runs: list[_Run], at: int, old: list[str]) -> bool:
    """Whether a kept run is but the space between two changed words."""
    kept = "".join(old[runs[at].i1 : runs[at].i2])
    inside = 0 < at < len(runs) - 1 and not (runs[at - 1].same or runs[at + 1].same)
    return inside and kept.isspace() and "\n" not in kept


def _join(joined: list[_Run], run: _Run) -> None:
    """Add a run; it becomes part of the last one when both are kept, or both changed."""
    if run.i1 == run.i2 and run.j1 == run.j2:
        return
    if joined and joined[-1].same == run.same:
        joined[-1] = joined[-1]._replace(i2=run.i2, j2=run.j2)
    else:
        joined.append(run)


def _common(old: list[str], new: list[str]) -> int:
    pairs = enumerate(zip(old, new, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(old), len(new)))


def merge_texts(base: str, mine: str, theirs: str) -> tuple[Three, ...]:
    """Divide three texts into places; joined, each side's parts give that side's text."""
    old, left, right = _words(base), _words(mine), _words(theirs)
    to_left, to_right = _Offsets(old, left), _Offsets(old, right)
    segments: list[Three] = []
    place = 0
    for start, stop in _groups([*to_left.hunks, *to_right.hunks]):
        if start > place:
            kept = "".join(old[place:start])
            segments.append(Three(kept, kept, kept))
        segments.append(
            Three(
                "".join(old[start:stop]),
                "".join(left[to_left.first(start) : to_left.last(stop)]),
                "".join(right[to_right.first(start) : to_right.last(stop)]),
            )
        )
        place = stop
    if rest := "".join(old[place:]):
        segments.append(Three(rest, rest, rest))
    return tuple(segments)


class _Offsets:
    """Where places of the base are in a changed text; `hunks` are the base's changed ranges."""

    def __init__(self, old: list[str], new: list[str]) -> None:
        self._changes = [run for run in _runs(old, new) if not run.same]
        self.hunks = [(run.i1, run.i2) for run in self._changes]

    def first(self, place: int) -> int:
        """The place in the changed text where a range beginning at `place` begins."""
        return self._shifted(place, [change for change in self._changes if change.i1 < place])

    def last(self, place: int) -> int:
        """The place in the changed text where a range ending at `place` ends."""
        return self._shifted(place, [change for change in self._changes if change.i2 <= place])

    @staticmethod
    def _shifted(place: int, before: list[_Run]) -> int:
        return place + (before[-1].j2 - before[-1].i2 if before else 0)


def _groups(hunks: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join ranges that overlap or touch: there neither change can be placed without the other."""
    groups: list[tuple[int, int]] = []
    for start, stop in sorted(hunks):
        if groups and start <= groups[-1][1]:
            groups[-1] = (groups[-1][0], max(stop, groups[-1][1]))
        else:
            groups.append((start, stop))
    return groups


def merge_tags(base: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> tuple[str, ...]:
    """Apply both sides' additions and removals, in their order unless I changed the order."""
    reordered = [tag for tag in base if tag in mine] != [tag for tag in mine if tag in base]
    leading, following = (mine, theirs) if reordered else (theirs, mine)
    return tuple(
        tag
        for tag in dict.fromkeys([*leading, *following])
        if (tag in mine and tag in theirs) or tag not in base
    )


@dataclass(frozen=True, slots=True)
class Edited:
    """The editable fields of a memory, as they are in a form."""

    content: str
    tags: tuple[str, ...]
    memory_type: str
    status: str

    @classmethod
    def of(cls, memory: Memory) -> Edited:
        """The editable fields of a stored memory."""
        return cls(memory.content, memory.tags, str(memory.memory_type), str(memory.status))


@dataclass(frozen=True, slots=True)
class Merge:
    """A merge in which each clash of the content can still be decided.

    `theirs_at` holds the numbers of the clashes, counted from 0, that take their text.
    """

    segments: tuple[Three, ...]
    tags: tuple[str, ...]
    memory_type: Three
    status: Three
    theirs_at: frozenset[int] = frozenset()

    @property
    def clashes(self) -> int:
        """How many places of the content both sides changed differently."""
        return sum(segment.clash for segment in self.segments)

    def toggled(self, clash: int) -> Merge:
        """The same merge with the other side's text at one clash."""
        return Merge(
            self.segments, self.tags, self.memory_type, self.status, self.theirs_at ^ {clash}
        )

    @property
    def content(self) -> str:
        """The merged text."""
        number = -1
        parts = []
        for segment in self.segments:
            number += segment.clash
            parts.append(
                segment.theirs if segment.clash and number in self.theirs_at else segment.merged
            )
        return "".join(parts)

    @property
    def result(self) -> Edited:
        """All fields as merged."""
        return Edited(self.content, self.tags, self.memory_type.merged, self.status.merged)


def merge_memories(base: Edited, mine: Edited, theirs: Edited) -> Merge:
    """Merge what two sides made of one memory."""
    return Merge(
        merge_texts(base.content, mine.content, theirs.content),
        merge_tags(base.tags, mine.tags, theirs.tags),
        Three(base.memory_type, mine.memory_type, theirs.memory_type),
        Three(base.status, mine.status, theirs.status),
    )
