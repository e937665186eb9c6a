"""Marking: one, a range, a page, all that match; and saying how many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on

from memtui.tui import messages_bulk
from memtui.tui.actions import Place
from memtui.tui.outcomes import counted
from memtui.tui.screens.browse_panes import Panes
from memtui.tui.view import View
from memtui.tui.widgets.bars import Part
from memtui.tui.widgets.rows import Rows

if TYPE_CHECKING:
    from memtui.models import MemoryPage

MARKS = ("mark", "marks")


class Marking(Panes):
    """Keeps the marks in step with what is on the screen."""

    _matches_request = 0
    _matches_total = 0
    _hidden = 0
    _hidden_request = 0
    _hidden_at = 0

    @property
    def marking(self) -> bool:
        """Whether all that match are being marked, and are not yet known."""
        return bool(self._matches_request)

    @property
    def marked_count(self) -> int:
        """How many memories are marked; while all that match are being read, how many will be."""
        return max(len(self.marks), self._matches_total if self.marking else 0)

    # --- actions -------------------------------------------------------------------------------

    def action_mark(self) -> None:
        """Mark the memory, or unmark it, and go to the next."""
        memory = self.current()
        if memory is None:
            return
        self.end_range()
        self.marks.toggle(memory)
        self.table.action_cursor_down()
        self.marks_changed()

    def action_mark_range(self) -> None:
        """Begin a range here, or end the one that is being drawn."""
        memory = self.current()
        if memory is None:
            return
        if self.marks.anchor is None:
            self.marks.begin_range(memory)
            self.marks_changed()
        else:
            self.end_range()

    def action_mark_page(self) -> None:
        """Mark all memories of this page, or unmark them."""
        self.end_range()
        self.marks.toggle_all(self.table.memories)
        self.marks_changed()

    def action_mark_others(self) -> None:
        """Mark those of this page that are not, unmark the others."""
        self.end_range()
        self.marks.invert(self.table.memories)
        self.marks_changed()

    def action_mark_all(self) -> None:
        """Mark all memories that match, on every page."""
        page = self.page
        if page is None or not page.total:
            return
        self.end_range()
        self._matches_total = page.total
        self._matches_request = self.gateway.matches(self, self.view)
        self.show_all()

    def action_unmark(self) -> None:
        """Take all marks away."""
        count = len(self.marks)
        self._matches_request = 0
        self.marks.clear()
        self._hidden = 0
        self.marks_changed()
        if count:
            self.say(f"{counted(count, *MARKS)} taken away")

    def action_open_detail(self) -> None:
        """Read the whole memory; or end the range that is being drawn."""
        if self.marks.anchor is None:
            super().action_open_detail()
        else:
            self.end_range()

    def action_back(self) -> None:
        """Step back once; marks go before the search and the filters."""
        at_rest = self.place() is Place.TABLE and self._wishes.zoom is None
        if self.marks.anchor is not None:
            self.marks.cancel_range()
            self.marks_changed()
        elif at_rest and not self._wishes.detail and (self.marks or self.marking):
            self.action_unmark()
        else:
            super().action_back()

    # --- keeping in step -----------------------------------------------------------------------

    def end_range(self) -> None:
        """Keep the range as it is drawn, up to the cursor."""
        if self.marks.anchor is not None:
            self._stretch()
            self.marks.end_range()
            self.marks_changed()

    def marks_changed(self) -> None:
        """Draw the marks and their number."""
        self.table.show_marks(self.marks)
        self.show_all()

    @on(Rows.Moved, "#table")
    def _marks_follow(self) -> None:
        self.marks.see(self.table.in_sight)
        if self.marks.anchor is not None:
            self._stretch()
            self.marks_changed()

    def _stretch(self) -> None:
        """Have the range reach from its beginning to the cursor."""
        if self.marks.anchor is None:
            return
        memories = self.table.memories
        ids = [memory.id for memory in memories]
        if self.marks.anchor not in ids:
            self.marks.end_range()
            return
        first, last = sorted((ids.index(self.marks.anchor), self.table.cursor))
        self.marks.stretch(memories[first : last + 1])

    def _show_page(self, view: View, page: MemoryPage) -> None:
        super()._show_page(view, page)
        self._stretch()
        self.table.show_marks(self.marks)
        self._count_hidden()
        self.show_all()
        self.call_after_refresh(lambda: self.marks.see(self.table.in_sight))

    def on_matches_read(self, message: messages_bulk.MatchesRead) -> None:
        """Mark them, unless that was given up meanwhile."""
        if message.number == self._matches_request:
            self._matches_request = 0
            self.marks.add(message.versions)
            self.marks_changed()
            self.marks_known()

    def matches_failed(self, number: int) -> bool:
        """Give up marking all that match when request `number` was for that; whether it was."""
        ours = self.marking and number == self._matches_request
        if ours:
            self._matches_request = 0
            self.marks_changed()
        return ours

    def marks_known(self) -> None:
        """All that match are marked now; for those who waited for it."""

    # --- counting ------------------------------------------------------------------------------

    def _count_hidden(self) -> None:
        """Find out how many marked memories the filters hide, asking only when pages don't tell."""
        page, view = self.page, self._shown_view
        if page is None or view is None:
            return
        away = self.marks.away_from(memory.id for memory in page.items)
        if not away or page.total <= len(page.items):
            self._hidden, self._hidden_request, self._hidden_at = away, 0, 0
        elif self._hidden_at != self._facets_request:  # other filters, or a change of the store
            self._hidden_at = self._facets_request
            self._hidden_request = self.gateway.count_hidden(self, view, self.marks.versions)

    def on_marks_counted(self, message: messages_bulk.MarksCounted) -> None:
        """Say how many are hidden."""
        if message.number == self._hidden_request:
            self._hidden_request = 0
            self._hidden = min(message.hidden, len(self.marks))
            self.show_all()

    def where_marked(self) -> list[str]:
        """Say which of the marked memories are not in view: `12 of them are hidden by …`."""
        page = self.page
        if page is None:
            return []
        away = self.marked_count - sum(memory.id in self.marks for memory in page.items)
        if self.marking:
            away = self.marked_count - len(page.items)
        hidden = min(self._hidden, away)
        said = []
        if hidden:
            said.append(f"{hidden:,} of them hidden by the filters")
        if away - hidden > 0:
            said.append(f"{away - hidden:,} of them on other pages")
        return said

    def pager_right(self) -> list[Part]:
        """Say how many are marked."""
        parts = super().pager_right()
        if self.marking:
            return [*parts, Part(f" marking {self._matches_total:,}… ", "accent")]
        if not self.marks:
            return parts
        if self.marks.anchor is not None:
            parts.append(Part(" range ", "accent", 1))
        parts.append(Part(f" {len(self.marks):,} marked", "key"))
        if self._hidden:
            parts.append(Part(f" ({self._hidden:,} hidden)", "warning"))
        return [*parts, Part(" ")]
