"""The review: the invalid memories one at a time, one key for each decision."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from memtui.errors import MemtuiError, NotFoundError
from memtui.models import BulkChange, MemoryStatus, Outcome, TagCount, WritableStatus
from memtui.tui import messages
from memtui.tui.actions import Place, Scope
from memtui.tui.cells import line
from memtui.tui.gateway import Gateway
from memtui.tui.keys import bindings
from memtui.tui.reviewing import Decision, ReviewQueue, Verdict
from memtui.tui.screens.edit import EditScreen
from memtui.tui.screens.help import HelpScreen
from memtui.tui.screens.modal import Modal
from memtui.tui.view import PAGE_SIZE, View
from memtui.tui.widgets.form_keys import KeyLine
from memtui.tui.widgets.review_card import ReviewCard, empty_text, progress

_ABOUT_ONE = {"keep_invalid", "make_active", "review_edit", "review_delete", "review_skip"}


def _utc_now() -> datetime:
    return datetime.now(UTC)


class ReviewScreen(Modal[None]):
    """Goes through the invalid memories; looking marks nothing, writing passes the version seen.

    A decision shows the next memory at once. When its write comes to nothing, because the memory
    was changed meanwhile or the database refused, the memory comes again with the reason.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.REVIEW)]
    AUTO_FOCUS = "ReviewCard"

    def __init__(self, gateway: Gateway, now: Callable[[], datetime] = _utc_now) -> None:
        super().__init__()
        self._gateway = gateway
        self._now = now
        self._queue = ReviewQueue()
        self._known_tags: tuple[TagCount, ...] = ()
        self._form: EditScreen | None = None
        # What is asked and not answered yet, by the number of the request.
        self._writes: dict[int, Decision] = {}
        self._undoing: dict[int, Decision] = {}
        self._saving: dict[int, EditScreen] = {}
        self._batches: dict[int, tuple[Decision, int]] = {}
        self._page_request = self._context_request = 0
        self._undo_when_written: Decision | None = None
        self._loading = self._looked_twice = self._at_end = self._unreadable = False
        self._card = ReviewCard()

    def compose(self) -> ComposeResult:
        """Progress, the memory, what to do when there is none, keys."""
        with Vertical(classes="form review"):
            yield Static(id="review-title", classes="form-title")
            yield Static(id="review-notice", classes="form-notice")
            yield self._card
            yield Static(id="review-empty")
            yield KeyLine(Place.REVIEW)

    def on_mount(self) -> None:
        """Ask for the first memories."""
        self._gateway.facets(self, View())
        self._load(0)
        self._show()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what there is something to do for."""
        del parameters
        if action in _ABOUT_ONE:
            return self._queue.current is not None
        return bool(self._queue.decisions) if action == "review_undo" else True

    # --- decisions ---------------------------------------------------------------------------

    def action_keep_invalid(self) -> None:
        """Leave it invalid."""
        self._queue.decide(Verdict.KEPT)
        self._show()

    def action_review_skip(self) -> None:
        """Decide about it later."""
        self._queue.decide(Verdict.SKIPPED)
        self._show()

    def action_make_active(self) -> None:
        """Make it active again."""
        self._write(Verdict.ACTIVE, "make active", BulkChange(status=WritableStatus.ACTIVE))

    def action_review_delete(self) -> None:
        """Delete it; it can be undone."""
        self._write(Verdict.DELETED, "delete", BulkChange(delete=True))

    def _write(self, verdict: Verdict, doing: str, change: BulkChange) -> None:
        decision = self._queue.decide(verdict, writing=True)
        if decision is None:
            return
        memory = decision.memory
        number = self._gateway.change(self, doing, {memory.id: memory.version}, change)
        self._writes[number] = decision
        self._show()

    def on_bulk_done(self, message: messages.BulkDone) -> None:
        """A decision is stored, or its memory comes again."""
        decision = self._writes.pop(message.number, None)
        if decision is None:
            return
        item = message.result.outcomes[0]
        if item.outcome in {Outcome.CHANGED, Outcome.UNCHANGED}:
            self._written(decision, message.result.batch)
            return
        if item.outcome is Outcome.NOT_FOUND:
            self._queue.gone(decision)
            self._show(f"#{item.memory_id} was deleted by someone else meanwhile.")
        else:
            self._queue.failed(decision)
            self._show(f"#{item.memory_id} was changed meanwhile: left alone, and it comes again.")

    def _written(self, decision: Decision, batch: int | None) -> None:
        decision.writing = False
        decision.batch = batch
        if self._undo_when_written is decision:
            self._undo_when_written = None
            self.action_review_undo()

    # --- undo --------------------------------------------------------------------------------

    def action_review_undo(self) -> None:
        """Take the last decision back and show its memory again."""
        if not self._queue.decisions:
            return
        decision = self._queue.decisions[-1]
        if decision.writing:
            self._undo_when_written = decision
        elif decision.verdict in {Verdict.KEPT, Verdict.SKIPPED}:
            self._queue.take_back(decision, decision.memory)
            self._show()
        elif decision.batch is None:
            self._say("That cannot be undone here.")
        else:
            self._queue.decisions.pop()
            self._undoing[self._gateway.undo(self, decision.batch)] = decision

    def on_undone(self, message: messages.Undone) -> None:
        """A decision was taken back, or its memory was changed since."""
        decision = self._undoing.pop(message.number, None)
        if decision is None:
            return
        if message.result.samples:
            self._queue.take_back(decision, message.result.samples[0].after)
            self._show()
            return
        decision.batch = None
        self._queue.decisions.append(decision)
        self._say(f"#{decision.memory.id} was changed since: nothing was undone.")

    # --- editing -----------------------------------------------------------------------------

    def action_review_edit(self) -> None:
        """Edit it."""
        memory = self._queue.current
        if memory is not None:
            self._form = EditScreen(memory, self._known_tags, owner=self)
            self.app.push_screen(self._form)

    def on_edit_screen_submitted(self, message: EditScreen.Submitted) -> None:
        """Save what the form holds."""
        message.stop()
        result = message.result
        if result.create is not None:
            number = self._gateway.create(self, result.create)
        elif result.patch is not None and result.memory_id is not None:
            number = self._gateway.patch(
                self, result.memory_id, result.patch, result.expected_version
            )
        else:
            return
        self._saving[number] = message.form

    def on_saved(self, message: messages.Saved) -> None:
        """An edit is stored: an active memory is decided, an invalid one still waits."""
        form = self._saving.pop(message.number, None)
        if form is None:
            return
        form.saved()
        memory, current = message.memory, self._queue.current
        if message.created or current is None or current.id != memory.id:
            self._show()
            return
        if memory.status == MemoryStatus.INVALID:
            decision = self._queue.edited(memory)
        else:
            decision = self._queue.decide(Verdict.EDITED, writing=True)
        if decision is not None:
            request = self._gateway.history(self, memory.id, limit=1)
            self._batches[request] = (decision, memory.version)
        self._show()

    def on_history_loaded(self, message: messages.HistoryLoaded) -> None:
        """Remember the batch of an edit, for undo."""
        decision, version = self._batches.pop(message.number, (None, 0))
        if decision is None:
            return
        newest = message.history.items[:1]
        same = bool(newest) and newest[0].version == version
        self._written(decision, newest[0].batch if same else None)

    # --- what is there -----------------------------------------------------------------------

    def on_facets_loaded(self, message: messages.FacetsLoaded) -> None:
        """Tags for the form."""
        self._known_tags = message.whole.tags

    def on_page_loaded(self, message: messages.PageLoaded) -> None:
        """More memories to review, or the end."""
        if message.number != self._page_request:
            return
        page = message.page
        if self._queue.add(page) == 0:
            if page.has_more:
                self._load(page.offset + PAGE_SIZE)
                return
            if page.offset and not self._looked_twice:
                self._looked_twice = True  # others' changes may have moved some to the front
                self._load(0)
                return
            self._at_end = True
            self._queue.end()
        self._loading = False
        self._show(keep_notice=True)

    def on_review_loaded(self, message: messages.ReviewLoaded) -> None:
        """What is known about the memory that is shown, and the memory as it is now."""
        memory = self._queue.current
        if message.number != self._context_request or memory is None:
            return
        now = message.memory
        if (now.version, now.status) != (memory.version, memory.status):
            self._queue.update(now)
            if self._form is not None:
                self._form.newer_elsewhere(now)
            if self._queue.current is not now:
                self._show(f"#{now.id} was made {now.status} by someone else meanwhile.")
                return
            self._say(f"#{now.id} was changed meanwhile; this is how it is now.")
            self._card.show_memory(now, self._now())
        self._card.show_context(message.revisions, message.related, self._now())

    def on_store_changed(self, _message: messages.StoreChanged) -> None:
        """Look at the memory again: someone may have changed it."""
        memory = self._queue.current
        if memory is not None:
            self._context_request = self._gateway.review(self, memory)

    def on_failed(self, message: messages.Failed) -> None:
        """A request came to nothing: nothing was written."""
        number, error = message.number, message.error
        reason = f"Could not {message.doing}: {error.message} {error.hint}".rstrip()
        if form := self._saving.pop(number, None):
            form.failed(error)
        elif decision := self._writes.pop(number, None):
            self._undo_when_written = None
            self._queue.failed(decision)
            self._show(reason)
        elif decision := self._undoing.pop(number, None):
            self._queue.decisions.append(decision)
            self._say(reason)
        elif found := self._batches.pop(number, None):
            self._written(found[0], None)
        elif number == self._page_request:
            self._loading = False
            self._at_end = self._unreadable = True
            self._show(reason)
        elif number == self._context_request:
            self._context_failed(error)

    def _context_failed(self, error: MemtuiError) -> None:
        memory = self._queue.current
        if isinstance(error, NotFoundError) and memory is not None:
            self._queue.drop(memory.id)
            self._show(f"#{memory.id} was deleted by someone else meanwhile.")
        else:
            self._card.show_failure(line(error.message, "$error"))

    def _load(self, offset: int) -> None:
        self._loading = True
        view = View(status="invalid", sort="updated_at", offset=offset)
        self._page_request = self._gateway.page(self, view, touch=False)

    # --- what is shown -----------------------------------------------------------------------

    def _show(self, notice: str = "", *, keep_notice: bool = False) -> None:
        if not keep_notice:
            self._say(notice)
        memory = self._queue.current
        if memory is None and not self._loading and not self._at_end:
            self._load(self._queue.still_invalid)
        self.query_one("#review-title", Static).update(progress(self._queue))
        self.set_class(memory is None, "-empty")
        self.refresh_bindings()
        if memory is None:
            text = empty_text(self._queue, loading=self._loading, failed=self._unreadable)
            self.query_one("#review-empty", Static).update(text)
            return
        self._card.show_memory(memory, self._now())
        self._context_request = self._gateway.review(self, memory)

    def _say(self, text: str) -> None:
        notice = self.query_one("#review-notice", Static)
        notice.update(line(text) if text else Content(""))
        notice.set_class(bool(text), "-shown")

    # --- the rest ----------------------------------------------------------------------------

    def action_review_down(self) -> None:
        """Scroll down."""
        self._card.scroll_relative(y=1, animate=False)

    def action_review_up(self) -> None:
        """Scroll up."""
        self._card.scroll_relative(y=-1, animate=False)

    def action_review_help(self) -> None:
        """Show the keys of the review."""
        self.app.push_screen(HelpScreen(Place.REVIEW))

    def action_close_review(self) -> None:
        """Go back."""
        self.finish()
