"""The first frame: it needs little, so it is there at once; the rest is built behind it."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.screen import Screen

from memtui.tui.cells import line_text
from memtui.tui.options import UiOptions
from memtui.tui.screens.status import reading_parts, session_parts
from memtui.tui.widgets.bars import TextBar
from memtui.tui.widgets.notice import Notice

OPENING = "Opening the memories…"
_LET_IT_BE_SEEN = 1 / 60
"""Seconds for the thread that writes to the terminal, before this one is busy with imports."""


class OpeningScreen(Screen[None]):
    """Stands until the screen of the app's mode `then` is built and takes its place."""

    AUTO_FOCUS = None

    def __init__(self, options: UiOptions, then: str) -> None:
        super().__init__()
        self._options = options
        self._then = then

    def compose(self) -> ComposeResult:
        """The status line, what is going on, and the place of the keys."""
        yield TextBar(widget_id="status")
        yield Notice()
        yield TextBar(widget_id="keys")

    def on_mount(self) -> None:
        """Draw, and only then go on."""
        options = self._options
        self.query_one("#status", TextBar).show(
            session_parts(options.db),
            reading_parts(peek=options.peek or options.read_only, read_only=options.read_only),
        )
        self.query_one(Notice).show(OPENING, line_text(options.db))
        self.call_after_refresh(self.set_timer, _LET_IT_BE_SEEN, self._go_on)

    def _go_on(self) -> None:
        self.app.switch_mode(self._then)
