"""Programs that write until they are killed, and what must be true of the database afterwards.

`doing` runs one of `PROGRAMS` in a process of its own and kills it (-9) after a while. The process
reports each write that was acknowledged to it; `lost_or_half_done` holds those against the file.
"""

from __future__ import annotations

import json
import multiprocessing
import random
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from memtui.errors import MemtuiError, NotFoundError
from memtui.models import BulkChange, Memory, MemoryCreate, MemoryPatch, MemoryQuery, Selection
from memtui.service import MemoryService
from memtui.store.rows import tags_from_text
from memtui.transfer.importing import open_plan

Report = Callable[[str, Any], None]
MANY = 120
"""Memories in each import and each creation of many."""


class Told(NamedTuple):
    """What the process was told by the service before it died."""

    kind: str
    value: Any


@dataclass
class Acknowledged:
    """Everything that was acknowledged on one database, by every process that was killed on it."""

    memories: list[Memory] = field(default_factory=list)
    batches: set[int] = field(default_factory=set)
    purged: set[int] = field(default_factory=set)
    sets: dict[str, int] = field(default_factory=dict)
    copies: list[Path] = field(default_factory=list)
    began: set[str] = field(default_factory=set)

    def take(self, told: Told) -> None:
        """Note one report."""
        match told.kind:
            case "memory":
                self.memories.append(told.value)
            case "batch":
                self.batches.add(told.value)
            case "purged":
                self.purged.add(told.value)
            case "began":
                self.began.add(told.value)
            case "set":
                self.sets[told.value] = MANY
            case "copy":
                self.copies.append(told.value)


# --- the programs ---------------------------------------------------------------------------------


def at_work(path: Path, seed: int, report: Report) -> None:
    """Do everything that writes, at random, for ever."""
    chance = random.Random(seed)
    with MemoryService.open(path, actor="killed") as service:
        report("ready", None)
        for number in range(1_000_000):
            with suppress(NotFoundError):  # it picked what is deleted
                chance.choice(_WORK)(service, chance, report, f"{seed}-{number}")


def opening(path: Path, seed: int, report: Report) -> None:
    """Bring an older schema up to date."""
    report("ready", None)
    with MemoryService.open(path):
        report("opened", None)


def repairing(path: Path, seed: int, report: Report) -> None:
    """What `memtui doctor --fix` does."""
    with MemoryService.open(path) as service:
        report("ready", None)
        report("copy", service.backup(path.with_name(f"{path.name}.{seed}.bak")))
        service.repair()
        report("repaired", None)


def _create(service: MemoryService, chance: random.Random, report: Report, name: str) -> None:
    report("memory", service.create(MemoryCreate(content=f"made {name} Straße", tags=("one",))))


def _patch(service: MemoryService, chance: random.Random, report: Report, name: str) -> None:
    patch = MemoryPatch(content=f"changed {name} " + "x" * chance.randrange(6_000), tags=(name,))
    report("memory", service.patch(_any(service, chance), patch))


def _delete(service: MemoryService, chance: random.Random, report: Report, name: str) -> None:
    gone = service.delete(_any(service, chance))
    report("memory", gone)
    if chance.random() < 0.5:
        report("memory", service.restore(gone.id))


def _purge(service: MemoryService, chance: random.Random, report: Report, name: str) -> None:
    memory = service.create(MemoryCreate(content=f"short-lived {name}"))
    service.delete(memory.id)
    service.purge([memory.id])
    report("purged", memory.id)


def _create_many(service: MemoryService, chance: random.Random, report: Report, name: str) -> None:
    report("began", f"set-{name}")
    service.create_many(
        [MemoryCreate(content=f"{n} of {name}", tags=(f"set-{name}", "many")) for n in range(MANY)]
    )
    report("set", f"set-{name}")


def _import(service: MemoryService, chance: random.Random, report: Report, name: str) -> None:
    source = Path(service.location).with_name("source.jsonl")
    lines = [{"content": f"{n} imported {name}", "tags": [f"set-{name}"]} for n in range(MANY)]
    source.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    report("began", f"set-{name}")
    with open_plan([str(source)]) as plan:
        plan.apply(service)
    report("set", f"set-{name}")


def _bulk(service: MemoryService, chance: random.Random, report: Report, name: str) -> None:
    everything = Selection.matching(MemoryQuery(status="active"))
    change = chance.choice(
        [
            BulkChange(add_tags=(f"bulk-{chance.randrange(5)}",)),
            BulkChange(memory_type=chance.choice(["fact", "event"]), remove_tags=("one",)),
        ]
    )
    _batch(report, service.bulk(everything, change).batch)


