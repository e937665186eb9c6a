"""An agent keeps its own memory: search, add, revise, forget; with review, a person decides."""

from __future__ import annotations

import json

import pytest
from autogen_agentchat.agents import AssistantAgent
from autogen_core import CancellationToken
from autogen_core.tools import BaseTool, StaticWorkbench, ToolResult

from memtui.integrations.autogen import MemtuiMemory, memory_tools
from memtui.integrations.autogen.examples.playing import call, model
from memtui.models import MemoryPatch, MemoryQuery
from memtui.service import MemoryService

from .talk import new, text


def workbench(memory: MemtuiMemory, *, review: bool = False) -> StaticWorkbench:
    return StaticWorkbench(memory_tools(memory, review=review))


def words(result: ToolResult) -> str:
    return result.to_text()


def statuses(person: MemoryService) -> dict[str, str]:
    live = person.search(MemoryQuery(), touch=False).items
    gone = person.search(MemoryQuery.parse({"status": "deleted"}), touch=False).items
    return {memory.content: memory.status.value for memory in (*live, *gone)}


async def test_the_four_tools_do_what_they_say(memory, person, events) -> None:
    tools = workbench(memory)
    added = await tools.call_tool(
        "memory_add", {"content": "Lives in Lisbon", "memory_type": "identity"}
    )
    assert words(added) == "Kept as memory 1, version 1."
    assert person.get(1, touch=False).memory_type == "identity"
    found = await tools.call_tool("memory_search", {"query": "Where does she live? Lisbon?"})
    assert words(found) == "- [memory 1, version 1] Lives in Lisbon"
    assert person.get(1, touch=False).last_accessed_at is not None
    revised = await tools.call_tool(
        "memory_revise", {"id": 1, "content": "Lives in Porto", "expected_version": 1}
    )
    assert words(revised) == "It is now memory 1, version 2."
    forgotten = await tools.call_tool("memory_forget", {"id": 1})
    assert words(forgotten) == "Memory 1 is no longer used."
    nothing = await tools.call_tool("memory_search", {"query": "Porto"})
    assert words(nothing).startswith("Nothing found")
    assert statuses(person) == {"Lives in Porto": "deleted"}
    assert [event.kind.value for event in events] == [
        "added", "queried", "revised", "forgotten", "queried",
    ]  # fmt: skip
    assert {batch.actor for batch in person.batches()} == {"autogen:memory"}


async def test_a_conflict_shows_how_it_stands_and_writes_nothing(memory, person) -> None:
    await memory.add(text("Lives in Lisbon"))
    person.patch(1, MemoryPatch.parse({"content": "Lives in Faro"}))
    answer = await workbench(memory).call_tool(
        "memory_revise", {"id": 1, "content": "Lives in Porto", "expected_version": 1}
    )
    assert "version 2, not 1" in words(answer)
    assert "- [memory 1, version 2] Lives in Faro" in words(answer)
    assert statuses(person) == {"Lives in Faro": "active"}


async def test_with_review_what_an_agent_writes_waits_for_a_person(memory, person) -> None:
    await memory.remember_many([text("Old fact"), text("Wrong fact")])
    tools = workbench(memory, review=True)
    for name, arguments in (
        ("memory_add", {"content": "New fact"}),
        ("memory_revise", {"id": 1, "content": "Better fact", "expected_version": 1}),
        ("memory_forget", {"id": 2}),
    ):
        assert words(await tools.call_tool(name, arguments)).endswith(
            "A person will review it first."
        )
    assert set(statuses(person).values()) == {"invalid"}
    assert (await memory.query("fact")).results == []
    person.patch(3, MemoryPatch.parse({"status": "active"}))
    assert [item.content for item in (await memory.query("fact")).results] == ["New fact"]


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("memory_forget", {"id": 1}, "Memory 1 not found"),
        ("memory_revise", {"id": 1, "content": "x", "expected_version": 1}, "Memory 1 not found"),
        ("memory_forget", {"id": 99}, "Memory 99 not found"),
        ("memory_add", {"content": " "}, "white space"),
        ("memory_add", {"content": "x", "status": "active"}, "status"),
        ("memory_search", {"query": "x", "limit": 0}, "limit"),
    ],
)
async def test_a_refusal_is_an_answer_in_plain_words(name, arguments, says, make, person) -> None:
    person.create(new("of the scope autogen"))
    answer = await workbench(make(scope="other")).call_tool(name, arguments)
    assert answer.is_error
    assert says in words(answer)
    assert statuses(person) == {"of the scope autogen": "active"}


def test_their_schemas_are_flat_and_plain(make) -> None:
    for tool in memory_tools(make()):
        written = json.dumps(tool.schema)
        for difficult in ("anyOf", "$ref", "null"):
            assert difficult not in written
        assert tool.schema["parameters"]["additionalProperties"] is False
        assert all(one["description"] for one in tool.schema["parameters"]["properties"].values())


async def test_a_dumped_tool_works_on_the_same_database(make, person) -> None:
    await make().add(text("tea"))
    for tool in memory_tools(make(), review=True):
        loaded = BaseTool.load_component(json.loads(tool.dump_component().model_dump_json()))
        assert (loaded.name, loaded.schema) == (tool.name, tool.schema)
        if tool.name == "memory_forget":
            await loaded.run_json({"id": 1}, CancellationToken())
    assert statuses(person) == {"tea": "invalid"}


async def test_an_agent_uses_them(memory, person) -> None:
    parts = [call("memory_add", content="Lives in Lisbon"), "Noted."]
    agent = AssistantAgent(
        "assistant",
        model(parts),
        tools=[*memory_tools(memory)],
        memory=[memory],
        reflect_on_tool_use=True,
    )
    result = await agent.run(task="I live in Lisbon.")
    assert result.messages[-1].content == "Noted."
    assert statuses(person) == {"Lives in Lisbon": "active"}
