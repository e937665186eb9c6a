"""A row of tags as chips, flowing over as many lines as they need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from memtui.tui.cells import fit, line_text, width_of

_CHIP = "on $chip"
_PICKED = "$background on $accent"


class _Place(NamedTuple):
    """Where a chip is, in cells."""

    row: int
    start: int
    stop: int


class ChipRow(Widget):
    """Tags to look at and to pick one of; a click asks for its removal."""

    DEFAULT_CSS = """
    ChipRow { height: auto; width: 1fr; display: none; }
    ChipRow.-filled { display: block; }
    """

    @dataclass
    class Clicked(Message):
        """The chip at this index was clicked."""

        at: int

    def __init__(self, tags: Sequence[str]) -> None:
        super().__init__()
        self._tags = tuple(tags)
        self._picked: int | None = None
        self.set_class(bool(tags), "-filled")

    def show(self, tags: Sequence[str]) -> None:
        """Show other tags; a chip that was picked is no longer."""
        self._tags = tuple(tags)
        self._picked = None
        self.set_class(bool(tags), "-filled")
        self.refresh(layout=True)

    @property
    def picked_or_last(self) -> int:
        """The index of the picked chip, or of the last one."""
        return len(self._tags) - 1 if self._picked is None else self._picked

    def move(self, by: int) -> None:
        """Pick the chip beside the picked one; beyond the last one none is picked."""
        if self._picked is None:
            self._picked = len(self._tags) - 1 if by < 0 and self._tags else None
        elif self._picked + by >= len(self._tags):
            self._picked = None
        else:
            self._picked = max(0, self._picked + by)
        self.refresh()

    def move_off(self) -> None:
        """Pick none."""
        if self._picked is not None:
            self._picked = None
            self.refresh()

    def render(self) -> Content:
        """All chips, a space between two."""
        width = self.content_size.width
        rows: list[list[Content]] = [[]]
        for at, (tag, place) in enumerate(zip(self._tags, self._flow(width), strict=True)):
            if place.row == len(rows):
                rows.append([])
            style = _PICKED if at == self._picked else _CHIP
            rows[-1].append(Content.styled(_chip(tag, width), style))
        return Content("\n").join(Content(" ").join(row) for row in rows)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the chips flow over."""
        places = self._flow(width)
        return places[-1].row + 1 if places else 0

    def _flow(self, width: int) -> list[_Place]:
        places: list[_Place] = []
        row = start = 0
        for tag in self._tags:
            cells = width_of(_chip(tag, width))
            if start and start + cells > width:
                row, start = row + 1, 0
            places.append(_Place(row, start, start + cells))
            start += cells + 1
        return places

    def on_click(self, event: events.Click) -> None:
        """Ask for the removal of the chip under the pointer."""
        spot = event.get_content_offset(self)
        if spot is None:
            return
        for at, place in enumerate(self._flow(self.content_size.width)):
            if place.row == spot.y and place.start <= spot.x < place.stop:
                self.post_message(self.Clicked(at))


def _chip(tag: str, width: int) -> str:
    text = f" {line_text(tag)} ".replace(" ", "\u00a0")  # a chip is not broken at its spaces
    return text if width_of(text) <= width else fit(text, max(1, width))
