"""Small things: sorting by a column that is picked, copying in several forms."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual import on

from memtui.tui import messages_bulk
from memtui.tui.outcomes import counted
from memtui.tui.screens.browse_change import Changing
from memtui.tui.screens.browse_find import Finding
from memtui.tui.screens.browse_marks import Marking
from memtui.tui.view import SORTS
from memtui.tui.widgets.memory_table import ColumnTitles

if TYPE_CHECKING:
    from memtui.models import Memory
    from memtui.tui.screens.pick import Picked

MOST_COPIED = 1_000
_FORMS = ("text", "JSON", "id")


class Comfort(Finding, Marking, Changing):
    """What makes the day easier."""

    _copy_request = 0
    _copy_form = ""

    # --- sorting ---------------------------------------------------------------------------------

    def action_pick_sort(self) -> None:
        """Choose a column to sort by."""
        from memtui.tui.screens.pick import Choice, PickDialog

        def picked(answer: Picked[str] | None) -> None:
            if answer is not None:
                self.change_filter("sort", answer.value)

        choices = [Choice(key, words) for key, words in SORTS.items()]
        self.app.push_screen(PickDialog("Sort by", choices, self.view.sort), picked)

    @on(ColumnTitles.Clicked)
    def _title_clicked(self, event: ColumnTitles.Clicked) -> None:
        times = [key for key in SORTS if key != "id"]
        if event.column == "id":
            self.change_filter("sort", "id")
        elif self.view.sort in times:
            self.change_filter("sort", times[(times.index(self.view.sort) + 1) % len(times)])
        else:
            self.change_filter("sort", times[0])

    # --- copying ---------------------------------------------------------------------------------

    def action_copy_as(self) -> None:
        """Choose what to copy of the memory, or of all marked ones."""
        memory = None if self.marked_count else self.current()
        ids = [memory.id] if memory else list(self.marks.versions)
        if not ids or self.marking:
            return
        if len(ids) > MOST_COPIED:
            self.say(f"{counted(len(ids))} are too many to copy", f"At most {MOST_COPIED:,}.")
            return
        from memtui.tui.screens.pick import Choice, PickDialog

        whom = f"#{memory.id}" if memory else counted(len(ids))
        choices = [Choice(form, form) for form in _FORMS]
        self.app.push_screen(
            PickDialog(f"Copy of {whom}", choices), partial(self._copy_picked, memory, ids)
        )

    def _copy_picked(
        self, memory: Memory | None, ids: Sequence[int], answer: Picked[str] | None
    ) -> None:
        if answer is None:
            return
        if memory is not None:
            self.copy_text(_copied([memory], answer.value), f"{answer.value} of #{memory.id}")
        elif answer.value == "id":
            self.copy_text("\n".join(map(str, ids)), f"{len(ids):,} ids")
        else:
            self._copy_form = answer.value
            self._copy_request = self.gateway.memories(self, ids)

    def on_memories_read(self, message: messages_bulk.MemoriesRead) -> None:
        """Copy them in the form that was chosen."""
        if message.number == self._copy_request:
            what = f"{self._copy_form} of {counted(len(message.memories))}"
            self.copy_text(_copied(message.memories, self._copy_form), what)


def _copied(memories: Sequence[Memory], form: str) -> str:
    if form == "id":
        return "\n".join(str(memory.id) for memory in memories)
    if form == "text":
        return "\n\n".join(memory.content for memory in memories)
    objects = [memory.model_dump(mode="json") for memory in memories]
    return json.dumps(objects[0] if len(objects) == 1 else objects, ensure_ascii=False, indent=2)
