"""The same change for all marked memories: previewed, version-checked, one step to undo."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from textual.message_pump import MessagePump

from memtui.tui import messages
from memtui.tui.outcomes import counted, outcome
from memtui.tui.screens.browse_change import Changing
from memtui.tui.screens.browse_marks import Marking
from memtui.tui.view import TYPES

if TYPE_CHECKING:
    from memtui.models import BulkChange, BulkResult, Memory, TagCount
    from memtui.tui.screens.pick import Picked
    from memtui.tui.screens.preview import PreviewDialog
    from memtui.tui.screens.tags_dialog import Mode


Chosen = Callable[[str, "Memory | None"], None]
"""Takes a value, and the memory that is to get it; without it all marked ones."""


class Work(NamedTuple):
    """A change in words: for the journal's reader, the question, the button, the outcome."""

    doing: str
    question: str
    answer: str
    done: str


_INVALIDATE = Work("invalidate", "Make {whom} invalid?", "Make invalid", "made invalid")
_ACTIVATE = Work("make active", "Make {whom} active?", "Make active", "made active")
_DELETE = Work("delete", "Delete {whom}?", "Delete", "deleted")
_RESTORE = Work("restore", "Restore {whom}?", "Restore", "restored")
_STATUSES = ("active", "invalid", "deleted")


