"""Standard output: the data that a verb was asked for, as text for people or as JSON."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from datetime import datetime

_NOT_PLAIN = re.compile(r"[^\n\x20-\x7e]")


def prepare() -> None:
    """Make both streams take every text, whatever the locale says they can hold."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def write(line: str) -> None:
    """Write one line of text that is safe to look at already."""
    if sys.stdout is not None:
        sys.stdout.write(line + "\n")


def write_json(value: object) -> None:
    """Write a model, or lists and mappings of them, as one line of JSON."""
    from pydantic_core import to_json

    text = to_json(_plain(value)).decode()
    if _needs_escapes():
        text = _NOT_PLAIN.sub(_escape, text)
    write(text)


def _plain(value: object) -> object:
    """Records as objects and moments as the contract writes them; models know that themselves."""
    if isinstance(value, datetime):
        from memtui.models import format_timestamp

        return format_timestamp(value)
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        value = value._asdict()
    elif is_dataclass(value) and not isinstance(value, type):
        value = {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value


def write_json_lines(values: Iterable[object]) -> None:
    """Write each value as one line of JSON."""
    for value in values:
        write_json(value)


def flush() -> None:
    """Hand everything to the system, so that a failure to write is ours to report."""
    if sys.stdout is not None:
        sys.stdout.flush()


def abandon() -> None:
    """Stop writing: whoever read our output has gone, and the interpreter must not try again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def abandon_if_broken() -> None:
    """Hand over what was written so far; stop writing where that fails."""
    try:
        flush()
    except OSError:
        abandon()


def is_terminal() -> bool:
    """Whether a person is looking at standard output."""
    return sys.stdout is not None and sys.stdout.isatty()


def width() -> int:
    """How many cells a line may take: COLUMNS, the terminal's width, or 80."""
    if os.environ.get("COLUMNS", "").isdigit() and int(os.environ["COLUMNS"]) > 0:
        return int(os.environ["COLUMNS"])
    for stream in (sys.__stdout__, sys.__stderr__, sys.__stdin__):
        try:
            if stream is not None and (columns := os.get_terminal_size(stream.fileno()).columns):
                return columns
        except (OSError, ValueError):
            continue
    return 80


def dim(text: str) -> str:
    """Step text back, where there are colours."""
    return f"\x1b[2m{text}\x1b[0m" if _colours() else text


def bold(text: str) -> str:
    """Bring text forward, where there are colours."""
    return f"\x1b[1m{text}\x1b[0m" if _colours() else text


def _colours() -> bool:
    return is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "") != "dumb"


def _needs_escapes() -> bool:
    # JSON's own escapes keep it valid where the encoding lacks a character, and keep a terminal
    # from acting on the controls that JSON may hold as they are.
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    return is_terminal() or encoding.lower().replace("_", "-") not in {"utf-8", "utf8"}


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    if is_terminal() and char.isprintable() and _fits(char):
        return char
    units = char.encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def _fits(char: str) -> bool:
    try:
        char.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True
