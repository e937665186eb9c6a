"""From the start of the program to its first frame: `python -m tests.bench.first_frame`.

On a pseudo-terminal, beside a bare Textual application with the same widgets and beside the bare
interpreter, in turns.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from memtui.service import MemoryService
from tests.terminal import Terminal

_BARE = Path(__file__).with_name("bare_app.py")


def main() -> None:
    """Measure, and print a line for each figure."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.first_frame", description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    program = str(Path(sys.executable).with_name("memtui"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.db"
        MemoryService.open(path).close()
        environment = {**os.environ, "MEMTUI_CONFIG": str(Path(folder) / "none.toml")}
        ours, bare = [], []
        for _ in range(runs + 1):  # the first of each warms the caches
            command = [program, "--db", str(path)]
            ours.append(_first_frame(command, environment, "Opening the memories"))
            bare.append(_first_frame([sys.executable, str(_BARE)], environment, "bare", "search"))
    _say("first frame", ours[1:], bare[1:])
    version = [_whole([program, "--version"]) for _ in range(runs + 1)]
    nothing = [_whole([sys.executable, "-c", "pass"]) for _ in range(runs + 1)]
    _say("memtui --version", version[1:], nothing[1:])


def _first_frame(command: Sequence[str], environment: dict[str, str], *words: str) -> float:
    started = time.perf_counter()
    terminal = Terminal(command, environment)
    if not terminal.shows(*words):
        raise SystemExit(f"{command[0]} showed no first frame")
    taken = time.perf_counter() - started
    terminal.child.close(force=True)
    return taken


def _whole(command: Sequence[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def _say(name: str, ours: Sequence[float], bare: Sequence[float]) -> None:
    mine, theirs = statistics.median(ours), statistics.median(bare)
    print(
        f"{name}: {mine * 1e3:.0f} ms, bare {theirs * 1e3:.0f} ms, ratio {mine / theirs:.2f}, "
        f"{(mine - theirs) * 1e3:+.0f} ms (medians of {len(ours)} runs)"
    )


if __name__ == "__main__":
    main()
