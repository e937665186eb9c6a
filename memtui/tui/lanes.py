"""Queues of work for the database threads: each lane runs one job at a time, in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Lock

Job = Callable[[], None]


class Lane:
    """Jobs that must not overtake each other.

    With `newest_only` a job that waits is dropped when a newer one comes: while someone types, the
    database answers the first and the last question and none in between.
    """

    def __init__(self, name: str, *, newest_only: bool) -> None:
        self.name = name
        self._newest_only = newest_only
        self._waiting: deque[Job] = deque()
        self._running = False
        self._lock = Lock()

    def put(self, job: Job) -> bool:
        """Add a job; returns whether a thread must now be started to `drain` the lane."""
        with self._lock:
            if self._newest_only:
                self._waiting.clear()
            self._waiting.append(job)
            if self._running:
                return False
            self._running = True
            return True

    def drain(self) -> None:
        """Run the jobs, on the calling thread, until none waits."""
        while (job := self._next()) is not None:
            job()

    def _next(self) -> Job | None:
        with self._lock:
            if not self._waiting:
                self._running = False
                return None
            return self._waiting.popleft()
