"""The stale queue: active memories that no one has used for long, one at a time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content

from memtui.models import (
    BulkChange,
    MemoryStatus,
    ReviewQuery,
    ReviewQueue,
    WritableStatus,
)
from memtui.tui.actions import Place, Scope
from memtui.tui.gateway import Gateway
from memtui.tui.keys import bindings
from memtui.tui.reviewing import Verdict
from memtui.tui.screens.help import HelpScreen
from memtui.tui.screens.pick import Choice, PickDialog, Picked
from memtui.tui.screens.queue import QueueScreen
from memtui.tui.widgets.review_card import ReviewCard, Words, facts_of_use

AGES: dict[int | None, str] = {
    30: "30 days",
    90: "90 days",
    180: "180 days",
    365: "a year",
    None: "any time",
}
"""For how many days a memory was not used, and how that is called; None is for all."""


class StaleScreen(QueueScreen):
    """Goes through active memories: never-read ones first, then the least recently used.

    Keeping or snoozing one is remembered without faking an access: its times stay as they are.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.STALE)]
    place = Place.STALE
    queue = ReviewQueue.STALE
    status = MemoryStatus.ACTIVE
    needs_memory = frozenset(
        {
            "keep_active",
            "stale_invalidate",
            "stale_delete",
            "snooze_7",
            "snooze_30",
            "snooze_90",
            "stale_edit",
            "stale_skip",
        }
    )
    undo_action = "stale_undo"
    words = Words(
        title="Stale",
        looking="Looking for memories that no one uses…",
        unreadable="The memories could not be read.",
        nothing="Nothing is stale.",
        explained="Memories that were not read for long wait here\n"
        "until you keep, snooze, invalidate or delete them.",
        told={
            Verdict.KEPT: Verdict.KEPT.value,
            Verdict.SNOOZED: Verdict.SNOOZED.value,
            Verdict.INVALID: Verdict.INVALID.value,
            Verdict.EDITED: Verdict.EDITED.value,
            Verdict.DELETED: Verdict.DELETED.value,
        },
    )

    def __init__(
        self, gateway: Gateway, now: Callable[[], datetime], *, read_only: bool = False
    ) -> None:
        super().__init__(gateway, now, ReviewCard(facts_of_use), read_only=read_only)
        self.age: int | None = 90

    def wanted(self, offset: int) -> ReviewQuery:
        """Return the query of the queue's page at `offset`."""
        plain = super().wanted(offset)
        if self.age is None:
            return plain
        return plain.model_copy(update={"unused_since": self.now() - timedelta(days=self.age)})

    def headline(self) -> Content:
        """Return what the title says, with the age that was chosen."""
        since = "all ages" if self.age is None else f"not used for {AGES[self.age]}"
        return Content.assemble(super().headline(), (f"  {since}", "$muted not bold"))

    def action_pick_age(self) -> None:
        """Choose for how long memories were not used."""
        choices: list[Choice[int | None]] = [Choice(days, name) for days, name in AGES.items()]

        def chosen(picked: Picked[int | None] | None) -> None:
            if picked is not None:
                self.age = picked.value
                self.start()

        self.app.push_screen(PickDialog("Not used for", choices, self.age), chosen)

    def action_keep_active(self) -> None:
        """Leave it as it is."""
        self.leave(Verdict.KEPT)

    def action_snooze_7(self) -> None:
        """Ask again in 7 days."""
        self._snooze(7)

    def action_snooze_30(self) -> None:
        """Ask again in 30 days."""
        self._snooze(30)

    def action_snooze_90(self) -> None:
        """Ask again in 90 days."""
        self._snooze(90)

    def _snooze(self, days: int) -> None:
        self.leave(Verdict.SNOOZED, self.now() + timedelta(days=days))

    def action_stale_invalidate(self) -> None:
        """Mark it invalid; it can be undone."""
        self.change(Verdict.INVALID, "invalidate", BulkChange(status=WritableStatus.INVALID))

    def action_stale_delete(self) -> None:
        """Delete it; it can be undone."""
        self.change(Verdict.DELETED, "delete", BulkChange(delete=True))

    def action_stale_edit(self) -> None:
        """Edit it."""
        self.edit()

    def action_stale_skip(self) -> None:
        """Decide about it later."""
        self.skip()

    def action_stale_undo(self) -> None:
        """Take the last decision back and show its memory again."""
        self.undo()

    def action_stale_down(self) -> None:
        """Scroll down."""
        self.scroll_card(1)

    def action_stale_up(self) -> None:
        """Scroll up."""
        self.scroll_card(-1)

    def action_stale_help(self) -> None:
        """Show the keys of this screen."""
        self.app.push_screen(HelpScreen(Place.STALE))

    def action_close_stale(self) -> None:
        """Go back."""
        self.finish()