def _undo(service: MemoryService, chance: random.Random, report: Report, name: str) -> None:
    done = service.undo() if chance.random() < 0.6 else service.redo()
    _batch(report, done.batch)


def _copy(service: MemoryService, chance: random.Random, report: Report, name: str) -> None:
    report("copy", service.backup(Path(service.location).with_name(f"{name}.bak")))


def _batch(report: Report, batch: int | None) -> None:
    if batch is not None:
        report("batch", batch)


def _any(service: MemoryService, chance: random.Random) -> int:
    total = service.search(MemoryQuery(limit=1), touch=False).total
    if not total:
        raise NotFoundError("nothing to pick from")
    query = MemoryQuery(limit=1, offset=chance.randrange(total))
    return service.search(query, touch=chance.random() < 0.5).items[0].id


_WORK = (_create, _create, _patch, _patch, _delete, _purge, _create_many, _import, _bulk, _bulk,
         _undo, _copy)  # fmt: skip
PROGRAMS = {function.__name__: function for function in (at_work, opening, repairing)}


# --- killing them ---------------------------------------------------------------------------------


def doing(program: str, path: Path, seed: int, seconds: float) -> Iterator[Told]:
    """Run a program, kill it so many seconds after it was ready, and give all that it was told."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_main, args=(program, path, seed, there), daemon=True)
    process.start()
    there.close()
    told = here.recv()
    assert told.kind == "ready", told
    process.join(seconds)
    process.kill()
    with suppress(EOFError, OSError):
        while True:
            yield here.recv()
    process.join()
    here.close()


def _main(program: str, path: Path, seed: int, there: Connection) -> None:
    def report(kind: str, value: Any) -> None:
        there.send(Told(kind, value))

    try:
        PROGRAMS[program](path, seed, report)
    except MemtuiError as error:
        report("failed", str(error))


# --- afterwards -----------------------------------------------------------------------------------


def lost_or_half_done(path: Path, known: Acknowledged) -> list[str]:
    """Reopen the database and say what is not as it was acknowledged, or not whole."""
    with MemoryService.open(path) as service:
        wrong = list(service.check())
    with sqlite3.connect(path) as raw:
        wrong += [*_lost(raw, known), *_half_done(raw, known)]
    raw.close()
    for copy in known.copies:
        with MemoryService.open(copy, read_only=True) as service:
            wrong += [f"copy {copy.name}: {fault}" for fault in service.check()]
    return wrong


_JOURNAL = "SELECT memory_id, version, content, tags, status FROM revision ORDER BY memory_id, seq"


def _lost(raw: sqlite3.Connection, known: Acknowledged) -> Iterator[str]:
    journal: defaultdict[int, set[tuple[object, ...]]] = defaultdict(set)
    contents: dict[int, str] = {}
    for id_, version, content, tags, status in raw.execute(_JOURNAL):
        if content is not None:
            contents[id_] = content
        journal[id_].add((version, contents[id_], tags_from_text(tags), status))
    for memory in known.memories:
        if (memory.version, memory.content, memory.tags, memory.status) not in journal[memory.id]:
            yield f"lost: #{memory.id} at version {memory.version}, {memory.status}"
    stored = {row[0] for row in raw.execute("SELECT id FROM batch")}
    yield from (f"lost: batch {batch}" for batch in known.batches - stored)
    yield from (f"not purged: #{id_}" for id_ in known.purged if id_ in journal)


def _half_done(raw: sqlite3.Connection, known: Acknowledged) -> Iterator[str]:
    for name in known.began:
        [(number,)] = raw.execute(
            "SELECT count(DISTINCT memory_id) FROM revision"
            " WHERE action = 'create' AND tags LIKE ? ESCAPE '!'",
            (f'%"{name}"%',),
        )
        if number not in {known.sets.get(name, 0), MANY}:
            yield f"half done: {number} of {name}"
    purged = "SELECT count(*) FROM revision WHERE batch_id = batch.id"
    for id_, size, number in raw.execute(f"SELECT id, size, ({purged}) FROM batch"):
        if number != size and not (number == 0 and size == 1):  # of a purged memory
            yield f"half done: batch {id_} has {number} of {size}"
    versions = (
        "SELECT m.id, m.version, count(DISTINCT r.version), max(r.version) FROM memory m"
        " JOIN revision r ON r.memory_id = m.id GROUP BY m.id"
    )
    for id_, version, number, newest in raw.execute(versions):
        if not version == number == newest:
            yield f"versions: #{id_} is at {version}, its journal has {number} up to {newest}"
