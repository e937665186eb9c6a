"""The server's log: one JSON object a line on standard error, never a body, a query or a token."""

from __future__ import annotations

import json
import logging
import sys
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from time import time
from typing import Protocol, TextIO

_WAITING_LINES = 10_000
_BATCH_SECONDS = 0.02
_STOP_SECONDS = 2.0
SLOW = 1.0
"""Seconds from which on a request is called slow."""


class RequestLog(Protocol):
    """Where answered requests are noted."""

    def request(
        self, *, method: str, path: str, status: int, seconds: float, request_id: str
    ) -> None:
        """Note one request; `status` 499 is a client that went away."""
        ...


class NoLog:
    """Notes nothing, for a server inside another program that owns the terminal."""

    def request(
        self, *, method: str, path: str, status: int, seconds: float, request_id: str
    ) -> None:
        """See `RequestLog.request`."""


class LineWriter:
    """Writes lines from a thread of its own, so that no request ever waits for the terminal.

    Lines that come close together are written at once. When whoever reads them does not, the oldest
    are left out.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lines: deque[str] = deque(maxlen=_WAITING_LINES)
        self._wake = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="memtui-log", daemon=True)
        self._thread.start()

    def put(self, line: str) -> None:
        """Write a line soon."""
        self._lines.append(line)
        if not self._wake.is_set():
            self._wake.set()

    def stop(self) -> None:
        """Write what is waiting, unless nobody takes it."""
        self._stopping.set()
        self._wake.set()
        self._thread.join(_STOP_SECONDS)

    def _run(self) -> None:
        while not self._stopping.is_set():
            self._wake.wait()
            self._stopping.wait(_BATCH_SECONDS)
            self._wake.clear()
            self._write()
        self._write()

    def _write(self) -> None:
        lines = []
        while self._lines:
            lines.append(self._lines.popleft())
        with suppress(OSError, ValueError):
            self._stream.write("".join(f"{line}\n" for line in lines))
            self._stream.flush()


class JsonLog(logging.Handler):
    """Requests, and the messages of the libraries, as lines of JSON."""

    def __init__(self, writer: LineWriter) -> None:
        super().__init__()
        self._writer = writer

    def request(
        self, *, method: str, path: str, status: int, seconds: float, request_id: str
    ) -> None:
        """See `RequestLog.request`; what failed is an error, what was slow a warning."""
        is_slow = seconds >= SLOW
        level = "error" if status >= 500 else "warning" if is_slow else "info"
        self._put(
            time(),
            {
                "level": level,
                "method": method,
                "path": path,
                "status": status,
                "duration_ms": round(seconds * 1000, 3),
                "request_id": request_id,
                **({"slow": True} if is_slow else {}),
            },
        )

    def emit(self, record: logging.LogRecord) -> None:
        """Note a message, without its traceback: that may hold what a caller sent."""
        what = {"level": record.levelname.lower(), "message": record.getMessage()}
        self._put(record.created, what)

    def _put(self, when: float, what: Mapping[str, object]) -> None:
        moment = datetime.fromtimestamp(when, UTC).isoformat(timespec="milliseconds")
        self._writer.put(json.dumps({"time": f"{moment[:-6]}Z", **what}))


@contextmanager
def logging_to(stream: TextIO | None = None) -> Iterator[JsonLog]:
    """While this is open, what memtui's server, uvicorn and the MCP SDK say goes to `stream`."""
    writer = LineWriter(stream or sys.stderr)
    log = JsonLog(writer)
    levels = {"memtui.server": logging.INFO, "uvicorn": logging.WARNING, "mcp": logging.ERROR}
    loggers = {logging.getLogger(name): level for name, level in levels.items()}
    before = {logger: (logger.level, logger.propagate) for logger in loggers}
    for logger, level in loggers.items():
        logger.addHandler(log)
        logger.setLevel(level)
        logger.propagate = False
    try:
        yield log
    finally:
        for logger, (level, propagate) in before.items():
            logger.removeHandler(log)
            logger.setLevel(level)
            logger.propagate = propagate
        writer.stop()
