"""What a user might write: a memory of their own, strictly typed."""

from __future__ import annotations

from typing import Any

from autogen_core import CancellationToken
from autogen_core.memory import MemoryContent, MemoryQueryResult

from memtui.integrations.autogen import MemoryEvent, MemtuiContext, MemtuiMemory, memory_tools


class LoudMemory(MemtuiMemory):
    """Shouts what it finds."""

    async def query(
        self,
        query: str | MemoryContent = "",
        cancellation_token: CancellationToken | None = None,
        **kwargs: Any,
    ) -> MemoryQueryResult:
        found = await super().query(query, cancellation_token, **kwargs)
        return MemoryQueryResult(results=[self._loud(item) for item in found.results])

    async def add(
        self, content: MemoryContent, cancellation_token: CancellationToken | None = None
    ) -> None:
        kept: MemoryContent = await self.remember(content, cancellation_token)
        assert kept.metadata is not None

    @staticmethod
    def _loud(item: MemoryContent) -> MemoryContent:
        return item.model_copy(update={"content": str(item.content).upper()})


def listen(event: MemoryEvent) -> None:
    assert event.kind.value


memory = LoudMemory("notes.db", scope="loud", mode="ranked", limit=5, on_event=listen)
context = MemtuiContext(memory)
names: list[str] = [tool.name for tool in memory_tools(memory, review=True)]
