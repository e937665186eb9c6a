"""Sample memories for `memtui demo`, screenshots and trying things out.

They are written through the service with a clock that walks from months ago to the present, so
that journal, versions and access marks are as real use would have left them.
"""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import TypedDict, cast

from memtui.models import MemoryCreate, MemoryPatch
from memtui.service import MemoryService
from memtui.service.memory_service import utc_now

SPAN = timedelta(days=170)
"""How long ago the first sample memory was created."""

SEED = 7
READER = "mcp:claude"


class _Entry(TypedDict, total=False):
    content: str
    tags: list[str]
    type: str
    by: str
    read: float
    change: list[Mapping[str, object]]


@dataclass(slots=True)
class _Clock:
    now: datetime

    def __call__(self) -> datetime:
        return self.now


@dataclass(order=True, slots=True)
class _Step:
    """Something that happens to the memory of `entry` at a moment; no `change` is a read."""

    at: datetime
    entry: int
    change: Mapping[str, object] | None = field(compare=False, default=None)


def fill(path: str | Path, *, now: datetime | None = None, seed: int = SEED) -> int:
    """Write the sample memories into the database at `path` and return how many there are.

    The same `now` and `seed` give the same memories, ids, times and journal. `now` is aware; the
    last change is some minutes before it.
    """
    now = now or utc_now()
    entries = _entries()
    clock = _Clock(now)
    with MemoryService.open(path, actor="cli", clock=clock) as service:
        ids: dict[int, int] = {}
        for step in sorted(_steps(entries, now, random.Random(seed))):
            clock.now = step.at
            if step.entry not in ids:
                ids[step.entry] = _create(service, entries[step.entry])
            else:
                _change(service, ids[step.entry], step.change)
    return len(ids)


def _entries() -> Sequence[_Entry]:
    text = files("memtui").joinpath("data", "sample.toml").read_text(encoding="utf-8")
    return cast("Sequence[_Entry]", tomllib.loads(text)["memory"])


def _steps(entries: Sequence[_Entry], now: datetime, chance: random.Random) -> Iterator[_Step]:
    for number, entry in enumerate(entries):
        # The last ones are minutes old, the first months: people look at recent things most.
        age = SPAN * (1 - number / len(entries)) ** 1.7 + timedelta(minutes=4)
        created = now - age - age * chance.uniform(0, 0.02)
        yield _Step(created, number)
        at = created
        for change in entry.get("change", []):
            at += (now - timedelta(minutes=2) - at) * chance.uniform(0.3, 0.7)
            yield _Step(at, number, change)
        if chance.random() < entry.get("read", 0.0):
            yield _Step(at + (now - at) * chance.uniform(0.1, 0.99), number)


def _create(service: MemoryService, entry: _Entry) -> int:
    new = MemoryCreate.parse(
        {"content": entry["content"], "tags": entry["tags"], "memory_type": entry["type"]}
    )
    return service.as_actor(entry["by"]).create(new).id


def _change(service: MemoryService, memory_id: int, change: Mapping[str, object] | None) -> None:
    if change is None:
        service.as_actor(READER).get(memory_id)
        return
    acting = service.as_actor(cast("str", change["by"]))
    if change.get("deleted"):
        acting.delete(memory_id)
        return
    fields = {name: value for name, value in change.items() if name != "by"}
    acting.patch(memory_id, MemoryPatch.parse(fields))
