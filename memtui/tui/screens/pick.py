"""A short list to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Generic, NamedTuple, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalGroup
from textual.content import Content
from textual.widgets import Static

from memtui.tui.actions import Scope
from memtui.tui.cells import line
from memtui.tui.keys import bindings
from memtui.tui.screens.modal import Modal
from memtui.tui.widgets.grid import Cell, Column, Grid, Line

ValueT = TypeVar("ValueT")
_MOST_ROWS = 12


class Choice(NamedTuple, Generic[ValueT]):
    """A value, how it is called (untrusted), and how many there are of it."""

    value: ValueT
    label: str
    number: int | None = None


class Picked(NamedTuple, Generic[ValueT]):
    """What was chosen; apart from "nothing was", because None may be a value."""

    value: ValueT


class PickDialog(Modal[Picked[ValueT]]):
    """Asks for one of `choices`, beginning at the one in force; the result is None for none."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *(binding for binding in bindings(Scope.DIALOG) if binding.id == "cancel"),
        Binding("enter,space,l,right", "pick", "choose"),
        *(Binding(str(number), f"pick_number({number})") for number in range(1, 10)),
    ]
    AUTO_FOCUS = "#choices"

    def __init__(
        self, title: str, choices: Sequence[Choice[ValueT]], current: ValueT | None = None
    ) -> None:
        super().__init__()
        self._question = title
        self._choices = tuple(choices)
        self._current = current
        counted = any(choice.number is not None for choice in choices)
        columns = [Column("", 2), Column(""), *([Column("", 11, right=True)] if counted else [])]
        self._grid = Grid(columns, widget_id="choices")

    def compose(self) -> ComposeResult:
        """The question, the list, how to answer."""
        with VerticalGroup(classes="dialog dialog-pick"):
            yield Static(line(self._question), classes="dialog-title")
            self._grid.styles.height = min(_MOST_ROWS, max(1, len(self._choices)))
            yield self._grid
            yield Static(_hint(), classes="dialog-hint")

    def on_mount(self) -> None:
        """Show the choices with the cursor on the one in force."""
        at = next((n for n, choice in enumerate(self._choices) if choice.value == self._current), 0)
        lines = [_line(number, choice) for number, choice in enumerate(self._choices)]
        self._grid.show(lines, cursor=at)

    @on(Grid.Chosen)
    def _clicked(self, event: Grid.Chosen) -> None:
        event.stop()
        self.action_pick()

    def action_pick(self) -> None:
        """Choose the line under the cursor."""
        if self._choices:
            self.finish(Picked(self._choices[self._grid.cursor].value))

    def action_pick_number(self, number: int) -> None:
        """Choose a line by its number."""
        if number <= len(self._choices):
            self.finish(Picked(self._choices[number - 1].value))

    def action_cancel(self) -> None:
        """Choose nothing."""
        self.finish(None)


def _line(number: int, choice: Choice[ValueT]) -> Line:
    digit = Cell(str(number + 1) if number < 9 else "", "key")
    count = Cell("" if choice.number is None else f"{choice.number:,}", "muted")
    return Line(number, (digit, Cell(choice.label), count))


def _hint() -> Content:
    keys = (("enter", "choose"), ("1-9", "at once"), ("esc", "cancel"))
    return Content("  ").join(Content.assemble((key, "bold"), f" {does}") for key, does in keys)
