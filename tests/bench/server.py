"""How fast the server is, beside a minimal application on the same libraries.

`python -m tests.bench.server` measures and reports; `--quick` takes smaller stores and less time.
Ratios count: both sides run at the same moment, in turns, on the same machine.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import NamedTuple

from memtui.models import MemoryCreate, MemoryType
from memtui.service import MemoryService

TICKS = os.sysconf("SC_CLK_TCK")
SENTENCE = "the user prefers project falcon launch in may and concise answers with examples"
WORDS = tuple(SENTENCE.split())

MINIMAL_APP = """
import sys, uvicorn
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

async def health(request):
    return JSONResponse({"status": "ok"})

app = Starlette(routes=[Route("/health", health)])
uvicorn.run(app, port=int(sys.argv[1]), http="h11", loop="asyncio", access_log=False,
            log_level="warning")
"""
BARE_MCP = """
import anyio, mcp_types as types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

async def tools(context, params):
    return types.ListToolsResult(tools=[])

async def main():
    server = Server("bare", version="1", on_list_tools=tools)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())

anyio.run(main)
"""
INITIALIZE = (
    json.dumps(
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "initialize",
            "params": {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "bench", "version": "1"},
            },
        }
    )
    + "\n"
)


class Sample(NamedTuple):
    """Milliseconds a request, at the client and of the server's processor."""

    wall: float
    cpu: float


@dataclass
class Target:
    """One path of one server, and what it took."""

    name: str
    process: subprocess.Popen[bytes]
    port: int
    path: str
    samples: list[Sample] = field(default_factory=list)

    def measure(self, requests: int) -> None:
        """Send a few requests, one after the other."""
        connection = HTTPConnection("127.0.0.1", self.port)
        before, times = cpu_seconds(self.process.pid), []
        for _ in range(requests):
            started = time.perf_counter()
            connection.request("GET", self.path)
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200, answer.status
            times.append(time.perf_counter() - started)
        cpu = (cpu_seconds(self.process.pid) - before) / requests
        self.samples.append(Sample(statistics.median(times) * 1e3, cpu * 1e3))
        connection.close()

    def best(self) -> Sample:
        """The quarter of the rounds that was disturbed least."""
        wall, cpu = zip(*self.samples, strict=True)
        return Sample(statistics.quantiles(wall, n=4)[0], statistics.quantiles(cpu, n=4)[0])


def main() -> int:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "bench.db"
        fill(db, 5_000 if quick else 100_000)
        http(db, rounds=6 if quick else 20)
        load(db, seconds=4 if quick else 20)
        memory(db, requests=4_000 if quick else 20_000)
        small = Path(folder) / "small.db"
        fill(small, 3_000 if quick else 30_000)
        stdio(small, rounds=5 if quick else 15)
    return 0


def http(db: Path, *, rounds: int) -> None:
    """One by id and a list of 100, beside the minimal application's health."""
    with minimal() as (bare, bare_port), served(db) as (ours, port):
        base = Target("minimal GET /health", bare, bare_port, "/health")
        targets = [
            base,
            Target("GET /health", ours, port, "/health"),
            Target("GET /memories/{id}", ours, port, "/memories/77"),
            Target("list of 100", ours, port, "/memories?limit=100"),
            Target("list of 100, peek", ours, port, "/memories?limit=100&peek=true"),
            Target("list of 100, q", ours, port, "/memories?limit=100&q=concise"),
        ]
        for target in targets:
            target.measure(100)
            target.samples.clear()
        for _ in range(rounds):
            for target in targets:
                target.measure(200)
    reference = base.best()
    for target in targets:
        best = target.best()
        print(
            f"{target.name:24} {best.wall:6.3f} ms  ×{best.wall / reference.wall:4.2f}   "
            f"cpu {best.cpu:6.3f} ms  ×{best.cpu / reference.cpu:4.2f}"
        )


def load(db: Path, *, seconds: float) -> None:
    """Eight clients that read, and now and then write."""
    reads: list[float] = []
    problems: list[str] = []
    with served(db) as (_, port):
        until = time.monotonic() + seconds
        clients = [
            threading.Thread(target=_client, args=(port, number, until, reads, problems))
            for number in range(8)
        ]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
    p50, p99 = (statistics.quantiles(reads, n=100)[place] * 1e3 for place in (49, 98))
    print(
        f"8 clients, {seconds:.0f} s      {len(reads)} reads, p50 {p50:.1f} ms, p99 {p99:.1f} ms, "
        f"worst {max(reads) * 1e3:.0f} ms, {len(problems)} errors {problems[:3]}"
    )


