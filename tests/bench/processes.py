"""Several processes that read and mark pages of one database at the same time."""

from __future__ import annotations

import multiprocessing
import random
import statistics
import time
from dataclasses import dataclass
from multiprocessing.synchronize import Barrier
from pathlib import Path

from memtui.errors import LockedError
from memtui.models import MemoryQuery
from memtui.service import MemoryService

SECONDS = 5.0
_NEEDLES = ("the", "meeting", "ing", "vegetarian", "th", "prefers", "coffee")
_SORTS = ("id", "created_at", "updated_at", "last_accessed_at")


@dataclass(frozen=True, slots=True)
class Together:
    """What some processes did in the time: pages a second, and how long one took (milliseconds)."""

    processes: int
    a_second: float
    median: float
    p99: float
    worst: float
    locked: int

    def __str__(self) -> str:
        return (
            f"{self.processes} processes: {self.a_second:,.0f} pages/s, "
            f"median {self.median:.1f} ms, p99 {self.p99:.0f} ms, worst {self.worst:.0f} ms, "
            f"lock errors {self.locked}"
        )


def together(path: Path, processes: int, seconds: float = SECONDS) -> Together:
    """Let so many processes retrieve and mark random pages of 10 for a while."""
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(processes)
    with context.Pool(processes, initializer=_remember, initargs=(start,)) as pool:
        runs = pool.starmap(_work, [(path, seed, seconds) for seed in range(processes)])
    taken = sorted(wait for waits, _ in runs for wait in waits)
    return Together(
        processes,
        len(taken) / seconds,
        statistics.median(taken),
        taken[int(len(taken) * 0.99)],
        taken[-1],
        sum(locked for _, locked in runs),
    )


_start: Barrier


def _remember(start: Barrier) -> None:
    global _start  # noqa: PLW0603 - a pool hands nothing else to its processes
    _start = start


def _work(path: Path, seed: int, seconds: float) -> tuple[list[float], int]:
    chance = random.Random(seed)
    waits: list[float] = []
    locked = 0
    with MemoryService.open(path) as service:
        service.search(MemoryQuery())
        _start.wait()
        end = time.monotonic() + seconds
        while (begun := time.monotonic()) < end:
            values: dict[str, object] = {
                "sort": chance.choice(_SORTS),
                "offset": chance.randrange(500),
            }
            if chance.random() < 0.5:
                values["q"] = chance.choice(_NEEDLES)
            try:
                service.search(MemoryQuery.parse(values))
            except LockedError:
                locked += 1
            waits.append((time.monotonic() - begun) * 1e3)
    return waits, locked
