"""The terminal UI on a pseudo-terminal: `python -m tests.bench.ui --size 100000`.

Types words letter by letter and waits for each page: what is measured is the time from a key to the
screen that shows the number of its matches. A key that leaves the number as it was tells nothing
and is not counted.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from memtui.models import MemoryQuery
from memtui.service import MemoryService
from tests.bench import databases
from tests.terminal import Terminal

WORDS = (
    "meeting",
    "vegetarian",
    "project",
    "Postgres",
    "falcon",
    "Straße",
    "the morning",
    "report on",
    "writing",
    "holiday",
)
_PAUSE = 0.125
"""Seconds between two keys: eight a second."""


def main() -> None:
    """Measure, and print a line for each figure."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.ui", description=__doc__)
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--dir", type=Path, default=databases.default_folder())
    options = parser.parse_args()
    kept = databases.database(options.dir, options.size)
    with tempfile.TemporaryDirectory(dir=options.dir) as folder:
        path = databases.copy(kept, Path(folder) / "m.db")
        totals = _totals(path)
        environment = {**os.environ, "MEMTUI_CONFIG": str(Path(folder) / "none.toml")}
        started = time.monotonic()
        terminal = Terminal([sys.executable, "-m", "memtui", "--db", str(path)], environment)
        assert terminal.shows("memtui", "search")
        print(f"first frame after {time.monotonic() - started:.2f} s")
        assert terminal.shows(f"{totals['']:,}")
        print(f"first page after {time.monotonic() - started:.2f} s")
        waits = _type_words(terminal, totals)
        waits.sort()
        p95 = waits[int(len(waits) * 0.95)]
        print(
            f"key to page: median {statistics.median(waits) * 1e3:.0f} ms, p95 {p95 * 1e3:.0f} ms, "
            f"worst {waits[-1] * 1e3:.0f} ms, {len(waits)} keys"
        )
        pid = terminal.child.pid
        print(f"memory: {_resident(pid)} MB, at most {_resident(pid, 'VmHWM')} MB")
        terminal.child.close(force=True)


def _totals(path: Path) -> dict[str, int]:
    """How many memories match each beginning of each word."""
    with MemoryService.open(path) as service:
        beginnings = {word[:length] for word in WORDS for length in range(1, len(word) + 1)}
        totals = {
            beginning: service.search(MemoryQuery(q=beginning, limit=1), touch=False).total
            for beginning in beginnings
        }
        return totals | {"": service.search(MemoryQuery(limit=1), touch=False).total}


def _type_words(terminal: Terminal, totals: dict[str, int]) -> list[float]:
    waits = []
    for word in WORDS:
        terminal.child.send("/")
        terminal.child.send("\x15")  # empties the box
        time.sleep(1)
        for length in range(1, len(word) + 1):
            total, before = totals[word[:length]], totals[word[: length - 1]]
            pressed = time.monotonic()
            terminal.child.send(word[length - 1])
            if terminal.shows(f"of {total:,} ", seconds=5) and total != before:
                waits.append(time.monotonic() - pressed)
            time.sleep(max(0.0, _PAUSE - (time.monotonic() - pressed)))
        terminal.child.send("\x1b")
        time.sleep(1)
    return waits


def _resident(pid: int, line: str = "VmRSS") -> int:
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(status.split(f"{line}:")[1].split()[0]) // 1024


if __name__ == "__main__":
    main()
