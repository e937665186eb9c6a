"""A text that was typed and never saved is offered again."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalGroup, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Static

from memtui.tui.actions import Scope
from memtui.tui.cells import block, line
from memtui.tui.keys import bindings
from memtui.tui.screens.modal import Modal
from memtui.tui.times import ago

if TYPE_CHECKING:
    from memtui.tui.drafts import Draft

_SHOWN = 600


class Decision(StrEnum):
    """What becomes of a draft."""

    RESTORE = "restore"
    DISCARD = "discard"
    LATER = "later"


class DraftOffer(Modal[Decision]):
    """Shows a draft that was left behind, and asks what to do with it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(Scope.DRAFT),
        ("left,up", "app.focus_previous"),
        ("right,down", "app.focus_next"),
    ]
    AUTO_FOCUS = "#restore"

    def __init__(self, draft: Draft, now: datetime) -> None:
        super().__init__()
        self._draft = draft
        self._now = now

    def compose(self) -> ComposeResult:
        """What it is, when it was typed, how it begins, and the three answers."""
        draft = self._draft
        what = f"memory #{draft.base.id}" if draft.base else "a new memory"
        with VerticalGroup(classes="dialog dialog-draft"):
            yield Static(Content(f"An unsaved text of {what}"), classes="dialog-title")
            when = f"Typed {ago(draft.saved_at, self._now)}, when memtui ended without saving it."
            yield Static(Content.styled(when, "$muted"))
            with VerticalScroll(id="draft-text", can_focus=False):
                yield Static(_beginning(draft.values.content))
            if draft.values.tags:
                yield Static(line(", ".join(draft.values.tags), "$muted"), id="draft-tags")
            with Horizontal(classes="dialog-buttons"):
                yield Button(_answer("Later", "n"), id="later", compact=True)
                yield Button(
                    _answer("Discard", "d"), id="discard", compact=True, classes="-destructive"
                )
                yield Button(_answer("Restore", "y"), id="restore", compact=True)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.finish(Decision(event.button.id or Decision.LATER))

    def action_restore_draft(self) -> None:
        """Go on writing."""
        self.finish(Decision.RESTORE)

    def action_discard_draft(self) -> None:
        """Throw it away."""
        self.finish(Decision.DISCARD)

    def action_keep_draft(self) -> None:
        """Ask again at the next start."""
        self.finish(Decision.LATER)


def _beginning(text: str) -> Content:
    if not text.strip():
        return Content.styled("no text yet", "$muted")
    return block(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


def _answer(label: str, key: str) -> Content:
    return Content.assemble(label, (f" {key}", "dim"))
