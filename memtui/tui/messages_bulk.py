"""What the gateway tells about marked memories; see `memtui.tui.messages`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memtui.tui.messages import Answer

if TYPE_CHECKING:
    from memtui.models import BulkResult, Memory


class MatchesRead(Answer):
    """Every match of a view, by id with its version, in the order of the view."""

    def __init__(self, number: int, versions: Mapping[int, int]) -> None:
        super().__init__(number)
        self.versions = versions


class MarksCounted(Answer):
    """So many of the marked memories do not match the filters."""

    def __init__(self, number: int, hidden: int) -> None:
        super().__init__(number)
        self.hidden = hidden


class MemoriesRead(Answer):
    """Those of the memories that exist and are not deleted, in the order that was asked for."""

    def __init__(self, number: int, memories: tuple[Memory, ...]) -> None:
        super().__init__(number)
        self.memories = memories


class Redone(Answer):
    """The last own undo was taken back."""

    def __init__(self, number: int, result: BulkResult) -> None:
        super().__init__(number)
        self.result = result
