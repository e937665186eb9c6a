"""How many memories match a text, remembered until somebody changes the memories."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

from memtui.store.base import Filter

_KEPT = 512


class State(NamedTuple):
    """What the memories are, as far as filters tell: another state has another pair of numbers.

    Whatever changes what matches adds a revision, and a purge takes memories away; a refresh of
    `last_accessed_at` does neither.
    """

    newest_revision: int
    population: int


class Totals:
    """Totals by state and filter, the latest used ones; for all threads of a store.

    Turning a page asks for the same total again, and it may be the dearest part of a page.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._totals: OrderedDict[tuple[State, Filter], int] = OrderedDict()

    def get(self, state: State, filter_: Filter) -> int | None:
        """The total, if it is known."""
        with self._lock:
            total = self._totals.get((state, filter_))
            if total is not None:
                self._totals.move_to_end((state, filter_))
            return total

    def keep(self, state: State, filter_: Filter, total: int) -> None:
        """Remember a total that a transaction which wrote nothing has counted."""
        with self._lock:
            self._totals[state, filter_] = total
            if len(self._totals) > _KEPT:
                self._totals.popitem(last=False)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._totals.clear()
