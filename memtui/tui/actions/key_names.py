"""How keys are called: by Textual, and by people."""

from __future__ import annotations


def key_label(key: str) -> str:
    """Return a key as people write it: `slash` is `/`, `ctrl+p` is `^p`."""
    *modifiers, name = key.split("+")
    shown = _SHOWN.get(name, name)
    return "".join("^" if part == "ctrl" else f"{part}+" for part in modifiers) + shown


def canonical_key(key: str) -> str:
    """Return the name that Textual gives a key: `/` is `slash`, `Ctrl+P` is `ctrl+p`."""
    key = key.strip()
    if len(key) == 1:
        return NAMED.get(key, key)
    *modifiers, name = key.split("+") if not key.endswith("++") else [*key[:-2].split("+"), "+"]
    name = NAMED.get(name, name) if len(name) == 1 else name.lower()
    return "+".join([*(part.lower() for part in modifiers), name])


def is_key(key: str) -> bool:
    """Whether `key`, in its canonical form, is one that Textual can report."""
    *modifiers, name = key.split("+")
    known = len(name) == 1 or name in _SHOWN or name in _PLAIN
    return known and all(
        part in {"ctrl", "alt", "shift", "super", "meta", "hyper"} for part in modifiers
    )


NAMED = {
    "/": "slash", "?": "question_mark", ":": "colon", "[": "left_square_bracket",
    "]": "right_square_bracket", "{": "left_curly_bracket", "}": "right_curly_bracket",
    "+": "plus", "_": "underscore", "#": "number_sign", " ": "space", ",": "comma",
    ".": "full_stop",
    ";": "semicolon", "-": "minus", "=": "equals_sign", "*": "asterisk", "!": "exclamation_mark",
    "'": "apostrophe", '"': "quotation_mark", "(": "left_parenthesis", ")": "right_parenthesis",
    "<": "less_than_sign", ">": "greater_than_sign", "@": "at", "$": "dollar_sign",
    "%": "percent_sign", "&": "ampersand", "^": "circumflex_accent", "`": "grave_accent",
    "|": "vertical_line", "~": "tilde", "\\": "backslash",
}  # fmt: skip
_SHOWN = {name: char for char, name in NAMED.items()} | {
    "space": "space", "escape": "esc", "up": "↑", "down": "↓", "left": "←", "right": "→",
    "pageup": "PgUp", "pagedown": "PgDn", "enter": "enter", "backspace": "bksp",
}  # fmt: skip
_PLAIN = {
    "tab", "home", "end", "delete", "insert", *(f"f{number}" for number in range(1, 25)),
}  # fmt: skip
