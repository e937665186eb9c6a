"""Which memories are marked: by id with the version that was seen, or all that match a view.

Pure state, owned by the browse screen. Marks survive paging, sorting and refresh; they hold
versions, so that a change of what was not seen any more is refused by the service.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.models import Memory


class Marks:
    """The marked memories, `{id: version seen}`, in the order of marking."""

    def __init__(self) -> None:
        self._versions: dict[int, int] = {}
        self._anchor: int | None = None

    def __len__(self) -> int:
        return len(self._versions)

    def __contains__(self, memory_id: object) -> bool:
        return memory_id in self._versions

    @property
    def versions(self) -> Mapping[int, int]:
        """Each marked id with the version that was on the screen."""
        return self._versions

    @property
    def anchor(self) -> int | None:
        """The memory that a range began at, while one is being drawn."""
        return self._anchor

    def toggle(self, memory: Memory) -> None:
        """Mark a memory, or take its mark away."""
        if self._versions.pop(memory.id, None) is None:
            self._versions[memory.id] = memory.version

    def add(self, memories: Iterable[Memory]) -> None:
        """Mark memories."""
        for memory in memories:
            self._versions[memory.id] = memory.version

    def invert(self, memories: Iterable[Memory]) -> None:
        """Mark those of `memories` that are not marked, and unmark those that are."""
        for memory in memories:
            self.toggle(memory)

    def take(self, versions: Mapping[int, int]) -> None:
        """Have exactly these marks."""
        self._versions = dict(versions)
        self._anchor = None

    def clear(self) -> None:
        """Take all marks away."""
        self.take({})

    def begin_range(self, memory_id: int | None) -> None:
        """Begin a range at a memory, or with None end it."""
        self._anchor = memory_id

    def see(self, memories: Iterable[Memory]) -> None:
        """Renew the versions of marked memories that are on the screen as they are now."""
        for memory in memories:
            if memory.id in self._versions:
                self._versions[memory.id] = memory.version

    def hidden(self, shown: Iterable[int]) -> int:
        """How many marked memories are not among the ids `shown`."""
        return len(self._versions) - sum(memory_id in self._versions for memory_id in shown)