class Bulk(Marking, Changing):
    """With marks, the keys that change one memory change all marked ones, and no other.

    One marked memory that is in view is changed at once, as the one under the cursor would be.
    """

    _waiting: PreviewDialog | None = None

    # --- actions -------------------------------------------------------------------------------

    def action_toggle_invalid(self) -> None:
        """Make the memory, or all marked, invalid or active again."""
        if not self.marked_count:
            super().action_toggle_invalid()
            return
        from memtui.models import BulkChange, WritableStatus

        seen = [memory for memory in self.table.memories if memory.id in self.marks]
        if seen and all(memory.status == "invalid" for memory in seen):
            self._make(_ACTIVATE, BulkChange(status=WritableStatus.ACTIVE))
        else:
            self._make(_INVALIDATE, BulkChange(status=WritableStatus.INVALID))

    def action_delete(self) -> None:
        """Delete the memory, or all marked; it can be undone and restored."""
        if not self.marked_count:
            super().action_delete()
            return
        from memtui.models import BulkChange

        self._make(_DELETE, BulkChange(delete=True))

    def action_restore(self) -> None:
        """Bring a deleted memory, or all marked, back."""
        if not self.marked_count:
            super().action_restore()
            return
        from memtui.models import BulkChange

        self._make(_RESTORE, BulkChange(restore=True))

    def action_set_type(self) -> None:
        """Give the memory, or all marked, another type."""
        self._pick("Type", TYPES, "memory_type", self._set_type)

    def action_set_status(self) -> None:
        """Choose active, invalid or deleted for the memory, or for all marked."""
        self._pick("Status", _STATUSES, "status", self._set_status)

    def _ask_tags(self, mode: Mode) -> None:
        if not self.marked_count:
            super()._ask_tags(mode)
            return
        if not self._may_change():
            return
        from memtui.tui.screens.tags_dialog import TagsDialog

        self.end_range()
        known = self.whole.tags if self.whole else ()
        dialog = TagsDialog(mode, self.marked_count, known, self._tags_on_them())
        self.app.push_screen(dialog, partial(self._tags_chosen, mode))

    # --- what was chosen -----------------------------------------------------------------------

    def _tags_chosen(self, mode: Mode, tags: tuple[str, ...] | None) -> None:
        if not tags:
            return
        from memtui.models import BulkChange

        named = ", ".join(f"“{tag}”" for tag in tags)
        what = f"tag {named}" if len(tags) == 1 else f"tags {named}"
        if mode == "add":
            work = Work("add the tags", f"Add {what} to {{whom}}?", "Add", "tagged")
            self._make(work, BulkChange(add_tags=tags))
        else:
            work = Work("remove the tags", f"Remove {what} from {{whom}}?", "Remove", "untagged")
            self._make(work, BulkChange(remove_tags=tags))

    def _pick(self, what: str, values: Sequence[str], field: str, chosen: Chosen) -> None:
        """Ask for a value for all marked, or for the memory that is under the cursor now."""
        memory = None if self.marked_count else self._living()
        if not self._may_change() or not (self.marked_count or memory):
            return
        from memtui.tui.screens.pick import Choice, PickDialog

        def picked(answer: Picked[str] | None) -> None:
            if answer is not None:
                chosen(answer.value, memory)

        whom = counted(self.marked_count) if memory is None else f"#{memory.id}"
        current = None if memory is None else str(getattr(memory, field))
        choices = [Choice(value, value) for value in values]
        self.end_range()
        self.app.push_screen(PickDialog(f"{what} of {whom}", choices, current), picked)

    def _set_type(self, picked: str, memory: Memory | None) -> None:
        from memtui.models import BulkChange, MemoryType

        article = "an" if picked[0] in "aeiou" else "a"
        work = Work(
            f"set the type {picked}", f"Make {{whom}} {article} {picked}?", "Set", f"made {picked}"
        )
        self._make(work, BulkChange(memory_type=MemoryType(picked)), memory)

    def _set_status(self, picked: str, memory: Memory | None) -> None:
        from memtui.models import BulkChange, WritableStatus

        if picked == "deleted":
            self._make(_DELETE, BulkChange(delete=True), memory)
        else:
            work = _ACTIVATE if picked == "active" else _INVALIDATE
            self._make(work, BulkChange(status=WritableStatus(picked)), memory)

    # --- making it -----------------------------------------------------------------------------

    def _may_change(self) -> bool:
        if self.read_only:
            self.say("This session is read-only", "Nothing can be changed.")
        return not self.read_only

    def _make(self, work: Work, change: BulkChange, memory: Memory | None = None) -> None:
        """Make a change of one memory, or without it of all marked ones."""
        if not self._may_change():
            return
        self.end_range()
        one = memory or self._only_marked()
        if one is not None:
            self._change(work.doing, one, change)
        elif self.marked_count:
            self._preview(work, change)

    def _only_marked(self) -> Memory | None:
        """Return the marked memory where there is only one and it is in view."""
        if self.marked_count > 1 or self.marking:
            return None
        in_view = [memory for memory in self.table.in_sight if memory.id in self.marks]
        return in_view[0] if in_view else None

    def _preview(self, work: Work, change: BulkChange) -> None:
        from memtui.tui.screens.preview import PreviewDialog

        def ask(reply_to: MessagePump) -> int:
            if self.marking:  # asked again, by `marks_known`
                return 0
            versions.update(self.marks.versions)
            return self.gateway.preview_change(reply_to, versions, change)

        def make(reply_to: MessagePump) -> int:
            return self.gateway.change_many(reply_to, work.doing, versions, change)

        versions: dict[int, int] = {}
        question = work.question.format(whom=counted(self.marked_count))
        dialog = PreviewDialog(
            self.gateway, question, work.answer, ask=ask, make=make, notes=self.where_marked()
        )
        self._waiting = dialog if self.marking else None
        self.app.push_screen(dialog, partial(self._made, work.done))

    def marks_known(self) -> None:
        """Preview what waited for the marks."""
        waiting, self._waiting = self._waiting, None
        if waiting is not None and waiting.is_attached:
            waiting.ask()

    def on_failed(self, message: messages.Failed) -> None:
        """Without the marks, what waited for them comes to nothing."""
        if self.matches_failed(message.number) and self._waiting is not None:
            self._waiting.finish()
            self._waiting = None

    def _made(self, done: str, result: BulkResult | None) -> None:
        if result is None:
            return
        self.marks.settle(result.outcomes)
        self._hidden = min(self._hidden, len(self.marks))
        self.marks_changed()
        told = outcome(result, done, hint=f"{self.key('undo')} undoes it")
        hint = "What failed is still marked." if told.bad and self.marks else told.hint
        self.say(told.text, hint, bad=told.bad)
        self.look_again()

    def on_bulk_done(self, message: messages.BulkDone) -> None:
        """Unmark the one memory that was changed at once."""
        self.marks.settle(message.result.outcomes)
        self.marks_changed()

    # --- the tags of those that are marked -----------------------------------------------------

    def _tags_on_them(self) -> list[TagCount]:
        """Return the tags that the marked memories can have, with how many of them at most."""
        from memtui.models import TagCount

        on_page = [memory for memory in self.table.memories if memory.id in self.marks]
        if len(on_page) == self.marked_count:
            numbers: Mapping[str, int] = _numbers(on_page)
        else:
            numbers = {tag.tag: tag.count for tag in (self.whole.tags if self.whole else ())}
        return [TagCount(tag, min(count, self.marked_count)) for tag, count in numbers.items()]


def _numbers(memories: Sequence[Memory]) -> dict[str, int]:
    """How many of the memories carry each tag, the most frequent first."""
    numbers: dict[str, int] = {}
    for memory in memories:
        for tag in memory.tags:
            numbers[tag] = numbers.get(tag, 0) + 1
    return dict(sorted(numbers.items(), key=lambda item: (-item[1], item[0])))
