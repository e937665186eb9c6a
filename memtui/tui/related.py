"""Which memories say something close to another: by the words that they have in common."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from memtui.text import fold

if TYPE_CHECKING:
    from memtui.models import Memory

_WORD = re.compile(r"\w{3,}")
_COMMON = frozenset(
    "the and for with that this from are was were has have had not but they them their his her "
    "its you your all any can will would should about into than then when what which who user".split()
)


def words_of(text: str) -> frozenset[str]:
    """Return the telling words of `text`, folded as the search folds them."""
    return frozenset(_WORD.findall(fold(text))) - _COMMON


def telling_words(text: str, count: int) -> list[str]:
    """Return at most `count` words of `text` to look for others by, the longest first."""
    return sorted(words_of(text), key=lambda word: (-len(word), word))[:count]


def closest(memory: Memory, others: Iterable[Memory], count: int) -> tuple[Memory, ...]:
    """Return the `count` memories of `others` that share the most words with `memory`.

    Closest first; `memory` itself and memories that share no word are left out.
    """
    mine = words_of(memory.content)
    scores: dict[int, tuple[float, Memory]] = {}
    for other in others:
        theirs = words_of(other.content)
        shared = len(mine & theirs)
        if shared and other.id != memory.id:
            scores[other.id] = (shared / len(mine | theirs), other)
    ranked = sorted(scores.values(), key=lambda scored: (-scored[0], scored[1].id))
    return tuple(other for _score, other in ranked[:count])
