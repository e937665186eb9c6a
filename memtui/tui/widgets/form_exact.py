"""A text document that keeps every character, and shows none that a terminal would act on.

The library's own document splits lines at eleven different characters, joins them with one kind
of line end, and hands control characters to the terminal. Editing a memory must change only what
the person changed, so here each line keeps its own end, and each character that must not be shown
is held as a private code of one cell, translated back when the text is read.
"""

from __future__ import annotations

import re
from itertools import accumulate

from textual.document._document import Document, EditResult, Location

from memtui.tui.cells import block_text, width_of

_FIRST_CODE = 0xF0000
_LINE_END = re.compile("\r\n|\n")
_UNSHOWABLE = "\ufffd"
_CODES = re.compile("[\U000f0000-\U0010ffff]")


class StandIns:
    """Private one-cell codes for characters that must not reach a terminal, in both directions.

    A code never leaves the form: `decode(encode(text)) == text` for every text, also one that
    holds characters from the range that the codes are taken from.
    """

    def __init__(self) -> None:
        self._codes: dict[int, int] = {}
        self._originals: dict[int, int] = {}

    def encode(self, text: str) -> str:
        """Return `text` with each unsafe character replaced by its code; CR LF stays a line end."""
        if text.isascii() and text.isprintable():
            return text
        for char in sorted(set(text)):
            if ord(char) not in self._codes and _is_unsafe(char):
                code = _FIRST_CODE + len(self._codes)
                self._codes[ord(char)] = code
                self._originals[code] = ord(char)
        if not self._codes:
            return text
        return "\r\n".join(piece.translate(self._codes) for piece in text.split("\r\n"))

    def decode(self, text: str) -> str:
        """Return the text that `encode` was given."""
        return text.translate(self._originals) if self._originals else text

    def shown(self, encoded: str) -> tuple[str, list[int]]:
        """Return what to draw for an encoded line, character for character, and where codes are."""
        places = [code.start() for code in _CODES.finditer(encoded)] if self._codes else []
        if not places:
            return encoded, places
        drawn = {code: _picture(chr(original)) for code, original in self._originals.items()}
        return encoded.translate(drawn), places


def _is_unsafe(char: str) -> bool:
    if char in "\t\n":
        return False
    shown = block_text(char)
    return shown != char and not (width_of(char) == 0 and shown.endswith(char))


def _picture(char: str) -> str:
    shown = block_text(char)
    return shown if len(shown) == 1 and width_of(shown) == 1 and shown != char else _UNSHOWABLE


def one_cell_each(text: str) -> str:
    """Return `text` for an input box: unsafe characters as one-cell pictures, one for one."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_picture(char) if char in "\t\n" or _is_unsafe(char) else char for char in text)


class ExactDocument(Document):
    """A document over encoded text whose lines each keep the end they had: CR LF or LF."""

    def __init__(self, text: str) -> None:
        super().__init__("")
        self._lines, self._ends = _split(text)
        self._newline = "\r\n" if self._ends.count("\r\n") * 2 > len(self._ends) else "\n"

    @property
    def text(self) -> str:
        """The whole text, still encoded."""
        return _join(self._lines, self._ends)

    def get_text_range(self, start: Location, end: Location) -> str:
        """The text between two places, with the line ends that are there."""
        (top, left), (bottom, right) = sorted((start, end))
        if top >= len(self._lines):
            return ""
        if top == bottom:
            return self._lines[top][left:right]
        lines = self._lines[top : bottom + 1]
        ends = self._ends[top:bottom]
        lines[0] = lines[0][left:]
        if bottom < len(self._lines):
            lines[-1] = lines[-1][:right]
        return _join(lines, ends)

    def replace_range(self, start: Location, end: Location, text: str) -> EditResult:
        """Put encoded `text` where the range is; lines outside it keep their ends."""
        (top, left), (bottom, right) = sorted((start, end))
        replaced = self.get_text_range(start, end)
        before = self._lines[top][:left] if top < len(self._lines) else ""
        after = self._lines[bottom][right:] if bottom < len(self._lines) else ""
        lines, ends = _split(text)
        lines[0] = before + lines[0]
        destination = (top + len(ends), len(lines[-1]))
        lines[-1] += after
        self._lines[top : bottom + 1] = lines
        self._ends[top:bottom] = ends
        return EditResult(destination, replaced)

    def get_index_from_location(self, location: Location) -> int:
        """The index in `text` of a place."""
        row, column = location
        return sum(map(len, self._lines[:row])) + sum(map(len, self._ends[:row])) + column

    def get_location_from_index(self, index: int) -> Location:
        """The place of an index in `text`; an index inside a line end is the end of its line."""
        if not 0 <= index <= len(self.text):
            raise ValueError(f"Index {index} is outside the document.")
        widths = [len(line) + len(end) for line, end in zip(self._lines, self._ends, strict=False)]
        starts = [0, *accumulate(widths)]
        row = next(row for row in reversed(range(len(starts))) if starts[row] <= index)
        return row, min(index - starts[row], len(self._lines[row]))


def _split(text: str) -> tuple[list[str], list[str]]:
    return _LINE_END.split(text), _LINE_END.findall(text)


def _join(lines: list[str], ends: list[str]) -> str:
    return "".join(line + end for line, end in zip(lines, [*ends, ""], strict=False))
