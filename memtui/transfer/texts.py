"""Bytes into lines of text: the encoding is recognised, lines end at `\\n` and nowhere else."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from functools import partial
from typing import BinaryIO

from memtui.errors import InvalidError
from memtui.interchange import Tally
from memtui.transfer.sources import Source

LINE_LIMIT = 16 * 1024**2
"""Bytes in one line; a longer one is skipped."""

DOCUMENT_LIMIT = 64 * 1024**2
"""Bytes of a document that has to be read as a whole."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_METERED = 256


def encoding_of(head: bytes) -> str | None:
    """The encoding of a text that begins so; None when it is no text.

    `utf-8` includes text of one byte a character, which is only met line by line.
    """
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name
    if b"\x00" not in head:
        return "utf-8"
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if odd > len(head) // 8 and even == 0:
        return "utf-16-le"
    if even > len(head) // 8 and odd == 0:
        return "utf-16-be"
    return "utf-8" if even + odd < len(head) // 50 and _is_utf8(head) else None


def _is_utf8(head: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return False
    return True


def lines(source: Source, tally: Tally, *, ends: bool = False) -> Iterator[tuple[int, str]]:
    """Each line's number and text, without its line end unless `ends` are wanted.

    What is not UTF-8 is read as Windows-1252, which is noted; what is neither is skipped.
    """
    encoding = encoding_of(source.head())
    if encoding is None:
        tally.skip(source.label, 0, "is no text")
    elif encoding in {"utf-8", "utf-8-sig"}:
        found = _utf8_lines(source, tally, marked=encoding == "utf-8-sig")
        yield from found if ends else _without_ends(found)
    else:
        found = _wide_lines(source, encoding, tally)
        yield from found if ends else _without_ends(found)


def _without_ends(numbered: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    for number, text in numbered:
        yield number, text.rstrip("\r\n")


def whole_text(source: Source, tally: Tally) -> str:
    """The entire text, line ends as they are. Raises `InvalidError` beyond `DOCUMENT_LIMIT`."""
    if source.size > DOCUMENT_LIMIT:
        raise InvalidError(
            f"{source.label} is {source.size:,} bytes, more than {DOCUMENT_LIMIT:,}",
            "Such a document is read as a whole. Split it, or turn it into JSON Lines.",
        )
    return "\n".join(text for _, text in lines(source, tally))


def _utf8_lines(source: Source, tally: Tally, *, marked: bool) -> Iterator[tuple[int, str]]:
    number, before = 0, source.meter.done
    with source.open() as stream:
        if marked:
            stream.read(len(codecs.BOM_UTF8))
        for raw in iter(partial(stream.readline, LINE_LIMIT), b""):
            number += 1
            if number % _METERED == 0:
                source.meter.done = before + stream.tell()
            if len(raw) == LINE_LIMIT and not raw.endswith(b"\n"):
                _drain(stream)
                tally.skip(source.label, number, f"the line is longer than {LINE_LIMIT:,} bytes")
                continue
            try:
                text = raw.decode()
            except UnicodeDecodeError:
                narrow = _windows(raw)
                if narrow is None:
                    reason = "is neither UTF-8 nor Windows-1252 text"
                    tally.skip(source.label, number, reason)
                    continue
                tally.note("lines that are not UTF-8, read as Windows-1252", source.label, number)
                text = narrow
            yield number, text
    source.meter.done = before + source.size


def _windows(raw: bytes) -> str | None:
    try:
        return raw.decode("cp1252")
    except UnicodeDecodeError:
        return None


def _drain(stream: BinaryIO) -> None:
    while (rest := stream.readline(LINE_LIMIT)) and not rest.endswith(b"\n"):
        pass


def _wide_lines(source: Source, encoding: str, tally: Tally) -> Iterator[tuple[int, str]]:
    number = 0
    try:
        with io.TextIOWrapper(source.open(), encoding=encoding, newline="\n") as stream:
            for text in iter(partial(stream.readline, LINE_LIMIT), ""):
                number += 1
                if len(text) == LINE_LIMIT and not text.endswith("\n"):
                    reason = f"the line is longer than {LINE_LIMIT:,} characters"
                    tally.skip(source.label, number, reason)
                    continue
                yield number, text
    except UnicodeDecodeError as error:
        reason = f"is not valid {encoding.upper()} from here on: {error.reason}"
        tally.skip(source.label, number + 1, reason)
    source.meter.done += source.size
