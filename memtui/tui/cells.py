"""The one place where text becomes something that a widget may draw.

Whatever comes from the store passes through `line` or `block`: made safe by `memtui.text`, made
steady in width, and wrapped in an unparsed `Content` that no markup parser ever reads.
"""

from __future__ import annotations

from functools import lru_cache

from rich.cells import cell_len, split_graphemes
from textual.content import Content

from memtui.text import safe_block, safe_line

ELLIPSIS = "…"

_VARIATION_SELECTORS = frozenset(map(chr, [*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]))
_EMOJI_SELECTOR = "\ufe0f"
_KEYCAP = "\u20e3"
_SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
_FLAG_LETTERS = {0x1F1E6 + n: chr(0x1F130 + n) for n in range(26)}
_UNSTEADY = _VARIATION_SELECTORS | _SKIN_TONES | {chr(code) for code in _FLAG_LETTERS}
_DOTTED_CIRCLE = "\u25cc"


def line(text: str, style: str = "") -> Content:
    """Return untrusted `text` as one safe, unparsed line of `style`."""
    return Content.styled(line_text(text), style) if style else Content(line_text(text))


def block(text: str, style: str = "") -> Content:
    """Return untrusted `text` as safe, unparsed lines of `style`; its line ends are kept."""
    shown = block_text(text)
    return Content.styled(shown, style) if style else Content(shown)


def fitted(text: str, width: int, style: str = "") -> Content:
    """Return untrusted `text` as one safe line of exactly `width` cells, cut with `…` or padded."""
    shown = fit(line_text(text), width)
    return Content.styled(shown, style) if style else Content(shown)


def line_text(text: str) -> str:
    """Return `text` as one safe line whose width every terminal agrees on."""
    return steady(safe_line(text))


def block_text(text: str) -> str:
    """Return `text` as safe lines whose widths every terminal agrees on."""
    return "\n".join(map(steady, safe_block(text).split("\n")))


def steady(text: str) -> str:
    """Return `text` with the sequences that terminals disagree about in a form they agree on.

    Emoji are shown without presentation selector and skin tone, flags as boxed letters; a selector
    or tone that belongs to no emoji, and so could hide something, becomes a visible stand-in.
    """
    if not text or text.isascii():
        return text
    if text[0] not in _UNSTEADY and _combines(text[0]):
        text = _DOTTED_CIRCLE + text
    if _UNSTEADY.isdisjoint(text):
        return text
    shown: list[str] = []
    for char in text:
        if char in _VARIATION_SELECTORS or char in _SKIN_TONES:
            if shown and _takes(shown[-1], char):
                shown[-1] += "\0"  # marks that this one had its selector; taken out below
            else:
                shown.append(f"‹{ord(char):04X}›")
        else:
            shown.append(_FLAG_LETTERS.get(ord(char), char))
    return "".join(shown).replace("\0", "")


def _takes(base: str, modifier: str) -> bool:
    if len(base) != 1:
        return modifier in _SKIN_TONES and base.endswith("\0") and base.count("\0") == 1
    if modifier in _SKIN_TONES:
        return cell_len(base) == 2
    if modifier == _EMOJI_SELECTOR:
        return cell_len(base + modifier) == 2 or base == _KEYCAP
    return cell_len(base) == 2


def _combines(char: str) -> bool:
    return cell_len(char) == 0


def width_of(text: str) -> int:
    """Return how many cells `text`, already safe, takes."""
    return cell_len(text)


@lru_cache(maxsize=8192)
def fit(text: str, width: int) -> str:
    """Return safe `text` in exactly `width` cells: cut with `…`, or padded with spaces.

    A wide character that would straddle the edge is left out and its cell filled with a space.
    """
    if width <= 0:
        return ""
    if text.isascii():
        return text.ljust(width) if len(text) <= width else text[: width - 1] + ELLIPSIS
    cells = cell_len(text[: 4 * width + 8])
    if cells <= width and len(text) <= 4 * width + 8:
        return text + " " * (width - cells)
    return _head(text[: 4 * width + 8], width - 1) + ELLIPSIS


def fit_right(text: str, width: int) -> str:
    """Return safe `text` right-aligned in exactly `width` cells, cut with `…` when too long."""
    cells = cell_len(text)
    return " " * (width - cells) + text if cells <= width else fit(text, width)


def _head(text: str, width: int) -> str:
    """Return the longest beginning of `text` in `width` cells, padded, never half a character."""
    spans, _total = split_graphemes(text)
    used = 0
    end = 0
    for _start, stop, cells in spans:
        if used + cells > width:
            break
        used += cells
        end = stop
    return text[:end] + " " * (width - used)
