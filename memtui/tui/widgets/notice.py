"""What stands in the place of the table when there is nothing to list: and what to do next."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from memtui.tui import cells


class Notice(Vertical):
    """A title, a few words, and the keys that lead on, in the middle of the free space."""

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static(id="notice-text")

    def __init__(self) -> None:
        super().__init__(id="notice")
        self._shown: object = None

    def show(
        self,
        title: str,
        words: str = "",
        keys: Sequence[tuple[str, str]] = (),
        *,
        bad: bool = False,
    ) -> None:
        """Show untrusted `title` and `words`, and `keys` as (key, what it does)."""
        said = (title, words, tuple(keys), bad)
        if said == self._shown:
            return
        self._shown = said
        parts = [cells.line(title, "bold $error" if bad else "bold")]
        if words:
            parts.append(cells.block(words, "$muted"))
        if keys:
            parts.append(
                Content("   ").join(
                    Content.assemble((key, "bold $accent"), (f" {label}", "$muted"))
                    for key, label in keys
                )
            )
        self.query_one("#notice-text", Static).update(Content("\n\n").join(parts))


class TooSmall(Static):
    """The note where nothing fits."""

    def show(self, width: int, height: int, least: tuple[int, int]) -> None:
        """Say how large the terminal is, and how large it has to be."""
        needs = f"memtui needs {least[0]}×{least[1]}"
        self.update(Content(f"{width}×{height}\n{needs}\nctrl+q quits"))
