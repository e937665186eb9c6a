"""`MemoryService`, the one way to the memories: thread-safe, every call one transaction."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from memtui.service import once
from memtui.service.calls.agents import AgentCalls
from memtui.service.calls.bulk import BulkCalls
from memtui.service.calls.curation import CurationCalls
from memtui.service.calls.journal import JournalCalls
from memtui.service.calls.lifecycle import LifecycleCalls
from memtui.service.calls.retrieval import RetrievalCalls
from memtui.service.calls.transfer import TransferCalls
from memtui.service.context import Context, Progress
from memtui.service.once import Done
from memtui.store import Store, open_store

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The present moment, aware and in UTC."""
    return datetime.now(UTC)


class MemoryService(
    LifecycleCalls,
    RetrievalCalls,
    CurationCalls,
    JournalCalls,
    BulkCalls,
    TransferCalls,
    AgentCalls,
):
    """The contract's rules on one database.

    Open it with `MemoryService.open`, use it from any thread, close it (or use `with`). `actor`
    names who acts in the journal ("tui", "cli", "mcp:claude"); `as_actor` gives the same service
    under another name. Every call is one transaction and raises a `MemtuiError` of the kind that
    its docstring names, or a `StoreError` when the database cannot do its part.
    """

    def __init__(self, store: Store, *, actor: str = "python", clock: Clock = utc_now) -> None:
        self._context = Context(store, actor, clock)

    @classmethod
    def open(
        cls,
        target: str | Path,
        *,
        actor: str = "python",
        read_only: bool = False,
        clock: Clock = utc_now,
        progress: Progress | None = None,
    ) -> Self:
        """Open the database at `target`, a path or a URL, and bring its schema up to date.

        A missing file is created, with its folder. With `read_only` nothing is ever written: every
        retrieval is a peek and writing calls raise `ReadOnlyError`.
        `progress(done, total)` is told how far it is when a search index must be built first.
        Raises `CannotOpenError`, `DamagedError`, `NewerDatabaseError`, `LockedError`.
        """
        store = open_store(target, read_only=read_only, progress=progress)
        return cls(store, actor=actor, clock=clock)

    def as_actor(self, actor: str) -> MemoryService:
        """The same database under another actor's name; closing either closes both."""
        return MemoryService(self._context.store, actor=actor, clock=self._context.clock)

    def close(self) -> None:
        """Release every connection. Calling it twice is allowed."""
        self._context.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def actor(self) -> str:
        """Who acts."""
        return self._context.actor

    @property
    def location(self) -> str:
        """Where the memories are: the path of the file, or a URL without its password."""
        return self._context.store.location

    def change_token(self) -> int:
        """A number that differs when anyone, this service included, has changed the database."""
        return self._context.store.change_token()

    def once(self, key: str, request: str, work: Callable[[MemoryService], bytes]) -> Done:
        """Do a request once: return the answer kept under `key`, or do `work` and keep its answer.

        What `work` writes through the service that it is given, and the answer it returns, are one
        transaction. `request` identifies the request (a digest of it). Answers are kept for a day.
        Raises `InvalidError` when the key was used for another request, and whatever `work` does;
        then nothing is written and nothing is kept.
        """

        def joined(context: Context) -> bytes:
            return work(MemoryService(context.store, actor=context.actor, clock=context.clock))

        return once.once(self._writing(), key, request, joined)
