"""A question that is answered with a line of text."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalGroup
from textual.content import Content
from textual.widgets import Input, Static

from memtui.errors import InvalidError
from memtui.tui.actions import Scope
from memtui.tui.cells import line
from memtui.tui.keys import bindings
from memtui.tui.screens.modal import Modal
from memtui.tui.widgets.form_text import LineInput, PasteRefused

_PASTE_LIMIT = 256


class PromptDialog(Modal[str]):
    """Asks for a line of text, beginning with `value`; the result is None when it was cancelled.

    `check` takes what was typed and returns what it stands for; where it raises `InvalidError` the
    reason is shown and the dialog stays. `words` say what the answer will do.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.DIALOG)]
    AUTO_FOCUS = "LineInput"

    def __init__(
        self,
        title: str,
        *,
        value: str = "",
        words: str = "",
        placeholder: str = "",
        does: str = "go on",
        paste_limit: int = _PASTE_LIMIT,
        check: Callable[[str], str],
    ) -> None:
        super().__init__()
        self._question = title
        self._words = words
        self._check = check
        self._does = does
        self._box = LineInput(
            paste_limit=paste_limit, placeholder=placeholder, widget_id="prompt-box"
        )
        self._box.value = value

    def compose(self) -> ComposeResult:
        """The question, the box, what is wrong with the answer."""
        with VerticalGroup(classes="dialog dialog-prompt"):
            yield Static(line(self._question), classes="dialog-title")
            if self._words:
                yield Static(line(self._words), classes="dialog-lines")
            yield self._box
            yield Static(id="prompt-problem", classes="problem")
            keys = (("enter", self._does), ("esc", "cancel"))
            hint = Content("  ").join(
                Content.assemble((key, "bold"), f" {does}") for key, does in keys
            )
            yield Static(hint, classes="dialog-hint")

    def on_mount(self) -> None:
        """Begin at the end of what is there."""
        self._box.cursor_position = len(self._box.value)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._problem("")

    @on(PasteRefused)
    def _paste_refused(self, event: PasteRefused) -> None:
        event.stop()
        self._problem(f"{event.length:,} characters are too long")

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_confirm()

    def action_confirm(self) -> None:
        """Answer with what was typed."""
        try:
            answer = self._check(self._box.value)
        except InvalidError as error:
            self._problem("; ".join(problem.message for problem in error.problems))
            return
        self.finish(answer)

    def action_cancel(self) -> None:
        """Answer nothing."""
        self.finish(None)

    def _problem(self, text: str) -> None:
        self.query_one("#prompt-problem", Static).update(line(text))
