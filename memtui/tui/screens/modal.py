"""What all screens on top of the browse screen have in common."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from textual import on
from textual.screen import ModalScreen

from memtui.tui.widgets.bars import KeyBar

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

    def finish(self, result: ResultT | None = None) -> None:
        """Close with `result`; later calls do nothing."""
        if self._finished or self not in self.app.screen_stack:
            return
        self._finished = True
        self.pop_until_active()
        self.dismiss(result)

    @on(KeyBar.Clicked)
    async def _key_clicked(self, event: KeyBar.Clicked) -> None:
        event.stop()
        await self.run_action(event.action)
