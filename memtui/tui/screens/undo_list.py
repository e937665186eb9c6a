"""What can be taken back: every change as it was made, and what undoing it would do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.content import Content

from memtui.models import Batch, BulkResult, Outcome
from memtui.tui import cells, messages, messages_curation
from memtui.tui.actions import Place, Scope
from memtui.tui.gateway import Gateway
from memtui.tui.keys import bindings
from memtui.tui.outcomes import counted, undone
from memtui.tui.screens.workbench import ListAndPane
from memtui.tui.times import ago, exact, short
from memtui.tui.widgets.bars import Part
from memtui.tui.widgets.grid import Cell, Column, Grid, Line
from memtui.tui.widgets.sample_text import sample_text

_COLUMNS = (
    Column("When", 7, right=True, rank=1),
    Column("Who", 14, rank=3),
    Column("What"),
    Column("Memories", 8, right=True),
    Column("State", 11, rank=2),
)
_FIRST = 100
UNDONE = "undone"
REDONE = "redone"


class UndoListScreen(ListAndPane[None]):
    """Shows the newest changes, everyone's or only those of `actor`.

    Undoing one leaves alone what was changed since, and says so; undoing an undo is a redo.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.UNDO_LIST)]
    place = Place.UNDO_LIST

    def __init__(
        self,
        gateway: Gateway,
        now: Callable[[], datetime],
        actor: str,
        *,
        read_only: bool = False,
    ) -> None:
        super().__init__(gateway, now, Grid(_COLUMNS, widget_id="undo-list"), read_only=read_only)
        self.actor = actor
        self.mine = False
        self.batches: tuple[Batch, ...] = ()
        self.loaded = False
        self.preview: BulkResult | None = None
        self._more = False
        self._limit = _FIRST
        self._request = self._preview_request = 0
        self._undoing: dict[int, Batch] = {}

    # --- loading -----------------------------------------------------------------------------

    def load(self) -> None:
        """Ask for the newest changes."""
        actor = self.actor if self.mine else None
        self._request = self.gateway.batches(self, limit=self._limit, actor=actor)
        self._show_title()

    def on_batches_loaded(self, message: messages_curation.BatchesLoaded) -> None:
        """Show them."""
        if message.number != self._request:
            return
        self.batches, self._more = tuple(message.batches), message.more
        at_top = self.grid.cursor == 0 and not self._undoing
        self.grid.show(list(self._lines()), cursor=0 if at_top and not self.loaded else None)
        self.loaded = True
        nobody = "Nothing was changed yet" if not self.mine else f"{self.actor} changed nothing yet"
        self.show_notice("" if self.batches else nobody)
        self._show_title()
        self.show_current()
        self.refresh_bindings()

    # --- showing -----------------------------------------------------------------------------

    @property
    def current(self) -> Batch | None:
        """The change that the cursor is on."""
        return next((one for one in self.batches if one.id == self.grid.current), None)

    def _lines(self) -> Iterator[Line]:
        for batch in self.batches:
            state = self._state(batch)
            gone = state == UNDONE
            yield Line(
                batch.id,
                (
                    Cell(short(batch.at, self.now()), "muted"),
                    Cell(batch.actor, "muted"),
                    Cell(batch.label, "retired" if gone else "text"),
                    Cell(f"{batch.size:,}", "muted"),
                    Cell(state, "muted" if gone else "accent"),
                ),
            )

    def _show_title(self, right: Iterable[Part] = ()) -> None:
        parts = [Part(" what can be undone", "strong")]
        if self.mine:
            parts.append(Part(f"  by {cells.line_text(self.actor)}", "accent", 1))
        if self.loaded:
            number = f"{len(self.batches):,}{'+' if self._more else ''}"
            changes = "change" if number == "1" else "changes"
            parts.append(Part(f"  {number} {changes}", "muted", 2))
        self.show_title(*parts, right=right)

    def show_current(self) -> None:
        """Ask what undoing the change under the cursor would do; look for older ones at the end."""
        batch = self.current
        self.preview = None
        if batch is None:
            self.pane.show(Content(""))
            return
        self.pane.show(_about(batch, None, self.now(), read_only=self.read_only))
        if not self.read_only and batch.undone_by is None:
            self._preview_request = self.gateway.preview_undo(self, batch.id)
        if self._more and self.grid.cursor == len(self.batches) - 1:
            self._limit *= 4
            self.load()

    def on_previewed(self, message: messages_curation.Previewed) -> None:
        """Show what undoing would do."""
        batch = self.current
        if message.number == self._preview_request and batch is not None:
            self.preview = message.result
            self.pane.show(_about(batch, message.result, self.now(), read_only=False))

    def failed(self, message: messages.Failed) -> None:
        """Say what did not work."""
        mine = self._undoing.pop(message.number, None)
        if mine is not None and message.error.code == "cancelled":
            self.say("Stopped: nothing was taken back")
            self._show_title()
        else:
            super().failed(message)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what there is something to do for."""
        batch = self.current
        checks = {
            "undo_this": batch is not None and batch.undone_by is None and not self.read_only,
            "redo_this": batch is not None and self._state(batch) == UNDONE and not self.read_only,
        }
        return checks.get(action, super().check_action(action, parameters))

    # --- actions -----------------------------------------------------------------------------

    def action_undo_this(self) -> None:
        """Take this change back."""
        batch = self.current
        if batch is not None:
            self._undo(batch, batch.id)

    def action_redo_this(self) -> None:
        """Make this change, that was taken back, again."""
        batch = self.current
        if batch is not None and batch.undone_by is not None:
            self._undo(batch, batch.undone_by)

    def _state(self, batch: Batch) -> str:
        """Return what a change is, beside itself: an undo, a redo, or taken back meanwhile."""
        if batch.undone_by is not None:
            undo = next((one for one in self.batches if one.id == batch.undone_by), None)
            return REDONE if undo is not None and undo.undone_by is not None else UNDONE
        if batch.is_undo:
            return "an undo"
        return "" if batch.undoes is None else "a redo"

    def _undo(self, batch: Batch, which: int) -> None:
        if not self._undoing:
            self._undoing[self.gateway.undo(self, which)] = batch

    def on_progressed(self, message: messages.Progressed) -> None:
        """Show how far an undo is."""
        if message.number in self._undoing:
            done = f" {message.done:,} of {message.total:,}, {self.key('close_screen')} stops it"
            self._show_title(right=[Part(done, "accent", 1)])

    def action_close_screen(self) -> None:
        """Stop the undo that is under way, or go back to the table."""
        for number in self._undoing:
            self.gateway.cancel(number)
        if not self._undoing:
            self.finish()

    def on_undone(self, message: messages.Undone) -> None:
        """Say what was taken back and what was left alone."""
        batch = self._undoing.pop(message.number, None)
        if batch is None:
            return
        redone = batch.undone_by is not None or batch.is_undo
        told = undone(message.result, redo=redone)
        self.say(told.text, told.hint, bad=told.bad)
        self.load()

    def action_only_mine(self) -> None:
        """Show only this session's changes, or everyone's."""
        self.mine = not self.mine
        self._limit = _FIRST
        self.loaded = False
        self.load()

    @on(Grid.Chosen)
    def _double_clicked(self, event: Grid.Chosen) -> None:
        event.stop()  # undoing takes a key: a double click is too easily made


def _about(batch: Batch, result: BulkResult | None, now: datetime, *, read_only: bool) -> Content:
    lines = [
        cells.line(batch.label, "bold"),
        Content.assemble(
            counted(batch.size, "entry", "entries"), " by ", cells.line(batch.actor),
            (f"  {ago(batch.at, now)}", "$muted"),
        ),
        Content.styled(f"{exact(batch.at)}  batch {batch.id}", "$muted"),
        Content(""),
    ]  # fmt: skip
    if batch.undone_by is not None:
        lines.append(Content.styled(f"Taken back by batch {batch.undone_by}.", "$muted"))
    elif read_only:
        lines.append(Content.styled("This session is read-only.", "$muted"))
    elif result is None:
        lines.append(Content.styled("Looking…", "$muted"))
    else:
        lines += _would(batch, result)
    return Content("\n").join(lines)


def _would(batch: Batch, result: BulkResult) -> Iterator[Content]:
    does = "Redoing" if batch.is_undo else "Undoing"
    changed = result.count(Outcome.CHANGED)
    if changed:
        yield Content.assemble((f"{does} would change {counted(changed)}", "bold"), ":")
    else:
        yield Content.styled(f"{does} would change nothing.", "bold")
    for item in result.outcomes:
        if item.outcome in {Outcome.CONFLICT, Outcome.NOT_FOUND}:
            yield Content.assemble(
                (f"#{item.memory_id} ", "$warning"), cells.line(item.reason, "$muted")
            )
            break
    left = sum(item.outcome in {Outcome.CONFLICT, Outcome.NOT_FOUND} for item in result.outcomes)
    if left:
        yield Content.styled(f"{counted(left)} would be left alone.", "$muted")
    for sample in result.samples:
        yield Content("")
        yield sample_text(sample.before, sample.after)
