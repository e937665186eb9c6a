"""Measuring in turns: what is compared runs alternately, so that both meet the same machine."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Act = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table: milliseconds of ours and of what it is held against."""

    name: str
    ours: float
    bare: float | None = None
    at_most: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Ours in relation to the other."""
        return self.ours / self.bare if self.bare else None

    @property
    def verdict(self) -> str:
        """Whether the target is met; empty where there is none."""
        if self.at_most is None:
            return ""
        value = self.ours if self.ratio is None else self.ratio
        return "met" if value <= self.at_most else "MISSED"


def in_turns(acts: Sequence[Act], times: int) -> list[float]:
    """The median milliseconds of CPU of each act, run in turns."""
    taken: list[list[float]] = [[] for _ in acts]
    gc.collect()
    gc.disable()
    try:
        for _ in range(times):
            for act, seen in zip(acts, taken, strict=True):
                started = time.process_time_ns()
                act()
                seen.append((time.process_time_ns() - started) / 1e6)
    finally:
        gc.enable()
    return [statistics.median(seen) for seen in taken]


def table(lines: Sequence[Line]) -> str:
    """The lines as text."""
    rows = [("", "memtui ms", "bare ms", "ratio", "target", "")]
    for line in lines:
        unit = "ms" if line.bare is None else "x"
        rows.append(
            (
                line.name,
                f"{line.ours:,.3g}" if line.ours < 1_000 else f"{line.ours:,.0f}",
                "" if line.bare is None else f"{line.bare:,.3g}",
                "" if line.ratio is None else f"{line.ratio:.2f}",
                "" if line.at_most is None else f"<= {line.at_most:g} {unit}",
                f"{line.verdict} {line.note}".strip(),
            )
        )
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if at in {0, 5} else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
