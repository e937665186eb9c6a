"""The screen that a person spends the day in: filters, table and detail."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from memtui.tui.actions import ACTIONS, Scope
from memtui.tui.keys import bindings
from memtui.tui.screens.browse_comfort import Comfort
from memtui.tui.screens.browse_curate import Curating
from memtui.tui.screens.browse_drafts import Drafts
from memtui.tui.screens.browse_live import Live
from memtui.tui.screens.browse_outside import Outside
from memtui.tui.screens.browse_transfer import Transfer
from memtui.tui.screens.browse_undo import Undoing


class BrowseScreen(Comfort, Outside, Transfer, Drafts, Undoing, Live, Curating):
    """Search, read, edit, tag, retire and restore."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.BROWSE)]

    def action_toggle_peek(self) -> None:
        """Stop or start marking what is shown as read."""
        if self.read_only:
            self.say("This session is read-only", "Nothing is marked as read.")
            return
        self.peek = not self.peek
        self.show_all()

    def action_review(self) -> None:
        """Go through the invalid memories."""
        if not self.opened:
            return
        from memtui.tui.screens.review import ReviewScreen

        review = ReviewScreen(self.gateway, self.now, read_only=self.read_only)
        self.app.push_screen(review, lambda _result: self.look_again())

    def action_help(self) -> None:
        """Show what every key does."""
        from memtui.tui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen(self.place(), ACTIONS))

    def action_palette(self) -> None:
        """Choose a command by its name."""
        self.app.action_command_palette()
