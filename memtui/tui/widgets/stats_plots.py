"""Small plots in characters: bars that are compared, and a line of months."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Sparkline, Static

from memtui.tui import cells
from memtui.tui.figures import Level, Series

_LEAST_BAR = 4
_MOST_BAR = 40
_MOST_LABEL = 24


class LevelBars(Widget):
    """One bar a line, as long as its value is to the greatest one."""

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(id=widget_id)
        self._levels: tuple[Level, ...] = ()

    def show(self, levels: Sequence[Level]) -> None:
        """Show these bars; their labels are untrusted."""
        self._levels = tuple(levels)
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """One line a bar."""
        del container, viewport, width
        return max(1, len(self._levels))

    def render(self) -> Content:
        """All bars."""
        width = self.content_size.width
        labels = [cells.line_text(level.label) for level in self._levels]
        most = max((level.value for level in self._levels), default=0)
        digits = len(f"{most:,}")
        label = min(_MOST_LABEL, max(map(cells.width_of, labels), default=0))
        label = max(0, min(label, width - digits - _LEAST_BAR - 2))
        room = max(0, min(_MOST_BAR, width - label - digits - 3))
        lines = [
            Content.assemble(
                f"{cells.fit(text, label)}  ",
                (f"{level.value:>{digits},} ", "$muted"),
                (_bar(level.value, most, room), "$accent"),
            )
            for text, level in zip(labels, self._levels, strict=True)
        ]
        return Content("\n").join(lines)


def _bar(value: int, most: int, width: int) -> str:
    """Return a bar of at most `width` cells, exact to a half; anything above 0 can be seen."""
    halves = round(value / most * width * 2) if most else 0
    halves = max(halves, 1) if value else 0
    return "━" * (halves // 2) + "╸" * (halves % 2)


class SeriesLine(Horizontal):
    """A name, a number for each month as a small plot, and the sum."""

    def __init__(self, *, widget_id: str, kind: str = "") -> None:
        super().__init__(id=widget_id, classes=f"series -{kind}" if kind else "series")

    def compose(self) -> ComposeResult:
        """Name, sum, plot."""
        yield Static(classes="series-name")
        yield Static(classes="series-total")
        yield Sparkline()

    def show(self, series: Series) -> None:
        """Show a series; its name is untrusted."""
        self.query_one(".series-name", Static).update(cells.line(series.name))
        self.query_one(Sparkline).data = series.values
        self.query_one(".series-total", Static).update(Content(f"{series.total:,}"))
