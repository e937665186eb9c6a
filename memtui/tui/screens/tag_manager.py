"""The tag manager: every tag with its use; rename, merge and remove across the store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from memtui.models import BulkResult, Memory, MemoryPatch, TagMerge
from memtui.tui import messages, messages_curation
from memtui.tui.actions import Place, Scope
from memtui.tui.gateway import Gateway
from memtui.tui.gateway_curation import TagChange
from memtui.tui.keys import bindings
from memtui.tui.outcomes import outcome, undone
from memtui.tui.screens.pick import Choice, PickDialog, Picked
from memtui.tui.screens.preview import PreviewDialog
from memtui.tui.screens.prompt import PromptDialog
from memtui.tui.screens.workbench import ListAndPane
from memtui.tui.tag_table import SORTS, Tagged, TagTable
from memtui.tui.times import short
from memtui.tui.view import View
from memtui.tui.widgets.bars import Part
from memtui.tui.widgets.grid import Cell, Column, Grid, Line
from memtui.tui.widgets.search_box import SearchBox
from memtui.tui.widgets.tags_text import merge_text, tag_text

_COLUMNS = (
    Column("Tag"),
    Column("Memories", 8, right=True),
    Column("Last used", 9, right=True, rank=1),
)
_CHANGES = frozenset({"accept_merge", "rename_tag", "merge_tags", "remove_tag", "tags_undo"})
_SAMPLES = 8
_OTHER_NAME = None


class TagManagerScreen(ListAndPane[str]):
    """Shows all tags; the result is the tag whose memories are to be shown in the table.

    Tags that seem to mean the same come first, as proposals; `standard` tags stand apart from free
    ones. Every change can be taken back as one.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.TAG_MANAGER)]
    place = Place.TAG_MANAGER

    def __init__(
        self,
        gateway: Gateway,
        now: Callable[[], datetime],
        standard: Sequence[str] = (),
        *,
        read_only: bool = False,
    ) -> None:
        super().__init__(gateway, now, Grid(_COLUMNS, widget_id="tag-list"), read_only=read_only)
        self.table = TagTable(standard=tuple(standard))
        self.loaded = False
        self.box = SearchBox("filter the tags", widget_id="tag-filter")
        self._request = self._sample_request = self._preview_request = 0
        self._batches: list[int] = []
        self._undoing: dict[int, int] = {}

    def above_list(self) -> Iterable[Widget]:
        """The box that narrows the list."""
        with Horizontal(id="filter-line"):
            yield Static("/", classes="prompt", markup=False)
            yield self.box

    # --- loading -----------------------------------------------------------------------------

    def load(self) -> None:
        """Ask for the tags."""
        self._request = self.gateway.tag_table(self)
        self._show_title()

    def on_tags_loaded(self, message: messages_curation.TagsLoaded) -> None:
        """Show them."""
        if message.number == self._request:
            self.loaded = True
            self._take(self.table.with_tags(message.tags, message.merges))

    def _take(self, table: TagTable) -> None:
        self.table = table
        self.grid.show(list(self._lines()))
        self._show_emptiness()
        self._show_title()
        self.show_current()
        self.refresh_bindings()

    # --- showing -----------------------------------------------------------------------------

    @property
    def current(self) -> Tagged | TagMerge | None:
        """What the cursor is on: a tag, or a proposal."""
        key = self.grid.current
        rows = (row for group in self.table.groups() for row in group.rows)
        return next((row for row in rows if _key(row) == key), None)

    @property
    def tag(self) -> Tagged | None:
        """The tag that the cursor is on, if some memory carries it."""
        row = self.current
        return row if isinstance(row, Tagged) and row.count else None

    def _lines(self) -> Iterator[Line]:
        for number, group in enumerate(self.table.groups()):
            if number:
                yield Line.heading("")
            yield Line.heading(group.title)
            for row in group.rows:
                yield self._merge_line(row) if isinstance(row, TagMerge) else self._tag_line(row)

    def _merge_line(self, merge: TagMerge) -> Line:
        count = sum(self.table.count_of(tag) for tag in merge.others)
        text = f"{', '.join(merge.others)} → {merge.keep}"
        return Line(_key(merge), (Cell(text), Cell(f"{count:,}", "muted"), Cell("")))

    def _tag_line(self, row: Tagged) -> Line:
        used = "" if row.last_used_at is None else short(row.last_used_at, self.now())
        marked = row.tag in self.table.marked
        sign = "●" if marked else "★" if row.tag in self.table.standard else " "
        ink = "strong" if marked else "text" if row.count else "faint"
        return Line(
            _key(row),
            (Cell(row.tag, ink), Cell(f"{row.count:,}", "muted"), Cell(used, "muted")),
            Cell(sign, "accent" if marked else "good"),
        )

    def _show_title(self) -> None:
        table = self.table
        parts = [Part(" tags", "strong")]
        if self.loaded:
            parts.append(Part(f"  {len(table.tags):,} in use", "muted", 2))
            parts.append(Part(f" · {SORTS[table.sort]}", "muted", 3))
        marks = []
        if table.marked:
            hidden = f" ({table.hidden_marks} hidden)" if table.hidden_marks else ""
            marks.append(Part(f" {len(table.marked)} marked{hidden}", "accent"))
        self.show_title(*parts, right=marks)

    def _show_emptiness(self) -> None:
        if self.grid.lines or not self.loaded:
            self.show_notice("")
        elif self.table.piece:
            self.show_notice(f"No tag holds “{self.table.piece}”")
        else:
            self.show_notice(
                "No memory has a tag yet", "Tags that you or your agents give appear here."
            )

    def show_current(self) -> None:
        """Show the tag under the cursor with some of its memories, or what a proposal would do."""
        row = self.current
        if isinstance(row, Tagged):
            self._show_tag(row, None)
            if row.count:
                view = View(tag=row.tag)
                self._sample_request = self.gateway.page(self, view, touch=False)
        elif row is not None:
            self.pane.show(merge_text(row, self.table, None))
            if not self.read_only:
                change = TagChange(row.others, row.keep)
                self._preview_request = self.gateway.preview_tags(self, change)
        else:
            self.pane.show(Content(""))

    def on_page_loaded(self, message: messages.PageLoaded) -> None:
        """Show some memories with the tag."""
        row = self.current
        if message.number == self._sample_request and isinstance(row, Tagged):
            self._show_tag(row, message.page.items[:_SAMPLES])

    def _show_tag(self, row: Tagged, memories: Sequence[Memory] | None) -> None:
        standard = row.tag in self.table.standard
        self.pane.show(tag_text(row, memories, self.now(), standard=standard))

    def on_previewed(self, message: messages_curation.Previewed) -> None:
        """Show what accepting the proposal would do."""
        row = self.current
        if message.number == self._preview_request and isinstance(row, TagMerge):
            self.pane.show(merge_text(row, self.table, message.result))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what there is something to do for."""
        if action in _CHANGES and self.read_only:
            return False
        checks = {
            "accept_merge": isinstance(self.current, TagMerge),
            "mark_tag": self.tag is not None,
            "rename_tag": self.tag is not None,
            "merge_tags": len(self.table.marked) > 1,
            "remove_tag": self.tag is not None or bool(self.table.marked),
            "show_tagged": self.tag is not None,
            "tags_undo": bool(self._batches),
        }
        return checks.get(action, super().check_action(action, parameters))

    # --- finding -----------------------------------------------------------------------------

    @on(Input.Changed, "#tag-filter")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._take(replace(self.table, piece=event.value))

    @on(SearchBox.Left, "#tag-filter")
    def _left(self, event: SearchBox.Left) -> None:
        event.stop()
        self.grid.focus()

    def on_descendant_focus(self) -> None:
        """Offer the keys of the box while one types there."""
        self.key_line.show_place(Place.QUICK_FILTER if self.box.has_focus else self.place)

    def action_narrow_tags(self) -> None:
        """Show only tags that hold a piece."""
        self.box.focus()

    def action_close_screen(self) -> None:
        """Leave the box, then the filter, then the screen."""
        if self.box.has_focus:
            self.grid.focus()
        elif self.table.piece:
            self.box.value = ""
        else:
            self.finish()

    def action_sort_tags(self) -> None:
        """Sort by number, by name, by last use."""
        self._take(self.table.sorted_next())

    @on(Grid.Chosen)
    def _double_clicked(self, event: Grid.Chosen) -> None:
        event.stop()
        self.action_show_tagged()

    def action_show_tagged(self) -> None:
        """Show the memories with this tag."""
        if (row := self.tag) is not None:
            self.finish(row.tag)

    # --- changing ----------------------------------------------------------------------------

    def action_mark_tag(self) -> None:
        """Mark the tag for a merge, or unmark it, and go on to the next."""
        if (row := self.tag) is not None:
            self._take(self.table.toggled(row.tag))
            self.grid.action_cursor_down()

    def action_accept_merge(self) -> None:
        """Make the proposed merge, once it was seen what it changes."""
        row = self.current
        if isinstance(row, TagMerge):
            self._ask(TagChange(row.others, row.keep))

    def action_rename_tag(self) -> None:
        """Rename the tag on every memory."""
        if (row := self.tag) is not None:
            prompt = PromptDialog(
                f"Rename the tag {row.tag}", value=row.tag, does="preview", check=_checked
            )
            self.app.push_screen(prompt, lambda new: self._preview((row.tag,), new))

    def action_merge_tags(self) -> None:
        """Merge the marked tags into one of them, or into another."""
        marked = sorted(self.table.marked, key=lambda tag: (-self.table.count_of(tag), tag))
        choices: list[Choice[str | None]] = [
            Choice(tag, tag, self.table.count_of(tag)) for tag in marked
        ]
        choices.append(Choice(_OTHER_NAME, "another name …"))

        def chosen(picked: Picked[str | None] | None) -> None:
            if picked is None:
                return
            if picked.value is not _OTHER_NAME:
                self._preview(marked, picked.value)
                return
            prompt = PromptDialog(f"Merge {len(marked)} tags into", does="preview", check=_checked)
            self.app.push_screen(prompt, lambda new: self._preview(marked, new))

        self.app.push_screen(
            PickDialog(f"Merge {len(marked)} tags into", choices, marked[0]), chosen
        )

    def action_remove_tag(self) -> None:
        """Take the tag, or all marked ones, off every memory."""
        row = self.tag
        olds = sorted(self.table.marked) or ([row.tag] if row else [])
        if olds:
            self._ask(TagChange(tuple(olds), None))

    def _preview(self, olds: Sequence[str], new: str | None) -> None:
        others = tuple(tag for tag in olds if tag != new)
        if new is not None and others:
            self._ask(TagChange(others, new))

    def _ask(self, change: TagChange) -> None:
        merging = change.new is not None and self.table.count_of(change.new) > 0
        title = _title(change, merging=merging or len(change.olds) > 1)
        does = "Remove" if change.new is None else "Merge" if merging else "Rename"
        dialog = PreviewDialog(
            self.gateway,
            title,
            does,
            ask=lambda node: self.gateway.preview_tags(node, change),
            make=lambda node: self.gateway.change_tags(node, title, change),
        )
        self.app.push_screen(dialog, self._done)

    def _done(self, result: BulkResult | None) -> None:
        if result is None:
            return
        if result.batch is not None:
            self._batches.append(result.batch)
        told = outcome(result, "changed", hint=f"{self.key('tags_undo')} undoes it")
        self.say(told.text, told.hint, bad=told.bad)
        self.table = replace(self.table, marked=frozenset())
        self.load()

    def failed(self, message: messages.Failed) -> None:
        """Say what did not work."""
        if (batch := self._undoing.pop(message.number, None)) is not None:
            self._batches.append(batch)
        if message.number != self._preview_request:
            super().failed(message)

    def action_tags_undo(self) -> None:
        """Take the last change of tags made here back."""
        if self._batches:
            batch = self._batches.pop()
            self._undoing[self.gateway.undo(self, batch)] = batch

    def on_undone(self, message: messages.Undone) -> None:
        """Say what was taken back."""
        self._undoing.pop(message.number, None)
        told = undone(message.result)
        self.say(told.text, told.hint, bad=told.bad)
        self.load()


def _key(row: Tagged | TagMerge) -> tuple[str, str]:
    return ("merge", row.keep) if isinstance(row, TagMerge) else ("tag", row.tag)


def _checked(text: str) -> str:
    """Return `text` as a tag. Raises `InvalidError` as the contract's models do."""
    return MemoryPatch.parse({"tags": [text]}).tags[0]


def _title(change: TagChange, *, merging: bool) -> str:
    olds = ", ".join(change.olds)
    tags = "tag" if len(change.olds) == 1 else "tags"
    if change.new is None:
        return f"Remove the {tags} {olds} from every memory"
    does = "Merge" if merging else "Rename"
    return f"{does} the {tags} {olds} {'into' if merging else 'to'} {change.new}"
