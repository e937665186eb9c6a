"""Standard input and output as a wire of JSON-RPC lines, and of nothing else.

The descriptors are taken before anything heavy is imported: from then on whatever prints to
standard output goes to standard error, and whatever reads standard input finds it empty.
"""

from __future__ import annotations

import os
import sys

READ_SIZE = 65_536
MAX_LINE = 16 * 1024 * 1024


class TooLongError(ValueError):
    """A line is longer than `MAX_LINE` bytes; it was skipped."""


class Wire:
    """The two descriptors; reading and writing block, so they belong into worker threads."""

    def __init__(self, source: int, sink: int) -> None:
        self._source = source
        self._sink = sink
        self._read = bytearray()
        self._ended = False

    @classmethod
    def claim(cls) -> Wire:
        """Take standard input and output for JSON-RPC, and leave stand-ins in their place."""
        sys.stdout.flush()
        wire = cls(os.dup(0), os.dup(1))
        os.dup2(2, 1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        return wire

    def read_line(self) -> bytes | None:
        r"""The next line without its `\n`, which alone ends a line; None at the end of input.

        Raises `TooLongError`.
        """
        searched = 0
        while True:
            end = self._read.find(b"\n", searched)
            if end >= 0 or self._ended:
                return self._take(end)
            searched = len(self._read)
            if searched > MAX_LINE:
                self._skip_line()
                raise TooLongError
            self._fill()

    def write_line(self, line: str) -> None:
        """Write one line as a whole. Raises `BrokenPipeError` when nobody reads it any more."""
        rest = memoryview(line.encode() + b"\n")
        while rest:
            rest = rest[os.write(self._sink, rest) :]

    def _take(self, end: int) -> bytes | None:
        if end < 0:
            line, self._read = bytes(self._read), bytearray()
            return line or None
        line = bytes(self._read[:end])
        del self._read[: end + 1]
        return line

    def _skip_line(self) -> None:
        while (end := self._read.find(b"\n")) < 0 and not self._ended:
            self._read.clear()
            self._fill()
        del self._read[: end + 1 if end >= 0 else len(self._read)]

    def _fill(self) -> None:
        chunk = os.read(self._source, READ_SIZE)
        self._read += chunk
        self._ended = not chunk
