"""A Textual application with the panes of the browse screen and nothing in them."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import DataTable, Footer, Input, OptionList, Static


class BareApp(App[None]):
    """What any program with these widgets costs, before it does anything."""

    CSS = "#side { width: 30; } #detail { width: 40; } Static { height: 1; }"
    BINDINGS: ClassVar[list[BindingType]] = [("q", "quit", "Quit"), ("slash", "search", "Search")]

    def compose(self) -> ComposeResult:
        """A status line, three panes and the keys."""
        yield Static("bare application")
        with Horizontal():
            with Vertical(id="side"):
                yield Input(placeholder="search")
                yield Static("filters")
                yield OptionList("active", "invalid", "all")
                yield Input(placeholder="find a tag")
                yield OptionList("one", "two", "three")
            with Vertical():
                yield DataTable[str]()
                yield Static("page 1 of 1")
            yield Static("detail", id="detail")
        yield Footer()


if __name__ == "__main__":
    BareApp().run()
