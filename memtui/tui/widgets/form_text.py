"""The boxes that text is typed into: a memory's content, and single lines."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from rich.text import Text
from textual import events
from textual.document._document import EditResult, Location
from textual.document._document_navigator import DocumentNavigator
from textual.document._edit import Edit
from textual.document._wrapped_document import WrappedDocument
from textual.geometry import Size
from textual.message import Message
from textual.reactive import Reactive
from textual.widgets import Input, TextArea

from memtui.tui.widgets.excerpt import find_folded
from memtui.tui.widgets.form_exact import ExactDocument, StandIns, one_cell_each

_ANY_LINE_END = re.compile("\r\n|\r|\n")


@dataclass
class PasteRefused(Message):
    """Pasted text was too long to be put in at all; nothing was inserted.

    `length` is what was pasted, `limit` what the box takes, both in characters.
    """

    length: int
    limit: int


class ContentArea(TextArea):
    """A soft-wrapping editor that changes nothing but what is typed.

    `value` is the exact text: line ends, tabs, control and invisible characters are those that it
    was given. Enter and pasted line ends follow the text's own kind. A paste beyond `paste_limit`
    characters in all is refused as a whole, since no part of it could be meant.
    """

    DEFAULT_CSS = """
    ContentArea { border: none; padding: 0 1; }
    ContentArea:focus { border: none; }
    """
    COMPONENT_CLASSES = TextArea.COMPONENT_CLASSES | {"content-area--stand-in"}

    def __init__(self, text: str = "", *, paste_limit: int, widget_id: str | None = None) -> None:
        self._stand_ins = StandIns()
        self._paste_limit = paste_limit
        super().__init__(
            text, soft_wrap=True, id=widget_id, highlight_cursor_line=False, tab_behavior="focus"
        )
        self.match_cursor_bracket = False

    @property
    def value(self) -> str:
        """The exact text as it would be stored."""
        return self._stand_ins.decode(self.document.text)

    def begin_at(self, needle: str) -> None:
        """Put the cursor behind the first place that holds `needle`, or else at the end."""
        found = find_folded(self.value, needle) if needle else None
        document = self.document
        if found is not None and isinstance(document, ExactDocument):
            self.move_cursor(document.get_location_from_index(found[1]))
        else:
            self.move_cursor(document.end)

    def _set_document(self, text: str, language: str | None) -> None:
        del language
        self.document = ExactDocument(self._stand_ins.encode(text))
        self.wrapped_document = WrappedDocument(self.document, tab_width=self.indent_width)
        self.navigator = DocumentNavigator(self.wrapped_document)
        self._build_highlight_map()
        self.move_cursor((0, 0))
        self._rewrap_and_refresh_virtual_size()

    def _watch_language(self, language: str | None) -> None:
        """Content has no language; setting the document again would lose its line ends."""

    def get_line(self, line_index: int) -> Text:
        """What is drawn for a line: stand-ins for whatever must not reach the terminal."""
        drawn, places = self._stand_ins.shown(self.document.get_line(line_index))
        line = Text(drawn, end="", no_wrap=True)
        if places:
            style = self.get_component_rich_style("content-area--stand-in", partial=True)
            for place in places:
                line.stylize(style, place, place + 1)
        return line

    def get_text_range(self, start: Location, end: Location) -> str:
        """The exact text of a range, as copying wants it."""
        return self._stand_ins.decode(self.document.get_text_range(start, end))

    def edit(self, edit: Edit) -> EditResult:
        """Do an edit that came from outside; what it holds is made safe to draw first."""
        typed_enter = edit.text == "\n"
        text = self.document.newline if typed_enter else self._stand_ins.encode(edit.text)
        result = super().edit(replace(edit, text=text))
        return EditResult(result.end_location, self._stand_ins.decode(result.replaced_text))

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        length = len(event.text)
        if self.read_only or not length:
            return
        if length + len(self.document.text) > self._paste_limit:
            self.post_message(PasteRefused(length, self._paste_limit))
            return
        newline = self.document.newline
        if pasted := self.replace(
            _ANY_LINE_END.sub(newline, event.text), *self.selection, maintain_selection_offset=False
        ):
            self.move_cursor(pasted.end_location)


class LineInput(Input):
    """A single-line box: pasted lines are joined by spaces, unsafe characters are drawn safely."""

    # The text's width, which scrolls it; that it grows is no reason to lay out the whole screen.
    virtual_size = Reactive(Size(0, 0))

    def __init__(
        self, *, paste_limit: int, placeholder: str = "", widget_id: str | None = None
    ) -> None:
        super().__init__(placeholder=placeholder, id=widget_id, compact=True, select_on_focus=False)
        self._paste_limit = paste_limit

    @property
    def _value(self) -> Text:
        return Text(one_cell_each(self.value), no_wrap=True, overflow="ignore", end="")

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        joined = " ".join(event.text.splitlines())
        if len(joined) > self._paste_limit:
            self.post_message(PasteRefused(len(joined), self._paste_limit))
            return
        self.replace(joined, *sorted(self.selection))
