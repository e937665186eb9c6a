"""What every key does: those for the focus first, all others after, searchable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from textual import on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

from memtui.tui.actions import ACTIONS, Action, Place, Scope
from memtui.tui.keys import bindings
from memtui.tui.options import UiOptions
from memtui.tui.screens.modal import Modal
from memtui.tui.widgets.form_help import HelpKeys, place_name, sections
from memtui.tui.widgets.form_keys import KeyLine
from memtui.tui.widgets.form_text import LineInput

_LONGEST = 100


class HelpScreen(Modal[None]):
    """The keys that work where the focus was (`place`), then all others of `actions` by group.

    Keys are shown as they are bound: `overrides` maps an action id to the person's own keys, and is
    taken from the app when it is not given.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.HELP)]
    AUTO_FOCUS = "#help-body"

    def __init__(
        self,
        place: Place,
        actions: Sequence[Action] = ACTIONS,
        overrides: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__()
        self._place = place
        self._actions = actions
        self._overrides = overrides
        self._keys = HelpKeys()
        self._search = LineInput(
            paste_limit=_LONGEST, placeholder="search the keys", widget_id="help-search"
        )

    def compose(self) -> ComposeResult:
        """Title, search, keys."""
        with Vertical(classes="form help"):
            yield Static(
                Content.assemble("Keys", (f"  {place_name(self._place)}", "$muted not bold")),
                classes="form-title",
            )
            yield self._search
            with VerticalScroll(id="help-body"):
                yield self._keys
            yield KeyLine(Place.HELP)

    def on_mount(self) -> None:
        """Show every key."""
        self._show("")

    @on(Input.Changed, "#help-search")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._show(event.value)

    @on(Input.Submitted, "#help-search")
    def _leave_search(self, event: Input.Submitted) -> None:
        event.stop()
        self.query_one("#help-body").focus()

    def _show(self, wanted: str) -> None:
        overrides = self._overrides if self._overrides is not None else keys_given_to(self.app)
        self._keys.show(sections(self._place, self._actions, overrides, wanted))
        self.query_one("#help-body").scroll_home(animate=False)

    def action_find_key(self) -> None:
        """Go to the search."""
        self._search.focus()

    def action_help_down(self) -> None:
        """Scroll down."""
        self.query_one("#help-body").scroll_relative(y=1, animate=False)

    def action_help_up(self) -> None:
        """Scroll up."""
        self.query_one("#help-body").scroll_relative(y=-1, animate=False)

    def action_close_help(self) -> None:
        """Leave the search box first; then close."""
        if self._search.has_focus:
            if self._search.value:
                self._search.value = ""
            self.query_one("#help-body").focus()
            return
        self.finish()


def keys_given_to(app: App[Any]) -> Mapping[str, str]:
    """Return the person's own keys, by action id, that `app` was started with."""
    options = getattr(app, "options", None)
    return options.keys if isinstance(options, UiOptions) else {}
