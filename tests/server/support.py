"""Real servers on loopback, and what tests ask of them."""

from __future__ import annotations

import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from memtui.server.http import BackgroundServer
from memtui.server.options import ServeOptions


@dataclass
class Noted:
    """The requests that a server has logged."""

    requests: list[dict[str, object]] = field(default_factory=list)

    def request(
        self, *, method: str, path: str, status: int, seconds: float, request_id: str
    ) -> None:
        self.requests.append(
            {"method": method, "path": path, "status": status, "request_id": request_id}
        )

    def statuses(self) -> list[object]:
        return [request["status"] for request in self.requests]


@dataclass
class Server:
    """A running server: where it listens, what it logged, its database."""

    url: str
    db: Path
    log: Noted

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1])

    def client(self, **headers: str) -> httpx.Client:
        return httpx.Client(base_url=self.url, headers=headers, timeout=30)


@contextmanager
def serving(db: Path, **options: object) -> Iterator[Server]:
    log = Noted()
    with BackgroundServer(ServeOptions(db, port=0, **options), log) as running:  # type: ignore[arg-type]
        yield Server(running.url, db, log)


@contextmanager
def locked(db: Path) -> Iterator[None]:
    """Another process's write lock on a database."""
    with sqlite3.connect(db, isolation_level=None) as connection:
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        finally:
            connection.execute("ROLLBACK")
    connection.close()


def until(condition: Callable[[], object], seconds: float = 20) -> None:
    """Wait for a condition, and fail when it does not come true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "the condition did not come true"
        threading.Event().wait(0.01)


def memory_count(db: Path) -> int:
    """How many memories a database holds, deleted ones included."""
    with sqlite3.connect(db) as connection:
        count = connection.execute("SELECT count(*) FROM memory").fetchone()[0]
    connection.close()
    return int(count)


class Raw:
    """A client that says exactly what it is told to, byte by byte."""

    def __init__(self, server: Server) -> None:
        self._socket = socket.create_connection(("127.0.0.1", server.port), timeout=20)

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def receive(self) -> bytes:
        """Everything until the server closes the connection, or one complete answer."""
        received = b""
        while chunk := self._socket.recv(65_536):
            received += chunk
            head, found, body = received.partition(b"\r\n\r\n")
            if found and len(body) >= _length(head):
                break
        return received

    def close(self) -> None:
        self._socket.close()


def _length(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line.partition(b":")[2])
    return 1 << 40
