"""The activity: who changed what in the whole store, newest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar

from textual import on
from textual.binding import BindingType

from memtui.models import ActorCount, Revision, RevisionAction, RevisionPage, RevisionQuery
from memtui.tui import cells, messages_curation
from memtui.tui.actions import Place, Scope
from memtui.tui.changes import DEEDS, deed, summary
from memtui.tui.gateway import Gateway
from memtui.tui.keys import bindings
from memtui.tui.screens.history import INKS, HistoryScreen
from memtui.tui.screens.pick import Choice, PickDialog, Picked
from memtui.tui.screens.workbench import ListAndPane
from memtui.tui.times import short
from memtui.tui.view import PAGE_SIZE, page_count
from memtui.tui.widgets.bars import Part
from memtui.tui.widgets.grid import Cell, Column, Grid, Line
from memtui.tui.widgets.history_text import revision_text

_COLUMNS = (
    Column("When", 7, right=True, rank=1),
    Column("Who", 14, rank=3),
    Column("What", 8, rank=2),
    Column("ID", 7, right=True),
    Column("Changes"),
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Whose doings of which kind are shown, from which entry on."""

    actor: str | None = None
    action: RevisionAction | None = None
    offset: int = 0

    def query(self) -> RevisionQuery:
        """Return the query of the journal."""
        return RevisionQuery(
            actor=self.actor, action=self.action, limit=PAGE_SIZE, offset=self.offset
        )


