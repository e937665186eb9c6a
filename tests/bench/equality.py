"""Thousands of random queries, and writes in between, against plain lists.

Run `python -m tests.bench.equality`. The ordinary tests do the same with some hundred memories;
this one is for a machine with time.
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from memtui.models import Memory
from memtui.service import MemoryService
from tests.bench import databases
from tests.store.naive import Naive, compare, compare_facets, random_query, random_write

_CHUNK = 5_000


def main() -> None:
    """Compare, and say how far it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=20_000, help="before and after the writes")
    parser.add_argument("--writes", type=int, default=5_000)
    parser.add_argument("--facets", type=int, default=200, help="queries whose facets are compared")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dir", type=Path, default=databases.default_folder())
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory(dir=options.dir) as folder:
        path = databases.copy(databases.database(options.dir, options.size), Path(folder) / "m.db")
        with MemoryService.open(path) as service:
            naive = Naive.of(_records(service, options.size))
            _compare(service, naive, chance, options)
            started = time.monotonic()
            for _ in range(options.writes):
                random_write(chance, service, naive)
            print(f"{options.writes} writes: {time.monotonic() - started:.0f} s", flush=True)
            _compare(service, naive, chance, options)
            started = time.monotonic()
            faults = service.check()
            print(f"check: {faults or 'well'}, {time.monotonic() - started:.0f} s", flush=True)
            assert not faults


def _records(service: MemoryService, size: int) -> Iterator[Memory]:
    """Every record as it is, found by nothing but its id."""
    with service._context.store.read() as reading:
        for first in range(1, size + 1, _CHUNK):
            yield from reading.find(range(first, min(first + _CHUNK, size + 1)))


def _compare(
    service: MemoryService, naive: Naive, chance: random.Random, options: argparse.Namespace
) -> None:
    started = time.monotonic()
    for _ in range(options.queries):
        compare(service, naive, random_query(chance, naive.memories))
    for _ in range(options.facets):
        query = random_query(chance, naive.memories)
        if not query.q or len(query.q) > 3:
            compare_facets(service, naive, query)
    seconds = time.monotonic() - started
    print(
        f"{options.queries} queries of {len(naive.memories)} memories: {seconds:.0f} s", flush=True
    )


if __name__ == "__main__":
    main()
