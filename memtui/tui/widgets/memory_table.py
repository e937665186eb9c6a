"""The table of memories: one page, one memory a line."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from memtui.tui import cells, times
from memtui.tui.widgets.columns import GUTTER, Columns, share
from memtui.tui.widgets.excerpt import excerpt
from memtui.tui.widgets.rows import Rows

if TYPE_CHECKING:
    from memtui.models import Memory

_SIGNS = {"active": " ", "invalid": "○", "deleted": "◌"}
_TYPES = ("preference", "fact", "identity", "event")
_TIME_TITLES = {"created_at": "Created", "last_accessed_at": "Read"}
_GAP = "  "
_MARK = "✓"


class MemoryTable(Rows):
    """One page of memories; the cursor stays on its memory, whatever happens around it."""

    def __init__(self, titles: ColumnTitles, *, widget_id: str) -> None:
        super().__init__(widget_id=widget_id)
        self._titles = titles
        self._memories: tuple[Memory, ...] = ()
        self._now: datetime | None = None
        self._needle = ""
        self._sort = ""
        self._shared_width = 0
        self._columns = share(0, 0)
        self._marked: Container[int] = ()
        self._news: Mapping[int, str] = {}

    def show(
        self, memories: Sequence[Memory], *, now: datetime, needle: str, sort: str, cursor: int = 0
    ) -> None:
        """Show a page with the cursor on row `cursor`; `needle` is highlighted."""
        self._take(memories, now, needle, sort)
        self.set_rows(len(memories), cursor)

    def follow(self, memories: Sequence[Memory], *, now: datetime, needle: str, sort: str) -> None:
        """Show the page as it is now, keeping the cursor on its memory and on its line.

        When that memory is no longer on the page, the cursor stays at its place.
        """
        current = self.current
        at = self.cursor
        for index, memory in enumerate(memories):
            if current is not None and memory.id == current.id:
                at = index
        self._take(memories, now, needle, sort)
        self.set_rows(len(memories), at, keep_line=True)

    @property
    def memories(self) -> tuple[Memory, ...]:
        """The memories on the page."""
        return self._memories

    @property
    def current(self) -> Memory | None:
        """The memory under the cursor."""
        return self._memories[self.cursor] if self.cursor < len(self._memories) else None

    def go_to(self, memory_id: int) -> bool:
        """Put the cursor on a memory of this page; returns whether it is here."""
        for index, memory in enumerate(self._memories):
            if memory.id == memory_id:
                self.move_to(index)
                return True
        return False

    def show_marks(self, marked: Container[int]) -> None:
        """Show which memories are marked: those whose ids are in `marked`."""
        self._marked = marked
        self.refresh()

    def show_news(self, signs: Mapping[int, str]) -> None:
        """Show which memories just changed: a sign of one cell for each id."""
        if signs != self._news:
            self._news = dict(signs)
            self.refresh()

    @property
    def in_sight(self) -> tuple[Memory, ...]:
        """The memories whose rows are on the screen now."""
        top = round(self.scroll_y)
        return self._memories[top : top + self.scrollable_content_region.height]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """A row of this list is not chosen by a key: that is for filters."""
        return action != "choose"

    def _take(self, memories: Sequence[Memory], now: datetime, needle: str, sort: str) -> None:
        self._memories = tuple(memories)
        self._now = now
        self._needle = needle
        self._sort = sort
        self._share(self.scrollable_content_region.width)

    def _share(self, width: int) -> None:
        digits = max((len(str(memory.id)) for memory in self._memories), default=0)
        self._shared_width = width
        self._columns = share(width, digits)
        self._titles.show(self._columns, self._sort)

    def on_resize(self) -> None:
        """Share the new width among the columns."""
        self._share(self.scrollable_content_region.width)
        self.refresh()

    def watch_has_focus(self, has_focus: bool) -> None:
        """Light the titles up while the keys go to the table."""
        super().watch_has_focus(has_focus)
        self._titles.set_class(has_focus, "-focused")

    def draw_row(self, index: int, width: int) -> list[Segment]:
        """Draw a memory: id, type, text, tags, time."""
        if width != self._shared_width:  # a scroll bar came or went after the rows did
            self._share(width)
        memory = self._memories[index]
        columns = self._columns
        retired = memory.status != "active"
        text_style = self.ink("retired" if retired else "text")
        muted = self.ink("muted")
        segments = [*self._gutter(index, memory.status, muted)]
        if columns.memory_id:
            shown = str(memory.id).rjust(columns.memory_id)
            segments.append(Segment(shown + _GAP, muted))
        if columns.memory_type:
            shown = cells.fit(cells.line_text(memory.memory_type), columns.memory_type)
            segments.append(Segment(shown + _GAP, self._type_style(memory.memory_type)))
        segments += self._text(memory.content, columns.text, text_style)
        if columns.tags:
            tags = cells.fit(cells.line_text(", ".join(memory.tags)), columns.tags)
            segments.append(Segment(_GAP + tags, muted))
        if columns.time:
            shown = cells.fit_right(self._time(memory), columns.time)
            segments.append(Segment(_GAP + shown, muted))
        segments.append(Segment(" "))
        return segments

    def _gutter(self, index: int, status: str, muted: Style) -> list[Segment]:
        bar = "▌" if index == self.cursor else " "
        return [
            Segment(bar, self.ink("accent" if self.has_focus else "faint")),
            Segment(_SIGNS.get(status, "?"), muted),
            self._mark(self._memories[index].id),
            Segment(" "),
        ]

    def _mark(self, memory_id: int) -> Segment:
        if memory_id in self._marked:
            return Segment(_MARK, self.ink("key"))
        return Segment(self._news.get(memory_id, " "), self.ink("good"))

    def background(self, index: int) -> Style:
        """The row's own background: marked, or just changed."""
        memory_id = self._memories[index].id
        if memory_id in self._marked:
            return self.ink("marked")
        return self.ink("changed") if memory_id in self._news else Style()

    def _type_style(self, memory_type: str) -> Style:
        if memory_type in _TYPES:
            return self.ink(memory_type)
        return self.ink("muted")

    def _text(self, content: str, width: int, style: Style) -> list[Segment]:
        shown, start, stop = excerpt(content, self._needle, width)
        end = len(shown.rstrip())
        match = style + self.ink("match")
        return [
            Segment(shown[:start], style),
            Segment(shown[start:stop], match),
            Segment(shown[stop:end], style),
            Segment(shown[max(stop, end) :]),
        ]

    def _time(self, memory: Memory) -> str:
        if self._now is None:
            return ""
        moment = {"created_at": memory.created_at, "last_accessed_at": memory.last_accessed_at}
        return times.short(moment.get(self._sort, memory.updated_at), self._now)


