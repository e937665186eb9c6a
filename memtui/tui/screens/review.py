"""The review: the invalid memories one at a time, one key for each decision."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import ClassVar

from textual.binding import BindingType

from memtui.models import BulkChange, MemoryStatus, ReviewQueue, WritableStatus
from memtui.tui.actions import Place, Scope
from memtui.tui.gateway import Gateway
from memtui.tui.keys import bindings
from memtui.tui.reviewing import Verdict
from memtui.tui.screens.help import HelpScreen
from memtui.tui.screens.queue import QueueScreen
from memtui.tui.widgets.review_card import ReviewCard, Words


def _utc_now() -> datetime:
    return datetime.now(UTC)


class ReviewScreen(QueueScreen):
    """Goes through the invalid memories, newest change first.

    One that was kept comes again only when it was changed since.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.REVIEW)]
    place = Place.REVIEW
    queue = ReviewQueue.INVALID
    status = MemoryStatus.INVALID
    needs_memory = frozenset(
        {"keep_invalid", "make_active", "review_edit", "review_delete", "review_skip"}
    )
    undo_action = "review_undo"
    words = Words(
        title="Review",
        looking="Looking for invalid memories…",
        unreadable="The invalid memories could not be read.",
        nothing="Nothing to review.",
        explained="Memories that you or an agent mark invalid wait here\n"
        "until you keep, activate, edit or delete them.",
        told={
            Verdict.KEPT: "kept invalid",
            Verdict.ACTIVE: Verdict.ACTIVE.value,
            Verdict.EDITED: Verdict.EDITED.value,
            Verdict.DELETED: Verdict.DELETED.value,
        },
    )

    def __init__(
        self,
        gateway: Gateway,
        now: Callable[[], datetime] = _utc_now,
        *,
        read_only: bool = False,
    ) -> None:
        super().__init__(gateway, now, ReviewCard(), read_only=read_only)

    def action_keep_invalid(self) -> None:
        """Leave it invalid."""
        self.leave(Verdict.KEPT)

    def action_make_active(self) -> None:
        """Make it active again."""
        self.change(Verdict.ACTIVE, "make active", BulkChange(status=WritableStatus.ACTIVE))

    def action_review_delete(self) -> None:
        """Delete it; it can be undone."""
        self.change(Verdict.DELETED, "delete", BulkChange(delete=True))

    def action_review_edit(self) -> None:
        """Edit it."""
        self.edit()

    def action_review_skip(self) -> None:
        """Decide about it later."""
        self.skip()

    def action_review_undo(self) -> None:
        """Take the last decision back and show its memory again."""
        self.undo()

    def action_review_down(self) -> None:
        """Scroll down."""
        self.scroll_card(1)

    def action_review_up(self) -> None:
        """Scroll up."""
        self.scroll_card(-1)

    def action_review_help(self) -> None:
        """Show the keys of the review."""
        self.app.push_screen(HelpScreen(Place.REVIEW))

    def action_close_review(self) -> None:
        """Go back."""
        self.finish()
