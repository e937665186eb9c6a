"""MCP beyond the tools: handshakes, resources, the prompt, malformed messages, HTTP itself."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from mcp import Client, MCPError

from memtui import __version__
from memtui.models import RevisionQuery
from memtui.service import MemoryService
from tests.server.mcp_clients import MODES, TESTER, Mode, ask, over_http
from tests.server.support import Server, memory_count, serving

HANDSHAKES = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> Mode:
    return request.param


async def test_the_server_says_who_it_is_and_what_to_do_first(server: Server, mode: Mode) -> None:
    async with over_http(server, mode) as client:
        assert client.server_info.name == "memtui"
        assert client.server_info.version == __version__
        assert client.instructions is not None
        assert client.instructions.index("prime_memory_context") < client.instructions.index(
            "search_memories"
        )


async def test_the_policy_is_a_resource(server: Server, mode: Mode) -> None:
    async with over_http(server, mode) as client:
        listed = (await client.list_resources()).resources
        assert [resource.uri for resource in listed] == ["memories://policy"]
        contents = (await client.read_resource("memories://policy")).contents[0]
        for rule in ("Atomic", "Normalised", "Search before", "secrets"):
            assert rule in contents.text


async def test_a_memory_is_a_resource_and_reading_it_marks_it(
    server: Server, service: MemoryService, mode: Mode
) -> None:
    async with over_http(server, mode) as client:
        templates = (await client.list_resource_templates()).resource_templates
        assert [template.uri_template for template in templates] == ["memories://memory/{id}"]
        await ask(client, "record_memory", content="Likes tea")
        contents = (await client.read_resource("memories://memory/1")).contents[0]
        assert contents.mime_type == "application/json"
        assert json.loads(contents.text) == service.get(1, touch=False).model_dump(mode="json")
        assert service.get(1, touch=False).last_accessed_at is not None
        for uri in ("memories://memory/2", "memories://memory/x", "memories://x", "file:///etc/x",
                    "memories://memory/" + "9" * 30):  # fmt: skip
            with pytest.raises(MCPError):
                await client.read_resource(uri)


async def test_the_prompt(server: Server, mode: Mode) -> None:
    async with over_http(server, mode) as client:
        assert [prompt.name for prompt in (await client.list_prompts()).prompts] == ["use_memories"]
        plain = (await client.get_prompt("use_memories")).messages[0]
        assert "prime_memory_context" in plain.content.text
        about = await client.get_prompt("use_memories", {"task": "plan the launch"})
        assert "plan the launch" in about.messages[0].content.text
        with pytest.raises(MCPError):
            await client.get_prompt("other")


async def test_clients_of_both_eras_are_told_apart_by_name(
    server: Server, service: MemoryService
) -> None:
    async with (
        Client(f"{server.url}/mcp", mode="legacy", client_info=TESTER) as old,
        Client(
            f"{server.url}/mcp",
            client_info=TESTER.model_copy(update={"name": "naïve <agent>\n"}),
        ) as new,
    ):
        await ask(old, "record_memory", content="by the old")
        await ask(new, "record_memory", content="by the new")
    revisions = service.history(RevisionQuery()).items
    assert [revision.actor for revision in revisions] == ["mcp:na_ve _agent", "mcp:Tester 1"]


# --- raw messages over HTTP ----------------------------------------------------------------------


def post(
    client: httpx.Client, message: object, path: str = "/mcp", **headers: str
) -> httpx.Response:
    accept = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    content = message if isinstance(message, bytes) else json.dumps(message).encode()
    return client.post(path, content=content, headers=accept | headers)


def initialize(version: str) -> dict[str, Any]:
    return {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": {"name": "raw client", "version": "1"},
        },
    }


def calling(tool: str, **arguments: object) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params}


@pytest.mark.parametrize("version", HANDSHAKES)
@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_every_handshake_version_is_spoken(
    client: httpx.Client, service: MemoryService, version: str, path: str
) -> None:
    answer = post(client, initialize(version), path)
    assert answer.status_code == 200
    assert answer.json()["result"]["protocolVersion"] == version
    headers = {"MCP-Protocol-Version": version, "Mcp-Session-Id": answer.headers["mcp-session-id"]}
    called = post(client, calling("record_memory", content="x"), path, **headers)
    assert called.json()["result"]["isError"] is False
    assert service.history(RevisionQuery()).items[0].actor == "mcp:raw client"


def test_a_session_is_optional_and_gives_no_rights(
    client: httpx.Client, service: MemoryService
) -> None:
    for number, session in enumerate(("", "made-up", "x.%ff%00", "." + "n" * 500)):
        headers = {"Mcp-Session-Id": session} if session else {"X-Client-Id": "fallback"}
        called = post(client, calling("record_memory", content=f"x{number}"), **headers)
        assert called.json()["result"]["isError"] is False
    actors = [revision.actor for revision in service.history(RevisionQuery()).items]
    assert actors[3] == "mcp:fallback"
    assert actors[2] == "mcp"
    assert all(len(actor) <= 132 for actor in actors)


def test_a_notification_gets_no_answer(client: httpx.Client) -> None:
    answer = post(client, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert answer.status_code == 202
    assert answer.content in {b"", b"null"}


@pytest.mark.parametrize(
    "message",
    [
        b"", b"{", b"nothing", b"[]", b"[1]", b"5", b"null", b"\xff", b"{}", b"[" * 100_000,
        b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"record_memory",'
        b'"arguments":{"content":"\\ud800"}}}',
        b'{"jsonrpc":"1.0","id":2,"method":"ping"}', b'{"jsonrpc":"2.0","id":{},"method":"ping"}',
        b'{"jsonrpc":"2.0","id":2,"method":5}', b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}',
        b'{"jsonrpc":"2.0","id":2,"method":"nonsense"}',
        b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":[]}',
        b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":5}}',
        b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"record_memory","arguments":5}}',
        b'{"jsonrpc":"2.0","id":2,"result":{}}', b'{"jsonrpc":"2.0","id":2,"error":{}}',
    ],
)  # fmt: skip
def test_malformed_messages_write_nothing_and_the_server_lives(
    client: httpx.Client, server: Server, message: bytes
) -> None:
    for headers in ({}, {"MCP-Protocol-Version": "2026-07-28"}, {"MCP-Protocol-Version": "x"}):
        answer = post(client, message, **headers)
        assert answer.status_code in {200, 202, 400, 404}
        if answer.status_code == 200:
            assert "error" in answer.json()
    assert memory_count(server.db) == 0
    ping = {"jsonrpc": "2.0", "id": 3, "method": "ping"}
    assert post(client, ping).json() == {"jsonrpc": "2.0", "id": 3, "result": {}}


def test_another_content_type_or_accept_is_refused(client: httpx.Client) -> None:
    ping = {"jsonrpc": "2.0", "id": 3, "method": "ping"}
    assert post(client, ping, **{"Content-Type": "text/plain"}).status_code in {400, 415}
    assert post(client, ping, **{"Accept": "text/html"}).status_code == 406


async def test_a_token_guards_mcp_too(db: Any) -> None:
    with serving(db, token="s3cret") as server:
        with server.client() as client:
            assert post(client, initialize("2025-06-18")).status_code == 401
        with server.client(Authorization="Bearer s3cret") as client:
            assert post(client, initialize("2025-06-18")).status_code == 200


def test_calls_at_once_each_get_their_own_answer(server: Server) -> None:
    def call(number: int) -> str:
        with server.client() as client:
            message = calling("record_memory", content=f"number {number}")
            return post(client, message).json()["result"]["structuredContent"]["content"]

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(call, range(40))) == [f"number {number}" for number in range(40)]
    assert memory_count(server.db) == 40
