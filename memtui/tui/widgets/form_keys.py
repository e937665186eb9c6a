"""The key line of a screen: its actions with the keys that are bound right now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from textual.screen import Screen

from memtui.tui.actions import BY_ID, Place, at, key_label
from memtui.tui.widgets.bars import Hint, KeyBar


class KeyLine(KeyBar):
    """The keys of one place, under the keys that the person gave them."""

    def __init__(self, place: Place) -> None:
        super().__init__(widget_id="key-line")
        self._place = place

    def on_mount(self) -> None:
        """Follow the bindings: the person's own keys come with the app's key map."""
        self.screen.bindings_updated_signal.subscribe(self, self._follow)
        self._follow(self.screen)

    def show_place(self, place: Place) -> None:
        """Offer the keys of another place."""
        self._place = place
        self._follow(self.screen)

    def _follow(self, screen: Screen[Any]) -> None:
        offered = list(hints(screen, self._place))
        leaving = [hint for hint in offered if "escape" in BY_ID[hint.action].keys]
        self.show([hint for hint in offered if hint not in leaving], leaving)


def hints(screen: Screen[Any], place: Place) -> Iterator[Hint]:
    """Yield what the key line of a place shows, each action with the first key bound to it."""
    bound = bound_keys(screen)
    for action in at(place):
        if action.footer and action.id in bound:
            yield Hint(key_label(bound[action.id][0]), action.label, action.id)


def bound_keys(screen: Screen[Any]) -> dict[str, list[str]]:
    """Return the keys that are bound on `screen` right now, by action id."""
    bound: dict[str, list[str]] = {}
    for key, active in screen.active_bindings.items():
        if active.binding.id and active.enabled:
            bound.setdefault(active.binding.id, []).append(key)
    return bound
