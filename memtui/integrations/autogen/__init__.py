"""AutoGen agents remember in memtui (extra `memtui[autogen]`, AutoGen 0.7).

`MemtuiMemory` is an AutoGen memory on a memtui database: what a person edits, invalidates or
deletes there reaches the running agent on its next turn. `MemtuiContext` wraps a model context and
shows the memories at each inference without storing them. `memory_tools` lets an agent search, add,
revise and forget by itself.
"""

from __future__ import annotations

try:
    import autogen_core as _  # noqa: F401
except ImportError as error:
    raise ImportError(
        "AutoGen is not installed; install it with: pip install 'memtui[autogen]'"
    ) from error

from memtui.integrations.autogen.config import (
    MemoryOptions,
    MemtuiContextConfig,
    MemtuiMemoryConfig,
)
from memtui.integrations.autogen.events import EventKind, MemoryEvent
from memtui.integrations.autogen.mapping import ContentRefusedError, caller_metadata
from memtui.integrations.autogen.memory import MemtuiMemory
from memtui.integrations.autogen.tools import (
    MemoryAddTool,
    MemoryForgetTool,
    MemoryReviseTool,
    MemorySearchTool,
    memory_tools,
)
from memtui.integrations.autogen.wrapper import MemtuiContext

__all__ = [
    "ContentRefusedError",
    "EventKind",
    "MemoryAddTool",
    "MemoryEvent",
    "MemoryForgetTool",
    "MemoryOptions",
    "MemoryReviseTool",
    "MemorySearchTool",
    "MemtuiContext",
    "MemtuiContextConfig",
    "MemtuiMemory",
    "MemtuiMemoryConfig",
    "caller_metadata",
    "memory_tools",
]
