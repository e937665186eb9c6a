"""The one-line widgets: status on top, place above the table, keys at the bottom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip

from memtui.tui import cells
from memtui.tui.widgets.ink import Inked


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a bar: safe text in one of the inks.

    When the bar is too narrow the parts of the highest `rank` go first; 0 stays to the end.
    """

    text: str
    ink: str = "text"
    rank: int = 0


class TextBar(Inked):
    """One line with parts at its left and at its right end.

    Not called `Bar`: the library has one in its `ProgressBar`, whose styles go by the name.
    """

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(id=widget_id)
        self._left: tuple[Part, ...] = ()
        self._right: tuple[Part, ...] = ()

    def show(self, left: Sequence[Part], right: Sequence[Part] = ()) -> None:
        """Show these parts."""
        parts = (tuple(left), tuple(right))
        if parts != (self._left, self._right):
            self._left, self._right = parts
            self.refresh()

    @property
    def text(self) -> str:
        """What the bar says, whatever of it fits."""
        return "".join(part.text for part in (*self._left, *self._right))

    def render_line(self, y: int) -> Strip:
        """Draw the one line."""
        width = self.size.width
        base = self.rich_style
        if y or width <= 0:
            return Strip.blank(width, base)
        left, right = fitting(self._left, self._right, width)
        used = sum(cells.width_of(part.text) for part in (*left, *right))
        segments = [
            *(Segment(part.text, self.ink(part.ink)) for part in left),
            Segment(" " * max(0, width - used)),
            *(Segment(part.text, self.ink(part.ink)) for part in right),
        ]
        return Strip(segments).apply_style(base).adjust_cell_length(width, base)


def fitting(
    left: Sequence[Part], right: Sequence[Part], width: int
) -> tuple[list[Part], list[Part]]:
    """Return the parts that fit into `width` cells, dropping the least important first."""
    kept_left, kept_right = list(left), list(right)
    while sum(cells.width_of(part.text) for part in (*kept_left, *kept_right)) > width:
        worst = max((*kept_left, *kept_right), key=lambda part: part.rank, default=None)
        if worst is None or worst.rank == 0:
            break
        side = kept_right if worst in kept_right else kept_left
        side.remove(worst)
    return kept_left, kept_right


@dataclass(frozen=True, slots=True)
class Hint:
    """A key and what it does here; `action` is the id to run when it is clicked."""

    key: str
    label: str
    action: str


class KeyBar(Inked):
    """The keys that work for the focus, as many as fit; each can be clicked."""

    class Clicked(Message):
        """The person clicked a key."""

        def __init__(self, action: str) -> None:
            super().__init__()
            self.action = action

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(id=widget_id)
        self._hints: tuple[Hint, ...] = ()
        self._always: tuple[Hint, ...] = ()

    @property
    def hints(self) -> tuple[Hint, ...]:
        """The keys that are offered, most useful first."""
        return self._hints

    def show(self, hints: Sequence[Hint], always: Sequence[Hint]) -> None:
        """Offer these keys: as many of `hints` as fit, `always` at the right end."""
        if (tuple(hints), tuple(always)) != (self._hints, self._always):
            self._hints = tuple(hints)
            self._always = tuple(always)
            self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Tell which key was clicked."""
        for start, stop, hint in self._placed():
            if start <= event.x < stop:
                self.post_message(self.Clicked(hint.action))

    def _placed(self) -> list[tuple[int, int, Hint]]:
        """Return where each key is that fits, from left to right."""
        width = self.size.width
        right = _in_a_row(self._always, 0)
        length = right[-1][1] + 1 if right else 0
        start = max(1, width - length)
        left = [place for place in _in_a_row(self._hints, 1) if place[1] + 2 <= start]
        return [*left, *((start + begin, start + end, hint) for begin, end, hint in right)]

    def render_line(self, y: int) -> Strip:
        """Draw the one line."""
        base = self.rich_style
        width = self.size.width
        if y or width <= 0:
            return Strip.blank(width, base)
        key_style = self.ink("key")
        label_style = self.ink("muted")
        segments: list[Segment] = []
        drawn = 0
        for start, stop, hint in self._placed():
            segments.append(Segment(" " * (start - drawn)))
            segments.append(Segment(hint.key, key_style))
            segments.append(Segment(f" {hint.label}", label_style))
            drawn = stop
        return Strip(segments).apply_style(base).adjust_cell_length(width, base)


def _in_a_row(hints: Sequence[Hint], start: int) -> list[tuple[int, int, Hint]]:
    """Place keys one after the other from column `start` on."""
    placed: list[tuple[int, int, Hint]] = []
    for hint in hints:
        stop = start + cells.width_of(hint.key) + 1 + cells.width_of(hint.label)
        placed.append((start, stop, hint))
        start = stop + 2
    return placed
