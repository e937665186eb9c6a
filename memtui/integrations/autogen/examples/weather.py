"""The units example: an agent answers in the units that its user prefers.

Open the printed database with `memtui --db PATH`, change the preference and ask again.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Literal

from autogen_agentchat.agents import AssistantAgent
from autogen_core.memory import MemoryContent, MemoryMimeType

from memtui.integrations.autogen import MemtuiMemory
from memtui.integrations.autogen.examples.playing import (
    call,
    database,
    last_words,
    model,
    recalled,
)


async def get_weather(city: str, units: Literal["metric", "imperial"]) -> str:
    """Get the weather of a city."""
    return f"The weather in {city} is {'23 °C' if units == 'metric' else '73 °F'} and sunny."


async def main(path: Path) -> list[str]:
    """Tell the memory two things, ask for the weather, and return what the agent knew and said."""
    memory = MemtuiMemory(path, name="weather", scope="weather")
    for text, kind in (
        ("The weather should be in metric units", "preference"),
        ("Meal recipes must be vegan", "preference"),
    ):
        await memory.add(
            MemoryContent(
                content=text, mime_type=MemoryMimeType.TEXT, metadata={"memory_type": kind}
            )
        )
    agent = AssistantAgent(
        name="assistant",
        model_client=model([call("get_weather", city="New York", units="metric")]),
        tools=[get_weather],
        memory=[memory],
    )
    result = await agent.run(task="What is the weather in New York?")
    await memory.close()
    return [*(str(item.content) for item in recalled(result)), last_words(result)]


if __name__ == "__main__":
    place = database()
    print(*asyncio.run(main(place)), f"The memories are in {place}", sep="\n")
