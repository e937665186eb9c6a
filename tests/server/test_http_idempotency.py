"""A POST with an Idempotency-Key is done once."""

from __future__ import annotations

import sqlite3
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from memtui.models import MemoryCreate
from memtui.service import MemoryService
from tests.clock import Clock
from tests.server.support import Server, locked, memory_count, serving

KEY = {"Idempotency-Key": "8e03978e-40d5-43dd-bc93-6894a57f9324"}
BODY = {"content": "once"}


def test_the_same_request_gets_the_first_answer_again(client: httpx.Client, server: Server) -> None:
    first = client.post("/memories", json=BODY, headers=KEY)
    again = client.post("/memories", json=BODY, headers=KEY)
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.content == again.content
    for name in ("location", "etag"):
        assert first.headers[name] == again.headers[name]
    assert "idempotency-replayed" not in first.headers
    assert again.headers["idempotency-replayed"] == "true"
    assert memory_count(server.db) == 1


def test_the_first_answer_stays_although_the_memory_changes(client: httpx.Client) -> None:
    first = client.post("/memories", json=BODY, headers=KEY)
    client.patch("/memories/1", json={"content": "changed"})
    assert client.post("/memories", json=BODY, headers=KEY).content == first.content


def test_batches_and_restores_are_done_once_too(client: httpx.Client, server: Server) -> None:
    batch = [client.post("/memories/batch", json=[BODY] * 3, headers=KEY) for _ in range(2)]
    assert batch[0].content == batch[1].content
    assert memory_count(server.db) == 3
    client.delete("/memories/1")
    restores = [
        client.post("/memories/1/restore", headers={"Idempotency-Key": "r"}) for _ in range(2)
    ]
    assert [answer.status_code for answer in restores] == [200, 200]


def test_another_request_with_that_key_is_refused(client: httpx.Client, server: Server) -> None:
    client.post("/memories", json=BODY, headers=KEY)
    for answer in (
        client.post("/memories", json={"content": "other"}, headers=KEY),
        client.post("/memories/batch", json=[BODY], headers=KEY),
        client.post("/memories/1/restore", headers=KEY),
    ):
        assert answer.status_code == 422
        assert answer.json()["detail"][0]["loc"] == ["header", "idempotency-key"]
    assert memory_count(server.db) == 1


def test_a_refused_request_keeps_no_answer(client: httpx.Client) -> None:
    assert client.post("/memories", json={"content": " "}, headers=KEY).status_code == 422
    assert client.post("/memories/9/restore", headers=KEY).status_code == 404
    assert client.post("/memories", json=BODY, headers=KEY).status_code == 201


@pytest.mark.parametrize("key", ["", "x" * 256, "tab\there", "é"])
def test_a_malformed_key_is_400(client: httpx.Client, server: Server, key: str) -> None:
    headers = [(b"idempotency-key", key.encode("latin-1"))]
    assert client.post("/memories", json=BODY, headers=headers).status_code == 400
    assert memory_count(server.db) == 0


def test_a_key_works_across_restarts_and_servers(db: Path) -> None:
    answers = []
    for _ in range(2):
        with serving(db) as server, server.client() as client:
            answers.append(client.post("/memories", json=BODY, headers=KEY).content)
    assert answers[0] == answers[1]
    assert memory_count(db) == 1


def test_while_the_first_is_running_the_second_is_409(server: Server) -> None:
    with ThreadPoolExecutor() as pool, server.client() as client:
        with locked(server.db):
            both = [pool.submit(client.post, "/memories", json=BODY, headers=KEY) for _ in "12"]
            done, running = wait(both, return_when=FIRST_COMPLETED)
            refused = done.pop().result()
            assert (refused.status_code, refused.headers["retry-after"]) == (409, "1")
            assert isinstance(refused.json()["detail"], str)
        assert running.pop().result().status_code == 201
        assert client.post("/memories", json=BODY, headers=KEY).status_code == 201
    assert memory_count(server.db) == 1


def test_many_at_once_create_one(server: Server) -> None:
    def send(_: int) -> int:
        with server.client() as client:
            return client.post("/memories", json=BODY, headers=KEY).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = set(pool.map(send, range(24)))
    assert 201 in statuses
    assert statuses <= {201, 409}
    assert memory_count(server.db) == 1


def test_an_answer_is_kept_for_a_day(tmp_path: Path) -> None:
    clock = Clock()

    def work(service: MemoryService) -> bytes:
        return str(service.create(MemoryCreate(content="once")).id).encode()

    with MemoryService.open(tmp_path / "memories.db", clock=clock) as service:
        assert service.once("k", "request", work).answer == b"1"
        clock.tick(hours=23, minutes=59)
        assert service.once("k", "request", work).replayed
        clock.now += timedelta(minutes=1)
        assert service.once("k", "request", work).answer == b"2"


def test_purging_forgets_every_kept_answer(client: httpx.Client, server: Server) -> None:
    client.post("/memories", json={"content": "to be forgotten"}, headers=KEY)
    client.delete("/memories/1")
    with MemoryService.open(server.db) as service:
        assert service.purge() == 1
    with sqlite3.connect(server.db) as connection:
        assert connection.execute("SELECT count(*) FROM idempotency_key").fetchone() == (0,)
    connection.close()
