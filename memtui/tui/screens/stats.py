"""The figures of the store: how many, how old, how much used, and what is worth a look."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from rich.filesize import decimal
from textual.binding import BindingType
from textual.containers import Container, VerticalGroup, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from memtui.models import MemoryStatus
from memtui.tui import figures, messages, messages_curation
from memtui.tui.actions import Place, Scope
from memtui.tui.cells import block
from memtui.tui.figures import Level
from memtui.tui.keys import bindings
from memtui.tui.messages_curation import Figures
from memtui.tui.screens.workbench import Workbench
from memtui.tui.times import ago
from memtui.tui.view import TYPES
from memtui.tui.widgets.bars import Part
from memtui.tui.widgets.stats_plots import LevelBars, SeriesLine


class StatsScreen(Workbench[None]):
    """Shows small plots of the whole store; looking at them is a peek."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.STATS)]
    place = Place.STATS
    figures: Figures | None = None
    _request = 0

    def body(self) -> Iterable[Widget]:
        """One panel a question."""
        with VerticalScroll(id="stats", can_focus=False), Container(id="stats-columns"):
            with VerticalGroup():
                yield _heading("Memories")
                yield Static(Content.styled("Counting…", "$muted"), id="stats-totals")
                yield _heading("Worth a look")
                yield Static(id="stats-look")
                yield Static(id="stats-months", classes="stats-heading")
                for kind in TYPES:
                    yield SeriesLine(widget_id=f"series-{kind}", kind=kind)
                yield SeriesLine(widget_id="series-read")
            with VerticalGroup():
                yield _heading("Made")
                yield LevelBars(widget_id="stats-made")
                yield _heading("Last read")
                yield LevelBars(widget_id="stats-read")
                yield _heading("Most frequent tags")
                yield LevelBars(widget_id="stats-tags")

    def load(self) -> None:
        """Ask for the figures."""
        self._request = self.gateway.figures(self)
        self._show_title()

    def on_figures_loaded(self, message: messages_curation.FiguresLoaded) -> None:
        """Show them."""
        if message.number != self._request:
            return
        found = self.figures = message.figures
        self.query_one("#stats-totals", Static).update(_totals(found))
        self.query_one("#stats-look", Static).update(_worth_a_look(found))
        names = figures.plotted(found.months, self.now())
        self.query_one("#stats-months", Static).update(
            Content.assemble("Made each month", (f"  {names[0]} to {names[-1]}", "$faint not bold"))
        )
        for series in figures.created(found.months, self.now()):
            if series.name in TYPES:
                self.query_one(f"#series-{series.name}", SeriesLine).show(series)
        self.query_one("#series-read", SeriesLine).show(figures.accessed(found.months, self.now()))
        made, read = figures.ages(found.measures)
        self.query_one("#stats-made", LevelBars).show(made)
        never = Level("never", found.stats.never_accessed)
        self.query_one("#stats-read", LevelBars).show([*read, never])
        tags = [Level(tag.tag, tag.count) for tag in found.tags]
        self.query_one("#stats-tags", LevelBars).show(tags or [Level("no tags", 0)])
        self._show_title()

    def failed(self, message: messages.Failed) -> None:
        """Say what did not work, also in the place of figures that were never there."""
        super().failed(message)
        if self.figures is None:
            text = block(message.error.message, "$error")
            self.query_one("#stats-totals", Static).update(text)

    def _show_title(self) -> None:
        parts = [Part(" figures", "strong")]
        if self.figures is not None:
            last = self.figures.stats.last_updated_at
            words = "nothing yet" if last is None else f"last change {ago(last, self.now())}"
            parts.append(Part(f"  {words}", "muted", 1))
        self.show_title(*parts)

    # --- scrolling ---------------------------------------------------------------------------

    @property
    def _scroll(self) -> VerticalScroll:
        return self.query_one("#stats", VerticalScroll)

    def action_stats_down(self) -> None:
        """Scroll down."""
        self._scroll.scroll_relative(y=1, animate=False)

    def action_stats_up(self) -> None:
        """Scroll up."""
        self._scroll.scroll_relative(y=-1, animate=False)

    def action_stats_top(self) -> None:
        """Scroll to the beginning."""
        self._scroll.scroll_home(animate=False)

    def action_stats_bottom(self) -> None:
        """Scroll to the end."""
        self._scroll.scroll_end(animate=False)

    def action_stats_page_down(self) -> None:
        """Scroll down by a screenful."""
        self._scroll.scroll_page_down(animate=False)

    def action_stats_page_up(self) -> None:
        """Scroll up by a screenful."""
        self._scroll.scroll_page_up(animate=False)


def _heading(text: str) -> Static:
    return Static(Content(text), classes="stats-heading")


def _totals(found: Figures) -> Content:
    stats = found.stats
    rows = [(str(status), f"{stats.statuses.get(status, 0):,}") for status in MemoryStatus]
    rows += [
        ("tags", f"{stats.tags:,}"),
        ("journal entries", f"{stats.revisions:,}"),
        ("database", decimal(stats.database_bytes)),
    ]
    return _table(rows)


def _worth_a_look(found: Figures) -> Content:
    stats, measures = found.stats, found.measures
    living = sum(
        count for status, count in stats.statuses.items() if status is not MemoryStatus.DELETED
    )
    counts = [
        ("waiting for review", stats.statuses.get(MemoryStatus.INVALID, 0)),
        ("never read", stats.never_accessed),
        ("without a tag", stats.untagged),
        (f"{measures.long_from:,} characters or more", measures.long),
    ]
    return _table([(name, f"{number:,}", _percent(number, living)) for name, number in counts])


def _percent(number: int, whole: int) -> str:
    if not whole or not number:
        return ""
    percent = round(100 * number / whole)
    return f"{percent or '<1'} %"


def _table(rows: Sequence[tuple[str, ...]]) -> Content:
    """Return rows of a name and numbers; the numbers right-aligned under each other."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = [
        Content.assemble(
            f"{row[0]:<{widths[0]}}",
            (f"  {row[1]:>{widths[1]}}", "bold"),
            *(
                (f"  {cell:>{width}}", "$muted")
                for cell, width in zip(row[2:], widths[2:], strict=True)
            ),
        )
        for row in rows
    ]
    return Content("\n").join(lines)