class ColumnTitles(Widget):
    """The line above the table that names its columns."""

    @dataclass
    class Clicked(Message):
        """The title of a column was clicked: `id`, `time`, or another that is not sorted by."""

        column: str

    def __init__(self) -> None:
        super().__init__()
        self._columns: Columns | None = None
        self._sort = ""

    def show(self, columns: Columns, sort: str) -> None:
        """Name these columns; the last one is the time that the table is sorted by."""
        if (columns, sort) != (self._columns, self._sort):
            self._columns = columns
            self._sort = sort
            self.refresh()

    def on_resize(self, _event: events.Resize) -> None:
        """Name the columns in the new width."""
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Tell which title was clicked."""
        columns = self._columns
        if columns is None:
            return
        if columns.memory_id and event.x < GUTTER + columns.memory_id:
            self.post_message(self.Clicked("id"))
        elif columns.time and event.x >= self.size.width - columns.time - len(_GAP):
            self.post_message(self.Clicked("time"))

    def render_line(self, y: int) -> Strip:
        """Draw the titles."""
        style = self.rich_style
        columns = self._columns
        if y or columns is None:
            return Strip.blank(self.size.width, style)
        parts = [" " * GUTTER]
        if columns.memory_id:
            parts.append("ID".rjust(columns.memory_id) + _GAP)
        if columns.memory_type:
            parts.append("Type".ljust(columns.memory_type) + _GAP)
        parts.append(cells.fit("Memory", columns.text))
        if columns.tags:
            parts.append(_GAP + "Tags".ljust(columns.tags))
        if columns.time:
            parts.append(_GAP + _TIME_TITLES.get(self._sort, "Changed").rjust(columns.time))
        return Strip([Segment("".join(parts), style)]).adjust_cell_length(self.size.width, style)
