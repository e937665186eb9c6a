"""The form in which a memory is written or changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.message_pump import MessagePump
from textual.widgets import Static, TextArea

from memtui.errors import ConflictError, InvalidError, MemtuiError, NotFoundError
from memtui.models import MAX_CONTENT, Memory, MemoryType, Revision, TagCount, WritableStatus
from memtui.tui.actions import Place, Scope
from memtui.tui.cells import line
from memtui.tui.edits import EditResult, changed_fields, checked, problem_in, will_change
from memtui.tui.keys import bindings
from memtui.tui.merge import Edited
from memtui.tui.screens.confirm import ConfirmDialog
from memtui.tui.screens.conflict import ConflictScreen, Resolution, Resolved
from memtui.tui.screens.modal import Modal
from memtui.tui.widgets.form_choice import ChoiceField
from memtui.tui.widgets.form_keys import KeyLine
from memtui.tui.widgets.form_tags import TagsField
from memtui.tui.widgets.form_text import ContentArea, PasteRefused

__all__ = ["EditResult", "EditScreen"]

_PASTE_LIMIT = 4 * MAX_CONTENT
"""How much text a paste may bring the form to: room to cut down, not a whole book."""
_TOLD_EVERY = 1.0
"""Seconds between two looks whether something was typed."""
_FIELDS = ("content", "tags", "memory_type", "status")


class EditScreen(Modal[None]):
    """A form for one memory, or for a new one (`memory` None); `values` are already typed in it.

    The cursor begins behind the first place that holds `needle`, or at the end of the text.

    Saving posts `Submitted`; the form stays open, with everything that was typed, until its owner
    calls `saved` or `failed`. Without changes, saving only closes it.
    """

    @dataclass
    class Submitted(Message):
        """The person wants `result` written. Posted to `owner`, or, without one, to the app."""

        form: EditScreen
        result: EditResult

    @dataclass
    class Typed(Message):
        """What the form holds is another now. Posted to the app, at most once a second.

        `unsaved` says whether it differs from what `base`, the memory it began with, holds.
        """

        form: EditScreen
        base: Memory | None
        values: Edited
        unsaved: bool

    @dataclass
    class Ended(Message):
        """The form is closed: what it held was stored, or given up. Posted to the app."""

        form: EditScreen

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.EDIT)]
    AUTO_FOCUS = "ContentArea"

    def __init__(
        self,
        memory: Memory | None,
        known_tags: Sequence[TagCount],
        *,
        owner: MessagePump | None = None,
        values: Edited | None = None,
        needle: str = "",
    ) -> None:
        super().__init__()
        self._base = memory
        self._owner = owner
        self._saving = False
        self._asked_to_save = False
        start = Edited.of(memory) if memory else Edited("", (), MemoryType.FACT, "active")
        self._start = start
        self._told = start
        self._needle = needle
        self._told_version = 0
        start = values or start
        self._content = ContentArea(
            start.content, paste_limit=_PASTE_LIMIT, widget_id="form-content"
        )
        self._tags = TagsField(start.tags, known_tags, widget_id="form-tags")
        self._type = ChoiceField(
            [str(kind) for kind in MemoryType], start.memory_type, widget_id="form-memory_type"
        )
        self._status = ChoiceField(
            [str(status) for status in WritableStatus], start.status, widget_id="form-status"
        )

    def compose(self) -> ComposeResult:
        """Title, text, tags, type, status, what will change, keys."""
        with Vertical(classes="form"):
            yield Static(self._title(), id="form-title", classes="form-title")
            yield Static(id="form-notice", classes="form-notice")
            yield self._content
            with Horizontal(classes="form-under"):
                yield Static(id="form-content-problem", classes="problem")
                yield Static(id="form-length")
            with VerticalScroll(classes="form-fields", can_focus=False):
                yield from _row("Tags", self._tags)
                yield Static(id="form-tags-problem", classes="problem form-indented")
                yield from _row("Type", self._type)
                yield Static(id="form-memory_type-problem", classes="problem form-indented")
                yield from _row("Status", self._status)
                yield Static(id="form-status-problem", classes="problem form-indented")
            with Horizontal(classes="form-changes"):
                yield Static(Content("Changes"), classes="form-label")
                yield Static(id="form-changes")
            yield KeyLine(Place.EDIT)

    def on_mount(self) -> None:
        """Begin where the search led to, or at the end of the text, where one goes on writing."""
        self._content.begin_at(self._needle)
        self._show_state()
        self._tell_typed()
        self.set_interval(_TOLD_EVERY, self._tell_typed)

    # --- what the owner calls ----------------------------------------------------------------

    def saved(self) -> None:
        """What was submitted is stored: close."""
        self.finish()

    def failed(self, error: MemtuiError) -> None:
        """What was submitted is not stored: say why, keep everything that was typed."""
        self._saving = False
        self._told_version = 0  # "Saving…" took the place of what was told
        base = self._base
        if isinstance(error, ConflictError) and base is not None:
            self.newer_elsewhere(error.current)
            conflict = ConflictScreen(base=base, mine=self.values, theirs=error.current)
            self.app.push_screen(conflict, self._resolved)
            return
        if isinstance(error, NotFoundError) and base is not None:
            self._forget_base(base)
            return
        self._notice(_explained(error), error=True)

    def newer_elsewhere(self, current: Memory) -> None:
        """Say that the memory was changed by someone else while it is open here."""
        if self._base is not None and current.version not in {
            self._base.version,
            self._told_version,
        }:
            self._told_version = current.version
            text = f"Changed elsewhere: now version {current.version}. Saving shows both."
            self._notice(Content(text), error=True)

    def changed_elsewhere(self, revision: Revision) -> None:
        """Say at once what someone else did to the memory while it is open here."""
        base = self._base
        if base is None or revision.memory_id != base.id or self._saving:
            return
        by = f"elsewhere by {line(revision.actor)}"
        if revision.status == "deleted":
            text = f"Deleted {by}. Saving can keep your text as a new memory."
        elif revision.version != base.version:
            self._told_version = revision.version
            text = f"Changed {by}: now version {revision.version}. Saving shows both."
        else:
            text = ""  # deleted and restored: it is again what is shown here
        self._notice(Content(text), error=True)

    @property
    def base(self) -> Memory | None:
        """The memory as the form knows it; None for a new one."""
        return self._base

    def finish(self, result: None = None) -> None:
        """Close; what was typed is stored or given up."""
        super().finish(result)
        self.app.post_message(self.Ended(self))

    @property
    def values(self) -> Edited:
        """What the form holds, exactly as it would be stored."""
        return Edited(self._content.value, self._tags.tags, self._type.value, self._status.value)

    # --- actions -------------------------------------------------------------------------------

    def action_save(self) -> None:
        """Submit what the form holds, or say what is wrong with it."""
        if self._saving:
            return
        if not self._tags.commit():
            self._tags.focus_input()
            return
        mine = self.values
        self._asked_to_save = True
        try:
            result = checked(self._base, mine)
        except InvalidError as error:
            self._show_state()
            self._focus_problem(error)
            return
        if self._base is not None and not changed_fields(self._base, mine):
            self.finish()
            return
        self._saving = True
        self._notice(Content("Saving…"), error=False)
        (self._owner or self).post_message(self.Submitted(self, result))

    def action_close_form(self) -> None:
        """Close; ask first when something would be lost."""
        if self.values == self._start and not self._tags.typed.strip():
            self.finish()
            return
        dialog = ConfirmDialog(
            "Throw away what you typed?",
            ["It has not been saved."],
            "Throw away",
            cancel_label="Go on editing",
        )
        self.app.push_screen(dialog, lambda agreed: self.finish() if agreed else None)

    def action_next_field(self) -> None:
        """Go to the next field."""
        self.focus_next()

    def action_previous_field(self) -> None:
        """Go to the field before."""
        self.focus_previous()

    def action_form_help(self) -> None:
        """Show the keys of the form."""
        from memtui.tui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen(Place.EDIT))

    # --- what happens in the form --------------------------------------------------------------

    @on(TextArea.Changed)
    @on(TagsField.Changed)
    @on(ChoiceField.Changed)
    def _changed(self, event: Message) -> None:
        event.stop()
        self._show_state()

    @on(TagsField.Refused)
    def _tag_refused(self, event: TagsField.Refused) -> None:
        event.stop()
        self._problem("tags", event.reason)

    @on(PasteRefused)
    def _paste_refused(self, event: PasteRefused) -> None:
        event.stop()
        self._problem(
            "content",
            f"too long: {event.length:,} characters pasted, at most {MAX_CONTENT:,} fit",
        )

    def _tell_typed(self) -> None:
        values = self.values
        if values != self._told and not self._finished:
            self._told = values
            self.app.post_message(self.Typed(self, self._base, values, values != self._start))

    def _show_state(self) -> None:
        mine = self.values
        length = self.query_one("#form-length", Static)
        length.update(Content(f"{len(mine.content):,}/{MAX_CONTENT:,}"))
        length.set_class(len(mine.content) > MAX_CONTENT, "-over")
        self.query_one("#form-changes", Static).update(will_change(self._base, mine))
        found: InvalidError | None = None
        try:
            checked(self._base, mine)
        except InvalidError as error:
            found = error
        for field in _FIELDS:
            reason = problem_in(found, field, mine) if found else ""
            pristine = field == "content" and not mine.content and not self._asked_to_save
            self._problem(field, "" if pristine else reason)

    def _problem(self, field: str, reason: str) -> None:
        shown = self.query_one(f"#form-{field}-problem", Static)
        shown.update(line(reason))
        shown.set_class(bool(reason), "-shown")

    def _focus_problem(self, error: InvalidError) -> None:
        for field, widget in (("content", self._content), ("memory_type", self._type)):
            if problem_in(error, field, self.values):
                widget.focus()
                return
        self._tags.focus_input()

    def _notice(self, text: Content, *, error: bool) -> None:
        notice = self.query_one("#form-notice", Static)
        notice.update(text)
        notice.set_class(bool(text.plain), "-shown")
        notice.set_class(error, "-error")

    def _title(self) -> Content:
        if self._base is None:
            return Content("New memory")
        version = f"  version {self._base.version}"
        return Content.assemble(f"Edit memory #{self._base.id}", (version, "$muted not bold"))

    # --- conflicts -------------------------------------------------------------------------------

    def _resolved(self, resolved: Resolved | None) -> None:
        if resolved is None:
            return
        if resolved.how is Resolution.KEEP_THEIRS:
            self.finish()
            return
        self._base = resolved.theirs
        self._start = Edited.of(resolved.theirs)
        self._fill(resolved.values)
        self.query_one("#form-title", Static).update(self._title())
        self._notice(Content(""), error=False)
        if resolved.how is Resolution.SAVE:
            self.action_save()

    def _fill(self, values: Edited) -> None:
        if values.content != self._content.value:
            document = self._content.document
            self._content.replace(values.content, document.start, document.end)
        self._tags.tags = values.tags
        self._type.value = values.memory_type
        self._status.value = values.status
        self._show_state()

    def _forget_base(self, base: Memory) -> None:
        """The memory is gone: what was typed can still become a new one."""
        self._base = None
        self._start = Edited("", (), MemoryType.FACT, "active")
        self.query_one("#form-title", Static).update(self._title())
        text = f"Memory {base.id} was deleted meanwhile. Save again to keep your text as a new one."
        self._notice(Content(text), error=True)
        self._show_state()


def _row(label: str, field: ChoiceField | TagsField) -> ComposeResult:
    with Horizontal(classes="form-row"):
        yield Static(Content(label), classes="form-label")
        yield field


def _explained(error: MemtuiError) -> Content:
    return Content.assemble(line(error.message), "\n" if error.hint else "", line(error.hint))
