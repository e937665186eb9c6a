"""A program in a pseudo-terminal, and what a person would see of it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pexpect
import pyte

COLUMNS, LINES = 120, 40
_NEVER = re.compile(r"(?!)")


class Terminal:
    """Starts `command`; `shows` waits for text to be on the screen."""

    def __init__(
        self, command: Sequence[str], env: Mapping[str, str], cwd: Path | None = None
    ) -> None:
        self._screen = pyte.Screen(COLUMNS, LINES)
        self._stream = pyte.ByteStream(self._screen)
        self.child = pexpect.spawn(
            command[0],
            list(command[1:]),
            env={**env, "TERM": "xterm-256color"},
            cwd=None if cwd is None else str(cwd),
            dimensions=(LINES, COLUMNS),
        )
        self.child.delaybeforesend = None  # else each key waits for 50 ms

    @property
    def text(self) -> str:
        """The screen as it is, without trailing blanks."""
        return "\n".join(self._row(line).rstrip() for line in range(LINES))

    def _row(self, line: int) -> str:
        """One line; the empty cell behind a wide character trips pyte's own `display`."""
        cells = self._screen.buffer[line]
        return "".join(cells[column].data for column in range(COLUMNS))

    def shows(self, *wanted: str, seconds: float = 60) -> bool:
        """Whether all of `wanted` come to be on the screen; False when the program ends before."""
        return self._until(lambda text: all(words in text for words in wanted), seconds)

    def shows_match(self, wanted: re.Pattern[str], seconds: float = 60) -> bool:
        """Whether something that matches comes to be on the screen."""
        return self._until(lambda text: wanted.search(text) is not None, seconds)

    def _until(self, holds: Callable[[str], bool], seconds: float) -> bool:
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                self._stream.feed(self.child.read_nonblocking(65536, timeout=min(left, 0.5)))
            except pexpect.TIMEOUT:
                pass
            except pexpect.EOF:
                return False
            if holds(self.text):
                return True
        return False

    def follow(self, seconds: float) -> None:
        """Take in what is written for so long, as one who only watches."""
        self.shows_match(_NEVER, seconds=seconds)

    def ends(self, seconds: float = 30) -> int:
        """Wait for the end; the exit code, or minus the signal that ended it."""
        self.child.expect(pexpect.EOF, timeout=seconds)
        self.child.close()
        if self.child.exitstatus is not None:
            return int(self.child.exitstatus)
        return -int(self.child.signalstatus or 0)
