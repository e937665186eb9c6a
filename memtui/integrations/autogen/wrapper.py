"""`MemtuiContext`: any model context, with the memories shown at each inference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from autogen_core import Component
from autogen_core.memory import Memory, MemoryContent
from autogen_core.model_context import ChatCompletionContext, UnboundedChatCompletionContext
from autogen_core.models import LLMMessage

from memtui.integrations.autogen import placing
from memtui.integrations.autogen.block import Ledger
from memtui.integrations.autogen.config import MemtuiContextConfig
from memtui.integrations.autogen.finding import Recall
from memtui.integrations.autogen.memory import MemtuiMemory


class MemtuiContext(ChatCompletionContext, Component[MemtuiContextConfig]):
    """A model context that shows the block of memories at each inference and stores none of it.

    The history of the wrapped context holds the conversation alone, so nothing of a memory stays
    behind in it. Give the agent the same memory as well, and it yields an event for what is new.

    Args:
        memory: Whose memories are shown, under its settings.
        inner: The context that holds the conversation; unbounded when there is none.
    """

    component_config_schema = MemtuiContextConfig
    component_provider_override = "memtui.integrations.autogen.MemtuiContext"

    def __init__(self, memory: MemtuiMemory, inner: ChatCompletionContext | None = None) -> None:
        super().__init__()
        self._memory = memory
        self._inner = inner or UnboundedChatCompletionContext()
        self._shown = Ledger()

    async def add_message(self, message: LLMMessage) -> None:
        """Add a message to the wrapped context."""
        await self._inner.add_message(message)

    async def get_messages(self) -> list[LLMMessage]:
        """The wrapped context's messages and the block of memories at its place.

        Where the database can't answer in time they come without it, and an `error` event tells.
        """
        messages = await self._conversation()
        try:
            recalled, _ = await self._recall(messages)
        except Exception as error:
            self._memory.failed("an inference got no memories", error)
            return messages
        if recalled.text is None:
            return messages
        config = self._memory.config
        role = placing.role_of(config)
        return placing.with_block(messages, recalled.text, config.place, role)

    async def clear(self) -> None:
        """Clear the wrapped context; the memories stay."""
        self._shown = Ledger()
        await self._inner.clear()

    async def save_state(self) -> Mapping[str, Any]:
        """The wrapped context's state."""
        return await self._inner.save_state()

    async def load_state(self, state: Mapping[str, Any]) -> None:
        """Load a state into the wrapped context."""
        self._shown = Ledger()
        await self._inner.load_state(state)

    def shows(self, memory: MemtuiMemory) -> bool:
        """Whether this context shows what `memory` holds."""
        return memory.key == self._memory.key

    async def refresh(self) -> list[MemoryContent]:
        """Look again before the next inference, and return what it will show anew."""
        _, fresh = await self._recall(await self._conversation())
        return fresh

    async def _conversation(self) -> list[LLMMessage]:
        messages = await self._inner.get_messages()
        return [one for one in messages if placing.shown_by(one, self._memory.key) is None]

    async def _recall(self, messages: list[LLMMessage]) -> tuple[Recall, list[MemoryContent]]:
        recalled, fresh = await self._memory.recall(messages, self._shown, keep_shown=False)
        self._shown = recalled.ledger
        await self._memory.injected(recalled)
        return recalled, fresh

    def _to_config(self) -> MemtuiContextConfig:
        return MemtuiContextConfig(
            inner=self._inner.dump_component(), memory=self._memory.dump_component()
        )

    @classmethod
    def _from_config(cls, config: MemtuiContextConfig) -> Self:
        return cls(
            Memory.load_component(config.memory, MemtuiMemory),
            ChatCompletionContext.load_component(config.inner),
        )
