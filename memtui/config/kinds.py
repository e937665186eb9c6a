"""Kinds of values: how each is read from TOML and from a variable's text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from memtui.text import storable_problem

Keys = Mapping[str, tuple[str, ...]]
"""An action's id and the keys that are bound to it."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of value. Both readers raise `ValueError` with what is allowed."""

    words: str
    from_toml: Callable[[object], object]
    from_text: Callable[[str], object]


def toml_name(value: object) -> str:
    """What a TOML value is, in words: `a number`."""
    names = {bool: "true or false", int: "a number", float: "a number", str: "text"}
    names |= {list: "a list", dict: "a table"}
    return names.get(type(value), "a date or time")


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"must be text in quotes, not {toml_name(value)}")
    if not value.strip():
        raise ValueError("must not be empty; leave it out instead")
    if problem := storable_problem(value):
        raise ValueError(problem)
    return value


def _switch(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"must be true or false, not {toml_name(value)}")
    return value


def _switch_text(text: str) -> bool:
    words = {"1": True, "true": True, "yes": True, "on": True}
    words |= {"0": False, "false": False, "no": False, "off": False}
    if text.strip().lower() not in words:
        raise ValueError(f"must be true or false, not {text!r}")
    return words[text.strip().lower()]


def _port(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"must be a whole number, not {toml_name(value)}")
    if not 0 <= value <= 65_535:
        raise ValueError(f"must be from 0 to 65535, not {value}")
    return value


def _port_text(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text.strip()):
        raise ValueError(f"must be a whole number, not {text!r}")
    return _port(int(text))


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError(f"must be a list of texts, not {toml_name(value)}")
    return tuple(_text(item) for item in value)


def _texts_text(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def key_names(value: object) -> tuple[str, ...]:
    """The keys that one action gets: one key, or a list; an empty list takes its keys away."""
    if not isinstance(value, str | list):
        raise ValueError(f"must be a key or a list of keys, not {toml_name(value)}")
    return (_text(value),) if isinstance(value, str) else _texts(value)


def _no_table(value: object) -> Keys:
    raise ValueError(f"must be a table of keys, not {toml_name(value)}")


def _no_keys(text: str) -> Keys:
    raise ValueError(f"{text!r} cannot be set here; use the [keys] table of the file")


TEXT = Kind("text", _text, _text)
PATH = Kind("path", _text, _text)
SWITCH = Kind("true or false", _switch, _switch_text)
PORT = Kind("port number", _port, _port_text)
TEXTS = Kind("list of texts", _texts, _texts_text)
KEYS = Kind("table of keys", _no_table, _no_keys)
"""Read entry by entry, with `key_names`, so that each has a place of its own."""
