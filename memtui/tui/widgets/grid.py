"""A list in columns, for the screens that list something else than memories."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import BindingType
from textual.strip import Strip

from memtui.tui import cells
from memtui.tui.actions import Scope
from memtui.tui.keys import bindings
from memtui.tui.widgets.ink import Inked
from memtui.tui.widgets.rows import Rows

_GUTTER = 2
_GAP = "  "
_LEAST_TEXT = 10


@dataclass(frozen=True, slots=True)
class Column:
    """A column of `width` cells; 0 takes what the others leave.

    It is left out, before those of a lower `rank`, where it does not fit; 0 always stays.
    """

    title: str
    width: int = 0
    right: bool = False
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Cell:
    """Untrusted text in one of the inks."""

    text: str
    ink: str = "text"


@dataclass(frozen=True, slots=True)
class Line:
    """A row: what it stands for, a sign in front, one cell a column. A heading has no key."""

    key: Hashable | None
    cells: tuple[Cell, ...]
    sign: Cell = Cell(" ")

    @classmethod
    def heading(cls, text: str) -> Line:
        """A line between groups that the cursor passes over."""
        return cls(None, (Cell(text, "heading"),))


class Grid(Rows, inherit_bindings=False):
    """Lines in columns; the cursor stays on what it stood on when other lines come."""

    # Choosing a line is an action of the screen, under a name that says what it does there.
    BINDINGS: ClassVar[list[BindingType]] = [
        *(binding for binding in bindings(Scope.LIST) if binding.id != "choose")
    ]

    def __init__(self, columns: Sequence[Column], *, widget_id: str) -> None:
        super().__init__(widget_id=widget_id)
        self._columns = tuple(columns)
        self._lines: tuple[Line, ...] = ()
        self.titles = GridTitles(self)

    @property
    def columns(self) -> tuple[Column, ...]:
        """All columns, those that do not fit included."""
        return self._columns

    @property
    def lines(self) -> tuple[Line, ...]:
        """All lines, headings included."""
        return self._lines

    @property
    def current(self) -> Hashable | None:
        """What the line under the cursor stands for."""
        return self._lines[self.cursor].key if self.cursor < len(self._lines) else None

    def show(self, lines: Sequence[Line], *, cursor: int | None = None) -> None:
        """Show these lines; the cursor follows its line, or goes to line `cursor`."""
        at = self.cursor if cursor is None else cursor
        if cursor is None and (current := self.current) is not None:
            found = (number for number, line in enumerate(lines) if line.key == current)
            at = next(found, at)
        self._lines = tuple(lines)
        self.set_rows(len(lines), at, keep_line=cursor is None)
        self.call_after_refresh(self.titles.refresh)  # a scroll bar may have come or gone

    def go_to(self, key: Hashable) -> None:
        """Put the cursor on the line that stands for `key`, if there is one."""
        for number, line in enumerate(self._lines):
            if line.key == key:
                self.move_to(number)
                return

    def selectable(self, index: int) -> bool:
        """Whether the cursor may stand on a line; not on a heading."""
        return 0 <= index < len(self._lines) and self._lines[index].key is not None

    def draw_row(self, index: int, width: int) -> list[Segment]:
        """Draw a line: the cursor's bar, the sign, the columns that fit."""
        line = self._lines[index]
        if line.key is None:
            text = cells.fit(" " + cells.line_text(line.cells[0].text), width)
            return [Segment(text, self.ink("heading"))]
        bar = "▌" if index == self.cursor else " "
        segments = [
            Segment(bar, self.ink("accent" if self.has_focus else "faint")),
            Segment(cells.fit(line.sign.text, 1), self.ink(line.sign.ink)),
            Segment(" "),
        ]
        for number, (at, room) in enumerate(shares(self._columns, width - _GUTTER - 2)):
            cell, column = line.cells[at], self._columns[at]
            text = cells.line_text(cell.text)
            shown = cells.fit_right(text, room) if column.right else cells.fit(text, room)
            segments.append(Segment(_GAP if number else "", self.ink("text")))
            segments.append(Segment(shown.rstrip(), self.ink(cell.ink)))
            segments.append(Segment(shown[len(shown.rstrip()) :]))
        segments.append(Segment(" "))
        return segments


class GridTitles(Inked):
    """The line above a grid that names its columns."""

    def __init__(self, grid: Grid) -> None:
        super().__init__()
        self._grid = grid

    def on_resize(self, _event: events.Resize) -> None:
        """Name the columns in the new width."""
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the titles."""
        width = self._grid.scrollable_content_region.width
        if y or width <= 0:
            return Strip.blank(self.size.width, self.rich_style)
        columns = self._grid.columns
        names = [
            cells.fit_right(columns[at].title, room)
            if columns[at].right
            else cells.fit(columns[at].title, room)
            for at, room in shares(columns, width - _GUTTER - 2)
        ]
        text = " " * (_GUTTER + 1) + _GAP.join(names)
        strip = Strip([Segment(text, self.ink("faint"))])
        return strip.apply_style(self.rich_style).adjust_cell_length(
            self.size.width, self.rich_style
        )


def shares(columns: Sequence[Column], width: int) -> list[tuple[int, int]]:
    """Return (number of a column, its cells) for the columns that fit into `width` cells."""
    kept = list(range(len(columns)))
    while _taken(columns, kept) > width:
        worst = max(kept, key=lambda at: columns[at].rank)
        if columns[worst].rank == 0:
            break
        kept.remove(worst)
    flexible = sum(columns[at].width == 0 for at in kept)
    fixed = sum(columns[at].width for at in kept) + len(_GAP) * (len(kept) - 1)
    room = max(0, width - fixed) // max(1, flexible)
    return [(at, columns[at].width or room) for at in kept]


def _taken(columns: Sequence[Column], kept: Sequence[int]) -> int:
    return sum(columns[at].width or _LEAST_TEXT for at in kept) + len(_GAP) * (len(kept) - 1)
