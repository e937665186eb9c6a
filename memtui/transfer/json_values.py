"""JSON as it is met: one value a line, several on one, an array or one document; streamed.

A damaged value costs itself and is named by line and reason; what follows is still read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from memtui.errors import InvalidError
from memtui.interchange import Tally
from memtui.transfer.sources import Source
from memtui.transfer.texts import DOCUMENT_LIMIT, lines, whole_text

DEEPEST = 500
"""How many arrays and objects may be inside one another."""

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


class Doubled(dict[str, Json]):
    """An object that gives one key twice, with different values: nobody can say what it means."""

    key: str = ""


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    made = dict(pairs)
    if len(made) == len(pairs):
        return made
    for key, value in pairs:
        if made[key] != value and value == value:  # noqa: PLR0124 - NaN differs from itself
            doubled = Doubled(made)
            doubled.key = key
            return doubled
    return made


class _Decoder(json.JSONDecoder):
    """Raises `RecursionError` for what is nested too deeply, at the same depth on every Python."""

    def raw_decode(self, s: str, idx: int = 0) -> tuple[Json, int]:
        value, end = super().raw_decode(s, idx)
        if s.count("[", idx, end) + s.count("{", idx, end) > DEEPEST:
            _require_shallow(value)
        return value, end


def _require_shallow(value: Json) -> None:
    level: list[Json] = [value]
    for _ in range(DEEPEST):
        level = [
            inner
            for outer in level
            if isinstance(outer, list | dict)
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not level:
            return
    raise RecursionError


DECODER: Final = _Decoder(object_pairs_hook=_object)
_BETWEEN = re.compile(r"(?:\s|\\r|\\n)*")
"""White space, and the line ends that some writers leave between objects as two characters."""


def reason_of(error: Exception) -> str:
    """Why a value could not be read, in words."""
    if isinstance(error, json.JSONDecodeError):
        return f"is not valid JSON: {_said(error)} at column {error.colno}"
    if isinstance(error, RecursionError):
        return "is nested too deeply"
    return f"is not valid JSON: {error}"


def _said(error: json.JSONDecodeError) -> str:
    return error.msg.lower().removesuffix(" at")


def json_lines(
    source: Source, tally: Tally, decoder: json.JSONDecoder = DECODER
) -> Iterator[tuple[int, Json]]:
    """Each value of a file with one value a line, or more, with its line number."""
    for number, text in lines(source, tally):
        if not text or text.isspace():
            continue
        try:
            value = decoder.decode(text)
        except (ValueError, RecursionError):
            yield from _several(source.label, number, text, tally)
            continue
        yield number, value


def _several(label: str, number: int, text: str, tally: Tally) -> Iterator[tuple[int, Json]]:
    place = _after_blank(text, 0)
    while place < len(text):
        try:
            value, place = DECODER.raw_decode(text, place)
        except (ValueError, RecursionError) as error:
            tally.skip(label, number, reason_of(error))
            return
        yield number, value
        place = _after_blank(text, place)


def _after_blank(text: str, place: int) -> int:
    found = _BETWEEN.match(text, place)
    return found.end() if found else place


def document(source: Source, tally: Tally) -> Json:
    """The one value of a file, read as a whole.

    Raises `InvalidError` naming the line when it is not valid, and beyond `DOCUMENT_LIMIT`.
    """
    text = whole_text(source, tally)
    try:
        value: Json = DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise InvalidError(
            f"{source.label}, line {error.lineno}: is not valid JSON: {_said(error)}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise InvalidError(f"{source.label} {reason_of(error)}") from error
    return value


# --- streamed documents ----------------------------------------------------------------------

_REFILL = 1024 * 1024
_BLANK = re.compile(r"\s*")


def elements(source: Source, tally: Tally) -> Iterator[tuple[int, str, Json]]:
    """Each element of a document with its line and the member that holds it.

    Of an array each element is given under the member `""`; of an object each member, and the
    elements of a member that is an array one by one. A damaged element of an array whose elements
    begin on lines of their own is skipped; other damage ends the reading, and is named.
    """
    try:
        yield from _Walk(source, tally).members()
    except (ValueError, RecursionError) as error:
        tally.skip(source.label, 0, reason_of(error))


class _Walk:
    """A window over the text of a document, moving forward."""

    def __init__(self, source: Source, tally: Tally) -> None:
        self._label, self._tally = source.label, tally
        self._lines = lines(source, tally)
        self._text, self._place, self._ended = "", 0, False
        self._line, self._counted = 1, 0

    def members(self) -> Iterator[tuple[int, str, Json]]:
        mark = self._next()
        if mark == "[":
            yield from self._elements("")
        elif mark == "{":
            yield from self._members()
        else:
            yield self._here(), "", self._whole_value()
        if self._next():
            self._damaged("something follows the end of the document")

    def _members(self) -> Iterator[tuple[int, str, Json]]:
        self._place += 1
        while self._next() == '"':
            line = self._here()
            key = self._whole_value()
            if self._next() != ":":
                self._damaged("a colon is missing")
                return
            self._place += 1
            if self._next() == "[":
                yield from self._elements(str(key))
            else:
                yield line, str(key), self._whole_value()
            if self._next() == ",":
                self._place += 1
        if self._next() != "}":
            self._damaged("the object is not closed")
        self._place += 1

    def _elements(self, key: str) -> Iterator[tuple[int, str, Json]]:
        self._place += 1
        while (mark := self._next()) not in {"]", ""}:
            line, start = self._here(), self._place
            try:
                yield line, key, self._whole_value()
            except (ValueError, RecursionError) as error:
                self._tally.skip(self._label, line, reason_of(error))
                if mark != "{" or not self._resume(start):
                    self._place = len(self._text)
                    return
                continue
            if self._next() == ",":
                self._place += 1
            elif self._next() != "]":
                self._damaged("the array is not closed, or a comma is missing")
                return
        self._place += 1

    def _resume(self, start: int) -> bool:
        """Move to the next element that begins like the damaged one: on a line, as far in."""
        begin = self._text.rfind("\n", 0, start) + 1
        indent = self._text[begin:start]
        if indent.strip() or (begin == 0 and not indent):
            return False
        following = re.compile(r"\n" + re.escape(indent) + r"\{")
        while not (found := following.search(self._text, start)):
            if not self._refill():
                return False
        self._place = found.end() - 1
        return True

    def _whole_value(self) -> Json:
        value: Json
        while True:
            try:
                value, end = DECODER.raw_decode(self._text, self._place)
            except ValueError:
                if len(self._text) - self._place < DOCUMENT_LIMIT and self._refill():
                    continue
                raise
            if end < len(self._text) or not self._refill():
                self._place = end
                return value

    def _next(self) -> str:
        """The next character that is not blank, without taking it; empty at the end."""
        while True:
            found = _BLANK.match(self._text, self._place)
            self._place = found.end() if found else self._place
            if self._place < len(self._text):
                return self._text[self._place]
            if not self._refill():
                return ""

    def _refill(self) -> bool:
        """Read on, twice as far as before when one value needs it; False at the end."""
        if self._ended:
            return False
        self._here()
        kept = max(0, self._text.rfind("\n", 0, self._place))
        parts, size = [self._text[kept:]], 0
        wanted = max(_REFILL, len(parts[0]))
        self._place -= kept
        self._counted -= kept
        for _, text in self._lines:
            parts += (text, "\n")
            size += len(text) + 1
            if size >= wanted:
                break
        else:
            self._ended = True
        self._text = "".join(parts)
        return size > 0

    def _here(self) -> int:
        """The number of the line that the next value begins on."""
        self._line += self._text.count("\n", self._counted, self._place)
        self._counted = self._place
        return self._line

    def _damaged(self, what: str) -> None:
        self._tally.skip(self._label, self._here(), f"is not valid JSON: {what}")
        self._place, self._ended = len(self._text), True
