"""How the width of the table is shared among its columns."""

from __future__ import annotations

from dataclasses import dataclass

GUTTER = 4
"""The cursor's bar, the sign of the status, the mark, a space."""
_GAP = 2
_TYPE = 10
_TIME = 7


@dataclass(frozen=True, slots=True)
class Columns:
    """Column widths in cells; 0 means that the column is left out."""

    memory_id: int
    memory_type: int
    text: int
    tags: int
    time: int


def share(width: int, id_digits: int) -> Columns:
    """Share `width` cells: the memory's text gets what the others leave, and they step back for it.

    `id_digits` is the length of the longest id on the page.
    """
    memory_id = max(3, id_digits) if width >= 44 else 0
    memory_type = _TYPE if width >= 52 else 0
    time = _TIME if width >= 34 else 0
    tags = max(14, min(34, width // 6)) if width >= 84 else 0
    taken = sum(part + _GAP for part in (memory_id, memory_type, tags, time) if part)
    return Columns(memory_id, memory_type, max(0, width - GUTTER - taken - 1), tags, time)
