"""Short words for tests: contents, agents that replay, and what the model saw."""

from __future__ import annotations

from autogen_agentchat.agents import AssistantAgent
from autogen_agentchat.messages import MemoryQueryEvent
from autogen_core.memory import MemoryContent, MemoryMimeType
from autogen_core.models import LLMMessage
from autogen_ext.models.replay import ReplayChatCompletionClient

from memtui.models import MemoryCreate, MemoryType


def text(content: str, **metadata: object) -> MemoryContent:
    return MemoryContent(content=content, mime_type=MemoryMimeType.TEXT, metadata=metadata or None)


def new(content: str, *tags: str, memory_type: MemoryType = MemoryType.FACT) -> MemoryCreate:
    return MemoryCreate(content=content, tags=(*tags, "autogen"), memory_type=memory_type)


def contents(result) -> list[object]:
    return [item.content for item in result.results]


class Talk:
    """An agent that answers whatever it is asked, and what its model saw at the last inference."""

    def __init__(self, memory=None, **options) -> None:
        self.client = ReplayChatCompletionClient([f"answer {number}" for number in range(50)])
        self.agent = AssistantAgent(
            "assistant", self.client, memory=None if memory is None else [memory], **options
        )

    async def say(self, task: str) -> list[object]:
        """Run a turn; returns the contents that its memory events told of."""
        result = await self.agent.run(task=task)
        told = [one for one in result.messages if isinstance(one, MemoryQueryEvent)]
        return [item.content for event in told for item in event.content]

    @property
    def seen(self) -> list[LLMMessage]:
        return self.client.create_calls[-1]["messages"]

    @property
    def prompt(self) -> str:
        return "\n".join(str(message.content) for message in self.seen)

    @property
    def blocks(self) -> list[LLMMessage]:
        return [one for one in self.seen if "<memories " in str(one.content)]
