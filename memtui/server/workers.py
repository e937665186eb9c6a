"""The threads that wait for the database, so that the event loop never does."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar, TypeVarTuple, Unpack

Given = TypeVarTuple("Given")
Result = TypeVar("Result")

THREADS = 40
"""More than ever work at once: while another process holds the lock, most of them only wait."""

TURN_SECONDS = 2.0
"""How long a thread waits for the others of this process before it leaves the waiting to SQLite."""


class Turns:
    """One at a time among the threads that write or mark.

    SQLite lets one write at a time anyway, but a thread that finds it locked tries again after
    short waits, and luck decides when it gets in; a lock wakes it at once. This is for speed alone:
    the database's own lock decides, so whoever waited too long just goes on.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Hold the turn, or go on without it after `TURN_SECONDS`."""
        is_held = self._lock.acquire(timeout=TURN_SECONDS)
        try:
            yield
        finally:
            if is_held:
                self._lock.release()


class Workers:
    """A pool of threads for the handlers of one application.

    The standard library's pool, because it costs a third of the processor time of anyio's a call.
    """

    def __init__(self) -> None:
        self.turns = Turns()
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="memtui-worker")

    async def run(self, work: Callable[[Unpack[Given]], Result], *given: *Given) -> Result:
        """Do `work` in a thread and return what it returns."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *given)

    def close(self) -> None:
        """Finish what was begun, then end the threads."""
        self._pool.shutdown()
