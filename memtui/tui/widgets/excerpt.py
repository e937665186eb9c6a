"""The part of a memory's text that fits into a row, with what was searched for in sight."""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple
from unicodedata import combining

from memtui.text import fold
from memtui.tui.cells import fit, line_text, width_of

_LEAD = 12
_LOOK_AT = 600


class Excerpt(NamedTuple):
    """Safe text of exactly the asked width, and the character range of the match in it."""

    text: str
    start: int
    stop: int


def excerpt(text: str, needle: str, width: int) -> Excerpt:
    """Return `text` as one line of `width` cells; moved on when `needle` is beyond its end.

    `needle` is matched as the search matches it. Without a match the range is empty.
    """
    if not needle:
        return Excerpt(fit(line_text(text[:_LOOK_AT]), width), 0, 0)
    found = find_folded(text, needle)
    if found is None:
        return Excerpt(fit(line_text(text[:_LOOK_AT]), width), 0, 0)
    start, stop = found
    before, match = line_text(text[:start]), line_text(text[start:stop])
    if width_of(before) + width_of(match) + 1 > width:
        before = _tail(before)
    whole = before + match + line_text(text[stop : stop + _LOOK_AT])
    shown = fit(whole, width)
    return Excerpt(shown, min(len(before), len(shown)), min(len(before) + len(match), len(shown)))


def _tail(before: str) -> str:
    """Return the end of what stands before a match, from the beginning of a word on."""
    if len(before) <= _LEAD:
        return before
    tail = before[-_LEAD:]
    return "…" + (tail.partition(" ")[2] or tail)


def find_folded(text: str, needle: str) -> tuple[int, int] | None:
    """Return where `needle` first is in `text`, compared as the search does, or None.

    The range is in characters of `text`. Found is what folds character by character, which is
    nearly everything; this only highlights, the search itself decides what matches.
    """
    wanted = fold(needle)
    if not wanted:
        return None
    folded = fold(text)
    at = folded.find(wanted)
    if at < 0:
        return None
    if len(folded) == len(text):
        return at, at + len(wanted)
    return _in_original(text, wanted)


def _in_original(text: str, wanted: str) -> tuple[int, int] | None:
    """Find `wanted` where folding changes lengths, by the place each character came from."""
    clusters: list[str] = []
    for char in text:
        if clusters and combining(char):
            clusters[-1] += char
        else:
            clusters.append(char)
    pieces: list[str] = []
    origin: list[int] = []
    ends = list(accumulate(map(len, clusters)))
    for number, cluster in enumerate(clusters):
        piece = fold(cluster)
        pieces.append(piece)
        origin += [number] * len(piece)
    at = "".join(pieces).find(wanted)
    if at < 0:
        return None
    first, last = origin[at], origin[at + len(wanted) - 1]
    return ends[first] - len(clusters[first]), ends[last]
