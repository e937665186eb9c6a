"""Reading what a terminal pastes as it is, whatever it holds.

Textual looks for key sequences inside of a paste: after an escape character in it the next ones
come as key presses, so that pasting a log with colours could press `d`. This parser takes a paste
out of the stream before Textual's looks at it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from textual import events
from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.message import Message


class PasteParser(XTermParser):
    """Textual's parser, with pastes exact: everything between the two marks is one `Paste`."""

    def __init__(self, debug: bool = False) -> None:
        self._pasted: list[str] | None = None
        self._tail = ""
        super().__init__(debug)

    def feed(self, data: str) -> Iterable[Message]:
        """Parse some of the stream; marks may be cut in two at its edges."""
        if not data:
            yield from super().feed(data)
            return
        while data:
            if self._pasted is None:
                outside, data = self._until(BRACKETED_PASTE_START, data)
                # The beginning mark is the parser's too: it may have taken in a part of it already.
                yield from super().feed(outside)
                if self._ended(BRACKETED_PASTE_START):
                    self._pasted = []
            else:
                inside, data = self._until(BRACKETED_PASTE_END, data)
                self._pasted.append(inside)
                if self._ended(BRACKETED_PASTE_END):
                    yield from self._finish()

    def _until(self, mark: str, data: str) -> tuple[str, str]:
        """Split `data` behind the first `mark` in the stream; remember how the first part ends."""
        stream = self._tail + data
        at = stream.find(mark)
        stop = len(data) if at < 0 else at + len(mark) - len(self._tail)
        self._tail = (self._tail + data[:stop])[-len(mark) :]
        if not self._ended(mark):
            self._tail = self._tail[1 - len(mark) :]
        return data[:stop], data[stop:]

    def _ended(self, mark: str) -> bool:
        return self._tail == mark

    def _finish(self) -> Iterable[Message]:
        text = "".join(self._pasted or ()).removesuffix(BRACKETED_PASTE_END)
        self._pasted = None
        self._tail = ""
        for message in super().feed(BRACKETED_PASTE_END):
            if not isinstance(message, events.Paste):
                yield message
        yield events.Paste(text)


def read_pastes_exactly() -> None:
    """Have Textual's driver for this system read with `PasteParser`."""
    if sys.platform != "win32":
        from textual.drivers import linux_driver

        vars(linux_driver)["XTermParser"] = PasteParser
