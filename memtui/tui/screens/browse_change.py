"""Changing memories: write, edit, tag, invalidate, delete, restore, undo, copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.worker import Worker, WorkerState

from memtui.tui import clipboard, messages
from memtui.tui.screens.browse_base import BrowseBase

if TYPE_CHECKING:
    from memtui.models import BulkChange, BulkResult, Memory
    from memtui.tui.merge import Edited
    from memtui.tui.screens.edit import EditScreen
    from memtui.tui.screens.tags_dialog import Mode

_DONE = {
    "invalidate": "is invalid now",
    "make active": "is active again",
    "delete": "was deleted",
    "restore": "is back",
    "add the tags": "has the tags",
    "remove the tags": "lost the tags",
}
_COPY = "copy"


class Changing(BrowseBase):
    """What writes. Every write names the memory that was on the screen, and can be undone."""

    # --- the form -------------------------------------------------------------------------------

    def action_new(self) -> None:
        """Write a new memory."""
        if not self._is_refused():
            self.open_form(None)

    def action_edit(self) -> None:
        """Edit the memory's text, tags, type and status."""
        memory = self._living()
        if memory is not None and not self._is_refused():
            self.open_form(memory)

    def _is_refused(self) -> bool:
        """Say at once, and not after all is typed, that nothing can be saved."""
        if self.read_only:
            self.say("This session is read-only", "Start without --read-only to write.", bad=True)
        return self.read_only

    def open_form(self, memory: Memory | None, values: Edited | None = None) -> EditScreen:
        """Open the form for a memory, or for a new one; `values` are already typed in it."""
        from memtui.tui.screens.edit import EditScreen

        known = self.whole.tags if self.whole else ()
        needle = self.view.q if memory is not None else ""
        form = EditScreen(memory, known, owner=self, values=values, needle=needle)
        self.app.push_screen(form)
        return form

    def on_edit_screen_submitted(self, message: EditScreen.Submitted) -> None:
        """Write what the form holds; the form stays open until it is stored."""
        result = message.result
        if result.create is not None:
            number = self.gateway.create(self, result.create)
        elif result.patch is not None and result.memory_id is not None:
            number = self.gateway.patch(
                self, result.memory_id, result.patch, result.expected_version
            )
        else:
            message.form.saved()
            return
        self._forms[number] = message.form

    def on_saved(self, message: messages.Saved) -> None:
        """Close the form, and show the memory as it is now."""
        form = self._forms.pop(message.number, None)
        if form is not None:
            form.saved()
        memory = message.memory
        self.say(f"#{memory.id} saved", f"{self.key('undo')} undoes it")
        self.look_again(wish=memory.id)

    def on_failed(self, message: messages.Failed) -> None:
        """Give a refused form its error; anything else is said as a toast."""
        form = self._forms.pop(message.number, None)
        if form is None:
            return
        message.prevent_default()  # the form says it; no toast beside
        form.failed(message.error)
        self.look_again()

    # --- tags, status, deletion -----------------------------------------------------------------

    def action_add_tags(self) -> None:
        """Add tags to the memory."""
        self._ask_tags("add")

    def action_remove_tags(self) -> None:
        """Take tags off the memory."""
        self._ask_tags("remove")

    def _ask_tags(self, mode: Mode) -> None:
        memory = self._living()
        if memory is None:
            return
        from memtui.models import BulkChange, TagCount
        from memtui.tui.screens.tags_dialog import TagsDialog

        def chosen(tags: tuple[str, ...] | None) -> None:
            if not tags:
                return
            change = BulkChange(add_tags=tags) if mode == "add" else BulkChange(remove_tags=tags)
            self.gateway.change_whatever_version(self, f"{mode} the tags", [memory.id], change)

        known = self.whole.tags if self.whole else ()
        on_it = [TagCount(tag, 1) for tag in memory.tags]
        self.app.push_screen(TagsDialog(mode, 1, known, on_it), chosen)

    def action_toggle_invalid(self) -> None:
        """Mark the memory invalid, or make it active again."""
        memory = self._living()
        if memory is None:
            return
        from memtui.models import BulkChange, WritableStatus

        if memory.status == "invalid":
            change = BulkChange(status=WritableStatus.ACTIVE)
            self._change("make active", memory, change)
        else:
            self._change("invalidate", memory, BulkChange(status=WritableStatus.INVALID))

    def action_delete(self) -> None:
        """Delete the memory; it can be undone and restored."""
        memory = self._living()
        if memory is not None:
            from memtui.models import BulkChange

            self._change("delete", memory, BulkChange(delete=True))

    def action_restore(self) -> None:
        """Bring a deleted memory back."""
        memory = self.current()
        if memory is None:
            return
        if memory.status != "deleted":
            self.say(f"#{memory.id} is not deleted", "Deleted memories are under Status.")
            return
        from memtui.models import BulkChange

        self._change("restore", memory, BulkChange(restore=True))

    def _change(self, doing: str, memory: Memory, change: BulkChange) -> None:
        self.gateway.change(self, doing, {memory.id: memory.version}, change)

    def _living(self) -> Memory | None:
        """Return the memory under the cursor if it can be changed, else say why not."""
        memory = self.current()
        if memory is not None and memory.status == "deleted":
            self.say(f"#{memory.id} is deleted", f"{self.key('restore')} brings it back.")
            return None
        return memory

    def on_bulk_done(self, message: messages.BulkDone) -> None:
        """Say what became of each memory."""
        result = message.result
        self._tell(message.doing, result)
        self.look_again()

    def _tell(self, doing: str, result: BulkResult) -> None:
        for item in result.outcomes:
            if item.outcome == "changed":
                undo = f"{self.key('undo')} undoes it"
                self.say(f"#{item.memory_id} {_DONE.get(doing, doing)}", undo)
            elif item.outcome == "conflict":
                self.say(
                    f"#{item.memory_id} was changed meanwhile", "Look again, then repeat.", bad=True
                )
            elif item.outcome == "not_found":
                self.say(f"#{item.memory_id} is gone", "Someone deleted it.", bad=True)
            elif item.outcome == "refused":
                self.say(f"#{item.memory_id}: could not {doing}", item.reason, bad=True)
            else:
                self.say(f"#{item.memory_id}: nothing to change")

    # --- copying --------------------------------------------------------------------------------

    def action_copy(self) -> None:
        """Copy the memory's exact text."""
        memory = self.current()
        if memory is not None:
            self.copy_text(memory.content, f"#{memory.id}")

    def copy_text(self, text: str, what: str) -> None:
        """Copy a text, and say how that went; `what` names it."""
        if clipboard.is_remote():
            self._copy_by_terminal(text, what)
            return
        self._copying = (text, what)
        self.run_worker(
            lambda: clipboard.copy_locally(text),
            name=_COPY, group=_COPY, thread=True, exclusive=True, exit_on_error=False,
        )  # fmt: skip

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Say how the copy went; without a local tool, ask the terminal."""
        worker = event.worker
        if worker.name != _COPY or self._copying is None:
            return
        text, what = self._copying
        if worker.state is WorkerState.SUCCESS and worker.result:
            self.say(f"Copied {what}")
        elif worker.state in {WorkerState.SUCCESS, WorkerState.ERROR}:
            self._copy_by_terminal(text, what)

    def _copy_by_terminal(self, text: str, what: str) -> None:
        if not clipboard.can_ask_terminal():
            self.say("Nothing copied", "No clipboard tool, and this terminal has none.", bad=True)
            return
        self.app.copy_to_clipboard(text)
        self.say(
            f"{what} sent to the terminal's clipboard",
            "Nothing pasted? Install xclip or wl-clipboard, or allow OSC 52.",
        )
