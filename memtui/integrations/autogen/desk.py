"""Where the database work is done: in threads, never on the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Literal, TypeVar

from autogen_core import CancellationToken

from memtui.config import load
from memtui.service import MemoryService

_T = TypeVar("_T")
_THREADS = {"look": 2, "act": 1}
# One database has one writer; who only looks is not kept waiting behind it.

Lane = Literal["look", "act"]
"""Whether some work only peeks, or writes (as reading does when it marks)."""


class Desk:
    """A service that is opened when it is first needed, and the threads that use it.

    A call that is cancelled before its turn does nothing; one that has begun is one transaction
    after the other and ends by itself, so each change is there as a whole or not at all.
    """

    def __init__(self, database: str | None, actor: str, service: MemoryService | None) -> None:
        self._actor = actor
        self._given = service
        self._database = database
        self._opened: MemoryService | None = None
        self._threads: dict[Lane, ThreadPoolExecutor] = {}
        self._starting = Lock()
        self._opening = Lock()  # held while a database opens, so never taken on the event loop

    @cached_property
    def location(self) -> str:
        """The database's place, absolute, so that it is the same one from another folder."""
        if self._given is not None:
            return _absolute(self._given.location)
        return _absolute(self._database or load().settings.db)

    async def run(
        self,
        work: Callable[[MemoryService], _T],
        *,
        lane: Lane = "act",
        token: CancellationToken | None = None,
        timeout: float | None = None,
    ) -> _T:
        """Do `work` in a thread and return what it returns, or raise what it raises.

        Raises `TimeoutError` after `timeout` seconds and `CancelledError` when the token is
        cancelled; the thread is left to end what it has begun.
        """

        def wanted(service: MemoryService) -> _T:
            # Cancelled while it waited for a thread: then nothing is begun.
            if token is not None and token.is_cancelled():
                raise asyncio.CancelledError
            return work(service)

        future = asyncio.wrap_future(self._submit(lane, wanted))
        if token is not None:
            token.link_future(future)
        return await asyncio.wait_for(future, timeout)

    def later(self, work: Callable[[MemoryService], None]) -> None:
        """Do `work` when its turn comes; nobody waits for it, and what it raises is dropped."""
        self._submit("act", work)

    def _submit(self, lane: Lane, work: Callable[[MemoryService], _T]) -> Future[_T]:
        with self._starting:
            if lane not in self._threads:
                self._threads[lane] = ThreadPoolExecutor(
                    _THREADS[lane], thread_name_prefix=f"memtui-autogen-{lane}"
                )
            return self._threads[lane].submit(lambda: work(self._service()))

    async def close(self) -> None:
        """End what has begun and close the service, if it was opened here. Twice is allowed."""
        with self._starting:
            ending, self._threads = self._threads, {}
        for threads in ending.values():
            await asyncio.to_thread(threads.shutdown)
        await asyncio.to_thread(self._close_service)

    def _close_service(self) -> None:
        with self._opening:
            opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()

    def _service(self) -> MemoryService:
        with self._opening:
            if self._opened is None and self._given is None:
                self._opened = MemoryService.open(self.location, actor=self._actor)
            found = self._opened or self._given
        assert found is not None
        return found.as_actor(self._actor)


def _absolute(location: str) -> str:
    path = location.removeprefix("sqlite:///")
    return path if "://" in path else str(Path(path).expanduser().absolute())
