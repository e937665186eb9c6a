"""How fast memories come in and go out, beside the bare statements.

`python -m tests.bench.transfer` imports and exports 100,000 memories in several forms and reports
ratios; `--number N` takes another number, `--gigabytes N` imports a file of that size and reports
the memory that it takes. Processor time is measured, so that others on the machine disturb less.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from memtui.interchange import ImportOptions
from memtui.service import MemoryService
from memtui.store import index_terms
from memtui.transfer.exporting import ExportOptions, export_to_file
from memtui.transfer.importing import open_plan
from memtui.transfer.registry import EXPORTERS
from memtui.transfer.secrets import detect
from tests.bench.generate import memories

_CHUNK = 1_000
_TURNS = 3
"""Both sides run so often, in turns; the best of each counts."""
_TABLES = ("tag", "origin", "memory", "memory_text", "fingerprint", "revision", "provenance")
_PAST_ROWS = {"tag": "id", "origin": "id", "revision": "seq", "memory_text": "id"}
_MEGABYTE = 1024 * 1024


class Speed(NamedTuple):
    """Memories per second of processor time, and per second that passed."""

    processor: float
    clock: float


def main(words: Sequence[str] | None = None) -> None:
    """Measure and print one table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--number", type=int, default=100_000, help="how many memories")
    parser.add_argument("--gigabytes", type=float, metavar="N", help="import a file of N gigabytes")
    args = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="memtui-bench-") as folder:
        if args.gigabytes:
            _large_file(Path(folder), args.gigabytes)
        else:
            _table(Path(folder), args.number)


def _table(folder: Path, number: int) -> None:
    plain, graph = folder / "plain.jsonl", folder / "graph.jsonl"
    _write(plain, _plain_lines(number))
    _write(graph, _graph_lines(number))
    print(f"{number:,} memories            per second of processor   per second    against bare")
    for name, source in (("JSON Lines", plain), ("MCP memory server", graph)):
        _import_rows(folder, f"import {name}", source)
        _row("  the same again", _import(folder / "full.db", source), None)
    for exporter in EXPORTERS:
        path = folder / f"out.{exporter.name}"
        turns = [_export(folder / "full.db", path, exporter.name, number) for _ in range(_TURNS)]
        _row(f"export {exporter.name}", max(turns), None)
    _import_rows(folder, "import into an empty store", folder / "out.jsonl")
    print(f"most memory used: {_most_memory():,.0f} MB")


def _import_rows(folder: Path, name: str, source: Path) -> None:
    imported, bare = [], []
    for _ in range(_TURNS):
        for left in folder.glob("*.db*"):
            left.unlink()
        imported.append(_import(folder / "full.db", source))
        bare.append(_bare(folder / "full.db", folder / "bare.db"))
    _row(name, max(imported), max(bare))
    _row("  bare executemany", max(bare), None)


def _row(name: str, speed: Speed, bare: Speed | None) -> None:
    ratio = f"{speed.processor / bare.processor:12.2f}" if bare else ""
    print(f"{name:<28} {speed.processor:>18,.0f} {speed.clock:>18,.0f} {ratio}")


def _timed(work: Callable[[], int]) -> Speed:
    began = time.perf_counter()
    began_processor = time.process_time()
    number = work()
    spent = time.process_time() - began_processor
    return Speed(number / spent, number / (time.perf_counter() - began))


def _import(database: Path, source: Path) -> Speed:
    with MemoryService.open(database) as service, open_plan([str(source)]) as plan:
        return _timed(lambda: plan.apply(service, ImportOptions(detect=detect)).total)


def _export(database: Path, path: Path, format_: str, number: int) -> Speed:
    with MemoryService.open(database) as service:
        return _timed(lambda: export_to_file(service, path, ExportOptions(format_)) and number)


def _bare(full: Path, empty: Path) -> Speed:
    """The same rows and index entries through `executemany` alone, in one transaction."""
    MemoryService.open(empty).close()
    with closing(sqlite3.connect(full)) as source:
        rows = {table: source.execute(f"SELECT * FROM {table}").fetchall() for table in _TABLES}
        tagged = source.execute("SELECT * FROM memory_tag ORDER BY memory_id").fetchall()
        texts = source.execute("SELECT id, folded, tokens FROM memory_text").fetchall()
        batches = source.execute("SELECT * FROM batch").fetchall()
    entries = [tuple(index_terms.entry(*text)) for text in texts]
    columns = ", ".join(index_terms.Entry._fields[1:])
    statements = {table: _insert(table, len(found[0])) for table, found in rows.items() if found}
    statements["memory_tag"] = _insert("memory_tag", 2)
    entry = f"INSERT INTO memory_index (rowid, {columns}) VALUES (?{', ?' * columns.count(',')}, ?)"

    def work() -> int:
        with closing(sqlite3.connect(empty, isolation_level=None)) as target:
            target.execute("PRAGMA synchronous = NORMAL")
            target.execute("BEGIN IMMEDIATE")
            target.executemany(_insert("batch", len(batches[0])), batches)
            for start in range(0, len(rows["memory"]), _CHUNK):
                part = slice(start, start + _CHUNK)
                for table, found in rows.items():
                    if found[part]:
                        target.executemany(statements[table], found[part])
                target.executemany(entry, entries[part])
                share = len(tagged) * _CHUNK // len(rows["memory"]) + 1
                at = start // _CHUNK * share
                target.executemany(statements["memory_tag"], tagged[at : at + share])
            target.execute("COMMIT")
        return len(rows["memory"])

    return _timed(work)


def _insert(table: str, columns: int) -> str:
    return f"INSERT INTO {table} VALUES ({', '.join('?' * columns)})"


def _plain_lines(number: int) -> Iterator[str]:
    for memory in memories(number):
        found = memory.model_dump(mode="json")
        yield json.dumps({name: found[name] for name in ("content", "tags", "created_at")})


def _graph_lines(number: int) -> Iterator[str]:
    chance = random.Random(7)
    observations: list[str] = []
    for place, memory in enumerate(memories(number)):
        observations.append(memory.content)
        if len(observations) == 9 or place == number - 1:
            kind = chance.choice(("person", "project", "tool"))
            entity = {"type": "entity", "name": f"Entity {place}", "entityType": kind}
            yield json.dumps({**entity, "observations": observations}, ensure_ascii=False)
            observations = []


def _write(path: Path, lines: Iterator[str]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)


def _large_file(folder: Path, gigabytes: float) -> None:
    """Long memories: the text counts, not how many there are."""
    path = folder / "large.jsonl"
    texts = [memory.content for memory in memories(2_000)]
    chance = random.Random(11)
    with path.open("w", encoding="utf-8") as file:
        number = 0
        while file.tell() < gigabytes * 1024 * _MEGABYTE:
            number += 1
            text = " ".join(chance.choices(texts, k=60))[:7_900]
            file.write(json.dumps({"content": f"{number} {text}"}, ensure_ascii=False) + "\n")
    before = _most_memory()
    speed = _import(folder / "large.db", path)
    size = path.stat().st_size / _MEGABYTE
    print(f"{size:,.0f} MB in {number:,} memories: {speed.clock:,.0f} per second")
    print(f"most memory used: {_most_memory():,.0f} MB, of which {before:,.0f} MB before")


def _most_memory() -> float:
    """Megabytes of the process at its largest."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (_MEGABYTE if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    main()
