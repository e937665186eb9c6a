"""The configuration file as text: parsed, with the line of every value and of every fault."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from memtui.errors import ConfigError

_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")


class TomlFile(NamedTuple):
    """What a file says, and its text, to find places in."""

    path: Path
    text: str
    values: Mapping[str, object]

    def place(self, parts: tuple[str, ...]) -> str:
        """Where the value at `parts` is set: `config.toml:3`."""
        line = line_of(self.text, parts)
        return f"{self.path}:{line}" if line else str(self.path)


def read(path: Path) -> TomlFile:
    """Read the file. Raises `ConfigError` naming file, line and reason; `FileNotFoundError`."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: cannot be read: {reason_of(error)}") from error
    if raw.startswith(_MARKS):
        raise ConfigError(f"{path}:1: begins with a byte order mark", "Save it as plain UTF-8.")
    try:
        text = raw.decode()
        return TomlFile(path, text, tomllib.loads(text))
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}:{line}: is not UTF-8", "Save it as plain UTF-8.") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        line, reason = _line_and_reason(str(error), text)
        raise ConfigError(f"{path}:{line}: is not TOML: {reason}") from error


def reason_of(error: OSError | ValueError) -> str:
    """Why the system refused a path, in words."""
    words = error.strerror if isinstance(error, OSError) else None
    return (words or str(error)).lower()


def line_of(text: str, parts: tuple[str, ...]) -> int | None:
    """The line, from 1, on which the TOML `text` begins to set the value at `parts`.

    The parser keeps no places, but it tells for every beginning of the text whether it is whole:
    the value is set by the first whole beginning that holds it, after the whole one before.
    """
    lines = text.splitlines(keepends=True)
    last_whole = 0
    for count in range(1, len(lines) + 1):
        try:
            document: object = tomllib.loads("".join(lines[:count]))
        except tomllib.TOMLDecodeError:
            continue
        if _holds(document, parts):
            return last_whole + 1
        last_whole = count
    return None


def _holds(document: object, parts: tuple[str, ...]) -> bool:
    if not parts:
        return True
    if not isinstance(document, dict):
        return False
    # A quoted key may hold dots itself.
    heads = (".".join(parts[:taken]) for taken in range(1, len(parts) + 1))
    return any(
        head in document and _holds(document[head], parts[taken:])
        for taken, head in enumerate(heads, start=1)
    )


def _line_and_reason(message: str, text: str) -> tuple[int, str]:
    found = re.fullmatch(r"(?s)(.*) \(at (?:line (\d+), column \d+|end of document)\)", message)
    if not found:
        return 1, message
    line = int(found[2]) if found[2] else max(1, len(text.splitlines()))
    return line, found[1][:1].lower() + found[1][1:]
