"""For autogen-agentchat's tests of `AssistantAgent`: the memory that they mock is a real one.

They import model and tool clients that other tests of the same file use; these stay away.
"""

from __future__ import annotations

import pytest
from autogen_core import ComponentModel

from memtui.integrations.autogen import MemtuiMemory
from tests.integrations.shims import SCOPE, fresh_database, stand_in, store

stand_in(
    "autogen_ext.models.anthropic",
    "autogen_ext.models.openai",
    "autogen_ext.tools.mcp",
)


class MockMemoryOnMemtui(MemtuiMemory):
    def __init__(self, contents: list[str] | None = None) -> None:
        database = fresh_database()
        store(database, contents or [])
        super().__init__(database, scope=SCOPE, mode="all")

    def dump_component(self) -> ComponentModel:
        """The tests compare the dump with that of their own mock."""
        return ComponentModel(provider="test", config={"type": "mock_memory"})


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    modules = {item.module for item in items if isinstance(item, pytest.Function)}
    for module in modules:
        assert hasattr(module, "MockMemory")
        module.MockMemory = MockMemoryOnMemtui
