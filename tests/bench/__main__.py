"""Benchmarks: `python -m tests.bench --sizes 1000 100000`; one table of ratios for each size."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from tests.bench import databases
from tests.bench.in_process import Bench
from tests.bench.processes import together
from tests.bench.timing import table


def main() -> None:
    """Measure, and print a table for each size."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--times", type=int, default=15, help="runs of each; the median counts")
    parser.add_argument(
        "--dir", type=Path, default=databases.default_folder(), help="where databases are kept"
    )
    parser.add_argument(
        "--processes", type=int, nargs="*", default=[1, 4, 8], help="that read at the same time"
    )
    options = parser.parse_args()
    for size in options.sizes:
        kept = databases.database(options.dir, size)
        with tempfile.TemporaryDirectory(dir=options.dir) as folder:
            bench = Bench(databases.copy(kept, Path(folder) / "m.db"), options.times)
            try:
                print(f"\n{size:,} memories, milliseconds of CPU (median)\n")
                print(table(list(bench.lines())), flush=True)
            finally:
                bench.close()
            for processes in options.processes:
                print(together(Path(folder) / "m.db", processes), flush=True)


if __name__ == "__main__":
    main()
