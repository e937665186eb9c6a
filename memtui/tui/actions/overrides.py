"""The person's own keys: which keys an action has, and what is wrong with a key map."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from memtui.errors import Problem
from memtui.tui.actions.key_names import canonical_key, is_key, key_label
from memtui.tui.actions.kinds import Action, Place
from memtui.tui.actions.registry import ACTIONS, BY_ID


def keys_of(action: Action, overrides: Mapping[str, str]) -> tuple[str, ...]:
    """Return the keys of `action` under the person's overrides, as Textual names them."""
    if (given := overrides.get(action.id)) is None:
        return action.keys
    return tuple(_split(given))


def key_problems(overrides: Mapping[str, str]) -> list[Problem]:
    """Check key overrides (action id → comma-separated keys): one `Problem` per mistake.

    Refused are an unknown action, an empty or repeated key, a key that is not one, and a key that
    two actions of one place would share.
    """
    problems = [
        Problem(
            ("keys", name), f"is not an action; there are: {', '.join(sorted(BY_ID))}", "unknown"
        )
        for name in overrides
        if name not in BY_ID
    ]
    for name, given in overrides.items():
        if name in BY_ID:
            problems += _bad_keys(name, given)
    return problems + _clashes(overrides)


def _split(given: str) -> Iterable[str]:
    """Split "a, b" at its commas; a lone comma, or one between commas, is the key itself."""
    given = given.strip()
    if given == ",":
        return ["comma"]
    return [canonical_key(part) for part in given.split(",")]


def _bad_keys(name: str, given: str) -> Iterator[Problem]:
    seen: set[str] = set()
    for key in _split(given):
        where = ("keys", name)
        if not key:
            yield Problem(where, 'has an empty key; write for example "e" or "e, f2"', "empty")
        elif not is_key(key):
            yield Problem(
                where, f"{key!r} is not a key; write for example e, E, ctrl+e, f2, enter", "key"
            )
        elif key in seen:
            yield Problem(where, f"names {key_label(key)} twice", "repeated")
        seen.add(key)


def _clashes(overrides: Mapping[str, str]) -> list[Problem]:
    problems: list[Problem] = []
    taken: dict[tuple[Place, str], str] = {}
    ordered = sorted(ACTIONS, key=lambda action: action.id in overrides)
    for action in ordered:
        told: set[str] = set()
        for key in dict.fromkeys(keys_of(action, overrides)):
            for place in sorted(action.where):
                holder = taken.setdefault((place, key), action.id)
                if holder != action.id and holder not in told:
                    told.add(holder)
                    problems.append(
                        Problem(
                            ("keys", action.id),
                            f"{key_label(key)} is bound twice: it is also the key of {holder}",
                            "clash",
                        )
                    )
    return problems
