"""Which existing tags fit what is being typed, and the list that shows them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from memtui.models import TagCount
from memtui.text import fold
from memtui.tui.cells import fit, line_text, width_of

MATCHES = 50
_PICKED = "$background on $accent"


class TagIndex:
    """The known tags, ready to be searched at every key."""

    def __init__(self, known: Sequence[TagCount]) -> None:
        self._known = known
        self._folded: list[str] | None = None

    def matches(self, typed: str, without: Iterable[str]) -> tuple[TagCount, ...]:
        """Return known tags that hold `typed`, those that begin with it first, at most `MATCHES`.

        Case and accents count as they do for a search; the order is otherwise that of the tags.
        """
        if self._folded is None:
            self._folded = [fold(known.tag) for known in self._known]
        left_out = set(without)
        needle = fold(typed)
        begins: list[TagCount] = []
        holds: list[TagCount] = []
        for known, folded in zip(self._known, self._folded, strict=True):
            if needle in folded and known.tag not in left_out:
                (begins if folded.startswith(needle) else holds).append(known)
                if len(begins) == MATCHES:
                    break
        return tuple([*begins, *holds][:MATCHES])


class TagSuggestions(Widget):
    """A short list of tags with their counts; the owner's keys move in it, a click picks."""

    DEFAULT_CSS = """
    TagSuggestions { height: auto; max-height: 8; width: 40; max-width: 100%; display: none; }
    TagSuggestions.-filled { display: block; }
    """

    @dataclass
    class Clicked(Message):
        """A suggestion was clicked."""

        tag: str

    def __init__(self) -> None:
        super().__init__()
        self._matches: tuple[TagCount, ...] = ()
        self._at: int | None = None
        self._top = 0

    @property
    def matches(self) -> tuple[TagCount, ...]:
        """What is suggested now."""
        return self._matches

    @property
    def first(self) -> str | None:
        """The first suggestion."""
        return self._matches[0].tag if self._matches else None

    @property
    def picked(self) -> str | None:
        """The suggestion that the arrows went to."""
        return None if self._at is None else self._matches[self._at].tag

    def show(self, matches: Sequence[TagCount]) -> None:
        """Suggest these; nothing is picked until an arrow is pressed."""
        self._matches = tuple(matches)
        self._at = None
        self._top = 0
        self.set_class(bool(matches), "-filled")
        self.refresh(layout=True)

    def move(self, by: int) -> bool:
        """Pick the next suggestion, or the one before. False when there is nothing to pick."""
        if not self._matches:
            return False
        if self._at is None:
            self._at = 0 if by > 0 else len(self._matches) - 1
        elif 0 <= self._at + by < len(self._matches):
            self._at += by
        else:
            self._at = None  # back in the box, with what was typed
        self.refresh()
        return True

    def render(self) -> Content:
        """One line per suggestion, as many as fit around the picked one."""
        width, height = self.content_size
        self._scroll_to_picked(height)
        rows: list[Content] = []
        for at, match in enumerate(self._matches[self._top : self._top + height], self._top):
            number = f" {match.count:,}"
            name = fit(line_text(match.tag), max(0, width - width_of(number)))
            if at == self._at:
                rows.append(Content.styled(name + number, _PICKED))
            else:
                rows.append(Content.assemble(name, (number, "$muted")))
        return Content("\n").join(rows)

    def _scroll_to_picked(self, height: int) -> None:
        at = self._at or 0
        self._top = max(0, min(at, max(self._top, at - height + 1)))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """A line per suggestion."""
        return len(self._matches)

    def on_click(self, event: events.Click) -> None:
        """Pick the suggestion under the pointer."""
        spot = event.get_content_offset(self)
        if spot is not None and self._top + spot.y < len(self._matches):
            self.post_message(self.Clicked(self._matches[self._top + spot.y].tag))
