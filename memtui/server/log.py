"""The server's log: one JSON object a line on standard error, never a body, a query or a token."""

from __future__ import annotations

import json
import logging
import logging.handlers
import queue
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Protocol, TextIO

_WAITING_LINES = 10_000


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


class JsonLog:
    """Notes requests through the standard library's logging."""

    def __init__(self) -> None:
        self._logger = logging.getLogger("memtui.server.requests")

    def request(
        self, *, method: str, path: str, status: int, seconds: float, request_id: str
    ) -> None:
        """See `RequestLog.request`."""
        self._logger.info(
            "",
            extra={
                "request": {
                    "method": method,
                    "path": path,
                    "status": status,
                    "duration_ms": round(seconds * 1000, 3),
                    "request_id": request_id,
                }
            },
        )


class _Lines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        when = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, object] = {"time": when.replace("+00:00", "Z")}
        request = getattr(record, "request", None)
        if isinstance(request, dict):
            line |= request
        else:
            line |= {"level": record.levelname.lower(), "message": record.getMessage()}
        return json.dumps(line)


class _Dropping(logging.handlers.QueueHandler):
    """Leaves lines out rather than wait, when whoever reads standard error does not."""

    def enqueue(self, record: logging.LogRecord) -> None:
        try:
            self.queue.put_nowait(record)
        except queue.Full:
            return

    def prepare(self, record: logging.LogRecord) -> logging.LogRecord:
        return record


@contextmanager
def logging_to(stream: TextIO | None = None) -> Iterator[JsonLog]:
    """While this is open, memtui's, uvicorn's and the MCP SDK's messages go to `stream` as JSON.

    A thread of its own writes them, so that no request ever waits for the terminal.
    """
    lines: queue.Queue[logging.LogRecord] = queue.Queue(_WAITING_LINES)
    writer = logging.StreamHandler(stream or sys.stderr)
    writer.setFormatter(_Lines())
    handler = _Dropping(lines)
    listener = logging.handlers.QueueListener(lines, writer)
    levels = {"memtui.server": logging.INFO, "uvicorn": logging.WARNING, "mcp": logging.ERROR}
    loggers = {logging.getLogger(name): level for name, level in levels.items()}
    before = {logger: (logger.level, logger.propagate) for logger in loggers}
    listener.start()
    for logger, level in loggers.items():
        logger.addHandler(handler)
        logger.setLevel(level)
        logger.propagate = False
    try:
        yield JsonLog()
    finally:
        for logger, (level, propagate) in before.items():
            logger.removeHandler(handler)
            logger.setLevel(level)
            logger.propagate = propagate
        listener.stop()
