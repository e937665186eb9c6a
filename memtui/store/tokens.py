"""Noticing that somebody changed the database."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable


class ChangeToken:
    """A connection of its own, because `data_version` tells what *other* connections committed."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        self._connect = connect
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    def read(self) -> int:
        """A number that differs from the last one when a change was committed in between."""
        with self._lock:
            if self._connection is None:
                self._connection = self._connect()
            return int(self._connection.execute("PRAGMA data_version").fetchone()[0])

    def close(self) -> None:
        """Release the connection."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
