"""The history of one memory: every revision, what it changed, and the way back to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import ClassVar

from textual.binding import BindingType

from memtui.errors import ConflictError, NotFoundError
from memtui.models import MemoryStatus, Revision, RevisionPage, RevisionQuery
from memtui.tui import messages, messages_curation
from memtui.tui.actions import Place, Scope
from memtui.tui.changes import deed, differs, summary
from memtui.tui.gateway import Gateway
from memtui.tui.keys import bindings
from memtui.tui.outcomes import undone
from memtui.tui.screens.workbench import ListAndPane
from memtui.tui.times import short
from memtui.tui.view import PAGE_SIZE, page_count
from memtui.tui.widgets.bars import Part
from memtui.tui.widgets.grid import Cell, Column, Grid, Line
from memtui.tui.widgets.history_text import comparison, revision_text

COLUMNS = (
    Column("Version", 7),
    Column("What", 8, rank=2),
    Column("Changes"),
    Column("Who", 14, rank=3),
    Column("When", 7, right=True, rank=1),
)
INKS = {"create": "good", "delete": "bad", "restore": "accent"}


class HistoryScreen(ListAndPane[None]):
    """Shows the revisions of one memory, deleted or not, newest first.

    Going back to one is a new version, made only if the memory still is as it was shown.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.HISTORY)]
    place = Place.HISTORY

    def __init__(
        self,
        gateway: Gateway,
        now: Callable[[], datetime],
        memory_id: int,
        *,
        read_only: bool = False,
    ) -> None:
        super().__init__(gateway, now, Grid(COLUMNS, widget_id="history"), read_only=read_only)
        self.memory_id = memory_id
        self.page: RevisionPage | None = None
        self.newest: Revision | None = None
        self.comparing = False
        self._earlier: dict[int, Revision] = {}
        self._offset = 0
        self._request = 0
        self._newest_request = 0
        self._reverting: dict[int, int] = {}
        self._reverted_to: int | None = None
        self._reverts: list[int] = []
        self._undoing: dict[int, int] = {}
        self._to_top = False

    # --- loading -----------------------------------------------------------------------------

    def load(self) -> None:
        """Ask for the page, and for the present state where that is on another page."""
        query = RevisionQuery(memory_id=self.memory_id, limit=PAGE_SIZE, offset=self._offset)
        self._request = self.gateway.revisions(self, query)
        if self._offset:
            self._newest_request = self.gateway.history(self, self.memory_id, limit=1)
        self._show_title()

    def on_revisions_loaded(self, message: messages_curation.RevisionsLoaded) -> None:
        """Show the page."""
        if message.number != self._request:
            return
        self.page = message.page
        self._earlier = dict(message.earlier)
        if not self._offset:
            self.newest = next(iter(message.page.items), self.newest)
            self._note_revert()
        self.show_notice("")
        self.grid.show(list(self._lines(message.page)), cursor=0 if self._to_top else None)
        self._to_top = False
        self._show_title()
        self.show_current()
        self.refresh_bindings()

    def _note_revert(self) -> None:
        """Remember the batch of a revert made here, for undo."""
        newest = self.newest
        if newest is not None and newest.version == self._reverted_to:
            self._reverts.append(newest.batch)
            self._reverted_to = None

    def on_history_loaded(self, message: messages.HistoryLoaded) -> None:
        """Know how the memory is now."""
        if message.number == self._newest_request:
            self.newest = message.history.items[0]
            self.show_current()

    def failed(self, message: messages.Failed) -> None:
        """Say what did not work; after a conflict, show how the memory is now."""
        error = message.error
        if (batch := self._undoing.pop(message.number, None)) is not None:
            self._reverts.append(batch)
        if self._reverting.pop(message.number, None) and isinstance(error, ConflictError):
            self.say(
                f"#{self.memory_id} was changed meanwhile: left alone",
                f"It is at version {error.current.version} now. Look again, then repeat.",
                bad=True,
            )
            self.load()
        elif message.number == self._request and isinstance(error, NotFoundError):
            self.page = self.newest = None
            self.grid.show([])
            self.show_notice(f"There is no memory #{self.memory_id}", "It was purged.")
            self.refresh_bindings()
        else:
            super().failed(message)

    # --- showing -----------------------------------------------------------------------------

    @property
    def current(self) -> Revision | None:
        """The revision that the cursor is on."""
        items = self.page.items if self.page else ()
        return next((one for one in items if one.seq == self.grid.current), None)

    def _lines(self, page: RevisionPage) -> Iterator[Line]:
        for revision in page.items:
            before = self._earlier.get(revision.seq)
            present = self.newest is not None and revision.seq == self.newest.seq
            yield Line(
                revision.seq,
                (
                    Cell(f"v{revision.version}", "strong" if present else "text"),
                    Cell(deed(revision), INKS.get(revision.action, "text")),
                    Cell(summary(revision, before), "muted" if before is None else "text"),
                    Cell(revision.actor, "muted"),
                    Cell(short(revision.at, self.now()), "muted"),
                ),
                Cell("●" if present else " ", "accent"),
            )

    def show_current(self) -> None:
        """Show what the revision under the cursor changed."""
        revision, newest = self.current, self.newest
        if revision is None:
            return
        if self.comparing and newest is not None and revision.seq != newest.seq:
            self.pane.show(comparison(revision, newest, self.now()))
        else:
            before = self._earlier.get(revision.seq)
            self.pane.show(revision_text(revision, before, self.now()))

    def _show_title(self) -> None:
        parts = [Part(f" history of #{self.memory_id}", "strong")]
        page, newest = self.page, self.newest
        if page is not None and newest is not None:
            entries = "entry" if page.total == 1 else "entries"
            parts.append(Part(f"  {page.total:,} {entries}", "muted", 2))
            if page.total > PAGE_SIZE:
                number = self._offset // PAGE_SIZE + 1
                parts.append(Part(f" · page {number} of {page_count(page.total)}", "muted", 2))
            gone = newest.status == MemoryStatus.DELETED
            parts.append(Part(f"  {newest.status}", "warning" if gone else "muted", 1))
        right = [Part(" compared with now", "accent", 1)] if self.comparing else []
        self.show_title(*parts, right=right)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what there is something to do for."""
        page, revision, newest = self.page, self.current, self.newest
        if action == "revert":
            return not self.read_only and _leads_back(revision, newest)
        checks = {
            "compare": page is not None and page.total > 1,
            "history_undo": bool(self._reverts),
            "older": page is not None and page.has_more,
            "newer": self._offset > 0,
        }
        return checks.get(action, super().check_action(action, parameters))

    # --- actions -----------------------------------------------------------------------------

    def action_revert(self) -> None:
        """Bring the memory back to this version, as a new version."""
        revision, newest = self.current, self.newest
        if revision is not None and newest is not None and not self._reverting:
            number = self.gateway.revert(
                self, self.memory_id, revision.version, expected_version=newest.version
            )
            self._reverting[number] = revision.version

    def on_saved(self, message: messages.Saved) -> None:
        """Say that the memory is as it was, and show it."""
        version = self._reverting.pop(message.number, None)
        if version is not None:
            self.say(
                f"#{self.memory_id} is as in version {version} again",
                f"{self.key('history_undo')} undoes it",
            )
            self._reverted_to = message.memory.version
            self._go_to_page(0)

    def action_history_undo(self) -> None:
        """Take the last revert made here back."""
        if self._reverts:
            batch = self._reverts.pop()
            self._undoing[self.gateway.undo(self, batch)] = batch

    def on_undone(self, message: messages.Undone) -> None:
        """Say what was taken back."""
        self._undoing.pop(message.number, None)
        told = undone(message.result)
        self.say(told.text, told.hint, bad=told.bad)
        self._go_to_page(0)

    def action_compare(self) -> None:
        """Compare with the present, or with the version before."""
        self.comparing = not self.comparing
        self._show_title()
        self.show_current()

    def action_older(self) -> None:
        """Go to the page of older entries."""
        self._go_to_page(self._offset + PAGE_SIZE)

    def action_newer(self) -> None:
        """Go to the page of newer entries."""
        self._go_to_page(max(0, self._offset - PAGE_SIZE))

    def _go_to_page(self, offset: int) -> None:
        self._offset = offset
        self._to_top = True
        self.load()


def _leads_back(revision: Revision | None, newest: Revision | None) -> bool:
    """Whether there is a way from the present back to a revision."""
    if revision is None or newest is None or newest.status == MemoryStatus.DELETED:
        return False
    return revision.status != MemoryStatus.DELETED and differs(revision, newest)
