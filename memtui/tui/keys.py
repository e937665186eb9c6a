"""Textual bindings made from the registry of actions."""

from __future__ import annotations

from collections.abc import Mapping

from textual.binding import Binding

from memtui.tui.actions import ACTIONS, Scope, canonical_key


def bindings(scope: Scope) -> list[Binding]:
    """Return the bindings of the node that has the actions of `scope`.

    Each carries the action's id, so that the app's key map can move it to other keys.
    """
    return [
        Binding(",".join(action.keys), action.id, action.label, id=action.id, tooltip=action.help)
        for action in ACTIONS
        if action.scope is scope and action.keys
    ]


def keymap(overrides: Mapping[str, str]) -> dict[str, str]:
    """Return the person's overrides as Textual's key map wants them."""
    return {
        name: ",".join(canonical_key(key) for key in (keys.split(",") if keys != "," else [keys]))
        for name, keys in overrides.items()
    }
