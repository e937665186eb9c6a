"""The panes: how they are arranged, and the keys and clicks that move among them."""

from __future__ import annotations

from dataclasses import replace

from textual import events, on
from textual.dom import DOMNode
from textual.widget import Widget

from memtui.tui.actions import Place
from memtui.tui.screens.arrangement import (
    LEAST,
    Arrangement,
    Pane,
    Sidebar,
    Wishes,
    arrange,
    has_column,
)
from memtui.tui.screens.browse_bars import Bars
from memtui.tui.widgets.bars import KeyBar
from memtui.tui.widgets.rows import Rows

_OURS = ("-sidebar-", "-detail-", "-too-small", "-dense")
_APP_ACTIONS = frozenset({"quit", "toggle_theme"})


class Panes(Bars):
    """What is in sight, and which of it has the focus."""

    # --- arranging --------------------------------------------------------------------------------

    def on_resize(self, event: events.Resize) -> None:
        """Arrange the panes anew."""
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
            if self.focused is None and not arrangement.too_small:
                self._focus(self.table)  # where nothing fitted, it was lost
        self.show_all()

    def _keep_focus(self, arrangement: Arrangement) -> None:
        """Take the focus away from a pane that went out of sight."""
        place = self.place()
        folded = arrangement.sidebar is Sidebar.STRIP and place in {Place.FILTERS, Place.TAGS}
        if folded or (place is Place.DETAIL and arrangement.detail.hidden):
            self.table.focus()
        elif not arrangement.table and place is Place.TABLE:
            (self.filters if arrangement.sidebar is Sidebar.FULL else self.detail).focus()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Close the opened filters when the focus leaves them; offer the keys of its place."""
        if self.arrangement.sidebar is Sidebar.OVER and event.widget in {self.table, self.detail}:
            self.wish(replace(self._wishes, sidebar=None))
        self.show_all()

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
            self.action_find_tag()
            return
        self._focus(self.search)
        self.search.select_all()

    def action_find_tag(self) -> None:
        """Look for a tag in the list of tags."""
        self._open_sidebar()
        self._focus(self.tag_search)
        self.tag_search.select_all()

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
        """Step back once: leave a box, zoom or pane; then clear the search; then the filters."""
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
            self.focus_pending = True
            self.call_after_refresh(self._focus_now, widget)

    def _focus_now(self, widget: Widget) -> None:
        self.focus_pending = False
        widget.focus()

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
