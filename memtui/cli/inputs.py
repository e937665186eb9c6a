"""Reading what people type: ids, durations, and text from standard input."""

from __future__ import annotations

import argparse
import io
import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from memtui.cli.exits import UsageError, warn
from memtui.errors import InvalidError, NotFoundError
from memtui.models import MAX_OFFSET

STDIN = "-"
_MUCH = 64 * 1024
_DIGITS = 20
_UNITS = {"h": 1, "d": 24, "w": 7 * 24, "y": 365 * 24}


def memory_id(text: str) -> int:
    """An id as argparse wants it read: a whole number."""
    if not re.fullmatch(r"-?[0-9]+", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no id; an id is a whole number")
    return _storable(text, f"Memory {text} not found")


def batch_id(text: str) -> int:
    """A batch's id as argparse wants it read."""
    return _storable(str(number(text)), f"There is no batch {text}")


def version(text: str) -> int:
    """A memory's version as argparse wants it read."""
    return _storable(str(number(text)), f"There is no version {text}")


def number(text: str) -> int:
    """A count or version as argparse wants it read: a whole number."""
    if not re.fullmatch(r"-?[0-9]{1,4000}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def fraction(text: str) -> float:
    """A number from 0 to 1, as argparse wants it read."""
    if not re.fullmatch(r"[01]|[01]?\.[0-9]{1,9}", text) or float(text) > 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return float(text)


def _storable(text: str, otherwise: str) -> int:
    """Numbers that no database holds are not looked for. Raises `NotFoundError`."""
    if len(text) > _DIGITS or abs(int(text)) > MAX_OFFSET:
        raise NotFoundError(otherwise)
    return int(text)


def duration(text: str) -> timedelta:
    """`12h`, `90d`, `6w`, `1y` (365 days), as argparse wants it read."""
    found = re.fullmatch(r"([0-9]{1,6})([hdwy])", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is no age; write 12h, 90d, 6w or 1y")
    try:
        return timedelta(hours=int(found[1]) * _UNITS[found[2]])
    except OverflowError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is too long ago") from error


def moment(from_now: timedelta) -> datetime:
    """The moment that is so far from now. Raises `UsageError` beyond the calendar."""
    try:
        return datetime.now(UTC) + from_now
    except OverflowError as error:
        raise UsageError("that age leaves the calendar") from error


def split_tags(text: str) -> list[str]:
    """`a, b` as tags; an empty text is no tag at all."""
    return [part for part in text.split(",") if part.strip()]


def text_or_stdin(text: str) -> str:
    """The text itself; for `-` standard input without its last line end, as `$(…)` takes it."""
    if text != STDIN:
        return text
    return drop_line_end(_decoded(read_stdin(_MUCH), "standard input"))


def drop_line_end(text: str) -> str:
    """`text` without one line end at its end: editors and `echo` add it."""
    return text.removesuffix("\n").removesuffix("\r") if text.endswith("\n") else text


def read_stdin(most: int = -1) -> bytes:
    """Standard input's bytes, at most `most`; a person at a terminal is told how to end it."""
    if sys.stdin is None:
        raise UsageError("there is no standard input to read from")
    if sys.stdin.isatty():
        warn("Reading from the terminal; end with Ctrl-D on a line of its own.")
    if isinstance(sys.stdin, io.TextIOWrapper):
        data: bytes = sys.stdin.buffer.read(most)
        return data
    return sys.stdin.read(most).encode()


def decode(data: bytes, name: str) -> str:
    """UTF-8, with or without a byte order mark. Raises `InvalidError` naming where it breaks."""
    return _decoded(data, name).removeprefix("\ufeff")


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        if len(data) >= _MUCH > len(data) - 4 and error.end == len(data):
            # Cut in the middle of a character; too long for a memory anyway.
            return data[: error.start].decode()
        line = data.count(b"\n", 0, error.start) + 1
        raise InvalidError(f"{name}, line {line}: is not UTF-8") from error


def require_ids(ids: Sequence[int]) -> Sequence[int]:
    """The ids, each once, in their order."""
    return tuple(dict.fromkeys(ids))
