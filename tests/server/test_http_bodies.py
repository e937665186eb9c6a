"""Bodies that are too large or too slow, and clients that go away."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from memtui.server import gate
from tests.server.support import Raw, Server, locked, memory_count, serving, until

LIMIT = 10_000
PATHS = [
    ("POST", "/memories"),
    ("POST", "/memories/batch"),
    ("PATCH", "/memories/1"),
    ("DELETE", "/memories/1"),
    ("GET", "/memories"),
    ("POST", "/mcp"),
    ("POST", "/nowhere"),
]


@pytest.fixture
def small(db: Path) -> Iterator[Server]:
    with serving(db, max_body=LIMIT) as server:
        yield server


def body_of(size: int) -> bytes:
    filler = json.dumps({"content": "x"})
    return filler.encode() + b" " * (size - len(filler))


def in_chunks(body: bytes) -> Iterator[bytes]:
    for start in range(0, len(body), 3_000):
        yield body[start : start + 3_000]


@pytest.mark.parametrize(("method", "path"), PATHS)
def test_a_body_that_is_too_large_is_413_also_in_chunks(
    small: Server, method: str, path: str
) -> None:
    with small.client() as client:
        for content in (body_of(LIMIT + 1), in_chunks(body_of(LIMIT + 1)), body_of(50 * LIMIT)):
            answer = client.request(method, path, content=content)
            assert answer.status_code == 413
            assert str(LIMIT) in answer.json()["detail"]
            assert answer.headers["x-request-id"]
        assert client.get("/health").status_code == 200
    assert memory_count(small.db) == 0


def test_a_body_of_the_allowed_size_is_taken_also_in_chunks(small: Server) -> None:
    with small.client() as client:
        for content in (body_of(LIMIT), in_chunks(body_of(LIMIT))):
            assert client.post("/memories", content=content).status_code == 201


def test_a_large_body_is_refused_before_it_is_sent(small: Server) -> None:
    raw = Raw(small)
    raw.send(b"POST /memories HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n")
    raw.send(b"Expect: 100-continue\r\n\r\n")
    assert raw.receive().startswith(b"HTTP/1.1 413")
    raw.close()


def test_the_default_limit_is_8_mib(client: httpx.Client) -> None:
    limit = 8 * 1024 * 1024
    assert client.post("/memories", content=body_of(limit)).status_code == 201
    assert client.post("/memories", content=body_of(limit + 1)).status_code == 413


def test_a_slow_body_is_408_and_holds_nobody_up(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "BODY_SECONDS", 0.3)
    slow = [Raw(server) for _ in range(60)]
    for raw in slow:
        raw.send(b"POST /memories HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n{")
    with server.client() as client:
        assert client.post("/memories", json={"content": "quick"}).status_code == 201
    for raw in slow:
        assert raw.receive().startswith(b"HTTP/1.1 408")
        raw.close()
    assert memory_count(server.db) == 1


def test_a_client_that_goes_away_while_sending_writes_nothing(server: Server) -> None:
    raw = Raw(server)
    raw.send(b"POST /memories HTTP/1.1\r\nHost: localhost\r\nContent-Length: 20\r\n\r\n")
    raw.send(b'{"content": "x"')
    raw.close()
    until(lambda: server.log.statuses() == [499])
    assert memory_count(server.db) == 0


def test_what_was_accepted_is_done_when_the_client_goes_away(server: Server) -> None:
    body = b'{"content": "x"}'
    raw = Raw(server)
    with locked(server.db):
        raw.send(b"POST /memories HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16\r\n\r\n" + body)
        raw.close()
    until(lambda: memory_count(server.db) == 1)
    until(lambda: server.log.statuses() == [201])
    with server.client() as client:
        assert client.get("/memories/1").json()["content"] == "x"


def test_a_client_that_reads_slowly_holds_nobody_up(server: Server) -> None:
    with server.client() as client:
        client.post("/memories/batch", json=[{"content": "x" * 8_000}] * 100)
        slow = [Raw(server) for _ in range(30)]
        for raw in slow:
            raw.send(b"GET /memories?limit=100 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        for _ in range(5):
            assert client.get("/memories?limit=100").status_code == 200
        for raw in slow:
            assert raw.receive().startswith(b"HTTP/1.1 200")
            raw.close()


@pytest.mark.parametrize(
    "request_",
    [
        b"nonsense\r\n\r\n",
        b"POST /memories HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        b"POST /memories HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /memories HTTP/1.1\r\nHost: a\r\nHost: localhost\r\n\r\n",
    ],
)
def test_what_is_no_http_is_refused_and_the_server_lives(server: Server, request_: bytes) -> None:
    raw = Raw(server)
    raw.send(request_)
    assert raw.receive().split()[1:2] in ([b"400"], [])
    raw.close()
    with server.client() as client:
        assert client.get("/memories").json()["total"] == 0
