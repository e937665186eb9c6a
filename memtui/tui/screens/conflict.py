"""What to do when a memory was changed by someone else while it was being edited."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalGroup, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from memtui.models import Memory
from memtui.tui.actions import Place, Scope
from memtui.tui.cells import block, line
from memtui.tui.keys import bindings
from memtui.tui.merge import Edited, Three, merge_memories
from memtui.tui.screens.modal import Modal
from memtui.tui.widgets.form_diff import changed_text, tag_line
from memtui.tui.widgets.form_keys import KeyLine


class Resolution(Enum):
    """What is to become of the values that someone chose."""

    SAVE = "save"
    EDIT = "edit"
    KEEP_THEIRS = "keep theirs"


@dataclass(frozen=True, slots=True)
class Resolved:
    """The person's decision: `values` over `theirs`, whose version saving must pass."""

    how: Resolution
    values: Edited
    theirs: Memory


class ConflictScreen(Modal[Resolved]):
    """Shows what a memory was (`base`), what they made of it and what I did, and a merge of both.

    Differences are marked by word. Where both changed the same words, the merge takes mine until
    told otherwise. The result is None when the person goes on editing their own text.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.CONFLICT)]
    AUTO_FOCUS = "#conflict-body"

    def __init__(self, *, base: Memory, mine: Edited, theirs: Memory) -> None:
        super().__init__()
        self._base = base
        self._mine = mine
        self._theirs = theirs
        self._merge = merge_memories(Edited.of(base), mine, Edited.of(theirs))
        self._clash = 0

    def compose(self) -> ComposeResult:
        """The three texts, the merge, the keys."""
        base, mine, theirs = Edited.of(self._base), self._mine, Edited.of(self._theirs)
        with Vertical(classes="form"):
            yield Static(
                Content(f"Memory #{self._base.id} was changed while you edited it"),
                classes="form-title",
            )
            yield Static(self._summary(), classes="conflict-summary")
            with VerticalScroll(id="conflict-body"):
                with VerticalGroup(classes="conflict-merge"):
                    yield Static(id="conflict-merge-title", classes="conflict-side-title")
                    yield Static(id="conflict-merged")
                    yield Static(id="conflict-fields")
                with Horizontal(classes="conflict-sides"):
                    yield from _side(f"Before  version {self._base.version}", base, None)
                    yield from _side(f"Theirs  version {self._theirs.version}", theirs, base)
                    yield from _side("Yours", mine, base)
            yield KeyLine(Place.CONFLICT)

    def on_mount(self) -> None:
        """Show the merge."""
        self._show_merge()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what is about clashes only when there are any."""
        del parameters
        if action in {"switch_side", "next_clash", "previous_clash"}:
            return self._merge.clashes > 0
        return True

    # --- actions -------------------------------------------------------------------------------

    def action_save_merge(self) -> None:
        """Save the merge."""
        self.finish(Resolved(Resolution.SAVE, self._merge.result, self._theirs))

    def action_edit_merge(self) -> None:
        """Take the merge into the form."""
        self.finish(Resolved(Resolution.EDIT, self._merge.result, self._theirs))

    def action_keep_mine(self) -> None:
        """Save my values over theirs."""
        self.finish(Resolved(Resolution.SAVE, self._mine, self._theirs))

    def action_keep_theirs(self) -> None:
        """Drop my values, once it is sure that they are meant to go."""
        from memtui.tui.screens.confirm import ConfirmDialog

        def answered(agreed: bool | None) -> None:
            if agreed:
                theirs = Edited.of(self._theirs)
                self.finish(Resolved(Resolution.KEEP_THEIRS, theirs, self._theirs))

        dialog = ConfirmDialog(
            "Throw away what you typed?",
            ["It has not been saved; the newer version stays as it is."],
            "Throw away",
            cancel_label="Back",
        )
        self.app.push_screen(dialog, answered)

    def action_back_to_form(self) -> None:
        """Go on editing my own text."""
        self.finish(None)

    def action_switch_side(self) -> None:
        """Take the other side's text at the marked clash."""
        if self._merge.clashes:
            self._merge = self._merge.toggled(self._clash)
            self._show_merge()

    def action_next_clash(self) -> None:
        """Mark the next clash."""
        self._go_to_clash(1)

    def action_previous_clash(self) -> None:
        """Mark the clash before."""
        self._go_to_clash(-1)

    def action_conflict_down(self) -> None:
        """Scroll down."""
        self.query_one("#conflict-body").scroll_relative(y=2, animate=False)

    def action_conflict_up(self) -> None:
        """Scroll up."""
        self.query_one("#conflict-body").scroll_relative(y=-2, animate=False)

    # --- the merge -------------------------------------------------------------------------------

    def _go_to_clash(self, by: int) -> None:
        if self._merge.clashes:
            self._clash = (self._clash + by) % self._merge.clashes
            self._show_merge()
            self._scroll_to_clash()

    def _show_merge(self) -> None:
        self.query_one("#conflict-merge-title", Static).update(self._merge_title())
        merged = Content("").join(self._merged_parts())
        self.query_one("#conflict-merged", Static).update(merged)
        self.query_one("#conflict-fields", Static).update(self._merged_fields())

    def _merge_title(self) -> Content:
        clashes = self._merge.clashes
        if not clashes:
            return Content.assemble("Merged", ("  both sides' changes", "$muted not bold"))
        side = "theirs" if self._clash in self._merge.theirs_at else "yours"
        places = f"  {clashes} {'clash' if clashes == 1 else 'clashes'}"
        place = f" · {self._clash + 1} of {clashes}" if clashes > 1 else ""
        return Content.assemble("Merged", (f"{places}{place} · takes {side}", "$warning not bold"))

    def _merged_parts(self) -> Iterator[Content]:
        number = -1
        for segment in self._merge.segments:
            number += segment.clash
            if not segment.clash:
                same = segment.mine == segment.base == segment.theirs
                yield block(segment.merged, "" if same else "$success underline")
            elif number == self._clash:
                yield from self._current_clash(segment, number)
            else:
                yield block(self._chosen(segment, number), "$warning underline")

    def _current_clash(self, segment: Three, number: int) -> Iterator[Content]:
        chosen = self._chosen(segment, number)
        yield block(chosen or "∅", "$background on $warning")

    def _chosen(self, segment: Three, number: int) -> str:
        return segment.theirs if number in self._merge.theirs_at else segment.mine

    def _merged_fields(self) -> Content:
        lines = [tag_line("Tags", self._merge.tags, self._base.tags)]
        for name, field in (("Type", self._merge.memory_type), ("Status", self._merge.status)):
            if field.mine != field.base or field.theirs != field.base:
                lines.append(_field_line(name, field))
        return Content("\n").join(lines)

    def _scroll_to_clash(self) -> None:
        shown = self.query_one("#conflict-merged", Static)
        before = Content("")
        number = -1
        for segment, part in zip(self._merge.segments, self._merged_parts(), strict=True):
            number += segment.clash
            if segment.clash and number == self._clash:
                break
            before += part
        row = len(before.wrap(max(1, shown.content_size.width))) - 1
        body = self.query_one("#conflict-body")
        body.scroll_to(y=shown.virtual_region.y + row - 2, animate=False)

    def _summary(self) -> Content:
        return Content.styled(
            f"You began with version {self._base.version}, it is now version "
            f"{self._theirs.version}. Nothing of yours is lost.",
            "$muted",
        )


def _field_line(name: str, field: Three) -> Content:
    shown = Content.assemble((f"{name:<8}", "$muted"), line(field.merged))
    if field.clash:
        shown = Content.assemble(shown, ("  theirs: ", "$warning"), line(field.theirs, "$warning"))
    return shown


def _side(title: str, values: Edited, base: Edited | None) -> ComposeResult:
    with VerticalGroup(classes="conflict-side"):
        yield Static(Content(title), classes="conflict-side-title")
        text = block(values.content) if base is None else changed_text(base.content, values.content)
        yield Static(text)
        yield Static(tag_line("", values.tags, values.tags if base is None else base.tags))
        if base is not None:
            for old, new in (
                (base.memory_type, values.memory_type),
                (base.status, values.status),
            ):
                if old != new:
                    yield Static(Content.assemble(block(old), " → ", block(new)))
