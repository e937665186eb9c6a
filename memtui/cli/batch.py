"""Reading many new memories from a JSON list or JSON lines, all or nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from memtui.cli.inputs import STDIN, decode, read_stdin
from memtui.errors import InvalidError, Problem
from memtui.models import MemoryCreate

_SHOWN = 20


def read_batch(name: str) -> Sequence[MemoryCreate]:
    """The memories of a file, or of standard input for `-`.

    Raises `InvalidError` naming the place and field of what is refused; nothing was created then.
    """
    data = read_stdin() if name == STDIN else Path(name).read_bytes()
    text = decode(data, "standard input" if name == STDIN else name)
    problems: list[Problem] = []
    memories: list[MemoryCreate] = []
    for place, value in _values(text):
        try:
            memories.append(MemoryCreate.parse(value))
        except InvalidError as error:
            problems += [Problem((place, *p.loc), p.message, p.kind) for p in error.problems]
    if problems:
        more = len(problems) - _SHOWN
        hint = "Nothing was created." + (f" There are {more:,} more problems." if more > 0 else "")
        raise InvalidError(problems[:_SHOWN], hint)
    return memories


def _values(text: str) -> Iterator[tuple[str, object]]:
    if text.lstrip()[:1] == "[":
        values = _parsed(text, "the list")
        if isinstance(values, list):
            yield from ((f"item {at}", value) for at, value in enumerate(values, start=1))
        return
    for at, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield f"line {at}", _parsed(line, f"line {at}")


def _parsed(text: str, place: str) -> object:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        reason = getattr(error, "msg", str(error))
        raise InvalidError([Problem((place,), f"is not JSON: {reason}")], _EXPECTED) from error
    return value


_EXPECTED = 'One object a line, or one list: {"content": "…", "tags": ["…"]}'
