"""What the curator's screens have in common: a title, a list, a text beside it, keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import ClassVar, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from memtui.tui import cells, messages
from memtui.tui.actions import BY_ID, Place, Scope, key_label, keys_of
from memtui.tui.gateway import Gateway
from memtui.tui.keys import bindings
from memtui.tui.screens.help import HelpScreen, keys_given_to
from memtui.tui.screens.modal import Modal
from memtui.tui.widgets.bars import Part, TextBar
from memtui.tui.widgets.form_keys import KeyLine
from memtui.tui.widgets.grid import Grid
from memtui.tui.widgets.notice import Notice

ResultT = TypeVar("ResultT")


class Workbench(Modal[ResultT]):
    """A screen of its own on top of the browse screen; it follows what others change.

    A subclass names its `place`, yields its `body` and loads what it shows in `load`; that is asked
    for at the beginning, after every change of the database by others, and on `reload`.
    """

    CSS_PATH = Path(__file__).parent.parent / "workbench.tcss"
    AUTO_FOCUS = None
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.SCREEN)]
    place: ClassVar[Place]

    def __init__(
        self, gateway: Gateway, now: Callable[[], datetime], *, read_only: bool = False
    ) -> None:
        super().__init__(classes="-workbench")
        self.gateway = gateway
        self.now = now
        self.read_only = read_only
        self.title_bar = TextBar(widget_id="work-title")
        self.notice = Notice()
        self.key_line = KeyLine(self.place)

    def compose(self) -> ComposeResult:
        """Title, body, keys."""
        yield self.title_bar
        with Container(id="work-body"):
            yield from self.body()
        yield self.key_line

    def body(self) -> Iterable[Widget]:
        """Yield what is between title and keys."""
        raise NotImplementedError

    def load(self) -> None:
        """Ask for what is shown."""
        raise NotImplementedError

    # --- the session -------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Follow the database, and ask for the first time."""
        self.gateway.follow(self)
        self.load()

    def on_unmount(self) -> None:
        """Follow no more."""
        self.gateway.unfollow(self)

    def on_store_changed(self, _message: messages.StoreChanged) -> None:
        """Follow what someone else changed."""
        self.load()

    def on_failed(self, message: messages.Failed) -> None:
        """A request came to nothing."""
        self.failed(message)

    def failed(self, message: messages.Failed) -> None:
        """Say what did not work and what to do; what is on the screen stays."""
        error = message.error
        self.say(f"Could not {message.doing}: {error.message}", error.hint, bad=True)

    # --- for subclasses ----------------------------------------------------------------------

    def say(self, text: str, hint: str = "", *, bad: bool = False) -> None:
        """Show a short toast; the text may be untrusted."""
        parts = [cells.line_text(part) for part in (text, hint) if part]
        self.notify(
            ("\n" if bad else " · ").join(parts),
            severity="warning" if bad else "information",
            markup=False,
            timeout=8 if bad else 4,
        )

    def key(self, action_id: str) -> str:
        """Return how the first key of an action is written, under the person's key map."""
        keys = keys_of(BY_ID[action_id], self.overrides)
        return key_label(keys[0]) if keys else ""

    @property
    def overrides(self) -> Mapping[str, str]:
        """The person's own keys, by action id."""
        return keys_given_to(self.app)

    def show_title(self, *parts: Part, right: Iterable[Part] = ()) -> None:
        """Show what the screen is about."""
        ends = [*right, *([Part(" read-only ", "warning", 2)] if self.read_only else [])]
        self.title_bar.show([Part(" memtui ", "key", 9), *parts], [*ends, Part(" ")])

    # --- actions that all have ---------------------------------------------------------------

    def action_reload(self) -> None:
        """Look at the database again."""
        self.load()

    def action_screen_help(self) -> None:
        """Show the keys of this screen."""
        self.app.push_screen(HelpScreen(self.place))

    def action_screen_commands(self) -> None:
        """Choose a command by its name."""
        self.app.action_command_palette()

    def action_close_screen(self) -> None:
        """Step back."""
        self.finish()

    def action_leave_screen(self) -> None:
        """Go back to the table."""
        self.finish()


class Pane(VerticalScroll, can_focus=False):
    """The text beside a list; keys of the screen scroll it."""

    def __init__(self) -> None:
        super().__init__(id="pane")
        self._text = Static(id="pane-text")

    def compose(self) -> ComposeResult:
        """One text."""
        yield self._text

    def show(self, text: Content, *, keep_place: bool = False) -> None:
        """Show a text from its beginning, or with `keep_place` where it was scrolled to."""
        self._text.update(text)
        if not keep_place:
            self.scroll_home(animate=False)

    @property
    def shown(self) -> str:
        """The text that is shown, without its colours."""
        return str(self._text.content)


class ListAndPane(Workbench[ResultT]):
    """A list with a text about the line it is on: beside it, or below where it is narrow.

    With `stacked` the text is always below, for lists whose lines are long.
    """

    stacked: ClassVar[bool] = False

    def __init__(
        self,
        gateway: Gateway,
        now: Callable[[], datetime],
        grid: Grid,
        *,
        read_only: bool = False,
    ) -> None:
        super().__init__(gateway, now, read_only=read_only)
        self.grid = grid
        self.pane = Pane()
        self.set_class(self.stacked, "-stacked")

    def on_mount(self) -> None:
        """Begin in the list."""
        self.grid.focus()

    def body(self) -> Iterable[Widget]:
        """The list with its titles, and the text."""
        with Vertical(id="work-list"):
            yield from self.above_list()
            yield self.grid.titles
            with Container(id="work-rows"):
                yield self.grid
                yield self.notice
        yield self.pane

    def above_list(self) -> Iterable[Widget]:
        """Yield what is above the list."""
        return ()

    def show_current(self) -> None:
        """Show the text about the line that the cursor is on."""
        raise NotImplementedError

    @on(Grid.Moved)
    def _moved(self, event: Grid.Moved) -> None:
        event.stop()
        self.show_current()
        self.refresh_bindings()

    def show_notice(self, title: str, words: str = "", *, bad: bool = False) -> None:
        """Say why there is nothing to list; an empty title shows the list."""
        self.notice.display = bool(title)
        if title:
            self.notice.show(title, words, bad=bad)

    def action_pane_down(self) -> None:
        """Scroll the text down."""
        self.pane.scroll_relative(y=1, animate=False)

    def action_pane_up(self) -> None:
        """Scroll the text up."""
        self.pane.scroll_relative(y=-1, animate=False)
