"""The least to write to the search index when a memory changes.

The index remembers a set of grams for each memory, and what is taken out of it must be put in words
that say just those grams. A text says the same grams as its parts do, if each part begins with the
two characters that the part before ends with. So only what lies between the common beginning and
the common end of two texts is taken out and put in.

Two things follow from how FTS5 merges its segments. A gram that goes but occurs in what stays as
well must be put back. And none may be put in that is there already: one that was put in and one
that was taken out cancel each other, and an older entry would rise again. Both are met by taking
such grams out and putting them in *again*.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from memtui.store import index_terms
from memtui.store.index_terms import GRAM, Entry

MOST_AGAIN = 16
LONGEST_AGAIN = 200
"""Texts that are put in again, and the characters of one: more, and all is written anew."""


class Text(NamedTuple):
    """What a memory can be found by (`memtui.text.folded_row`), and its tokens."""

    memory_id: int
    folded: str
    tokens: str


class Difference(NamedTuple):
    """What to take out of the index, what to put in, and what to take out and put in again."""

    gone: Entry
    come: Entry
    again: Sequence[str] = ()


def difference(before: Text, after: Text) -> Difference:
    """How the index gets from one text of a memory to the next."""
    old, new = index_terms.spaced_row(before.folded), index_terms.spaced_row(after.folded)
    gone_tokens, come_tokens = _differing_tokens(before.tokens, after.tokens)
    id_ = before.memory_id
    if old == new:
        return Difference(Entry(id_, tokens=gone_tokens), Entry(id_, tokens=come_tokens))
    start, end = _common(old, new)
    old_stop, new_stop = len(old) - end, len(new) - end
    gone_grams, gone_pairs = _parts(old, start, old_stop)
    come_grams, come_pairs = _parts(new, start, new_stop)
    if old_stop + new_stop - 2 * start < len(old):
        around = old[:start], old[old_stop:]
        again = [
            *_still_there(around, gone_grams, _grams(gone_grams)),
            *_still_there(around, gone_pairs, _bare(gone_pairs)),
            come_grams,
            come_pairs,
        ]
        if len(again) <= MOST_AGAIN and len(max(again, key=len)) <= LONGEST_AGAIN:
            return Difference(
                Entry(id_, gone_grams, gone_pairs, gone_tokens),
                Entry(id_, come_grams, come_pairs, come_tokens),
                again,
            )
    return Difference(index_terms.entry(*before), index_terms.entry(*after))


def _parts(text: str, start: int, stop: int) -> tuple[str, str]:
    """What says the grams that reach into the part of a text from `start` to `stop`.

    The second says its pairs and, between the outer two, its characters.
    """
    grams = text[max(start - 2, 0) : stop + 2]
    return grams, _paired(text[max(start - 1, 0) : stop + 1])


@lru_cache(maxsize=512)
def _paired(text: str) -> str:
    """The same is asked for each memory of a bulk change of tags."""
    return index_terms.paired(text)


def _still_there(around: tuple[str, str], text: str, grams: Sequence[str]) -> Sequence[str]:
    """The runs of grams of a part that goes which occur before it or after it as well."""
    before, after = around
    there = [gram in before or gram in after for gram in grams]
    return _runs(text, there) if True in there else ()


@lru_cache(maxsize=512)
def _grams(text: str) -> Sequence[str]:
    return tuple(text[at : at + GRAM] for at in range(len(text) - GRAM + 1))


@lru_cache(maxsize=512)
def _bare(pairs: str) -> Sequence[str]:
    """Of a gram with marks, what is around them counts: one character or two."""
    return tuple(gram[at % 2 :: 2] for at, gram in enumerate(_grams(pairs)))


def _runs(text: str, chosen: Sequence[bool]) -> list[str]:
    """The longest runs of a text in which every gram is chosen."""
    runs: list[str] = []
    start: int | None = None
    for at, is_chosen in enumerate(chosen):
        if not is_chosen:
            if start is not None:
                runs.append(text[start : at + GRAM - 1])
                start = None
        elif start is None:
            start = at
    if start is not None:
        runs.append(text[start : len(chosen) + GRAM - 1])
    return runs


def _common(old: str, new: str) -> tuple[int, int]:
    """How many characters two texts have in common at the beginning and, of the rest, at the end.

    The separator that a text ends with never counts for the beginning: the outermost characters of
    a text have no gram of their own among the pairs, and further inside they do.
    """
    if new.startswith(old) or old.startswith(new):  # pieces came or went at the end, as tags do
        return min(len(old), len(new)) - 1, 0
    start = _common_beginning(old[:-1], new[:-1])
    return start, _common_beginning(old[: start - 1 : -1], new[: start - 1 : -1])


def _common_beginning(one: str, other: str) -> int:
    """How many characters two texts have in common before they differ."""
    low, high = 0, min(len(one), len(other))
    if one[:high] == other[:high]:
        return high
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


@lru_cache(maxsize=4096)
def _differing_tokens(before: str, after: str) -> tuple[str, str]:
    if before == after:
        return "", ""
    old, new = index_terms.signs_of(before), index_terms.signs_of(after)
    if max(map(len, old + new)) > 1:
        return before, after  # signs of two characters may have grams in common
    gone = index_terms.tokens([sign for sign in old if sign not in new])
    return gone, index_terms.tokens([sign for sign in new if sign not in old])
