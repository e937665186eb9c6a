"""Pytest plugins that swap `MemtuiMemory` in for the class that one of AutoGen's suites tests."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from memtui.models import MemoryCreate
from memtui.service import MemoryService

SCOPE = "suite"


def fresh_database() -> Path:
    """A database of its own, in the folder that the whole run throws away."""
    return Path(tempfile.mkdtemp()) / "memories.db"


def store(database: Path, texts: Iterable[str]) -> None:
    """Put texts into a database before any event loop runs."""
    new = [MemoryCreate(content=text, tags=(SCOPE,)) for text in texts]
    with MemoryService.open(database) as service:
        service.create_many(new)


class Absent(ModuleType):
    """Stands for a library that is not installed: every name in it is a class of its own."""

    __path__: list[str] = []  # noqa: RUF012  # what makes a module a package

    def __getattr__(self, name: str) -> type:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {"__module__": self.__name__})


def stand_in(*names: str) -> None:
    """Let these modules be imported by tests that use nothing of them."""
    for name in names:
        sys.modules[name] = Absent(name)
