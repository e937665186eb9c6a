"""Tables for people: safe text, cut and aligned by cells, as wide as the terminal at most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from memtui.cli import output
from memtui.text import safe_line

_GAP = "  "


class Column(NamedTuple):
    """One column, `most` cells wide at most; the one that is `flexible` takes what is left."""

    title: str
    right: bool = False
    flexible: bool = False
    most: int = 40


def write_table(columns: Sequence[Column], rows: Sequence[Sequence[str]]) -> None:
    """Write a heading and the rows."""
    for line in layout(columns, rows, output.width()):
        output.write(line)


def layout(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int) -> list[str]:
    """The lines of a table at most `width` cells wide, the heading first."""
    texts = [[safe_line(cell) for cell in row] for row in rows]
    widths = _widths(columns, texts, width)
    heading = _line(columns, widths, [column.title for column in columns])
    return [output.dim(heading), *(_line(columns, widths, row) for row in texts)]


def fit(text: str, width: int) -> str:
    """`text` in at most `width` cells, cut with `…`; half a wide character is never shown."""
    from rich.cells import cell_len, set_cell_size

    if cell_len(text) <= width:
        return text
    return set_cell_size(text, width - 1).rstrip() + "…" if width > 0 else ""


def _widths(columns: Sequence[Column], rows: Sequence[Sequence[str]], width: int) -> list[int]:
    from rich.cells import cell_len

    wanted = [
        max([cell_len(column.title), *(cell_len(row[at]) for row in rows)])
        for at, column in enumerate(columns)
    ]
    widths = [
        want if column.flexible else min(want, column.most)
        for want, column in zip(wanted, columns, strict=True)
    ]
    available = width - len(_GAP) * (len(columns) - 1)
    flexible = next((at for at, column in enumerate(columns) if column.flexible), 0)
    others = sum(widths) - widths[flexible]
    widths[flexible] = max(min(widths[flexible], available - others), min(8, widths[flexible]))
    # Too narrow for all: the last columns give way first.
    for at in reversed(range(len(widths))):
        excess = sum(widths) - available
        if excess > 0 and at != 0:
            widths[at] = max(widths[at] - excess, 1)
    return widths


def _line(columns: Sequence[Column], widths: Sequence[int], cells: Sequence[str]) -> str:
    from rich.cells import cell_len

    padded: list[str] = []
    for column, width, cell in zip(columns, widths, cells, strict=True):
        text = fit(cell, width)
        space = " " * (width - cell_len(text))
        padded.append(space + text if column.right else text + space)
    return _GAP.join(padded).rstrip()
