"""The application: it wires options, gateway, theme and the browse screen together."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.binding import BindingType

from memtui.text import safe_block, safe_line
from memtui.tui.actions import BY_ID, Scope, key_label, keys_of
from memtui.tui.gateway import Gateway, Opener, opener
from memtui.tui.keys import bindings, keymap
from memtui.tui.options import UiOptions
from memtui.tui.pasting import read_pastes_exactly
from memtui.tui.screens.arrangement import is_too_small
from memtui.tui.screens.opening import OpeningScreen
from memtui.tui.theme import DARK, LIGHT, THEMES, fallback_variables, theme_name
from memtui.tui.typed_ahead import TypedAhead

if TYPE_CHECKING:
    from textual.command import Provider
    from textual.screen import Screen

    from memtui.tui.screens.browse import BrowseScreen
    from memtui.tui.screens.edit import EditScreen


BROWSE = "browse"
_WARNING_SECONDS = 20
_PALETTE = "--command-palette"
_LEAVE_BLIND = frozenset({"ctrl+q"})
_LOOKS_AFTER_TERMINAL = 2
"""Seconds between looks whether the terminal is still there."""


def _commands() -> type[Provider]:  # imported when the palette is first opened
    from memtui.tui.palette import MemtuiCommands

    return MemtuiCommands


def _utc_now() -> datetime:
    return datetime.now(UTC)


class MemtuiApp(TypedAhead):
    """The terminal UI on one database.

    `open_service` opens the database (on a worker thread); `now` tells the time that relative times
    are counted from.
    """

    CSS_PATH = Path(__file__).parent / "memtui.tcss"
    TITLE = "memtui"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.APP)]
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {_commands}
    COMMAND_PALETTE_BINDING = "ctrl+p"
    NOTIFICATION_TIMEOUT = 4

    def __init__(
        self,
        options: UiOptions,
        *,
        open_service: Opener | None = None,
        now: Callable[[], datetime] = _utc_now,
    ) -> None:
        super().__init__()
        self.options = options
        self.gateway = Gateway(self, open_service or opener(options))
        self._now = now
        self.add_mode(BROWSE, self._browse)
        self.set_keymap(keymap(options.keys))
        for theme in THEMES:
            self.register_theme(theme)
        self._warnings = [safe_block(warning) for warning in options.warnings]
        self._dress(options.theme)

    async def on_event(self, event: events.Event) -> None:
        """Where nothing fits, nobody sees what a key does: then only the one that leaves works."""
        blind = isinstance(event, events.Key | events.Paste) and is_too_small(*self.size)
        if not blind or (isinstance(event, events.Key) and event.key in _LEAVE_BLIND):
            await super().on_event(event)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Give our own colours to themes that do not know them."""
        return fallback_variables(self.current_theme.dark)

    def get_default_screen(self) -> OpeningScreen:
        """The screen to begin with: the browse screen is imported behind it."""
        return OpeningScreen(self.options, then=BROWSE)

    def _browse(self) -> Screen[None]:
        from memtui.tui.screens.browse import BrowseScreen

        return BrowseScreen(self.gateway, self.options, self._now, self.size)

    def on_mount(self) -> None:
        """Mind the terminal, and say what went wrong before there was a screen."""
        if not self.is_headless and hasattr(signal, "SIGHUP"):
            self.set_interval(_LOOKS_AFTER_TERMINAL, _end_without_terminal)
        for warning in self._warnings:
            self.notify(warning, severity="warning", timeout=_WARNING_SECONDS, markup=False)

    def _dress(self, setting: str) -> None:
        """Take the theme of the settings, or the dark one where there is none of that name."""
        wanted = theme_name(setting)
        if wanted in self.available_themes:
            self.theme = wanted
            return
        self.theme = DARK
        known = ", ".join(["dark", "light", *sorted(set(self.available_themes) - {DARK, LIGHT})])
        self._warnings.append(f"No theme is named {safe_line(setting)!r}. Known: {known}")

    def on_edit_screen_typed(self, message: EditScreen.Typed) -> None:
        """Keep what is typed into a form, whichever screen opened it."""
        self._base_screen().keep_typed(message)

    def on_edit_screen_ended(self, message: EditScreen.Ended) -> None:
        """What a form held needs not be kept any more."""
        self._base_screen().forget_typed(message)

    def _base_screen(self) -> BrowseScreen:
        return cast("BrowseScreen", self.screen_stack[0])

    def action_command_palette(self) -> None:
        """Show the palette."""
        from memtui.tui.palette import Palette

        if self.screen.id != _PALETTE:
            self.push_screen(Palette(id=_PALETTE))

    def action_help_quit(self) -> None:
        """Say how to leave, where other programs end at once."""
        keys = " or ".join(map(key_label, keys_of(BY_ID["quit"], self.options.keys)))
        self.notify(f"{keys} leaves memtui", markup=False)

    def action_toggle_theme(self) -> None:
        """Switch between the dark and the light theme."""
        self.theme = LIGHT if self.current_theme.dark else DARK


def _end_without_terminal() -> None:
    """End as a hang-up does, where hang-ups are ignored too: else a dead terminal is read for ever.

    What was typed is in its draft, as after any sudden end.
    """
    if sys.__stdin__ is None or not sys.__stdin__.isatty():
        if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
            signal.signal(signal.SIGHUP, signal.SIG_DFL)
        signal.raise_signal(signal.SIGHUP)


def run(options: UiOptions) -> int:
    """Run the terminal UI until the person leaves it; returns the exit code."""
    read_pastes_exactly()
    app = MemtuiApp(options)
    app.run()
    app.gateway.close()
    return app.return_code or 0
