"""Taking back and making again: one step a key, and honest about what was left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.tui import messages, messages_bulk
from memtui.tui.outcomes import undone
from memtui.tui.screens.browse_panes import Panes
from memtui.tui.widgets.bars import Part

if TYPE_CHECKING:
    from memtui.models import BulkResult


class Undoing(Panes):
    """Undo and redo of this session's changes, whatever screen they were made on."""

    _undo_request = 0
    _undo_progress = ""
    _redoing = False

    def action_undo(self) -> None:
        """Take the last change of yours back."""
        if self.opened:
            self._redoing = False
            self._undo_request = self.gateway.undo(self)

    def action_redo(self) -> None:
        """Make the change again that was taken back last."""
        if self.opened:
            self._redoing = True
            self._undo_request = self.gateway.redo(self)

    def action_back(self) -> None:
        """Step back once; what is being taken back is stopped first."""
        if self._undo_progress:
            self.gateway.cancel(self._undo_request)
        else:
            super().action_back()

    def on_progressed(self, message: messages.Progressed) -> None:
        """Show how far a long undo is."""
        if message.number == self._undo_request and message.done < message.total:
            doing = "made again" if self._redoing else "taken back"
            self._undo_progress = f" {message.done:,} of {message.total:,} {doing} "
            self.show_all()

    def on_undone(self, message: messages.Undone) -> None:
        """Say what was taken back and what was left, and go there."""
        self._tell_undone(message.result, redo=False)

    def on_redone(self, message: messages_bulk.Redone) -> None:
        """Say what was made again and what was left, and go there."""
        self._tell_undone(message.result, redo=True)

    def _tell_undone(self, result: BulkResult, *, redo: bool) -> None:
        self._undo_progress = ""
        other = "undo" if redo else "redo"
        told = undone(result, redo=redo, hint=f"{self.key(other)} {other}es it")
        hint = told.hint
        if told.bad and not hint:
            hint = next((item.reason for item in result.outcomes if item.outcome == "conflict"), "")
        self.say(told.text, hint, bad=told.bad)
        changed = [item.memory_id for item in result.outcomes if item.outcome == "changed"]
        self.look_again(wish=changed[0] if len(changed) == 1 else None)

    def on_failed(self, message: messages.Failed) -> None:
        """Nothing to undo, and being told to stop, are no failures."""
        if message.number != self._undo_request:
            return
        self._undo_progress = ""
        if message.error.code == "not_found":
            self.say(f"There is nothing to {message.doing}")
        elif message.error.code == "cancelled":
            self.say(f"Stopped: nothing was {'made again' if self._redoing else 'taken back'}")
        else:
            return
        self.show_all()
        message.prevent_default()

    def pager_right(self) -> list[Part]:
        """Say how far a long undo is."""
        parts = super().pager_right()
        if self._undo_progress:
            parts.append(Part(self._undo_progress, "accent"))
            parts.append(Part(f"{self.key('back')} stops it ", "muted", 1))
        return parts
