"""What the reviews of memories have in common: one at a time, one key for each decision."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from memtui.errors import ConflictError, MemtuiError, NotFoundError
from memtui.models import (
    BulkChange,
    MemoryStatus,
    Outcome,
    ReviewMark,
    ReviewQuery,
    ReviewQueue,
    TagCount,
)
from memtui.tui import messages, messages_curation
from memtui.tui.actions import Place
from memtui.tui.cells import line
from memtui.tui.gateway import Gateway
from memtui.tui.reviewing import Decision, ReviewRound, Verdict
from memtui.tui.screens.edit import EditScreen
from memtui.tui.screens.modal import Modal
from memtui.tui.view import PAGE_SIZE, View
from memtui.tui.widgets.form_keys import KeyLine
from memtui.tui.widgets.review_card import ReviewCard, Words, empty_text, progress


class QueueScreen(Modal[None]):
    """Goes through a review queue; looking marks nothing, writing passes the version seen.

    A decision shows the next memory at once. When its write comes to nothing, because the memory
    was changed meanwhile or the database refused, the memory comes again with the reason. Decisions
    to leave a memory as it is are remembered in the database, so that a review can be left and
    taken up again.
    """

    AUTO_FOCUS = "ReviewCard"
    place: ClassVar[Place]
    words: ClassVar[Words]
    queue: ClassVar[ReviewQueue]
    status: ClassVar[MemoryStatus]
    """Which memories wait; one that gets another status is decided."""
    needs_memory: ClassVar[frozenset[str]]
    """The actions that are about the memory that is shown."""
    undo_action: ClassVar[str]

    def __init__(
        self,
        gateway: Gateway,
        now: Callable[[], datetime],
        card: ReviewCard,
        *,
        read_only: bool = False,
    ) -> None:
        super().__init__()
        self._gateway = gateway
        self.now = now
        self.read_only = read_only
        self._round = ReviewRound(self.status)
        self._known_tags: tuple[TagCount, ...] = ()
        self._form: EditScreen | None = None
        # What is asked and not answered yet, by the number of the request.
        self._writes: dict[int, Decision] = {}
        self._marks: dict[int, Decision] = {}
        self._undoing: dict[int, Decision] = {}
        self._saving: dict[int, EditScreen] = {}
        self._batches: dict[int, tuple[Decision, int]] = {}
        self._page_request = self._context_request = 0
        self._undo_when_written: Decision | None = None
        self._loading = self._looked_twice = self._at_end = self._unreadable = False
        self._card = card

    def compose(self) -> ComposeResult:
        """Progress, the memory, what to do when there is none, keys."""
        with Vertical(classes="form review"):
            yield Static(id="review-title", classes="form-title")
            yield Static(id="review-notice", classes="form-notice")
            yield self._card
            yield Static(id="review-empty")
            yield KeyLine(self.place)

    def on_mount(self) -> None:
        """Follow what others do, and ask for the first memories."""
        self._gateway.follow(self)
        self._gateway.facets(self, View())
        self.start()

    def on_unmount(self) -> None:
        """Follow no more."""
        self._gateway.unfollow(self)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what there is something to do for."""
        del parameters
        if action in self.needs_memory:
            return self._round.current is not None
        return bool(self._round.decisions) if action == self.undo_action else True

    # --- for subclasses ----------------------------------------------------------------------

    def wanted(self, offset: int) -> ReviewQuery:
        """Return the query of the queue's page at `offset`."""
        return ReviewQuery(queue=self.queue, limit=PAGE_SIZE, offset=offset)

    def headline(self) -> Content:
        """Return what the title says."""
        return progress(self._round, self.words)

    def start(self) -> None:
        """Begin at the front of the queue, also of another one."""
        self._round.restart()
        self._looked_twice = self._at_end = self._unreadable = False
        self._load(0)
        self._show()

    def skip(self) -> None:
        """Decide about it later."""
        self._round.decide(Verdict.SKIPPED)
        self._show()

    def leave(self, verdict: Verdict, until: datetime | None = None) -> None:
        """Leave it as it is, for good or `until` then, and remember that."""
        decision = self._round.decide(verdict)
        if decision is None:
            return
        if not self.read_only:
            memory = decision.memory
            mark = ReviewMark(queue=self.queue, memory_id=memory.id, until=until)
            self._marks[self._gateway.mark_reviewed(self, mark, memory.version)] = decision
        self._show()

    def change(self, verdict: Verdict, doing: str, change: BulkChange) -> None:
        """Change it."""
        decision = self._round.decide(verdict, writing=True)
        if decision is None:
            return
        memory = decision.memory
        number = self._gateway.change(self, doing, {memory.id: memory.version}, change)
        self._writes[number] = decision
        self._show()

    # --- decisions ---------------------------------------------------------------------------

    def on_marked(self, message: messages_curation.Marked) -> None:
        """A decision to leave a memory as it is, or its undo, is stored."""
        self._marks.pop(message.number, None)
        self._go_on()

    def on_bulk_done(self, message: messages.BulkDone) -> None:
        """A decision is stored, or its memory comes again."""
        decision = self._writes.pop(message.number, None)
        if decision is None:
            return
        item = message.result.outcomes[0]
        if item.outcome in {Outcome.CHANGED, Outcome.UNCHANGED}:
            self._written(decision, message.result.batch)
        elif item.outcome is Outcome.NOT_FOUND:
            self._gone(decision)
        else:
            self._comes_again(decision)

    def _gone(self, decision: Decision) -> None:
        self._round.gone(decision)
        self._show(f"#{decision.memory.id} was deleted by someone else meanwhile.")

    def _comes_again(self, decision: Decision, reason: str = "") -> None:
        again = f"#{decision.memory.id} was changed meanwhile: left alone, and it comes again."
        self._round.failed(decision)
        self._show(reason or again)

    def _written(self, decision: Decision, batch: int | None) -> None:
        decision.writing = False
        decision.batch = batch
        if self._undo_when_written is decision:
            self._undo_when_written = None
            self.undo()
        self._go_on()

    @property
    def _unanswered(self) -> bool:
        """Whether decisions are being stored: until then their memories still are in the queue."""
        return bool(self._writes or self._marks)

    def _go_on(self) -> None:
        """Look for more where that had to wait for decisions to be stored."""
        if self._round.current is None and not self._unanswered:
            self._show(keep_notice=True)

    # --- undo --------------------------------------------------------------------------------

    def undo(self) -> None:
        """Take the last decision back and show its memory again."""
        if not self._round.decisions:
            return
        decision = self._round.decisions[-1]
        if decision.writing:
            self._undo_when_written = decision
        elif decision.verdict.leaves_it or decision.verdict is Verdict.SKIPPED:
            if decision.verdict.leaves_it and not self.read_only:
                # Writes are made in order: this one comes after that of the decision.
                self._gateway.unmark_reviewed(self, self.queue, decision.memory.id)
            self._round.take_back(decision, decision.memory)
            self._show()
        elif decision.batch is None:
            self._say("That cannot be undone here.")
        else:
            self._round.decisions.pop()
            self._undoing[self._gateway.undo(self, decision.batch)] = decision

    def on_undone(self, message: messages.Undone) -> None:
        """A decision was taken back, or its memory was changed since."""
        decision = self._undoing.pop(message.number, None)
        if decision is None:
            return
        if message.result.samples:
            self._round.take_back(decision, message.result.samples[0].after)
            self._show()
            return
        decision.batch = None
        self._round.decisions.append(decision)
        self._say(f"#{decision.memory.id} was changed since: nothing was undone.")

    # --- editing -----------------------------------------------------------------------------

    def edit(self) -> None:
        """Edit it."""
        memory = self._round.current
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
        """An edit is stored: with another status it is decided, else the memory still waits."""
        form = self._saving.pop(message.number, None)
        if form is None:
            return
        form.saved()
        memory, current = message.memory, self._round.current
        if message.created or current is None or current.id != memory.id:
            self._show()
            return
        if memory.status == self.status:
            decision = self._round.edited(memory)
        else:
            decision = self._round.decide(Verdict.EDITED, writing=True)
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

    def on_queue_loaded(self, message: messages_curation.QueueLoaded) -> None:
        """More memories to review, or the end."""
        if message.number != self._page_request:
            return
        page = message.page
        if self._round.add(page) == 0:
            if page.has_more:
                self._load(page.offset + PAGE_SIZE)
                return
            if page.offset and not self._looked_twice:
                self._looked_twice = True  # others' changes may have moved some to the front
                self._load(0)
                return
            self._at_end = True
            self._round.end()
        self._loading = False
        self._show(keep_notice=True)

    def on_review_loaded(self, message: messages.ReviewLoaded) -> None:
        """What is known about the memory that is shown, and the memory as it is now."""
        memory = self._round.current
        if message.number != self._context_request or memory is None:
            return
        now = message.memory
        if (now.version, now.status) != (memory.version, memory.status):
            self._round.update(now)
            if self._form is not None:
                self._form.newer_elsewhere(now)
            if self._round.current is not now:
                self._show(f"#{now.id} was made {now.status} by someone else meanwhile.")
                return
            self._say(f"#{now.id} was changed meanwhile; this is how it is now.")
            self._card.show_memory(now, self.now())
        self._card.show_context(message.revisions, message.related, self.now())

    def on_store_changed(self, _message: messages.StoreChanged) -> None:
        """Look at the memory again: someone may have changed it."""
        memory = self._round.current
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
            self._comes_again(decision, reason)
        elif decision := self._marks.pop(number, None):
            self._mark_failed(decision, error, reason)
        elif decision := self._undoing.pop(number, None):
            self._round.decisions.append(decision)
            self._say(reason)
        elif found := self._batches.pop(number, None):
            self._written(found[0], None)
        elif number == self._page_request:
            self._loading = False
            self._at_end = self._unreadable = True
            self._show(reason)
        elif number == self._context_request:
            self._context_failed(error)

    def _mark_failed(self, decision: Decision, error: MemtuiError, reason: str) -> None:
        if not any(one is decision for one in self._round.decisions):
            return  # it was taken back meanwhile: its memory waits again already
        if isinstance(error, NotFoundError):
            self._gone(decision)
        else:
            self._comes_again(decision, "" if isinstance(error, ConflictError) else reason)

    def _context_failed(self, error: MemtuiError) -> None:
        memory = self._round.current
        if isinstance(error, NotFoundError) and memory is not None:
            self._round.drop(memory.id)
            self._show(f"#{memory.id} was deleted by someone else meanwhile.")
        else:
            self._card.show_failure(line(error.message, "$error"))

    def _load(self, offset: int) -> None:
        self._loading = True
        self._page_request = self._gateway.queue(self, self.wanted(offset))

    # --- what is shown -----------------------------------------------------------------------

    def _show(self, notice: str = "", *, keep_notice: bool = False) -> None:
        if not keep_notice:
            self._say(notice)
        memory = self._round.current
        looking = self._loading or (memory is None and not self._at_end)
        if looking and not self._loading and not self._unanswered:
            self._load(self._round.waiting)
        self.query_one("#review-title", Static).update(self.headline())
        self.set_class(memory is None, "-empty")
        self.refresh_bindings()
        if memory is None:
            text = empty_text(self._round, self.words, loading=looking, failed=self._unreadable)
            self.query_one("#review-empty", Static).update(text)
            return
        self._card.show_memory(memory, self.now())
        self._context_request = self._gateway.review(self, memory)

    def _say(self, text: str) -> None:
        notice = self.query_one("#review-notice", Static)
        notice.update(line(text) if text else Content(""))
        notice.set_class(bool(text), "-shown")

    def scroll_card(self, lines: int) -> None:
        """Scroll the memory by so many lines."""
        self._card.scroll_relative(y=lines, animate=False)
