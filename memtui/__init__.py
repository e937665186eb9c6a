"""memtui: read, correct and retire what your agents remember.

`MemoryService` and the models are importable from here; they are loaded on first use, so that
`import memtui` stays cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.models import (
        Memory,
        MemoryCreate,
        MemoryPage,
        MemoryPatch,
        MemoryQuery,
        MemoryStatus,
        MemoryType,
        SortKey,
    )
    from memtui.service import MemoryService

__version__ = "0.1.0"

__all__ = [
    "Memory",
    "MemoryCreate",
    "MemoryPage",
    "MemoryPatch",
    "MemoryQuery",
    "MemoryService",
    "MemoryStatus",
    "MemoryType",
    "SortKey",
    "__version__",
]


def __getattr__(name: str) -> object:
    if name in __all__:
        return getattr(
            import_module("memtui.service" if name == "MemoryService" else "memtui.models"), name
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
