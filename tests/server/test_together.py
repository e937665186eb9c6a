"""Everything at once on one database, and a person's edit against an agent's."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from memtui.errors import ConflictError
from memtui.models import MemoryCreate, MemoryPatch, MemoryQuery, RevisionQuery
from memtui.service import MemoryService
from tests.server.mcp_clients import ask, over_http, refusal
from tests.server.support import Server, serving
from tests.server.test_mcp_stdio import INITIALIZE, INITIALIZED, calling, hear, process, say

SECONDS = 20.0
COUNTED = 1
"""The memory that every writer adds one to."""


async def test_a_persons_edit_makes_an_agents_stale_revise_a_conflict(
    server: Server, service: MemoryService
) -> None:
    """From curl and an MCP client to the person's side and back."""
    with server.client() as client:
        created = client.post("/memories", json={"content": "Launch is in May"}).json()
    async with over_http(server, "auto") as agent:
        seen = await ask(agent, "inspect_memory", memory_id=created["id"])
        token = service.change_token()
        person = service.as_actor("tui")
        person.patch(created["id"], MemoryPatch(content="Launch is in June"), expected_version=1)
        words = await refusal(
            agent, "revise_memory", memory_id=1, content="May 5", expected_version=seen["version"]
        )
        assert "version is 2, you passed 1" in words
        assert "Launch is in June" in words
        await ask(agent, "revise_memory", memory_id=1, content="June 5", expected_version=2)
    assert service.change_token() != token
    actors = [revision.actor for revision in service.history(RevisionQuery()).items]
    assert actors == ["mcp:Tester 1", "tui", "http"]


def test_case_43_screen_servers_and_writers_on_one_database(db: Path) -> None:
    """No lock error, no lost row, no wrong version."""
    with MemoryService.open(db) as service:
        service.create(MemoryCreate(content="0"))
    until = time.monotonic() + SECONDS
    stop = threading.Event()
    made: list[int] = []
    added: list[str] = []

    def add_one(read: Callable[[], tuple[str, int]], write: Callable[[str, int], bool]) -> None:
        """Read the counter, write it plus one, and do it again when somebody was faster."""
        while True:
            content, version = read()
            if write(str(int(content) + 1), version):
                added.append(content)
                return

    def screen() -> None:
        """What the terminal UI does: peeks, facets, the journal, an edit now and then."""
        with MemoryService.open(db, actor="tui") as service:
            while time.monotonic() < until:
                service.change_token()
                service.facets(MemoryQuery())
                service.search(MemoryQuery(sort="updated_at", limit=100), touch=False)
                service.history(RevisionQuery(limit=20))
                _add_with(service, add_one)

    def over_http_(server: Server) -> None:
        with server.client() as client:
            while time.monotonic() < until:
                answer = client.post("/memories", json={"content": "by HTTP"})
                assert answer.status_code == 201, answer.text
                made.append(answer.json()["id"])
                assert client.get("/memories?limit=50&q=http").status_code == 200

                def read() -> tuple[str, int]:
                    memory = client.get(f"/memories/{COUNTED}").json()
                    return memory["content"], memory["version"]

                def write(content: str, version: int) -> bool:
                    headers = {"If-Match": f'"{version}"'}
                    answer = client.patch(
                        f"/memories/{COUNTED}", json={"content": content}, headers=headers
                    )
                    assert answer.status_code in {200, 412}, answer.text
                    return answer.status_code == 200

                add_one(read, write)

    def over_stdio() -> None:
        with process(db) as running:
            say(running, INITIALIZE, INITIALIZED)
            hear(running)
            number = 1
            while time.monotonic() < until:
                number += 1
                say(running, calling(number, "record_memory", content=f"by MCP {number}"))
                result = hear(running)["result"]
                assert not result["isError"], result
                made.append(result["structuredContent"]["id"])

    def writer(_: int) -> None:
        with MemoryService.open(db, actor="writer") as service:
            while time.monotonic() < until:
                made.append(service.create(MemoryCreate(content="by a writer")).id)
                service.search(MemoryQuery(limit=20))
                _add_with(service, add_one)

    with serving(db) as server, ThreadPoolExecutor() as pool:
        work = [pool.submit(screen), pool.submit(over_http_, server), pool.submit(over_stdio)]
        work += [pool.submit(writer, number) for number in range(4)]
        for one in work:
            one.result()
    stop.set()
    with MemoryService.open(db) as service:
        assert service.search(MemoryQuery(), touch=False).total == len(made) + 1
        assert len(set(made)) == len(made)
        counter = service.get(COUNTED, touch=False)
        assert counter.content == str(len(added))
        assert counter.version == len(added) + 1
        versions = service.history(RevisionQuery(memory_id=COUNTED, limit=100)).items
        assert [revision.version for revision in versions] == list(
            range(counter.version, counter.version - len(versions), -1)
        )
        assert service.check() == ()


def _add_with(service: MemoryService, add_one: Callable[..., None]) -> None:
    def read() -> tuple[str, int]:
        memory = service.get(COUNTED)
        return memory.content, memory.version

    def write(content: str, version: int) -> bool:
        try:
            service.patch(COUNTED, MemoryPatch(content=content), expected_version=version)
        except ConflictError:
            return False
        return True

    add_one(read, write)


def test_writers_that_are_processes_lose_nothing(db: Path) -> None:
    """Four processes and a server, each with a connection of its own."""
    code = (
        "import sys; from memtui import MemoryCreate, MemoryService\n"
        "with MemoryService.open(sys.argv[1]) as service:\n"
        "    for number in range(50): service.create(MemoryCreate(content=str(number)))\n"
    )
    command = [sys.executable, "-c", code, str(db)]
    with serving(db) as server, server.client() as client:
        writers = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(4)]
        answers = [
            client.post("/memories", content=json.dumps({"content": "x"})) for _ in range(50)
        ]
        for one in writers:
            _, said = one.communicate(timeout=60)
            assert one.returncode == 0, said
        assert {answer.status_code for answer in answers} == {201}
        assert client.get("/memories?peek=true").json()["total"] == 250
