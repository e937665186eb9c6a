"""Editing in the person's own editor: this memory, or all marked ones as one document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from memtui.tui import messages, messages_bulk
from memtui.tui.outcomes import counted
from memtui.tui.screens.browse_bulk import Bulk

if TYPE_CHECKING:
    from pathlib import Path

    from memtui.editing.document import Edits
    from memtui.models import BulkResult, Memory, MemoryPatch

MOST = 1_000
"""How many memories one document may hold; more are no longer edited by hand."""
Patches = Mapping[int, "tuple[MemoryPatch, int | None]"]


class Outside(Bulk):
    """Nothing is written that was not shown; what was typed is never lost without asking."""

    _outside_request = 0

    def action_edit_outside(self) -> None:
        """Edit in your own editor: this memory, or all marked ones."""
        if not self._may_change():
            return
        memory = None if self.marked_count else self._living()
        self.end_range()
        ids = [memory.id] if memory else list(self.marks.versions)
        if len(ids) > MOST:
            self.say(f"{counted(len(ids))} are too many for an editor", f"At most {MOST:,}.")
        elif ids:
            self._outside_request = self.gateway.memories(self, ids)

    def on_memories_read(self, message: messages_bulk.MemoriesRead) -> None:
        """Open them in the editor, each as it is now."""
        if message.number != self._outside_request:
            return
        if not message.memories:
            self.say("They are gone", "Someone deleted them.", bad=True)
            return
        from memtui.editing.document import write

        self._edit_document(message.memories, write(message.memories))

    def _edit_document(self, memories: Sequence[Memory], document: str) -> None:
        edited = self._in_editor(document, f"memory-{memories[0].id}")
        if edited is None:
            return
        from memtui.editing.document import in_words, read

        edits = read(edited, memories)
        again = partial(self._edit_document, memories, edited)
        if edits.problems:
            lines = [in_words(problem) for problem in edits.problems]
            self._ask_again("It cannot be saved like this:", lines, again)
        elif edits.patches:
            self._preview_edits(memories, edits, again)
        else:
            self.say("Nothing changed")

    def _in_editor(self, document: str, name: str) -> str | None:
        """Return what the editor made of a document, or None, with the reason said."""
        from memtui.editing.editor import edit_text
        from memtui.errors import MemtuiError
        from memtui.tui.drafts import editing_folder

        failed: MemtuiError | None = None
        edited: str | None = None
        try:
            with self.app.suspend():  # an exception from in here would leave it suspended
                try:
                    with ExitStack() as stack:
                        folder: Path | None = None
                        with suppress(OSError):  # then a crash leaves it where nobody looks for it
                            folder = stack.enter_context(editing_folder(self.gateway.location))
                        text = edit_text(document, name, self.options.editor, folder)
                        edited = stack.enter_context(text).text
                except MemtuiError as error:
                    failed = error
        except SuspendNotSupported:
            self.say("No editor can be opened in this terminal", bad=True)
        self.refresh(layout=True)
        if failed is not None:
            self.say(failed.message, failed.hint, bad=True)
        return edited

    def _preview_edits(
        self, memories: Sequence[Memory], edits: Edits, again: Callable[[], None]
    ) -> None:
        from memtui.tui.screens.preview import PreviewDialog

        versions = {memory.id: memory.version for memory in memories}
        patches = {id_: (patch, versions[id_]) for id_, patch in edits.patches.items()}
        left = len(edits.left_out)
        notes = [f"{counted(left)} left out of the document, to stay as they are"] if left else []
        dialog = PreviewDialog(
            self.gateway,
            f"Save {counted(len(patches))}?",
            "Save",
            ask=lambda reply_to: self.gateway.preview_patches(reply_to, patches),
            make=lambda reply_to: self.gateway.patch_many(reply_to, "edit outside", patches),
            notes=notes,
        )
        self.app.push_screen(dialog, partial(self._edits_made, memories, patches, again))

    def _edits_made(
        self,
        memories: Sequence[Memory],
        patches: Patches,
        again: Callable[[], None],
        result: BulkResult | None,
    ) -> None:
        if result is None:
            self._ask_again("It has not been saved.", [], again)
            return
        self._made("changed", result)
        clashed = {item.memory_id for item in result.outcomes if item.outcome == "conflict"}
        for memory in reversed([one for one in memories if one.id in clashed]):
            # The form knows how to bring both texts together; the first one is left on top.
            from memtui.tui.merge import Edited

            self.open_form(memory, Edited.of(patches[memory.id][0].applied_to(memory)))

    def _ask_again(self, problem: str, lines: Sequence[str], again: Callable[[], None]) -> None:
        """Ask whether to throw away what was written; else it is opened again."""
        from memtui.tui.screens.confirm import ConfirmDialog

        dialog = ConfirmDialog(
            "Throw away what you wrote?",
            [problem, *lines],
            "Throw away",
            cancel_label="Open the editor again",
        )
        self.app.push_screen(dialog, lambda agreed: None if agreed else again())

    def on_failed(self, message: messages.Failed) -> None:
        """Without the memories there is nothing to edit."""
        if message.number == self._outside_request:
            self._outside_request = 0