class ActivityScreen(ListAndPane[int]):
    """Shows the journal of all memories; the result is the memory to go to in the table.

    What others do while it is open appears on top by itself, marked as new.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.ACTIVITY)]
    place = Place.ACTIVITY
    stacked = True

    def __init__(
        self, gateway: Gateway, now: Callable[[], datetime], *, read_only: bool = False
    ) -> None:
        super().__init__(gateway, now, Grid(_COLUMNS, widget_id="activity"), read_only=read_only)
        self.wanted = Wanted()
        self.page: RevisionPage | None = None
        self.actors: tuple[ActorCount, ...] = ()
        self._earlier: dict[int, Revision] = {}
        self._request = 0
        self._picking_actor = False
        self._seen_until: int | None = None
        self._to_top = False

    # --- loading -----------------------------------------------------------------------------

    def load(self) -> None:
        """Ask for the page."""
        self._request = self.gateway.revisions(self, self.wanted.query())
        self._show_title()

    def on_revisions_loaded(self, message: messages_curation.RevisionsLoaded) -> None:
        """Show the page."""
        if message.number != self._request:
            return
        page = message.page
        if not page.items and self.wanted.offset:
            self._want(replace(self.wanted, offset=(page_count(page.total) - 1) * PAGE_SIZE))
            return
        self.page = page
        self._earlier = dict(message.earlier)
        if self._seen_until is None:
            self._seen_until = page.items[0].seq if page.items else 0
        # Whoever reads the newest entries goes on doing so; one further down keeps their place.
        at_top = self._to_top or self.grid.cursor == 0
        self.grid.show(list(self._lines(page)), cursor=0 if at_top else None)
        self._to_top = False
        self._show_title()
        self._show_emptiness()
        self.show_current()
        self.refresh_bindings()

    # --- showing -----------------------------------------------------------------------------

    @property
    def current(self) -> Revision | None:
        """The entry that the cursor is on."""
        items = self.page.items if self.page else ()
        return next((one for one in items if one.seq == self.grid.current), None)

    def _lines(self, page: RevisionPage) -> Iterator[Line]:
        for revision in page.items:
            before = self._earlier.get(revision.seq)
            new = self._seen_until is not None and revision.seq > self._seen_until
            told = summary(revision, before)
            if before is not None:
                told = (
                    f"{told}   {revision.content[:200]}"
                    if told != "nothing"
                    else revision.content[:200]
                )
            yield Line(
                revision.seq,
                (
                    Cell(short(revision.at, self.now()), "muted"),
                    Cell(revision.actor, "muted"),
                    Cell(deed(revision), INKS.get(revision.action, "text")),
                    Cell(f"#{revision.memory_id}", "muted"),
                    Cell(told),
                ),
                Cell("●" if new else " ", "accent"),
            )

    def show_current(self) -> None:
        """Show what the entry under the cursor changed."""
        revision = self.current
        if revision is not None:
            before = self._earlier.get(revision.seq)
            self.pane.show(revision_text(revision, before, self.now()))

    def _show_title(self) -> None:
        wanted, page = self.wanted, self.page
        parts = [Part(" activity", "strong")]
        if wanted.actor is not None:
            parts.append(Part(f"  by {cells.line_text(wanted.actor)}", "accent", 1))
        if wanted.action is not None:
            parts.append(Part(f"  only {DEEDS[wanted.action]}", "accent", 1))
        if page is not None:
            parts.append(
                Part(f"  {page.total:,} {'entry' if page.total == 1 else 'entries'}", "muted", 2)
            )
            if page.total > PAGE_SIZE:
                number = wanted.offset // PAGE_SIZE + 1
                parts.append(Part(f" · page {number:,} of {page_count(page.total):,}", "muted", 3))
        self.show_title(*parts)

    def _show_emptiness(self) -> None:
        if self.page is None or self.page.items:
            self.show_notice("")
        elif self.wanted == Wanted():
            self.show_notice(
                "Nothing has happened yet", "What anyone changes appears here by itself."
            )
        else:
            words = f"{self.key('show_everything')} shows everything."
            self.show_notice("Nothing like that was done", words)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what there is something to do for."""
        page = self.page
        checks = {
            "show_memory": self.current is not None,
            "memory_history": self.current is not None,
            "older": page is not None and page.has_more,
            "newer": self.wanted.offset > 0,
            "show_everything": self.wanted != Wanted(),
        }
        return checks.get(action, super().check_action(action, parameters))

    # --- actions -----------------------------------------------------------------------------

    def _want(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self._to_top = True
        self.load()

    @on(Grid.Chosen)
    def _double_clicked(self, event: Grid.Chosen) -> None:
        event.stop()
        self.action_show_memory()

    def action_show_memory(self) -> None:
        """Show this memory in the table."""
        if (revision := self.current) is not None:
            self.finish(revision.memory_id)

    def action_memory_history(self) -> None:
        """Show every version of this memory."""
        if (revision := self.current) is not None:
            screen = HistoryScreen(
                self.gateway, self.now, revision.memory_id, read_only=self.read_only
            )
            self.app.push_screen(screen, lambda _result: self.load())

    def action_agents_too(self) -> None:
        """Show what agents read and were given, and did not change."""
        from memtui.tui.screens.agents import AgentsScreen

        screen = AgentsScreen(self.gateway, self.now, read_only=self.read_only)
        self.app.push_screen(screen, self._chosen_there)

    def _chosen_there(self, memory_id: int | None) -> None:
        if memory_id is not None:
            self.finish(memory_id)

    def action_pick_actor(self) -> None:
        """Choose whose doings to show."""
        self._picking_actor = True
        self.gateway.actors(self)

    def on_actors_loaded(self, message: messages_curation.ActorsLoaded) -> None:
        """Offer those who did something."""
        if not self._picking_actor:
            return
        self._picking_actor = False
        choices: list[Choice[str | None]] = [Choice(None, "everyone")]
        choices += [Choice(one.actor, one.actor, one.count) for one in message.actors]

        def chosen(picked: Picked[str | None] | None) -> None:
            if picked is not None:
                self._want(replace(self.wanted, actor=picked.value, offset=0))

        self.app.push_screen(PickDialog("Whose changes?", choices, self.wanted.actor), chosen)

    def action_pick_action(self) -> None:
        """Choose what kind of doing to show."""
        choices: list[Choice[RevisionAction | None]] = [Choice(None, "everything")]
        choices += [Choice(action, name) for action, name in DEEDS.items()]

        def chosen(picked: Picked[RevisionAction | None] | None) -> None:
            if picked is not None:
                self._want(replace(self.wanted, action=picked.value, offset=0))

        self.app.push_screen(PickDialog("Which changes?", choices, self.wanted.action), chosen)

    def action_show_everything(self) -> None:
        """Show everything that was done by anyone."""
        self._want(Wanted())

    def action_older(self) -> None:
        """Go to the page of older entries."""
        self._want(replace(self.wanted, offset=self.wanted.offset + PAGE_SIZE))

    def action_newer(self) -> None:
        """Go to the page of newer entries."""
        self._want(replace(self.wanted, offset=max(0, self.wanted.offset - PAGE_SIZE)))
