"""Adding tags to memories, or taking tags off them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalGroup
from textual.content import Content
from textual.widgets import Static

from memtui.models import TagCount
from memtui.tui.actions import Scope
from memtui.tui.cells import line
from memtui.tui.keys import bindings
from memtui.tui.screens.modal import Modal
from memtui.tui.widgets.form_tags import TagsField

Mode = Literal["add", "remove"]


class TagsDialog(Modal[tuple[str, ...]]):
    """Asks which tags to add to, or remove from, `targets` memories; the result is None for none.

    `known` are the tags of the store, most frequent first, `on_them` those of the memories with how
    many of them carry each. Only tags that are on them can be removed; any tag can be added.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.DIALOG)]
    AUTO_FOCUS = "TagInput"

    def __init__(
        self,
        mode: Mode,
        targets: int,
        known: Sequence[TagCount],
        on_them: Sequence[TagCount],
    ) -> None:
        super().__init__()
        self._mode: Mode = mode
        self._targets = targets
        everywhere = {tag.tag for tag in on_them if tag.count == targets}
        self._offered = (
            [tag for tag in known if tag.tag not in everywhere] if mode == "add" else list(on_them)
        )

    def compose(self) -> ComposeResult:
        """What is asked, the tags, and what is wrong with them."""
        whom = "this memory" if self._targets == 1 else f"{self._targets:,} memories"
        adding = self._mode == "add"
        with VerticalGroup(classes="dialog dialog-tags"):
            yield Static(
                Content(f"Add tags to {whom}" if adding else f"Remove tags from {whom}"),
                classes="dialog-title",
            )
            if not adding and not self._offered:
                yield Static(Content("There are no tags to remove."), classes="dialog-lines")
            yield TagsField(
                (),
                self._offered,
                only_known=not adding,
                suggest_at_once=True,
                enter_is_done=True,
                placeholder="type a tag, old or new" if adding else "type to find a tag",
            )
            yield Static(id="tags-problem", classes="problem")
            yield Static(_hint(self._mode), classes="dialog-hint")

    @on(TagsField.Refused)
    def _refused(self, event: TagsField.Refused) -> None:
        event.stop()
        self.query_one("#tags-problem", Static).update(line(event.reason))

    @on(TagsField.Done)
    def _done(self, event: TagsField.Done) -> None:
        event.stop()
        self.action_confirm()

    def action_confirm(self) -> None:
        """Take the tags, with the one that is still being typed."""
        field = self.query_one(TagsField)
        if field.commit():
            self.finish(field.tags or None)

    def action_cancel(self) -> None:
        """Change nothing."""
        self.finish(None)


def _hint(mode: Mode) -> Content:
    keys = (
        ("enter", mode), (",", "more"), ("tab", "complete"), ("↑↓", "choose"), ("esc", "cancel")
    )  # fmt: skip
    return Content("  ").join(Content.assemble((key, "bold"), f" {does}") for key, does in keys)
