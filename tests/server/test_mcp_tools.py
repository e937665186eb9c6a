"""The six tools as the SDK's client calls them, over HTTP in both eras of the protocol."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from memtui.models import MemoryQuery, RevisionQuery
from memtui.server.tools import TOOLS
from memtui.service import MemoryService
from tests.server.mcp_clients import MODES, Mode, ask, over_http, refusal, texts
from tests.server.support import Server, memory_count

NAMES = [
    "prime_memory_context",
    "search_memories",
    "record_memory",
    "inspect_memory",
    "revise_memory",
    "retire_memory",
]


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> Mode:
    return request.param


def everything(schema: object) -> Iterator[object]:
    """Each value and each key in a schema."""
    yield schema
    if isinstance(schema, dict):
        for key, value in schema.items():
            yield key
            yield from everything(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from everything(value)


async def test_the_tools_are_described(server: Server, mode: Mode) -> None:
    async with over_http(server, mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert list(tools) == NAMES
    for tool in tools.values():
        assert tool.title
        assert tool.description
        assert tool.input_schema["additionalProperties"] is False
        for name, property_ in tool.input_schema["properties"].items():
            assert "Example: " in property_["description"], name
            assert property_["type"] in {"string", "integer", "array"}
        assert tool.output_schema is not None
        for schema in (tool.input_schema, tool.output_schema):
            words = [value for value in everything(schema) if isinstance(value, str)]
            assert not {"anyOf", "oneOf", "allOf", "null", "$ref", "$defs"} & set(words)
            assert None not in list(everything(schema))


def test_the_schemas_spell_enumerations_and_bounds_out() -> None:
    schemas: dict[str, Any] = {tool.name: tool.input_schema for tool in TOOLS}
    query = schemas["search_memories"]["properties"]
    assert query["status"]["enum"] == ["active", "invalid", "deleted"]
    assert query["memory_type"]["enum"] == ["preference", "fact", "identity", "event"]
    assert query["sort"]["enum"] == ["id", "created_at", "updated_at", "last_accessed_at"]
    assert (query["limit"]["minimum"], query["limit"]["maximum"]) == (1, 100)
    assert (query["offset"]["minimum"], query["offset"]["maximum"]) == (0, 2**63 - 1)
    record = schemas["record_memory"]
    assert record["required"] == ["content"]
    assert record["properties"]["content"]["maxLength"] == 8_000
    assert record["properties"]["tags"]["maxItems"] == 20
    assert record["properties"]["status"]["enum"] == ["active", "invalid"]
    assert list(schemas["prime_memory_context"]["properties"]) == list(MemoryQuery.model_fields)
    assert list(schemas["revise_memory"]["properties"]) == [
        "memory_id", "content", "tags", "memory_type", "status", "expected_version",
    ]  # fmt: skip


async def test_the_hints_are_true(server: Server, mode: Mode) -> None:
    async with over_http(server, mode) as client:
        hints = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
    shown = {
        name: (hint.read_only_hint, hint.destructive_hint, hint.idempotent_hint)
        for name, hint in hints.items()
        if hint is not None
    }
    assert shown == {
        "prime_memory_context": (True, False, True),
        "search_memories": (True, False, True),
        "record_memory": (False, False, False),
        "inspect_memory": (True, False, True),
        "revise_memory": (False, True, True),
        "retire_memory": (False, True, True),
    }
    assert all(hint is not None and hint.open_world_hint is False for hint in hints.values())


async def test_a_memory_from_its_recording_to_its_retirement(
    server: Server, service: MemoryService, mode: Mode
) -> None:
    async with over_http(server, mode) as client:
        memory = await ask(
            client, "record_memory", content="Likes tea", tags=["drinks"], memory_type="preference"
        )
        assert memory["last_accessed_at"] is None
        seen = await ask(client, "inspect_memory", memory_id=memory["id"])
        assert seen["last_accessed_at"] is not None
        page = await ask(client, "search_memories", q="TEA", tag="drinks")
        assert (page["total"], page["has_more"], page["limit"]) == (1, False, 10)
        changed = await ask(
            client, "revise_memory", memory_id=1, content="Likes coffee", expected_version=1
        )
        assert (changed["content"], changed["version"]) == ("Likes coffee", 2)
        retired = await ask(client, "retire_memory", memory_id=1, expected_version=2)
        assert retired["status"] == "deleted"
        assert "not found" in await refusal(client, "retire_memory", memory_id=1)
    actors = {revision.actor for revision in service.history(RevisionQuery()).items}
    assert actors == {"mcp:Tester 1"}


async def test_priming_selects_identities_and_preferences(server: Server, mode: Mode) -> None:
    async with over_http(server, mode) as client:
        for type_ in ("fact", "identity", "event", "preference"):
            await ask(client, "record_memory", content=f"a {type_}", memory_type=type_)
        await ask(
            client, "record_memory", content="doubtful", memory_type="identity", status="invalid"
        )
        await ask(client, "revise_memory", memory_id=2, tags=["changed"])
        page = await ask(client, "prime_memory_context")
        assert [memory["content"] for memory in page["items"]] == ["a identity", "a preference"]
        assert (page["total"], page["limit"]) == (2, 10)
        assert page["items"][0]["last_accessed_at"] is not None
        facts = await ask(client, "prime_memory_context", memory_type="fact", q="A")
        assert [memory["content"] for memory in facts["items"]] == ["a fact"]
        second = await ask(client, "prime_memory_context", limit=1, offset=1, sort="id")
        assert [memory["content"] for memory in second["items"]] == ["a preference"]
        invalid = await ask(client, "prime_memory_context", status="invalid")
        assert [memory["content"] for memory in invalid["items"]] == ["doubtful"]


@pytest.mark.parametrize("text", ["null", '{"a":1}', "5", "true", " [1]\n", "a\u2028b", "\\ud800"])
async def test_strings_are_taken_verbatim(server: Server, mode: Mode, text: str) -> None:
    async with over_http(server, mode) as client:
        memory = await ask(client, "record_memory", content=text, tags=["null", "5"])
        assert (memory["content"], memory["tags"]) == (text, ["null", "5"])
        page = await ask(client, "search_memories", tag="null", q="5")
        assert page["total"] == 1


async def test_an_explicit_null_is_left_out(server: Server, mode: Mode) -> None:
    async with over_http(server, mode) as client:
        nulls = dict.fromkeys(("tags", "memory_type", "status"))
        memory = await ask(client, "record_memory", content="x", **nulls)
        assert (memory["tags"], memory["memory_type"], memory["status"]) == ([], "fact", "active")
        same = await ask(client, "revise_memory", memory_id=1, content=None, expected_version=None)
        assert same["version"] == 1
        page = await ask(client, "search_memories", **dict.fromkeys(MemoryQuery.model_fields))
        assert page["total"] == 1
        assert "content: Field required" in await refusal(client, "record_memory", content=None)


async def test_an_equal_active_memory_is_pointed_out(server: Server, mode: Mode) -> None:
    async with over_http(server, mode) as client:
        long = "A long statement. " * 40
        for content in ("Likes tea", "Likes tea with milk", long):
            result = await client.call_tool("record_memory", {"content": content})
            assert len(texts(result)) == 1
        for content, equal in ((" likes TEA\n", 1), (long.strip(), 3)):
            result = await client.call_tool("record_memory", {"content": content})
            assert not result.is_error
            assert f"memory {equal} already says the same" in texts(result)[1]
        await ask(client, "retire_memory", memory_id=1)
        await ask(client, "retire_memory", memory_id=4)
        result = await client.call_tool("record_memory", {"content": "Likes tea"})
        assert len(texts(result)) == 1


async def test_pointing_out_marks_nothing(server: Server, service: MemoryService) -> None:
    async with over_http(server, "auto") as client:
        for _ in range(2):
            await client.call_tool("record_memory", {"content": "Likes tea"})
    assert service.stats().never_accessed == 2


async def test_a_conflict_carries_the_current_memory(
    server: Server, service: MemoryService, mode: Mode
) -> None:
    async with over_http(server, mode) as client:
        await ask(client, "record_memory", content="Likes tea")
        for version in (1, 2, 3):
            await ask(client, "revise_memory", memory_id=1, tags=[f"v{version}"])
        for tool, fields in (("revise_memory", {"content": "x"}), ("retire_memory", {})):
            words = await refusal(client, tool, memory_id=1, expected_version=3, **fields)
            assert words.startswith('version is 4, you passed 3; current: {"id":1,')
            assert "expected_version 4" in words
    assert service.get(1, touch=False).version == 4


BAD = [
    ("search_memories", {"limit": "5"}, "limit: Input should be a valid integer"),
    ("search_memories", {"limit": 101}, "less than or equal to 100"),
    ("search_memories", {"limit": 0}, "greater than or equal to 1"),
    ("search_memories", {"limit": True}, "valid integer"),
    ("search_memories", {"limit": 5.5}, "valid integer"),
    ("search_memories", {"offset": 2**63}, "offset"),
    ("search_memories", {"offset": -1}, "offset"),
    ("search_memories", {"q": ""}, "q: "),
    ("search_memories", {"q": 5}, "q: Input should be a valid string"),
    ("search_memories", {"tag": ["a"]}, "tag: "),
    ("search_memories", {"status": "gone"}, "'active', 'invalid' or 'deleted'"),
    ("search_memories", {"sort": "version"}, "'updated_at'"),
    (
        "search_memories",
        {"peek": True},
        "allowed: status, memory_type, tag, q, sort, limit, offset",
    ),
    ("prime_memory_context", {"type": "fact"}, "allowed: status, memory_type"),
    ("record_memory", {}, "content: Field required"),
    ("record_memory", {"content": " "}, "white space"),
    ("record_memory", {"content": "nul\0"}, "U+0000"),
    ("record_memory", {"content": "x" * 8_001}, "8000"),
    ("record_memory", {"content": 5}, "content: Input should be a valid string"),
    ("record_memory", {"content": "x", "tags": "a, b"}, "tags: Input should be a list"),
    ("record_memory", {"content": "x", "tags": [str(n) for n in range(21)]}, "at most 20"),
    ("record_memory", {"content": "x", "memory_type": "goal"}, "'preference', 'fact'"),
    ("record_memory", {"content": "x", "status": "deleted"}, "'active' or 'invalid'"),
    ("record_memory", {"content": "x", "id": 5}, "id: is not an argument of record_memory"),
    ("inspect_memory", {}, "memory_id: Field required"),
    ("inspect_memory", {"memory_id": "1"}, "memory_id: Input should be a valid integer"),
    ("inspect_memory", {"memory_id": 0}, "memory_id"),
    ("inspect_memory", {"memory_id": 7}, "Memory 7 not found"),
    ("inspect_memory", {"memory_id": 10**30}, "not found"),
    ("revise_memory", {"memory_id": 7, "content": "x"}, "Memory 7 not found"),
    ("revise_memory", {"content": "x"}, "memory_id: Field required"),
    ("revise_memory", {"memory_id": 1, "version": 2}, "allowed: memory_id, content"),
    ("revise_memory", {"memory_id": 1, "expected_version": "2"}, "expected_version"),
    ("retire_memory", {"memory_id": 1, "status": "deleted"}, "allowed: memory_id, expected"),
    ("purge_memories", {}, "record_memory"),
    ("restore_memory", {"memory_id": 1}, "There is no tool"),
]


async def test_bad_arguments_are_refused_in_plain_words(server: Server, mode: Mode) -> None:
    async with over_http(server, mode) as client:
        for tool, arguments, words in BAD:
            said = await refusal(client, tool, **arguments)
            assert words in said, (tool, arguments, said)
            assert "Traceback" not in said
        assert (await ask(client, "search_memories"))["total"] == 0
    assert memory_count(server.db) == 0


async def test_read_only_agents_may_look(db: Any, mode: Mode) -> None:
    from tests.server.support import serving

    with serving(db) as server:
        async with over_http(server, mode) as client:
            await ask(client, "record_memory", content="x")
    with serving(db, read_only=True) as server:
        async with over_http(server, mode) as client:
            assert (await ask(client, "search_memories"))["total"] == 1
            for tool, arguments in (
                ("record_memory", {"content": "y"}),
                ("revise_memory", {"memory_id": 1, "content": "y"}),
                ("retire_memory", {"memory_id": 1}),
            ):
                assert "may not be written" in await refusal(client, tool, **arguments)
    assert memory_count(db) == 1
