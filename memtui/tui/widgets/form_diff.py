"""Stored text with its changes marked, for conflicts and for the review."""

from __future__ import annotations

import re
from collections.abc import Sequence

from textual.content import Content

from memtui.tui.cells import block, line
from memtui.tui.merge import Change, diff_words

_STYLES = {Change.SAME: "", Change.REMOVED: "$error strike", Change.ADDED: "$success underline"}


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
