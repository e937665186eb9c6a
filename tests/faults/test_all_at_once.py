"""The real terminal UI, HTTP, stdio MCP, four writing processes, imports and undone bulk changes.

All on one database for `MEMTUI_TOGETHER` seconds (5 otherwise; 20 is the full measure): no lock
error, no lost update, versions without a gap. `pytest -s` shows the worst wait of each.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.queues import Queue
from pathlib import Path
from typing import TypeAlias

import pytest

from memtui.errors import ConflictError
from memtui.models import (
    BulkChange,
    MemoryCreate,
    MemoryPatch,
    MemoryQuery,
    RevisionQuery,
    Selection,
)
from memtui.service import MemoryService
from memtui.transfer.importing import open_plan
from tests.faults.killed import Acknowledged, lost_or_half_done
from tests.server.support import serving
from tests.server.test_mcp_stdio import INITIALIZE, INITIALIZED, calling, hear, process, say
from tests.terminal import Terminal

SECONDS = float(os.environ.get("MEMTUI_TOGETHER", "5"))
BOUND = 5.0
"""Seconds that no write may take: what waits longer for the lock is an error."""
COUNTED = 1
IN_BULK, IMPORTED = 200, 150
_FORM_IS_GONE = re.compile(r"\A(?!.*New memory)", re.DOTALL)
Results: TypeAlias = "Queue[tuple[str, int, int, float]]"
"""Who it was, how many memories it made, how often it counted, its longest wait in seconds."""


class Waits:
    """How long each write took."""

    def __init__(self) -> None:
        self.longest = 0.0
        self.number = 0

    @contextlib.contextmanager
    def measured(self) -> Iterator[None]:
        begin = time.monotonic()
        yield
        self.longest = max(self.longest, time.monotonic() - begin)
        self.number += 1


def add_one(service: MemoryService, waits: Waits) -> None:
    """Add one to the counter, as often as it takes to be the one who does."""
    while True:
        seen = service.get(COUNTED)
        patch = MemoryPatch(content=str(int(seen.content) + 1))
        with contextlib.suppress(ConflictError), waits.measured():
            service.patch(COUNTED, patch, expected_version=seen.version)
            return


def writer(path: str, until: float, name: str, results: Results) -> None:
    """A process that creates, and adds to the counter."""
    waits, created = Waits(), 0
    with MemoryService.open(path, actor=name) as service:
        while time.monotonic() < until:
            with waits.measured():
                service.create(MemoryCreate(content=f"by {name}", tags=("written",)))
            created += 1
            add_one(service, waits)
    results.put((name, created, created, waits.longest))


def importer(path: str, until: float, name: str, results: Results) -> None:
    """A process that imports again and again, each time other memories."""
    waits, number = Waits(), 0
    source = Path(path).with_name("many.jsonl")
    with MemoryService.open(path, actor=name) as service:
        while time.monotonic() < until:
            lines = [{"content": f"{n} of import {number}"} for n in range(IMPORTED)]
            source.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
            with open_plan([str(source)]) as plan, waits.measured():
                plan.apply(service)
            number += 1
    results.put((name, number * IMPORTED, 0, waits.longest))


def undoer(path: str, until: float, name: str, results: Results) -> None:
    """A process that changes hundreds and takes it back."""
    waits, number = Waits(), 0
    target = Selection.matching(MemoryQuery(tag="bulk"))
    with MemoryService.open(path, actor=name) as service:
        while time.monotonic() < until:
            with waits.measured():
                service.bulk(target, BulkChange(add_tags=(f"n{number}",)))
            with waits.measured():
                service.undo()
            number += 1
    results.put((name, 0, 0, waits.longest))


def over_http(path: Path, until: float) -> tuple[str, int, int, float]:
    waits, created, counted = Waits(), 0, 0
    with serving(path) as server, server.client() as client:
        while time.monotonic() < until:
            with waits.measured():
                answer = client.post("/memories", json={"content": "by HTTP", "tags": ["written"]})
            assert answer.status_code == 201, answer.text
            created += 1
            seen = client.get(f"/memories/{COUNTED}").json()
            with waits.measured():
                answer = client.patch(
                    f"/memories/{COUNTED}",
                    json={"content": str(int(seen["content"]) + 1)},
                    headers={"If-Match": f'"{seen["version"]}"'},
                )
            assert answer.status_code in {200, 412}, answer.text
            counted += answer.status_code == 200
    return "HTTP", created, counted, waits.longest


def over_stdio(path: Path, until: float) -> tuple[str, int, int, float]:
    waits, created = Waits(), 0
    with process(path) as running:
        say(running, INITIALIZE, INITIALIZED)
        hear(running)
        while time.monotonic() < until:
            with waits.measured():
                say(running, calling(created + 2, "record_memory", content=f"MCP {created}"))
                result = hear(running)["result"]
            assert not result["isError"], result
            created += 1
    return "MCP", created, 0, waits.longest


def at_a_terminal(path: Path, until: float) -> tuple[str, int, int, float]:
    """A person who makes new memories, and looks at the others meanwhile."""
    waits, created = Waits(), 0
    env = {**os.environ, "MEMTUI_CONFIG": str(path.with_name("none.toml"))}
    terminal = Terminal([sys.executable, "-m", "memtui", "--db", str(path)], env)
    try:
        assert terminal.shows("newest change first"), terminal.text
        while time.monotonic() < until:
            terminal.child.send("n")
            assert terminal.shows("New memory"), terminal.text
            terminal.child.send(f"typed {created}\x13")
            with waits.measured():
                assert terminal.shows_match(_FORM_IS_GONE, seconds=20), terminal.text
            created += 1
            terminal.child.send("jjGg]s[")
            terminal.follow(0.2)
            assert "lock" not in terminal.text.lower(), terminal.text
        terminal.child.send("q")
        assert terminal.ends() == 0
    finally:
        terminal.child.close(force=True)
    return "terminal", created, 0, waits.longest


def test_everything_at_once_loses_nothing(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    path = tmp_path / "m.db"
    path.with_name("none.toml").touch()
    with MemoryService.open(path) as service:
        service.create(MemoryCreate(content="0"))
        service.create_many([MemoryCreate(content=f"{n}", tags=("bulk",)) for n in range(IN_BULK)])
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    until = time.monotonic() + SECONDS + 2
    names = {**{f"writer {n}": writer for n in range(4)}, "import": importer, "undo": undoer}
    others = [
        context.Process(target=work, args=(str(path), until, name, results))
        for name, work in names.items()
    ]
    for other in others:
        other.start()
    with ThreadPoolExecutor() as pool:
        here = [pool.submit(work, path, until) for work in (over_http, over_stdio, at_a_terminal)]
        done = [one.result() for one in here]
    done += [results.get(timeout=30) for _ in others]
    for other in others:
        other.join(30)
        assert other.exitcode == 0, other.name
    with capsys.disabled():
        print("\n" + "\n".join(f"{name:10} worst wait {worst:.2f} s" for name, _, _, worst in done))
    created = 1 + IN_BULK + sum(number for _, number, _, _ in done)
    counted = sum(number for _, _, number, _ in done)
    with MemoryService.open(path) as service:
        assert service.search(MemoryQuery(limit=1), touch=False).total == created
        counter = service.get(COUNTED, touch=False)
        assert (counter.content, counter.version) == (str(counted), counted + 1)
        newest = service.history(RevisionQuery(memory_id=COUNTED, limit=100)).items
        assert [one.version for one in newest] == list(
            range(counter.version, counter.version - len(newest), -1)
        )
    assert lost_or_half_done(path, Acknowledged()) == []
    if "MEMTUI_TOGETHER" in os.environ:
        assert max(worst for _, _, _, worst in done) < BOUND
