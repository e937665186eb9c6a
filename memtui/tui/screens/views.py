"""The saved views: filters and a sort under a name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.widget import Widget

from memtui.models import SavedView
from memtui.tui import messages, messages_curation
from memtui.tui.actions import Place, Scope
from memtui.tui.gateway import Gateway
from memtui.tui.keys import bindings
from memtui.tui.screens.confirm import ConfirmDialog
from memtui.tui.screens.prompt import PromptDialog
from memtui.tui.screens.workbench import Workbench
from memtui.tui.view import View, in_words
from memtui.tui.widgets.bars import Part
from memtui.tui.widgets.grid import Cell, Column, Grid, Line

_COLUMNS = (Column("View"), Column("Shows", rank=1), Column("Memories", 8, right=True, rank=2))
_CHANGES = frozenset({"save_view", "rename_view", "delete_view", "views_undo"})


class ViewsScreen(Workbench[View]):
    """Lists the saved views; the result is the one to show in the table.

    `in_force` is what the table shows now, which can be kept under a name.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.VIEWS)]
    place = Place.VIEWS

    def __init__(
        self,
        gateway: Gateway,
        now: Callable[[], datetime],
        in_force: View,
        *,
        read_only: bool = False,
    ) -> None:
        super().__init__(gateway, now, read_only=read_only)
        self.in_force = in_force
        self.grid = Grid(_COLUMNS, widget_id="views")
        self.views: tuple[SavedView, ...] = ()
        self.loaded = False
        self._totals: dict[str, int] = {}
        self._deleting: dict[int, SavedView] = {}
        self._deleted: list[SavedView] = []
        self._request = 0
        self._wish: str | None = None

    def body(self) -> Iterable[Widget]:
        """The list with its titles."""
        with Vertical(id="work-list", classes="-alone"):
            yield self.grid.titles
            with Container(id="work-rows"):
                yield self.grid
                yield self.notice

    def on_mount(self) -> None:
        """Begin in the list."""
        self.grid.focus()

    # --- loading -----------------------------------------------------------------------------

    def load(self) -> None:
        """Ask for the views and how much each shows."""
        self._request = self.gateway.views(self, count=True)
        self._show_title()

    def on_views_loaded(self, message: messages_curation.ViewsLoaded) -> None:
        """Show them."""
        if message.number != self._request:
            return
        self.loaded = True
        self.views, self._totals = tuple(message.views), dict(message.totals)
        self.grid.show(list(self._lines()))
        if self._wish is not None:
            self.grid.go_to(self._wish)
            self._wish = None
        self._show_emptiness()
        self._show_title()
        self.refresh_bindings()

    # --- showing -----------------------------------------------------------------------------

    @property
    def current(self) -> SavedView | None:
        """The view that the cursor is on."""
        return next((view for view in self.views if view.name == self.grid.current), None)

    def _lines(self) -> Iterator[Line]:
        for saved in self.views:
            view = View.of(saved.query)
            total = self._totals.get(saved.name)
            yield Line(
                saved.name,
                (
                    Cell(saved.name, "strong"),
                    Cell(in_words(view), "muted"),
                    Cell("" if total is None else f"{total:,}", "muted"),
                ),
                Cell("●" if view == self.in_force.at_page(1) else " ", "accent"),
            )

    def _show_title(self) -> None:
        parts = [Part(" saved views", "strong")]
        if self.loaded:
            parts.append(Part(f"  {len(self.views):,}", "muted", 2))
        self.show_title(*parts)

    def _show_emptiness(self) -> None:
        self.notice.display = not self.views
        if not self.views:
            keys = [] if self.read_only else [(self.key("save_view"), "keep the present one")]
            self.notice.show(
                "No view is saved yet",
                "A view keeps the filters and the sort of the table under a name.",
                keys,
            )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what there is something to do for."""
        if action in _CHANGES and self.read_only:
            return False
        checks = {
            "apply_view": self.current is not None,
            "rename_view": self.current is not None,
            "delete_view": self.current is not None,
            "views_undo": bool(self._deleted),
        }
        return checks.get(action, super().check_action(action, parameters))

    # --- actions -----------------------------------------------------------------------------

    @on(Grid.Moved)
    def _moved(self, event: Grid.Moved) -> None:
        event.stop()
        self.refresh_bindings()

    @on(Grid.Chosen)
    def _double_clicked(self, event: Grid.Chosen) -> None:
        event.stop()
        self.action_apply_view()

    def action_apply_view(self) -> None:
        """Show what this view finds."""
        if (saved := self.current) is not None:
            self.finish(View.of(saved.query))

    def action_save_view(self) -> None:
        """Keep the filters and the sort in force under a name."""
        view = self.in_force
        prompt = PromptDialog(
            "Keep this view under a name",
            words=in_words(view),
            placeholder="name",
            does="keep",
            check=_checked,
        )
        self.app.push_screen(prompt, lambda name: self._save(name, view))

    def _save(self, name: str | None, view: View) -> None:
        if name is None:
            return
        query = view.query().model_copy(update={"limit": 10, "offset": 0})
        saved = SavedView(name=name, query=query)
        self._unless_taken(name, in_words(view), lambda: self._keep(saved))

    def _keep(self, saved: SavedView) -> None:
        self._wish = saved.name
        self.gateway.save_view(self, saved)

    def action_rename_view(self) -> None:
        """Give the view another name."""
        if (saved := self.current) is None:
            return
        old = saved.name
        prompt = PromptDialog(f"Rename the view {old}", value=old, does="rename", check=_checked)

        def named(new: str | None) -> None:
            if new is not None and new != old:
                words = in_words(View.of(saved.query))
                self._unless_taken(new, words, lambda: self._rename(old, new))

        self.app.push_screen(prompt, named)

    def _rename(self, old: str, new: str) -> None:
        self._wish = new
        self.gateway.rename_view(self, old, new)

    def _unless_taken(self, name: str, words: str, go_on: Callable[[], None]) -> None:
        """Ask first when a name is already that of another view."""
        taken = next((view for view in self.views if view.name == name), None)
        if taken is None:
            go_on()
            return
        lines = [f"now:  {in_words(View.of(taken.query))}", f"then: {words}"]
        dialog = ConfirmDialog(f"Replace the view {name}?", lines, "Replace")
        self.app.push_screen(dialog, lambda agreed: go_on() if agreed else None)

    def action_delete_view(self) -> None:
        """Forget the view; it can be brought back while this screen is open."""
        saved = self.current
        if saved is not None and saved not in self._deleting.values():
            self._deleting[self.gateway.delete_view(self, saved.name)] = saved

    def action_views_undo(self) -> None:
        """Bring the view that was deleted last back."""
        if self._deleted:
            self._keep(self._deleted.pop())

    def on_views_changed(self, message: messages_curation.ViewsChanged) -> None:
        """Show what there is now."""
        if (saved := self._deleting.pop(message.number, None)) is not None:
            self._deleted.append(saved)
            self.say(f"View {saved.name} deleted", f"{self.key('views_undo')} brings it back")
        self.load()

    def failed(self, message: messages.Failed) -> None:
        """Say what did not work."""
        self._deleting.pop(message.number, None)
        super().failed(message)


def _checked(text: str) -> str:
    """Return `text` as the name of a view. Raises `InvalidError`."""
    return SavedView.parse({"name": text, "query": View().query()}).name
