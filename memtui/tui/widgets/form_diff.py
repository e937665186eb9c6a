"""Stored text with its changes marked, for conflicts and for the review."""

from __future__ import annotations

import re
from collections.abc import Sequence

from textual.content import Content

from memtui.tui.cells import block, line
from memtui.tui.merge import Change, diff_words

_STYLES = {Change.SAME: "", Change.REMOVED: "$error strike", Change.ADDED: "$success underline"}


_AROUND = 32
_LONGEST = 120
_LINE_END = re.compile("\r\n|\n")


def _visible_line_end(found: re.Match[str]) -> str:
    return ("␍" if found[0] == "\r\n" else "") + "↵\n"


def changed_text(old: str, new: str) -> Content:
    """Return how `old` became `new`: what went is struck through, what came is underlined.

    A line end that changed is shown as a sign, for it would be invisible otherwise.
    """
    parts: list[Content] = []
    pieces = diff_words(old, new)
    for before, piece in zip((None, *pieces), pieces, strict=False):
        if before and before.change is Change.REMOVED and piece.change is Change.ADDED:
            parts.append(Content(" "))
        if piece.change is Change.SAME:
            parts.append(block(piece.text))
        else:
            text = _LINE_END.sub(_visible_line_end, piece.text)
            parts.append(block(text, _STYLES[piece.change]))
    return Content("").join(parts)


def changed_places(old: str, new: str) -> Content:
    """Return only the places where `old` became `new`, each with a little of what is around it."""
    parts: list[Content] = []
    pieces = diff_words(old, new)
    for number, piece in enumerate(pieces):
        if piece.change is Change.SAME:
            ends = (number > 0, number < len(pieces) - 1)
            parts.append(line(_shortened(piece.text, *ends, room=_AROUND)))
            continue
        if parts and number and pieces[number - 1].change is Change.REMOVED:
            parts.append(Content(" "))
        text = _shortened(piece.text, True, True, room=_LONGEST)
        parts.append(line(text, _STYLES[piece.change]))
    return Content("").join(parts)


def _shortened(text: str, head: bool, tail: bool, *, room: int) -> str:
    """Return the beginning and the end of a text, where they are wanted, or all of a short one."""
    if len(text) <= room * (head + tail) + 1:
        return text
    return f"{text[:room] if head else ''}…{text[-room:] if tail else ''}"


def tag_line(label: str, tags: Sequence[str], base: Sequence[str]) -> Content:
    """Return tags on one line, those that came or went since `base` marked."""
    shown = [
        Content.assemble(("+", "$success"), line(tag, "$success")) if tag not in base else line(tag)
        for tag in tags
    ]
    shown += [
        Content.assemble(("−", "$error"), line(tag, "$error strike"))
        for tag in base
        if tag not in tags
    ]
    head = [Content.styled(f"{label:<8}", "$muted")] if label else []
    body = Content("  ").join(shown) if shown else Content.styled("no tags", "$muted")
    return Content("").join([*head, body])
