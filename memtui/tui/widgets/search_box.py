"""The boxes that a search, or a piece of a tag, is typed into."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.message import Message

from memtui.tui.actions import Scope
from memtui.tui.keys import bindings
from memtui.tui.widgets.form_text import LineInput

LONGEST = 256
"""How many characters the contract lets a search have."""


class SearchBox(LineInput):
    """A line that is searched by while it is typed; Enter or Down leads to the results."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.SEARCH)]

    class Left(Message):
        """The person wants to go on to what was found."""

        def __init__(self, box: SearchBox) -> None:
            super().__init__()
            self.box = box

        @property
        def control(self) -> SearchBox:
            """The box that is left."""
            return self.box

    def __init__(self, placeholder: str, *, widget_id: str) -> None:
        super().__init__(paste_limit=LONGEST, placeholder=placeholder, widget_id=widget_id)
        self.max_length = LONGEST

    def action_leave_search(self) -> None:
        """Keep the search and go to its results."""
        self.post_message(self.Left(self))

    def put(self, text: str) -> None:
        """Show `text` without telling anyone that it changed."""
        if text != self.value:
            with self.prevent(self.Changed):
                self.value = text
                self.cursor_position = len(text)
