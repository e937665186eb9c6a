"""What every rule needs: the store, who acts, what time it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from memtui.store import Progress, Store

__all__ = ["Context", "Progress"]


@dataclass(frozen=True, slots=True)
class Context:
    """The store under one actor's name."""

    store: Store
    actor: str
    clock: Callable[[], datetime]
