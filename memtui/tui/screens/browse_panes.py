"""The panes: how they are arranged, which has the focus, and what the bars say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from textual import events, on
from textual.dom import DOMNode
from textual.widget import Widget

from memtui.tui import cells
from memtui.tui.actions import Action, Place, Scope, at, key_label, keys_of
from memtui.tui.screens.arrangement import (
    LEAST,
    Arrangement,
    Pane,
    Sidebar,
    Wishes,
    arrange,
    has_column,
)
from memtui.tui.screens.browse_base import BrowseBase
from memtui.tui.view import SORTS, View, page_count
from memtui.tui.widgets.bars import Hint, KeyBar, Part
from memtui.tui.widgets.rows import Rows

_PLACES = {
    "search": Place.SEARCH,
    "tag-search": Place.SEARCH,
    "filters": Place.FILTERS,
    "tags": Place.TAGS,
    "detail": Place.DETAIL,
}
_HERE = frozenset({Scope.APP, Scope.BROWSE, Scope.LIST, Scope.DETAIL, Scope.SEARCH})
_CHANGES = frozenset(
    {"new", "edit", "add_tags", "remove_tags", "toggle_invalid", "delete", "restore", "undo"}
)


class Panes(BrowseBase):
    """What is in sight, and what is said about it."""

    # --- arranging --------------------------------------------------------------------------------

    def on_resize(self, event: events.Resize) -> None:
        if has_column(event.size.width) != has_column(self._width):
            self._wishes = replace(self._wishes, sidebar=None)
        self._width = event.size.width
        self._arrange()

    def wish(self, wishes: Wishes) -> None:
        """Open, close or zoom panes."""
        self._wishes = wishes
        self._arrange()

    def _arrange(self) -> None:
        width, height = self.size
        arrangement = arrange(width, height, self._wishes)
        if arrangement.too_small:
            self.too_small.show(width, height, LEAST)
        if arrangement != self.arrangement:
            self.arrangement = arrangement
            self.set_classes(
                {name for name in self.classes if not name.startswith(_OURS)}
                | arrangement.classes()
            )
            self.filters.show_dense(arrangement.dense)
            self._keep_focus(arrangement)
        self.show_all()

    def _keep_focus(self, arrangement: Arrangement) -> None:
        """Take the focus away from a pane that went out of sight."""
        place = self.place()
        if place in {Place.FILTERS, Place.TAGS} and arrangement.sidebar is Sidebar.STRIP:
            self.table.focus()
        elif place is Place.DETAIL and arrangement.detail.hidden:
            self.table.focus()
        elif not arrangement.table and place is Place.TABLE:
            (self.filters if arrangement.sidebar is Sidebar.FULL else self.detail).focus()

    def place(self) -> Place:
        """Return where the focus is."""
        focused = self.focused
        return _PLACES.get((focused.id or "") if focused else "", Place.TABLE)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        if self.arrangement.sidebar is Sidebar.OVER and event.widget in {self.table, self.detail}:
            self.wish(replace(self._wishes, sidebar=None))
        self._show_notice()
        self._show_keys()

    # --- keys that move among the panes -----------------------------------------------------------

    def action_toggle_sidebar(self) -> None:
        """Show or hide the filters."""
        shown = self.arrangement.sidebar in {Sidebar.COLUMN, Sidebar.OVER, Sidebar.FULL}
        self.wish(replace(self._wishes, sidebar=not shown, zoom=None))
        if self.arrangement.sidebar is Sidebar.OVER:
            self._focus(self.filters)

    def action_open_detail(self) -> None:
        """Read the whole memory."""
        if self.current() is not None:
            self.action_pane_detail()

    def action_pane_detail(self) -> None:
        """Go to the memory's detail."""
        if self.arrangement.detail.hidden:
            self.wish(replace(self._wishes, detail=True, zoom=None))
        self._focus(self.detail)

    def action_pane_table(self) -> None:
        """Go to the table."""
        self._to_table()

    def action_pane_filters(self) -> None:
        """Go to the filters."""
        self._open_sidebar()
        self._focus(self.filters)

    def action_pane_tags(self) -> None:
        """Go to the list of tags."""
        self._open_sidebar()
        self._focus(self.tags)

    def action_search(self) -> None:
        """Search in the text and the tags of all memories."""
        if self.place() is Place.TAGS:
            self._focus(self.tag_search)
            return
        self._focus(self.search)

    def action_find_tag(self) -> None:
        """Look for a tag in the list of tags."""
        self._open_sidebar()
        self._focus(self.tag_search)

    def action_next_memory(self) -> None:
        """Show the next memory."""
        self.table.action_cursor_down()

    def action_previous_memory(self) -> None:
        """Show the memory before."""
        self.table.action_cursor_up()

    def action_zoom_in(self) -> None:
        """Give the focused pane the whole screen."""
        pane = {Place.DETAIL: Pane.DETAIL, Place.TABLE: Pane.TABLE}.get(self.place(), Pane.FILTERS)
        self.wish(replace(self._wishes, zoom=pane))

    def action_zoom_out(self) -> None:
        """Show all panes again."""
        self.wish(replace(self._wishes, zoom=None))

    def action_back(self) -> None:
        """Step back once: out of a box, a zoom or a pane; then clear the search; then the filters."""
        place = self.place()
        if place is Place.SEARCH and self.focused is self.tag_search:
            self.tag_search.value = ""
            self._focus(self.tags)
        elif place is Place.SEARCH:
            self.retrieve()
            self._to_table()
        elif self._wishes.zoom is not None:
            self.wish(replace(self._wishes, zoom=None))
        elif place is not Place.TABLE or self._wishes.detail:
            self._to_table()
        elif self.view.q:
            self.search.put("")
            self.change_view(self.view.changed(q=""))
        elif self.view.filtered:
            self.change_view(self.view.cleared())
            self.show_filters()

    def _to_table(self) -> None:
        if not self.arrangement.table or self.arrangement.sidebar is Sidebar.OVER:
            sidebar = self._wishes.sidebar if has_column(self._width) else None
            self.wish(Wishes(sidebar=sidebar))
        self._focus(self.table)

    def _open_sidebar(self) -> None:
        if self.arrangement.sidebar is Sidebar.STRIP:
            self.wish(replace(self._wishes, sidebar=True, zoom=None))

    def _focus(self, widget: Widget) -> None:
        """Focus a widget that may only now have come into sight."""
        if widget.focusable:
            widget.focus()
        else:
            self.call_after_refresh(widget.focus)

    # --- mouse ------------------------------------------------------------------------------------

    @on(Rows.Moved, "#table")
    def _moved(self) -> None:
        self.detail.show(self.table.current, self.now())
        self.show_all()

    @on(Rows.Chosen, "#table")
    def _double_clicked(self) -> None:
        self.action_open_detail()

    @on(KeyBar.Clicked)
    async def _key_clicked(self, event: KeyBar.Clicked) -> None:
        action = event.action
        owner: DOMNode = self.app if action in _APP_ACTIONS else self
        if self.focused is not None and hasattr(self.focused, f"action_{action}"):
            owner = self.focused
        await self.app.run_action(action, owner)

    # --- bars -------------------------------------------------------------------------------------

    def show_all(self) -> None:
        self._show_status()
        self._show_pager()
        self._show_notice()
        self._show_keys()

    def _show_status(self) -> None:
        name = self.location.rsplit("/", 1)[-1] or self.location
        left = [
            Part(" memtui ", "bar--brand", 9),
            Part(f" {cells.line_text(name)} ", "bar--strong", 1),
        ]
        if self.whole is not None:
            counts = {str(status): count for status, count in self.whole.statuses.items()}
            words = [f"{counts.get(name, 0):,} {name}" for name in ("active", "invalid", "deleted")]
            left.append(Part(f"  {words[0]}", "bar--text", 3))
            left.append(Part(f" · {words[1]}", "bar--muted", 5))
            left.append(Part(f" · {words[2]}", "bar--muted", 6))
        right = []
        if self.read_only:
            right.append(Part(" read-only ", "bar--warning", 2))
        if self.peek:
            right.append(Part(" ◎ peek", "bar--accent"))
            right.append(Part(": reads leave no mark", "bar--accent", 7))
        elif self._settling is not None:
            right.append(Part(" ◎ peek while typing", "bar--accent"))
        else:
            right.append(Part(" ◉ marking reads", "bar--muted"))
        self.status.show(left, [*right, Part(" ")])

    def _show_pager(self) -> None:
        view = self._shown_view
        page = self.page
        if page is None or view is None:
            self.pager.show([Part(" ")])
        else:
            self.pager.show(_place_words(view, page.total, len(page.items), self.table.cursor))
        self.summary.show(self._summary())

    def _summary(self) -> list[Part]:
        """Return the filters in force as one line, for when the sidebar is folded."""
        view = self.view
        parts = [f"{view.status}"] if view.status else []
        if view.memory_type:
            parts.append(view.memory_type)
        if view.tag:
            parts.append(f"tag {cells.line_text(view.tag)}")
        if not parts:
            return [Part(" all memories", "bar--muted")]
        return [Part(" only ", "bar--muted", 2), Part(" · ".join(parts), "bar--accent")]

    def _show_notice(self) -> None:
        self.notice.display = self.page is None or not self.page.items
        blank = self.page is None
        self.set_class(blank, "-blank")
        if self.page is not None and self.page.items:
            return
        if self.problem is not None and self.page is None:
            keys = [(self.key("refresh"), "try again"), (self.key("quit"), "quit")]
            self.notice.show(self.problem.message, self.problem.hint, keys, bad=True)
        elif self.page is None:
            self.notice.show("Opening the memories…", cells.line_text(self.location))
        elif self.view.filtered:
            self._show_nothing_found()
        else:
            self.notice.show(
                "Nothing is remembered yet",
                "What your agents record appears here by itself.",
                [(self.key("new"), "write the first memory"), (self.key("help"), "help")],
            )

    def _show_nothing_found(self) -> None:
        if self.place() is Place.SEARCH:
            keys = [(self.key("back"), "leave the search")]
        else:
            keys = [
                (self.key("clear_filters"), "clear all filters"),
                (self.key("search"), "search"),
            ]
        view = self.view
        if view.status == "deleted" and not view.changed(status=None).filtered:
            self.notice.show("Nothing is deleted", "", keys[:1])
            return
        words = f"No memory holds “{view.q}”" if view.q else "No memory is like that"
        others = bool(view.status or view.memory_type or view.tag)
        self.notice.show(words, "under these filters" if view.q and others else "", keys)

    # --- keys -------------------------------------------------------------------------------------

    def _show_keys(self) -> None:
        place = self.place()
        offered = list(self._offered(place))
        self.keys.show(
            [self._hint(action) for action in offered if action.id not in _ALWAYS],
            [self._hint(action) for action in offered if action.id in _ALWAYS],
        )

    def _hint(self, action: Action) -> Hint:
        keys = keys_of(action, self.options.keys)
        label = action.label
        memory = self.current()
        if action.id == "toggle_invalid" and memory is not None and memory.status == "invalid":
            label = "make active"
        return Hint(key_label(keys[0]), label, action.id)

    def _offered(self, place: Place) -> Iterator[Action]:
        """Yield the actions whose keys do something now, the most useful first."""
        for action in at(place):
            if action.footer and action.scope in _HERE and self._makes_sense(action.id, place):
                yield action

    def _makes_sense(self, action_id: str, place: Place) -> bool:
        memory = self.current()
        deleted = memory is not None and memory.status == "deleted"
        if action_id in _CHANGES and (self.read_only or not self.opened):
            return False
        if action_id in {"edit", "add_tags", "toggle_invalid", "delete"}:
            return memory is not None and not deleted
        if action_id == "remove_tags":
            return memory is not None and not deleted and bool(memory.tags)
        checks = {
            "restore": deleted,
            "open_detail": memory is not None,
            "copy": memory is not None,
            "next_page": self.page is not None and self.view.page < page_count(self.page.total),
            "previous_page": self.view.page > 1,
            "clear_filters": self.view.filtered,
            "review": self.opened,
            "back": place is not Place.TABLE or self.view.filtered or self._wishes.zoom is not None,
        }
        return checks.get(action_id, True)


_ALWAYS = frozenset({"help", "palette"})
_OURS = ("-sidebar-", "-detail-", "-too-small", "-dense")
_APP_ACTIONS = frozenset({"quit", "toggle_theme"})


def _place_words(view: View, total: int, count: int, cursor: int) -> list[Part]:
    """Say where the cursor is: `38 of 1,248 · page 2 of 4 · newest change first`."""
    pages = page_count(total)
    if not count:
        return [Part(" no memories", "bar--muted")]
    parts = [Part(f" {view.offset + cursor + 1:,} of {total:,}", "bar--strong")]
    if pages > 1:
        parts.append(Part(f" · page {view.page:,} of {pages:,}", "bar--muted", 1))
    parts.append(Part(f" · {SORTS[view.sort]}", "bar--muted", 2))
    return parts
