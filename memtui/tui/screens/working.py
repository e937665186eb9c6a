"""Something that takes its time: how far it is, and a way to stop it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalGroup
from textual.content import Content
from textual.message_pump import MessagePump
from textual.widgets import Button, ProgressBar, Static

from memtui.tui import messages, messages_transfer
from memtui.tui.actions import Scope
from memtui.tui.cells import line
from memtui.tui.gateway import Gateway
from memtui.tui.keys import bindings
from memtui.tui.screens.modal import Modal


class WorkingDialog(Modal[messages_transfer.Written]):
    """Writes a file: `ask` requests it. The result is None when it was stopped or failed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(binding for binding in bindings(Scope.DIALOG) if binding.id == "cancel")
    ]
    AUTO_FOCUS = "#cancel"

    def __init__(
        self, gateway: Gateway, doing: str, path: Path, ask: Callable[[MessagePump], int]
    ) -> None:
        super().__init__()
        self._gateway = gateway
        self._doing = doing
        self._path = path
        self._ask = ask
        self._number = 0

    def compose(self) -> ComposeResult:
        """What is done, where to, how far, and the way out."""
        with VerticalGroup(classes="dialog dialog-preview"):
            yield Static(line(self._doing), classes="dialog-title")
            yield Static(line(str(self._path), "$muted"), id="working-about")
            yield ProgressBar(id="preview-progress", show_eta=False)
            with Horizontal(classes="dialog-buttons"):
                label = Content.assemble("Stop", ("  n", "dim"))
                yield Button(label, id="cancel", compact=True)

    def on_mount(self) -> None:
        """Begin."""
        self._number = self._ask(self)

    def on_progressed(self, message: messages.Progressed) -> None:
        """Show how far it is."""
        if message.number == self._number:
            bar = self.query_one("#preview-progress", ProgressBar)
            bar.update(total=message.total or None, progress=message.done)

    def on_written(self, message: messages_transfer.Written) -> None:
        """It is complete."""
        if message.number == self._number:
            self.finish(message)

    def on_failed(self, message: messages.Failed) -> None:
        """Say why there is no file; a file that was there before still is."""
        if message.error.code == "cancelled":
            self.finish(None)
            return
        error = message.error
        text = Content("\n").join([line(error.message, "$error"), line(error.hint, "$muted")])
        self.query_one("#working-about", Static).update(text)
        self.query_one("#preview-progress").display = False
        self.query_one("#cancel", Button).label = Content.assemble("Close", ("  n", "dim"))
        self._number = 0

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.action_cancel()

    def action_cancel(self) -> None:
        """Stop, or close when it failed."""
        if self._number:
            self._gateway.cancel(self._number)
        else:
            self.finish(None)
