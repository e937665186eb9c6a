"""From the table to the curator's screens, and back with what was chosen there."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from textual import on

from memtui.tui import messages, messages_curation
from memtui.tui.screens.browse_base import BrowseBase
from memtui.tui.view import View
from memtui.tui.widgets.filter_rows import FilterList


class Curating(BrowseBase):
    """Opens history, activity, undo list, tags, views, stale queue and figures."""

    saved_views: Mapping[str, View] = MappingProxyType({})
    """The saved views by their names."""

    @on(messages.Opened)
    @on(messages.StoreChanged)
    def _learn_views(self) -> None:
        self.gateway.views(self, count=False)

    def on_views_loaded(self, message: messages_curation.ViewsLoaded) -> None:
        """Offer the saved views in the sidebar and the palette."""
        self.saved_views = {saved.name: View.of(saved.query) for saved in message.views}
        self.filters.show_views(self.saved_views)

    @on(FilterList.ViewPicked)
    def _view_picked(self, event: FilterList.ViewPicked) -> None:
        event.stop()
        self.apply_view(View() if event.chosen else self.saved_views.get(event.name))

    def action_history(self) -> None:
        """Show every version of the memory."""
        memory = self.current()
        if memory is not None:
            from memtui.tui.screens.history import HistoryScreen

            screen = HistoryScreen(self.gateway, self.now, memory.id, read_only=self.read_only)
            self.app.push_screen(screen, self._came_back)

    def action_activity(self) -> None:
        """Show who changed what, newest first."""
        from memtui.tui.screens.activity import ActivityScreen

        screen = ActivityScreen(self.gateway, self.now, read_only=self.read_only)
        self.app.push_screen(screen, self._show_memory)

    def action_agents(self) -> None:
        """Show what agents read and were given, newest first."""
        from memtui.tui.screens.agents import AgentsScreen

        screen = AgentsScreen(self.gateway, self.now, read_only=self.read_only)
        self.app.push_screen(screen, self._show_memory)

    def action_undo_list(self) -> None:
        """Show what can be taken back."""
        from memtui.tui.screens.undo_list import UndoListScreen

        screen = UndoListScreen(
            self.gateway, self.now, self.options.actor, read_only=self.read_only
        )
        self.app.push_screen(screen, self._came_back)

    def action_tag_manager(self) -> None:
        """Rename, merge and remove tags."""
        from memtui.tui.screens.tag_manager import TagManagerScreen

        screen = TagManagerScreen(
            self.gateway, self.now, self.options.standard_tags, read_only=self.read_only
        )
        self.app.push_screen(screen, self._show_tag)

    def action_views(self) -> None:
        """Show the saved views, or keep the present one."""
        from memtui.tui.screens.views import ViewsScreen

        def chosen(view: View | None) -> None:
            self.gateway.views(self, count=False)
            self.apply_view(view)

        screen = ViewsScreen(self.gateway, self.now, self.view, read_only=self.read_only)
        self.app.push_screen(screen, chosen)

    def action_stale(self) -> None:
        """Go through the memories that no one has used for long."""
        from memtui.tui.screens.stale import StaleScreen

        screen = StaleScreen(self.gateway, self.now, read_only=self.read_only)
        self.app.push_screen(screen, self._came_back)

    def action_stats(self) -> None:
        """Show the figures of the store."""
        from memtui.tui.screens.stats import StatsScreen

        screen = StatsScreen(self.gateway, self.now, read_only=self.read_only)
        self.app.push_screen(screen, self._came_back)

    # --- coming back -----------------------------------------------------------------------------

    def _came_back(self, _result: object = None) -> None:
        self.look_again()

    def _show_tag(self, tag: str | None) -> None:
        if tag is None:
            self.look_again()
        else:
            self.apply_view(self.view.cleared().changed(tag=tag))

    def apply_view(self, view: View | None) -> None:
        """Show another view as a whole: its search, filters and sort; None stays with this one."""
        if view is None:
            self.look_again()
            return
        self.search.put(view.q)
        self.tag_search.value = ""
        self.change_view(view)
        self.show_filters()
        if not self._page_pending:  # it is the view that was shown: look what changed in it
            self.look_again()

    def _show_memory(self, memory_id: int | None) -> None:
        if memory_id is None:
            self.look_again()
        else:
            self.gateway.locate(self, memory_id, self.view.sort)

    def on_located(self, message: messages_curation.Located) -> None:
        """Show the page that a memory is on, with the cursor there."""
        self._wish = message.memory_id
        self.apply_view(message.view)
