"""The figures of the store, made ready for small plots; pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from memtui.models import Measures, Month
from memtui.tui.view import TYPES

MONTHS = 24
"""How many months are plotted, the present one included."""
_LEAST_MONTHS = 12
_AGES = {
    1: "under a day",
    7: "under a week",
    30: "under a month",
    90: "under 3 months",
    365: "under a year",
    None: "older",
}


class Series(NamedTuple):
    """A number for each month, oldest first, and their sum over all time."""

    name: str
    values: tuple[int, ...]
    total: int


class Level(NamedTuple):
    """One bar of several that are compared."""

    label: str
    value: int


def plotted(months: Sequence[Month], now: datetime) -> list[str]:
    """Return the names of the months that are plotted, oldest first: `2024-05`, …, `2026-04`.

    From the first one that anything happened in, but at least a year and at most `MONTHS`.
    """
    newest = now.year * 12 + now.month - 1
    first = min((month.month for month in months), default="9999-99")
    names = [f"{at // 12:04}-{at % 12 + 1:02}" for at in range(newest - MONTHS + 1, newest + 1)]
    return [name for name in names if name >= first or name in names[-_LEAST_MONTHS:]]


def created(months: Sequence[Month], now: datetime) -> Iterator[Series]:
    """Yield how many memories of each type were made in each month."""
    names = plotted(months, now)
    others = sorted({month.memory_type for month in months} - set(TYPES))
    for kind in (*TYPES, *others):
        made: dict[str, int] = defaultdict(int)
        for month in months:
            if month.memory_type == kind:
                made[month.month] += month.created
        yield Series(kind, tuple(made[name] for name in names), sum(made.values()))


def accessed(months: Sequence[Month], now: datetime) -> Series:
    """Return how many memories were last read in each month."""
    read: dict[str, int] = defaultdict(int)
    for month in months:
        read[month.month] += month.accessed
    return Series(
        "last read", tuple(read[name] for name in plotted(months, now)), sum(read.values())
    )


def ages(measures: Measures) -> tuple[list[Level], list[Level]]:
    """Return how long ago memories were made, and last read."""
    names = [_AGES.get(age.days, f"under {age.days} days") for age in measures.ages]
    made = [Level(name, age.created) for name, age in zip(names, measures.ages, strict=True)]
    read = [Level(name, age.read) for name, age in zip(names, measures.ages, strict=True)]
    return made, read
