"""For autogen-core's tests of `ListMemory`: what it holds comes from, and goes to, a database."""

from __future__ import annotations

import asyncio

import autogen_core.memory
from autogen_core import Component
from autogen_core.memory import ListMemory, MemoryContent
from autogen_core.memory._list_memory import ListMemoryConfig

from memtui.integrations.autogen import MemtuiMemory
from tests.integrations.shims import SCOPE, fresh_database


class ListMemoryOnMemtui(MemtuiMemory, Component[ListMemoryConfig]):
    component_config_schema = ListMemoryConfig
    component_provider_override = "autogen_core.memory.ListMemory"

    def __init__(self, name: str | None = None, memory_contents: list[MemoryContent] | None = None):
        super().__init__(fresh_database(), scope=SCOPE, mode="all", name=name or "list")
        for content in memory_contents or []:
            asyncio.run(self.add(content))

    @property
    def content(self) -> list[MemoryContent]:
        return asyncio.run(self.query()).results

    def _to_config(self):
        return ListMemoryConfig(name=self.name, memory_contents=self.content)

    @classmethod
    def _from_config(cls, config):
        return cls(config.name, config.memory_contents)


assert autogen_core.memory.ListMemory is ListMemory
autogen_core.memory.ListMemory = ListMemoryOnMemtui
