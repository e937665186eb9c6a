"""An agent that keeps its own memory: it adds one, then corrects it; a person can undo both."""

from __future__ import annotations

import asyncio
from pathlib import Path

from autogen_agentchat.agents import AssistantAgent

from memtui.integrations.autogen import MemoryEvent, MemtuiContext, MemtuiMemory, memory_tools
from memtui.integrations.autogen.examples.playing import call, database, last_words, model

TURNS = (
    (
        "I have moved to Lisbon.",
        (
            call("memory_add", content="The user lives in Lisbon", memory_type="identity"),
            "Noted: you live in Lisbon.",
        ),
    ),
    (
        "Sorry, I meant Porto.",
        (
            call("memory_revise", id=1, content="The user lives in Porto", expected_version=1),
            "Corrected: you live in Porto.",
        ),
    ),
    ("Where do I live?", ("You live in Porto.",)),
)


async def main(path: Path) -> list[str]:
    """Talk with the agent for three turns, and return what it said and what its memory did."""
    told: list[str] = []

    def listen(event: MemoryEvent) -> None:
        told.append(f"({event.kind.value} {', '.join(map(str, event.memory_ids))})")

    memory = MemtuiMemory(path, name="keeper", scope="keeper", on_event=listen)
    agent = AssistantAgent(
        name="assistant",
        model_client=model([part for _, parts in TURNS for part in parts]),
        tools=[*memory_tools(memory)],
        model_context=MemtuiContext(memory),
        reflect_on_tool_use=True,
    )
    for said, _ in TURNS:
        told.append(last_words(await agent.run(task=said)))
    await memory.close()
    return told


if __name__ == "__main__":
    place = database()
    print(*asyncio.run(main(place)), f"The memories are in {place}", sep="\n")
