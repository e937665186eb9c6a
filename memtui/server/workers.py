"""The threads that wait for the database, so that the event loop never does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar, TypeVarTuple, Unpack

Given = TypeVarTuple("Given")
Result = TypeVar("Result")

THREADS = 40
"""More than ever work at once: while another process holds the lock, most of them only wait."""


class Workers:
    """A pool of threads for the handlers of one application.

    The standard library's pool, because it costs a third of the processor time of anyio's a call.
    """

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="memtui-worker")

    async def run(self, work: Callable[[Unpack[Given]], Result], *given: *Given) -> Result:
        """Do `work` in a thread and return what it returns."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *given)

    def close(self) -> None:
        """Finish what was begun, then end the threads."""
        self._pool.shutdown()
