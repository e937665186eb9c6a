"""What every rule needs: the store, who acts, what time it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from memtui.store import Store

Progress = Callable[[int, int], bool | None]
"""Called with (done, total) between chunks of long work; returning False cancels it."""


@dataclass(frozen=True, slots=True)
class Context:
    """The store under one actor's name."""

    store: Store
    actor: str
    clock: Callable[[], datetime]
