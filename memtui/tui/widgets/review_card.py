"""One memory under review: what it says, what became of it, and what is close to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalGroup, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from memtui.models import Memory, Revision
from memtui.tui.cells import block, line
from memtui.tui.reviewing import LastChange, ReviewRound, Verdict, last_changes
from memtui.tui.times import ago
from memtui.tui.widgets.form_diff import changed_text, tag_line

_KNOWN_TYPES = {"preference", "fact", "identity", "event"}


@dataclass(frozen=True, slots=True)
class Words:
    """What a review says: its name, why there is nothing to show, how decisions are called."""

    title: str
    looking: str
    unreadable: str
    nothing: str
    explained: str
    told: Mapping[Verdict, str]


class ReviewCard(VerticalScroll):
    """The memory and its last change beside the active memories that are close to it.

    `facts` returns the line above the memory's text.
    """

    def __init__(self, facts: Callable[[Memory, datetime], Content] | None = None) -> None:
        super().__init__()
        self._facts = facts or facts_of_change

    def compose(self) -> ComposeResult:
        """Two columns, or one above the other when it is narrow."""
        with Horizontal(id="review-columns"):
            with VerticalGroup(id="review-memory"):
                yield Static(id="review-facts")
                yield Static(id="review-text")
                yield Static(id="review-tags")
                yield Static(id="review-changes")
            with VerticalGroup(id="review-related"):
                yield Static(Content("Closest active memories"), classes="review-heading")
                yield Static(id="review-close")

    def show_memory(self, memory: Memory, now: datetime) -> None:
        """Show a memory; what is known about it comes later."""
        self.scroll_home(animate=False)
        self.query_one("#review-facts", Static).update(self._facts(memory, now))
        self.query_one("#review-text", Static).update(block(memory.content))
        self.query_one("#review-tags", Static).update(tag_line("", memory.tags, memory.tags))
        self.query_one("#review-changes", Static).update(Content(""))
        self.query_one("#review-close", Static).update(Content.styled("Looking…", "$faint"))

    def show_context(
        self, revisions: Sequence[Revision], related: Sequence[Memory], now: datetime
    ) -> None:
        """Show what became of the memory and which active ones are close to it."""
        changes = [_change(change, now) for change in last_changes(revisions)]
        self.query_one("#review-changes", Static).update(Content("\n\n").join(changes))
        close = [_close(memory, now) for memory in related]
        nothing = Content.styled("No active memory shares its words.", "$muted")
        self.query_one("#review-close", Static).update(
            Content("\n\n").join(close) if close else nothing
        )

    def show_failure(self, text: Content) -> None:
        """Say why nothing more is known."""
        self.query_one("#review-close", Static).update(text)


def progress(review: ReviewRound, words: Words) -> Content:
    """Return the title: how far the review is."""
    if review.current is None:
        return Content(words.title)
    skipped = review.skipped
    return Content.assemble(
        words.title,
        (f"  {review.position:,} of {review.total:,}", "$accent"),
        (f"  {skipped:,} skipped" if skipped else "", "$muted not bold"),
    )


def empty_text(review: ReviewRound, words: Words, *, loading: bool, failed: bool) -> Content:
    """Return what to say when there is no memory to show."""
    if failed:
        return Content.styled(words.unreadable, "$error")
    if loading:
        return Content.styled(words.looking, "$muted")
    told = [(review.count(verdict), name) for verdict, name in words.told.items()]
    if review.decisions:
        counts = " · ".join(f"{count:,} {name}" for count, name in told if count)
        return Content.assemble(("All reviewed.", "bold"), (f"\n\n{counts}", "$muted"))
    return Content.assemble((words.nothing, "bold"), (f"\n\n{words.explained}", "$muted"))


def facts_of_change(memory: Memory, now: datetime) -> Content:
    """Return what a memory is and when it was changed, on one line."""
    return _facts(memory, f"changed {ago(memory.updated_at, now)}")


def facts_of_use(memory: Memory, now: datetime) -> Content:
    """Return what a memory is and when it was made and read, on one line."""
    read = memory.last_accessed_at
    used = "never read" if read is None else f"last read {ago(read, now)}"
    return _facts(memory, f"{used}  made {ago(memory.created_at, now)}")


def _facts(memory: Memory, times: str) -> Content:
    active = memory.status == "active"
    return Content.assemble(
        (f"#{memory.id}  ", "bold $accent"),
        line(memory.memory_type, _type_style(memory.memory_type)),
        "  ",
        line(memory.status, "" if active else "bold $warning"),
        (f"  version {memory.version}  {times}", "$muted"),
    )


def _close(memory: Memory, now: datetime) -> Content:
    head = Content.assemble(
        (f"#{memory.id}  ", "bold"),
        line(memory.memory_type, _type_style(memory.memory_type)),
        (f"  changed {ago(memory.updated_at, now)}", "$muted"),
    )
    tags = [tag_line("", memory.tags, memory.tags).stylize("$muted")] if memory.tags else []
    return Content("\n").join([head, block(memory.content), *tags])


def _type_style(memory_type: str) -> str:
    return f"$type-{memory_type}" if memory_type in _KNOWN_TYPES else "$muted"


def _change(change: LastChange, now: datetime) -> Content:
    revision = change.revision
    head = Content.assemble(
        _deed(change), " by ", line(revision.actor), (f"  {ago(revision.at, now)}", "$muted")
    ).stylize("bold $muted")
    return Content("\n").join([head, *_differences(change)])


def _deed(change: LastChange) -> str:
    before, after = change.before, change.revision
    if before is None:
        return {"create": "Written", "restore": "Restored"}.get(after.action, "Changed")
    if before.status != "invalid" and after.status == "invalid":
        return "Made invalid"
    return {"delete": "Deleted", "restore": "Restored"}.get(after.action, "Changed")


def _differences(change: LastChange) -> Iterator[Content]:
    before, after = change.before, change.revision
    if before is None:
        return
    if before.content != after.content:
        yield changed_text(before.content, after.content)
    if before.tags != after.tags:
        yield tag_line("", after.tags, before.tags)
    for old, new in ((before.memory_type, after.memory_type), (before.status, after.status)):
        if old != new:
            yield Content.assemble(line(old), " → ", line(new))
