"""A database that is locked, read-only, damaged or gone; stopping while there is work."""

from __future__ import annotations

import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from memtui.models import MemoryCreate
from memtui.service import MemoryService
from memtui.store import engine
from tests.server.support import Server, locked, memory_count, serving, until

WRITES = [
    ("POST", "/memories", {"content": "x"}),
    ("POST", "/memories/batch", [{"content": "x"}]),
    ("PATCH", "/memories/1", {"content": "y"}),
    ("DELETE", "/memories/1", None),
    ("POST", "/memories/2/restore", None),
]
PEEKS = ["/memories?peek=true", "/memories/1/revisions", "/tags", "/stats", "/ready"]
READS = ["/memories", "/memories/1"]


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Two memories, the second of them deleted."""
    path = tmp_path / "data" / "memories.db"
    with MemoryService.open(path) as service:
        service.create_many([MemoryCreate(content="first"), MemoryCreate(content="second")])
        service.delete(2)
    return path


def refused(answer: httpx.Response) -> None:
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "1"
    assert set(answer.json()) == {"detail"}
    for inside in ("/", "sqlite", "Error", "data"):
        assert inside not in answer.json()["detail"].replace("database", "")


def test_while_another_process_holds_the_lock(
    server: Server, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "LOCK_WAIT", 0.2)
    with locked(server.db):
        for method, path, body in WRITES:
            refused(client.request(method, path, json=body))
        for path in READS:
            # A page that cannot be marked is not returned.
            refused(client.get(path))
        for path in [*PEEKS, "/health"]:
            assert client.get(path).status_code == 200
    assert client.post("/memories", json={"content": "x"}).status_code == 201
    assert memory_count(server.db) == 3


def test_a_lock_that_ends_soon_is_waited_for(server: Server) -> None:
    with ThreadPoolExecutor() as pool, server.client() as client:
        with locked(server.db):
            waiting = [pool.submit(client.get, path) for path in READS * 6]
            until(lambda: client.get("/health").status_code == 200)
        assert {answer.result().status_code for answer in waiting} == {200}


def test_read_only_serves_peeks_and_refuses_writes(db: Path) -> None:
    with serving(db, read_only=True) as server, server.client() as client:
        for path in [*PEEKS, *READS]:
            assert client.get(path).status_code == 200
        assert client.get("/memories/1").json()["last_accessed_at"] is None
        for method, path, body in WRITES:
            refused(client.request(method, path, json=body))
        refused(client.post("/memories", json={"content": "x"}, headers={"Idempotency-Key": "k"}))
    assert memory_count(db) == 2


def test_a_database_that_is_gone(server: Server, client: httpx.Client) -> None:
    assert client.get("/memories/1").status_code == 200
    folder = server.db.parent
    shutil.move(folder, folder.with_name("elsewhere"))
    for path in [*READS, *(path for path in PEEKS if path != "/ready")]:
        refused(client.get(path))
    for method, path, body in WRITES:
        refused(client.request(method, path, json=body))
    ready = client.get("/ready")
    assert (ready.status_code, ready.json()["status"]) == (503, "not ready")
    assert set(ready.json()["checks"].values()) == {"failed"}
    assert not folder.exists()
    assert client.get("/health").status_code == 200
    shutil.move(folder.with_name("elsewhere"), folder)
    assert client.get("/ready").status_code == 200
    assert client.get("/memories/1").json()["content"] == "first"
    assert memory_count(server.db) == 2


def test_a_table_that_is_gone(server: Server, client: httpx.Client) -> None:
    with sqlite3.connect(server.db) as connection:
        connection.execute("ALTER TABLE memory RENAME TO lost")
    connection.close()
    ready = client.get("/ready")
    assert ready.status_code == 503
    assert ready.json() == {
        "status": "not ready",
        "checks": {"database": "ok", "memories_table": "failed"},
    }
    refused(client.get("/memories/1"))
    assert client.get("/health").status_code == 200


# --- the process -------------------------------------------------------------------------------


@contextmanager
def process(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`memtui serve` as a process, and where it says that it listens."""
    command = [sys.executable, "-m", "memtui", *arguments, "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stderr is not None
            lines = iter(running.stderr.readline, "")
            url = next(line.split()[1] for line in lines if line.strip().startswith("HTTP"))
            yield running, url
        finally:
            running.kill()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts threads in /proc")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_finishes_what_was_accepted_and_ends_with_0(
    db: Path, number: signal.Signals
) -> None:
    with (
        process("--db", str(db), "serve") as (running, url),
        ThreadPoolExecutor() as pool,
        httpx.Client(base_url=url, timeout=30) as client,
    ):
        assert client.get("/memories?peek=true").status_code == 200
        idle = threads_of(running)
        with locked(db):
            write = pool.submit(httpx.post, f"{url}/memories", json={"content": "late"}, timeout=30)
            # Once the write waits for the lock in its worker, a peek needs another one.
            until(
                lambda: client.get("/memories?peek=true").is_success and threads_of(running) > idle
            )
            running.send_signal(number)
        assert write.result().status_code == 201
        assert running.wait(20) == 0
    assert memory_count(db) == 3
    assert not Path(f"{db}-wal").exists()


def threads_of(running: subprocess.Popen[str]) -> int:
    return len(list(Path(f"/proc/{running.pid}/task").iterdir()))


def refusal_of(*arguments: str, **environment: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "memtui", *arguments]
    ended = subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=False, env=_env(environment)
    )
    assert ended.stdout == ""
    return ended.returncode, ended.stderr


def _env(more: dict[str, str]) -> dict[str, str]:
    import os

    return {**os.environ, **more}


def test_case_39_serve_ends_with_the_documented_codes(db: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(b"this is no database" * 1_000)
    with serving(db) as server:
        code, said = refusal_of("--db", str(db), "serve", "--port", str(server.port))
        assert (code, "Cannot listen" in said) == (1, True)
    code, said = refusal_of("--db", str(db), "serve", "--host", "0.0.0.0")
    assert (code, "token" in said) == (2, True)
    assert refusal_of("--db", str(db), "serve", "--max-body", "0")[0] == 2
    assert refusal_of("--db", str(db), "serve", "--port", "99999")[0] == 2
    assert refusal_of("--db", str(db), "serve", "--allow-origin", "null")[0] == 2
    assert refusal_of("--db", str(damaged), "serve")[0] == 6
    assert refusal_of("--db", str(tmp_path / "none.db"), "--read-only", "serve")[0] == 1
