"""Which memories are marked, each with the version that was seen.

Pure state, owned by the browse screen. Marks survive paging, sorting, filtering and refresh; they
hold versions, so that a change of what was not seen any more is refused by the service.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.models import ItemOutcome, Memory


class Marks:
    """The marked memories, `{id: version seen}`, in the order of marking.

    While a range is being drawn, its memories are marked beside those that were before it.
    """

    def __init__(self) -> None:
        self._versions: dict[int, int] = {}
        self._anchor: int | None = None
        self._before_range: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._versions)

    def __contains__(self, memory_id: object) -> bool:
        return memory_id in self._versions

    @property
    def versions(self) -> Mapping[int, int]:
        """Each marked id with the version that was on the screen."""
        return self._versions

    def toggle(self, memory: Memory) -> None:
        """Mark a memory, or take its mark away."""
        if self._versions.pop(memory.id, None) is None:
            self._versions[memory.id] = memory.version

    def add(self, versions: Mapping[int, int]) -> None:
        """Mark memories, given by id with the version that was seen."""
        self._versions |= versions

    def toggle_all(self, memories: Sequence[Memory]) -> None:
        """Mark all of `memories`, or when all are marked already, none of them."""
        if all(memory.id in self._versions for memory in memories):
            self.drop(memory.id for memory in memories)
        else:
            self.add({memory.id: memory.version for memory in memories})

    def invert(self, memories: Iterable[Memory]) -> None:
        """Mark those of `memories` that are not marked, and unmark those that are."""
        for memory in memories:
            self.toggle(memory)

    def drop(self, ids: Iterable[int]) -> None:
        """Take the marks of these memories away."""
        for memory_id in ids:
            self._versions.pop(memory_id, None)

    def clear(self) -> None:
        """Take all marks away."""
        self._versions = {}
        self.end_range()

    def settle(self, outcomes: Iterable[ItemOutcome]) -> None:
        """Unmark what is as it was wanted now; what failed stays marked."""
        self.drop(item.memory_id for item in outcomes if item.outcome in {"changed", "unchanged"})

    def see(self, memories: Iterable[Memory]) -> None:
        """Renew the versions of marked memories that are on the screen as they are now."""
        for memory in memories:
            if memory.id in self._versions:
                self._versions[memory.id] = memory.version

    def away_from(self, shown: Iterable[int]) -> int:
        """How many marked memories are not among the ids `shown`."""
        return len(self._versions) - sum(memory_id in self._versions for memory_id in shown)

    # --- a range -------------------------------------------------------------------------------

    @property
    def anchor(self) -> int | None:
        """The memory that a range began at, while one is being drawn."""
        return self._anchor

    def begin_range(self, memory: Memory) -> None:
        """Begin a range at a memory."""
        self._anchor = memory.id
        self._before_range = dict(self._versions)
        self.stretch([memory])

    def stretch(self, memories: Iterable[Memory]) -> None:
        """Have the range be exactly these memories."""
        self._versions = dict(self._before_range)
        self.add({memory.id: memory.version for memory in memories})

    def end_range(self) -> None:
        """Keep the range as it is drawn."""
        self._anchor = None
        self._before_range = {}

    def cancel_range(self) -> None:
        """Take the range back: marked is what was before it."""
        self._versions = self._before_range
        self.end_range()
