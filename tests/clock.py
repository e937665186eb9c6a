"""A clock that only moves when it is told to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


@dataclass
class Clock:
    """Call it for the present moment; `tick` moves it on (or back)."""

    now: datetime = datetime(2026, 4, 6, 14, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def tick(self, **delta: float) -> datetime:
        self.now += timedelta(**delta or {"seconds": 1})
        return self.now
