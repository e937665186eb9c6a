"""A list of one-line rows with a cursor, drawn line by line: the base of the table and the filters.

Only what is on the screen is drawn, and a move of the cursor redraws two lines.
"""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memtui.tui.actions import Scope
from memtui.tui.keys import bindings
from memtui.tui.widgets.ink import Inked


class Rows(ScrollView, Inked, can_focus=True):
    """Rows that a cursor walks; a subclass says how many there are and draws each of them."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.LIST)]

    class Moved(Message):
        """The person moved the cursor to another row."""

        def __init__(self, rows: Rows, index: int) -> None:
            super().__init__()
            self.rows = rows
            self.index = index

        @property
        def control(self) -> Rows:
            """The list it happened in."""
            return self.rows

    class Chosen(Moved):
        """The person chose a row: a key, or a click on it."""

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(id=widget_id)
        self._count = 0
        self._cursor = 0
        self._hover: int | None = None

    # --- for subclasses ------------------------------------------------------------------------

    def draw_row(self, index: int, width: int) -> list[Segment]:
        """Return row `index` in exactly `width` cells; the background of the row is added after."""
        raise NotImplementedError

    def selectable(self, index: int) -> bool:
        """Whether the cursor may stand on row `index`; a heading says no."""
        return 0 <= index < self._count

    def background(self, index: int) -> Style:
        """Return a background for row `index`, where it has one of its own."""
        del index
        return Style()

    def chosen_by_click(self) -> bool:
        """Whether one click chooses a row, rather than only moving the cursor there."""
        return False

    # --- state ---------------------------------------------------------------------------------

    @property
    def cursor(self) -> int:
        """The index of the row under the cursor; meaningless when there is no row."""
        return self._cursor

    @property
    def count(self) -> int:
        """How many rows there are."""
        return self._count

    def set_rows(self, count: int, cursor: int, *, keep_line: bool = False) -> None:
        """Take over new rows with the cursor on row `cursor`.

        With `keep_line` the cursor's row stays on the line of the screen where it was, unless the
        list was at its top: there one looks out for what comes in above.
        """
        line = self._cursor - round(self.scroll_y)
        at_top = round(self.scroll_y) == 0 and cursor < self.scrollable_content_region.height
        self._count = count
        self._cursor = self._nearest(cursor)
        self._hover = None
        self.virtual_size = Size(0, count)
        if keep_line and not at_top:
            self.scroll_to(y=self._cursor - line, animate=False)
        self._show_cursor()
        self.refresh()

    def move_to(self, index: int, *, tell: bool = True) -> None:
        """Put the cursor on the row nearest to `index` and scroll it into view."""
        old, new = self._cursor, self._nearest(index)
        if new == old:
            self._show_cursor()
            return
        self._cursor = new
        self.refresh_line(old)
        self.refresh_line(new)
        self._show_cursor()
        if tell:
            self.post_message(self.Moved(self, new))

    def _nearest(self, index: int) -> int:
        """Return the selectable row nearest to `index`, preferring the direction of the move."""
        if self._count == 0:
            return 0
        index = max(0, min(index, self._count - 1))
        step = -1 if index < self._cursor else 1
        for direction in (step, -step):
            at = index
            while 0 <= at < self._count:
                if self.selectable(at):
                    return at
                at += direction
        return 0

    def _show_cursor(self) -> None:
        height = self.scrollable_content_region.height
        if height <= 0:
            return
        top = round(self.scroll_target_y)
        above = self._cursor if self.selectable(self._cursor - 1) else max(0, self._cursor - 1)
        if above < top:
            self.scroll_to(y=above, animate=False)
        elif self._cursor >= top + height:
            self.scroll_to(y=self._cursor - height + 1, animate=False)

    # --- keys ----------------------------------------------------------------------------------

    def action_cursor_down(self) -> None:
        """Move to the next row."""
        self.move_to(self._cursor + 1)

    def action_cursor_up(self) -> None:
        """Move to the row above."""
        self.move_to(self._cursor - 1)

    def action_cursor_top(self) -> None:
        """Move to the first row."""
        self.move_to(0)

    def action_cursor_bottom(self) -> None:
        """Move to the last row."""
        self.move_to(self._count - 1)

    def action_page_down(self) -> None:
        """Move down by a screenful."""
        self.move_to(self._cursor + max(1, self.scrollable_content_region.height - 1))

    def action_page_up(self) -> None:
        """Move up by a screenful."""
        self.move_to(self._cursor - max(1, self.scrollable_content_region.height - 1))

    def action_choose(self) -> None:
        """Filter by the row under the cursor, or stop doing so."""
        if self.selectable(self._cursor):
            self.post_message(self.Chosen(self, self._cursor))

    # --- mouse ---------------------------------------------------------------------------------

    def on_click(self, event: events.Click) -> None:
        """Move to the clicked row, and choose it where a click does."""
        index = self._row_at(event)
        if index is None:
            return
        self.move_to(index)
        if self.chosen_by_click() or event.chain == 2:
            self.post_message(self.Chosen(self, index))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Light up the row under the pointer."""
        self._set_hover(self._row_at(event))

    def on_leave(self) -> None:
        """Put the light out."""
        self._set_hover(None)

    def _row_at(self, event: events.MouseEvent) -> int | None:
        offset = event.get_content_offset(self)
        if offset is None:
            return None
        index = offset.y + round(self.scroll_y)
        return index if self.selectable(index) else None

    def _set_hover(self, index: int | None) -> None:
        if index != self._hover:
            for row in (self._hover, index):
                if row is not None:
                    self.refresh_line(row)
            self._hover = index

    # --- drawing -------------------------------------------------------------------------------

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self._show_cursor()

    def render_line(self, y: int) -> Strip:
        """Draw one row, or an empty line below the last."""
        width = self.scrollable_content_region.width
        index = y + round(self.scroll_y)
        if not 0 <= index < self._count or width <= 0:
            return Strip.blank(self.size.width, self.rich_style)
        strip = Strip(self.draw_row(index, width), width)
        return strip.apply_style(self._background(index)).adjust_cell_length(
            self.size.width, self.rich_style
        )

    def _background(self, index: int) -> Style:
        if index == self._cursor and self.selectable(index):
            return self.rich_style + self.cursor_ink()
        if index == self._hover:
            return self.rich_style + self.ink("hover")
        return self.rich_style + self.background(index)

    def cursor_ink(self) -> Style:
        """The background of the row under the cursor: strong where the keys go."""
        return self.ink("cursor" if self.has_focus else "cursor-blurred")
