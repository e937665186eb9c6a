"""A question with two answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalGroup, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Static

from memtui.tui.actions import Scope
from memtui.tui.cells import line
from memtui.tui.keys import bindings
from memtui.tui.screens.modal import Modal


class ConfirmDialog(Modal[bool]):
    """Asks before something is done; the result is True only when the person agreed.

    `title` is the question, `lines` say what it is about (shown safely, one line each) and
    `confirm_label` names what agreeing does. When that is `destructive`, Enter alone means no.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(Scope.DIALOG),
        ("left,up", "app.focus_previous"),
        ("right,down", "app.focus_next"),
    ]
    AUTO_FOCUS = None

    def __init__(
        self,
        title: str,
        lines: Sequence[str],
        confirm_label: str,
        *,
        cancel_label: str = "Cancel",
        destructive: bool = True,
    ) -> None:
        super().__init__()
        self._question = title
        self._lines = tuple(lines)
        self._confirm_label = confirm_label
        self._cancel_label = cancel_label
        self._destructive = destructive

    def compose(self) -> ComposeResult:
        """The question, what it is about, and the two answers."""
        with VerticalGroup(classes="dialog"):
            yield Static(line(self._question), classes="dialog-title")
            with VerticalScroll(classes="dialog-lines", can_focus=False):
                for text in self._lines:
                    yield Static(line(text))
            with Horizontal(classes="dialog-buttons"):
                yield Button(_answer(self._cancel_label, "n"), id="cancel", compact=True)
                yield Button(
                    _answer(self._confirm_label, "y"),
                    id="confirm",
                    compact=True,
                    classes="-destructive" if self._destructive else "",
                )

    def on_mount(self) -> None:
        """Focus the answer that does no harm."""
        self.query_one("#cancel" if self._destructive else "#confirm", Button).focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.finish(event.button.id == "confirm")

    def action_confirm(self) -> None:
        """Agree."""
        self.finish(True)

    def action_cancel(self) -> None:
        """Do not."""
        self.finish(False)


def _answer(label: str, key: str) -> Content:
    return Content.assemble(line(label), (f"  {key}", "dim"))
