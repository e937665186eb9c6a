"""What all screens on top of the browse screen have in common."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from textual import events, on
from textual.screen import ModalScreen
from textual.widget import Widget

from memtui.tui.screens.arrangement import LEAST, is_too_small
from memtui.tui.widgets.bars import KeyBar
from memtui.tui.widgets.notice import TooSmall

ResultT = TypeVar("ResultT")


class Modal(ModalScreen[ResultT]):
    """A screen that closes exactly once, with whatever was opened on top of it.

    Two quick presses of a closing key both reach the screen; a plain `dismiss` would then take the
    screen below away as well.
    """

    CSS_PATH = Path(__file__).parent.parent / "forms.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-tiny"), (20, "-low"), (30, "-tall")]  # noqa: RUF012

    _finished = False
    _focus_before: Widget | None = None

    def finish(self, result: ResultT | None = None) -> None:
        """Close with `result`; later calls do nothing."""
        if self._finished or self not in self.app.screen_stack:
            return
        self._finished = True
        self.pop_until_active()
        self.dismiss(result)

    def on_resize(self, event: events.Resize) -> None:
        """Say so where nothing fits."""
        small = is_too_small(*event.size)
        if small and not self.has_class("-too-small"):
            self._focus_before = self.focused
        self.set_class(small, "-too-small")
        if not small:
            if self._focus_before is not None:  # what is hidden loses the focus
                self.call_after_refresh(self.set_focus, self._focus_before)
                self._focus_before = None
            return
        notes = self.query_children(TooSmall)
        note = notes.first() if notes else TooSmall()
        note.show(*event.size, LEAST)
        if not notes:
            self.mount(note)

    @on(KeyBar.Clicked)
    async def _key_clicked(self, event: KeyBar.Clicked) -> None:
        event.stop()
        await self.run_action(event.action)
