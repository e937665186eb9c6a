"""What a change of many memories would do, shown before it is made; then how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalGroup, VerticalScroll
from textual.content import Content
from textual.message_pump import MessagePump
from textual.widgets import Button, ProgressBar, Static

from memtui.models import BulkResult, Outcome
from memtui.tui import messages, messages_curation
from memtui.tui.actions import Scope
from memtui.tui.cells import line
from memtui.tui.gateway import Gateway
from memtui.tui.keys import bindings
from memtui.tui.outcomes import counted
from memtui.tui.screens.modal import Modal
from memtui.tui.widgets.sample_text import sample_text

Ask = Callable[[MessagePump], int]
"""Makes a request that is answered to the given node, and returns its number."""


class PreviewDialog(Modal[BulkResult]):
    """Shows what a change would do, makes it when the person agrees, and can be told to stop.

    `ask` requests the preview (`Previewed`, before it `Progressed` where it takes long), `make` the
    change (`Progressed`, `BulkDone`). `notes` say what should be known about the memories. The
    result is that of the change, or None when nothing was written.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(Scope.DIALOG),
        ("left,up", "app.focus_previous"),
        ("right,down", "app.focus_next"),
    ]
    AUTO_FOCUS = ""

    def __init__(
        self,
        gateway: Gateway,
        title: str,
        confirm_label: str,
        *,
        ask: Ask,
        make: Ask,
        notes: Sequence[str] = (),
    ) -> None:
        super().__init__()
        self._gateway = gateway
        self._question = title
        self._confirm_label = confirm_label
        self._notes = tuple(notes)
        self._ask, self._make = ask, make
        self._asked = 0
        self._making: int | None = None
        self.preview: BulkResult | None = None

    def compose(self) -> ComposeResult:
        """The question, numbers and samples, the two answers."""
        with VerticalGroup(classes="dialog dialog-preview"):
            yield Static(line(self._question), classes="dialog-title")
            yield Static(Content.styled("Counting…", "$muted"), id="preview-count")
            if self._notes:
                yield Static(line(", ".join(self._notes), "$warning"), id="preview-notes")
            with VerticalScroll(id="preview-samples", can_focus=False):
                yield Static(id="preview-text")
            yield ProgressBar(id="preview-progress", show_eta=False)
            with Horizontal(classes="dialog-buttons"):
                yield Button(_answer("Cancel", "n"), id="cancel", compact=True)
                yield Button(_answer(self._confirm_label, "y"), id="confirm", compact=True)

    def on_mount(self) -> None:
        """Ask what would happen."""
        self.query_one("#preview-progress").display = False
        self.query_one("#confirm", Button).disabled = True
        self.ask()

    def ask(self) -> None:
        """Ask what would happen, for the first time or again."""
        self._asked = self._ask(self)

    def on_previewed(self, message: messages_curation.Previewed) -> None:
        """Show the numbers and the samples."""
        if message.number != self._asked:
            return
        result = self.preview = message.result
        self.query_one("#preview-count", Static).update(_counts(result))
        samples = [sample_text(one.before, one.after) for one in result.samples]
        more = result.count(Outcome.CHANGED) - len(samples)
        if more > 0:
            samples.append(Content.styled(f"… and {counted(more)} more", "$muted"))
        self.query_one("#preview-text", Static).update(Content("\n\n").join(samples))
        # No answer has the focus before: Enter pressed ahead neither agrees unseen nor cancels.
        self.query_one("#confirm", Button).disabled = not result.count(Outcome.CHANGED)
        self.query_one("#confirm" if result.count(Outcome.CHANGED) else "#cancel", Button).focus()

    def on_progressed(self, message: messages.Progressed) -> None:
        """Show how far it is."""
        if message.number == self._asked and self.preview is None:
            counting = f"Counting… {message.done:,} of {message.total:,}"
            self.query_one("#preview-count", Static).update(Content.styled(counting, "$muted"))
        if message.number == self._making:
            bar = self.query_one("#preview-progress", ProgressBar)
            bar.update(total=message.total, progress=message.done)

    def on_bulk_done(self, message: messages.BulkDone) -> None:
        """It is done."""
        if message.number == self._making:
            self.finish(message.result)

    def on_failed(self, message: messages.Failed) -> None:
        """Say why nothing was written; the question stays."""
        error = message.error
        if message.number == self._making and error.code == "cancelled":
            self.finish(None)
            return
        self._making = None
        text = Content("\n").join([line(error.message, "$error"), line(error.hint, "$muted")])
        self.query_one("#preview-count", Static).update(text)
        self._show_working(False)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.action_confirm() if event.button.id == "confirm" else self.action_cancel()

    def action_confirm(self) -> None:
        """Make the change, once it is known what it does."""
        preview = self.preview
        if preview is None or self._making is not None or not preview.count(Outcome.CHANGED):
            return
        self._making = self._make(self)
        self._show_working(True)

    def action_cancel(self) -> None:
        """Change nothing, or stop what was begun; then nothing was written either."""
        if self._making is not None:
            self._gateway.cancel(self._making)
            return
        if self.preview is None:
            self._gateway.cancel(self._asked)
        self.finish(None)

    def _show_working(self, working: bool) -> None:
        self.query_one("#preview-progress").display = working
        self.query_one("#confirm", Button).disabled = working
        self.query_one("#cancel", Button).label = _answer("Stop" if working else "Cancel", "n")


def _counts(result: BulkResult) -> Content:
    parts = [
        Content.styled(counted(result.count(Outcome.CHANGED)), "bold"),
        Content(" will change"),
    ]
    parts += [Content.styled(f", {text}", "$muted") for text in _left(result)]
    return Content("").join(parts)


def _left(result: BulkResult) -> Iterator[str]:
    words = {
        Outcome.UNCHANGED: "stay as they are",
        Outcome.NOT_FOUND: "are gone",
        Outcome.CONFLICT: "were changed meanwhile and stay",
        Outcome.REFUSED: "would break a rule and stay",
    }
    for outcome, text in words.items():
        if number := result.count(outcome):
            yield f"{number:,} {text}"


def _answer(label: str, key: str) -> Content:
    return Content.assemble(line(label), (f"  {key}", "dim"))
