"""The detail: one memory in full."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Static

from memtui.tui import cells, times
from memtui.tui.actions import Scope
from memtui.tui.keys import bindings

if TYPE_CHECKING:
    from memtui.models import Memory

_TAG_META = "memtui_tag"
_WIDE = 48
_NOTHING = Content("")


class Detail(VerticalScroll, can_focus=True):
    """Shows a memory's facts, its text, wrapped, and its tags; scrolls with the movement keys."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.DETAIL)]

    class TagClicked(Message):
        """The person clicked a tag of the memory."""

        def __init__(self, tag: str) -> None:
            super().__init__()
            self.tag = tag

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(id=widget_id)
        self._memory: Memory | None = None
        self._now: datetime | None = None
        self._narrow = False
        self._drawn: dict[str, Content] = {}

    def compose(self) -> ComposeResult:
        """Facts, text, tags, times."""
        yield Static(id="detail-facts")
        yield Static(id="detail-text")
        yield Static(id="detail-tags")
        yield Static(id="detail-times")

    @property
    def memory(self) -> Memory | None:
        """The memory that is shown."""
        return self._memory

    def show(self, memory: Memory | None, now: datetime) -> None:
        """Show a memory, or nothing; another memory is shown from its beginning."""
        if self._memory is None or memory is None or memory.id != self._memory.id:
            self.scroll_home(animate=False)
        self._memory = memory
        self._now = now
        self._draw()
        if not self.size.width:
            # Drawn before it has a place; when it gets one, that is not always told.
            self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        memory, now = self._memory, self._now
        narrow = self._narrow = self.size.width < _WIDE
        parts = ("facts", "text", "tags", "times")
        shown = _shown(memory, now, narrow) if memory and now else (_NOTHING,) * len(parts)
        for name, content in zip(parts, shown, strict=True):
            if not content.is_same(self._drawn.get(name, _NOTHING)):
                self._drawn[name] = content
                self.query_one(f"#detail-{name}", Static).update(content)

    def on_resize(self) -> None:
        """Break the lines of the times anew."""
        if (self.size.width < _WIDE) != self._narrow:
            self._draw()

    def on_click(self, event: events.Click) -> None:
        """Tell which tag was clicked."""
        index = event.style.meta.get(_TAG_META)
        if isinstance(index, int) and self._memory and index < len(self._memory.tags):
            self.post_message(self.TagClicked(self._memory.tags[index]))

    def action_detail_down(self) -> None:
        """Scroll the memory down."""
        self.scroll_down(animate=False)

    def action_detail_up(self) -> None:
        """Scroll the memory up."""
        self.scroll_up(animate=False)

    def action_detail_top(self) -> None:
        """Scroll the memory to its beginning."""
        self.scroll_home(animate=False)

    def action_detail_bottom(self) -> None:
        """Scroll the memory to its end."""
        self.scroll_end(animate=False)


def _shown(
    memory: Memory, now: datetime, narrow: bool
) -> tuple[Content, Content, Content, Content]:
    return (
        _facts(memory),
        cells.block(memory.content),
        _tags(memory.tags),
        _times(memory, now, narrow),
    )


def _facts(memory: Memory) -> Content:
    kind = cells.line_text(memory.memory_type)
    colour = f"$type-{kind}" if kind in {"preference", "fact", "identity", "event"} else "$muted"
    status = cells.line_text(memory.status)
    return Content.assemble(
        (f"#{memory.id}", "bold $accent"),
        ("  ", ""),
        (kind, colour),
        ("  ", ""),
        (status, "" if status == "active" else "bold $warning"),
        (f"  v{memory.version}", "$muted"),
    )


def _tags(tags: tuple[str, ...]) -> Content:
    if not tags:
        return Content.styled("no tags", "$faint")
    chips = [
        cells.line(f" {tag} ").stylize(Style.from_meta({_TAG_META: index})).stylize("on $chip")
        for index, tag in enumerate(tags)
    ]
    return Content(" ").join(chips)


def _times(memory: Memory, now: datetime, narrow: bool) -> Content:
    """Say when, relative and exact; in a narrow pane the exact time has a line of its own."""
    rows = [
        ("created", memory.created_at),
        ("changed", memory.updated_at),
        ("last read", memory.last_accessed_at),
    ]
    lines = []
    for name, moment in rows:
        lines.append(
            Content.assemble(
                (f"{name:<11}", "$faint"),
                (f"{times.ago(moment, now):<12}", "$muted"),
                ("\n" if narrow and moment else "", ""),
                (times.exact(moment) if moment else "", "$faint"),
            )
        )
    return Content("\n").join(lines)