def _client(port: int, number: int, until: float, reads: list[float], problems: list[str]) -> None:
    connection = HTTPConnection("127.0.0.1", port)
    paths = ("/memories/{}", "/memories?limit=20&sort=updated_at", "/memories?q=falcon&limit=20")
    turn = 0
    while time.monotonic() < until:
        turn += 1
        started = time.perf_counter()
        if turn % 10 == 0:
            body = json.dumps({"content": f"Recorded by client {number}, turn {turn}"})
            connection.request("POST", "/memories", body, {"content-type": "application/json"})
        else:
            path = paths[turn % len(paths)].format(1 + (turn * 37 + number) % 900)
            connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        if answer.status not in {200, 201}:
            problems.append(str(answer.status))
        if turn % 10:
            reads.append(time.perf_counter() - started)


def memory(db: Path, *, requests: int) -> None:
    """The server's resident memory over many requests."""
    with served(db) as (process, port):
        connection = HTTPConnection("127.0.0.1", port)
        sizes = []
        for number in range(requests + 1):
            path = "/memories?limit=100" if number % 2 else f"/memories/{1 + number % 900}"
            connection.request("GET", path)
            connection.getresponse().read()
            if number % (requests // 10) == 0:
                sizes.append(resident_mib(process.pid))
    shown = " ".join(f"{size:.0f}" for size in sizes)
    print(f"{requests} requests, MiB    {shown}")


def stdio(db: Path, *, rounds: int) -> None:
    """From start to the answer of `initialize`, beside a bare server on the same SDK."""
    bare = [sys.executable, "-c", BARE_MCP]
    ours = [sys.executable, "-m", "memtui", "--db", str(db), "mcp"]
    taken: dict[str, list[float]] = {"bare": [], "memtui": []}
    for _ in range(rounds):
        for name, command in (("bare", bare), ("memtui", ours)):
            taken[name].append(_until_initialized(command))
    base, own = (statistics.quantiles(times, n=4)[0] for times in taken.values())
    words = f"{own * 1e3:.0f} ms, bare {base * 1e3:.0f} ms  ×{own / base:.2f}"
    print(f"initialize over stdio    {words}")


def _until_initialized(command: list[str]) -> float:
    started = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        run.stdin.write(INITIALIZE)
        run.stdin.flush()
        answer = run.stdout.readline()
        taken = time.perf_counter() - started
        assert '"id":1' in answer, answer
        run.stdin.close()
        run.wait()
    return taken


# --- what is measured ------------------------------------------------------------------------


def fill(db: Path, count: int) -> None:
    """Make a store of `count` memories."""
    types = tuple(MemoryType)
    with MemoryService.open(db, actor="bench") as service:
        for start in range(0, count, 5_000):
            service.create_many(
                [
                    MemoryCreate(
                        content=f"{number}: " + " ".join(WORDS[number % 7 :]),
                        tags=(f"tag-{number % 40}", f"group-{number % 7}"),
                        memory_type=types[number % 4],
                    )
                    for number in range(start, min(start + 5_000, count))
                ]
            )


@contextmanager
def minimal() -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The minimal application."""
    port = free_port()
    with _running([sys.executable, "-c", MINIMAL_APP, str(port)], port) as process:
        yield process, port


@contextmanager
def served(db: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """`memtui serve` on a database."""
    port = free_port()
    command = [sys.executable, "-m", "memtui", "--db", str(db), "serve", "--port", str(port)]
    with _running(command, port) as process:
        yield process, port


@contextmanager
def _running(command: list[str], port: int) -> Iterator[subprocess.Popen[bytes]]:
    with tempfile.TemporaryFile() as log, subprocess.Popen(command, stderr=log) as process:
        try:
            wait_until(lambda: _answers(port))
            yield process
        finally:
            process.terminate()


def _answers(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def wait_until(condition: Callable[[], bool], seconds: float = 30) -> None:
    """Wait for a condition."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            raise TimeoutError
        time.sleep(0.02)


def free_port() -> int:
    """A port that nobody listens on."""
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def cpu_seconds(pid: int) -> float:
    """Processor time that a process took so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def resident_mib(pid: int) -> float:
    """Resident memory of a process."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    sys.exit(main())
