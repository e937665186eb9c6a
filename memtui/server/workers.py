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
    """The threads for the handlers of one application.

    The standard library's pools, because they cost a third of the processor time of anyio's a call.
    Requests that come one after the other are all done by the same thread: what it needs is still
    near its processor, and nobody else has to be woken. While it works, others go to many threads.
    """

    def __init__(self) -> None:
        self.turns = Turns()
        self._first = ThreadPoolExecutor(1, thread_name_prefix="memtui-first-worker")
        self._others = ThreadPoolExecutor(THREADS - 1, thread_name_prefix="memtui-worker")
        self._first_is_free = True

    async def run(self, work: Callable[[Unpack[Given]], Result], *given: *Given) -> Result:
        """Do `work` in a thread and return what it returns."""
        if not self._first_is_free:
            return await asyncio.wrap_future(self._others.submit(work, *given))
        self._first_is_free = False
        done = self._first.submit(work, *given)
        done.add_done_callback(self._free_first)
        return await asyncio.wrap_future(done)

    def close(self) -> None:
        """Finish what was begun, then end the threads."""
        self._first.shutdown()
        self._others.shutdown()

    def _free_first(self, _done: object) -> None:
        self._first_is_free = True
