"""What agents read and were given: what they did that changed no memory, newest first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import ClassVar

from textual import on
from textual.binding import BindingType

from memtui.agents import Activity, ActivityKind
from memtui.models import ActorCount, Memory
from memtui.tui import cells, messages, messages_bulk, messages_curation
from memtui.tui.actions import Place, Scope
from memtui.tui.gateway import Gateway
from memtui.tui.keys import bindings
from memtui.tui.screens.pick import Choice, PickDialog, Picked
from memtui.tui.screens.workbench import ListAndPane
from memtui.tui.times import short
from memtui.tui.view import PAGE_SIZE
from memtui.tui.widgets.activity_text import DEEDS, activity_text, ids_in_words
from memtui.tui.widgets.bars import Part
from memtui.tui.widgets.grid import Cell, Column, Grid, Line

_COLUMNS = (
    Column("When", 7, right=True, rank=1),
    Column("Who", 16, rank=2),
    Column("What", 16),
    Column("Memories"),
    Column("How", rank=3),
)
_INKS = {ActivityKind.ERROR: "bad", ActivityKind.RETRACTED: "warning"}
_SHOWN = 50
"""How many of an entry's memories are shown in full."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Whose doings are shown, and the pages gone through: each begins below one of `befores`."""

    actor: str | None = None
    befores: tuple[int, ...] = ()

    @property
    def before(self) -> int | None:
        """The page holds what is older than this entry; None for the newest."""
        return self.befores[-1] if self.befores else None


class AgentsScreen(ListAndPane[int]):
    """Lists what agents did; the result is the memory to go to in the table.

    What they do while it is open appears on top by itself, marked as new.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.AGENTS)]
    place = Place.AGENTS
    stacked = True

    def __init__(
        self, gateway: Gateway, now: Callable[[], datetime], *, read_only: bool = False
    ) -> None:
        super().__init__(gateway, now, Grid(_COLUMNS, widget_id="agents"), read_only=read_only)
        self.wanted = Wanted()
        self.activities: Sequence[Activity] | None = None
        self.actors: Sequence[ActorCount] = ()
        self._more = False
        self._request = 0
        self._memories_request = 0
        self._picking_actor = False
        self._seen_until: int | None = None
        self._to_top = False

    # --- loading -----------------------------------------------------------------------------

    def load(self) -> None:
        """Ask for the page."""
        wanted = self.wanted
        self._request = self.gateway.activities(
            self, limit=PAGE_SIZE, before=wanted.before, actor=wanted.actor
        )
        self._show_title()

    def on_activities_loaded(self, message: messages_curation.ActivitiesLoaded) -> None:
        """Show the page."""
        if message.number != self._request:
            return
        self.activities, self._more = message.activities, message.more
        if self._seen_until is None:
            self._seen_until = self.activities[0].seq if self.activities else 0
        # Whoever reads the newest entries goes on doing so; one further down keeps their place.
        at_top = self._to_top or self.grid.cursor == 0
        self.grid.show(list(self._lines(self.activities)), cursor=0 if at_top else None)
        self._to_top = False
        self._show_title()
        self._show_emptiness()
        self.show_current()
        self.refresh_bindings()

    def on_memories_read(self, message: messages_bulk.MemoriesRead) -> None:
        """Show the memories that the entry under the cursor is about, as they are now."""
        if message.number == self._memories_request:
            self._show_pane(message.memories)

    def failed(self, message: messages.Failed) -> None:
        """Say what did not work."""
        self._picking_actor = False
        super().failed(message)

    # --- showing -----------------------------------------------------------------------------

    @property
    def current(self) -> Activity | None:
        """The entry that the cursor is on."""
        items = self.activities or ()
        return next((one for one in items if one.seq == self.grid.current), None)

    def _lines(self, activities: Sequence[Activity]) -> Iterator[Line]:
        for one in activities:
            new = self._seen_until is not None and one.seq > self._seen_until
            yield Line(
                one.seq,
                (
                    Cell(short(one.at, self.now()), "muted"),
                    Cell(one.actor, "muted"),
                    Cell(DEEDS[one.kind], _INKS.get(one.kind, "text")),
                    Cell(ids_in_words(one.memory_ids)),
                    Cell(one.detail, "muted"),
                ),
                Cell("●" if new else " ", "accent"),
            )

    def show_current(self) -> None:
        """Show what the entry under the cursor is about, its memories once they are read."""
        activity = self.current
        if activity is None:
            return
        self._memories_request = 0
        if ids := activity.memory_ids[:_SHOWN]:
            self._memories_request = self.gateway.memories(self, ids)
        else:
            self._show_pane(())

    def _show_pane(self, memories: Sequence[Memory]) -> None:
        if (activity := self.current) is not None:
            self.pane.show(activity_text(activity, memories, self.now()))

    def _show_title(self) -> None:
        wanted = self.wanted
        parts = [Part(" what agents read", "strong")]
        if wanted.actor is not None:
            parts.append(Part(f"  by {cells.line_text(wanted.actor)}", "accent", 1))
        if wanted.befores:
            parts.append(Part(f" · page {len(wanted.befores) + 1:,}", "muted", 3))
        self.show_title(*parts)

    def _show_emptiness(self) -> None:
        if self.activities:
            self.show_notice("")
        elif self.wanted.actor is not None:
            self.show_notice("Nothing yet", f"{self.key('every_agent')} shows what everyone did.")
        else:
            self.show_notice(
                "No agent has read anything yet",
                "What agents search for and are given appears here by itself;"
                " what they change is in the activity.",
            )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what there is something to do for."""
        current = self.current
        checks = {
            "show_read": current is not None and bool(current.memory_ids),
            "older": self._more,
            "newer": bool(self.wanted.befores),
            "every_agent": self.wanted.actor is not None,
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
        if self.check_action("show_read", ()):
            self.action_show_read()

    def action_show_read(self) -> None:
        """Show the memory that the entry is about in the table; of several, the one chosen."""
        current = self.current
        if current is None or not current.memory_ids:
            return
        if len(current.memory_ids) == 1:
            self.finish(current.memory_ids[0])
            return
        choices = [Choice(id_, f"#{id_}") for id_ in current.memory_ids]

        def chosen(picked: Picked[int] | None) -> None:
            if picked is not None:
                self.finish(picked.value)

        self.app.push_screen(PickDialog("Which memory?", choices, choices[0].value), chosen)

    def action_pick_agent(self) -> None:
        """Choose whose doings to show."""
        self._picking_actor = True
        self.gateway.activity_actors(self)

    def on_actors_loaded(self, message: messages_curation.ActorsLoaded) -> None:
        """Offer those who did something."""
        if not self._picking_actor:
            return
        self._picking_actor = False
        choices: list[Choice[str | None]] = [Choice(None, "everyone")]
        choices += [Choice(one.actor, one.actor, one.count) for one in message.actors]

        def chosen(picked: Picked[str | None] | None) -> None:
            if picked is not None:
                self._want(Wanted(picked.value))

        self.app.push_screen(PickDialog("Which agent?", choices, self.wanted.actor), chosen)

    def action_every_agent(self) -> None:
        """Show what everyone did."""
        self._want(Wanted())

    def action_older(self) -> None:
        """Go to the page of older entries."""
        if self.activities:
            befores = (*self.wanted.befores, self.activities[-1].seq)
            self._want(replace(self.wanted, befores=befores))

    def action_newer(self) -> None:
        """Go to the page of newer entries."""
        self._want(replace(self.wanted, befores=self.wanted.befores[:-1]))
