"""One value out of a few, on one line: arrows, a first letter, a number or a click choose it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from memtui.tui.cells import line, width_of

_GAP = 3
_CHOSEN = "● "
_OTHER = "○ "


class ChoiceField(Widget, can_focus=True):
    """A row of values of which exactly one is chosen.

    A value that is none of `options` (another program may have stored it) is offered as well, so
    that opening a form never changes it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left,h", "step(-1)", "Previous", show=False),
        Binding("right,l,space", "step(1)", "Next", show=False),
    ]
    DEFAULT_CSS = """
    ChoiceField { height: auto; width: 1fr; }
    """

    @dataclass
    class Changed(Message):
        """Another value was chosen."""

        field: ChoiceField
        value: str

        @property
        def control(self) -> ChoiceField:
            """The field that changed."""
            return self.field

    def __init__(self, options: Sequence[str], value: str, *, widget_id: str) -> None:
        super().__init__(id=widget_id)
        self._options = tuple(dict.fromkeys([*options, value]))
        self._value = value

    @property
    def value(self) -> str:
        """The chosen value, exactly as stored."""
        return self._value

    @value.setter
    def value(self, value: str) -> None:
        if value not in self._options:
            self._options = (*self._options, value)
        if value != self._value:
            self._value = value
            self.refresh(layout=True)
            self.post_message(self.Changed(self, value))

    def render(self) -> Content:
        """The values, the chosen one filled and bold."""
        chosen = "bold $accent" if self.has_focus else "bold"
        parts: list[Content] = []
        for option in self._options:
            is_chosen = option == self._value
            shown = Content.assemble(_CHOSEN if is_chosen else _OTHER, line(option))
            parts.append(shown.stylize(chosen if is_chosen else "$muted"))
        return Content(" " * _GAP).join(parts)

    def action_step(self, by: int) -> None:
        """Choose the next (or previous) value, around the end."""
        at = self._options.index(self._value) + by
        self.value = self._options[at % len(self._options)]

    def on_key(self, event: events.Key) -> None:
        """A number or a first letter chooses; the letter again goes to the next that has it."""
        pick = self._picked_by(event.character or "")
        if pick is not None:
            event.stop()
            event.prevent_default()
            self.value = pick

    def _picked_by(self, character: str) -> str | None:
        if character.isdecimal() and 0 < int(character) <= len(self._options):
            return self._options[int(character) - 1]
        at = self._options.index(self._value)
        around = [*self._options[at + 1 :], *self._options[: at + 1]]
        wanted = character.casefold()
        return next((opt for opt in around if wanted and opt.casefold()[:1] == wanted), None)

    def on_click(self, event: events.Click) -> None:
        """Choose the value under the pointer."""
        place = event.get_content_offset(self)
        if place is None or place.y:
            return
        start = 0
        for option in self._options:
            stop = start + width_of(_CHOSEN) + line(option).cell_length
            if start <= place.x < stop:
                self.value = option
            start = stop + _GAP
