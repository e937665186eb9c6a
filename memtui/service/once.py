"""Doing a request once: its writes and the answer that is kept are one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from threading import Event

from memtui.errors import InvalidError, Problem
from memtui.service.context import Context
from memtui.store import KeptAnswer, Progress, ReadTransaction, Store, WriteTransaction

KEPT_FOR = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Done:
    """An answer, and whether it is that of an earlier request."""

    answer: bytes
    replayed: bool


def once(context: Context, key: str, request: str, work: Callable[[Context], bytes]) -> Done:
    """Return the answer kept under `key`, or do `work` and keep its answer."""
    with context.store.write() as transaction:
        now = context.clock()
        kept = transaction.kept_answer(key)
        if kept is not None and now - kept.at < KEPT_FOR:
            if kept.request != request:
                reused = Problem(
                    ("idempotency-key",), "was used for another request", "idempotency_key_reused"
                )
                raise InvalidError([reused], "Use a new key for every new request.")
            return Done(kept.answer, replayed=True)
        joined = Context(_Joined(context.store, transaction), context.actor, context.clock)
        answer = work(joined)
        transaction.keep_answer(key, KeptAnswer(request, answer, now), forget_before=now - KEPT_FOR)
        return Done(answer, replayed=False)


class _Joined:
    """A store whose transactions are all part of one that is open already."""

    def __init__(self, store: Store, transaction: WriteTransaction) -> None:
        self._store = store
        self._transaction = transaction
        self.read_only = store.read_only
        self.location = store.location

    @contextmanager
    def read(self, stop: Event | None = None) -> Iterator[ReadTransaction]:
        yield self._transaction

    @contextmanager
    def write(self, stop: Event | None = None) -> Iterator[WriteTransaction]:
        yield self._transaction

    def change_token(self) -> int:
        return self._store.change_token()

    def check(self) -> Iterator[str]:
        return self._store.check()

    def rebuild(self, progress: Progress | None = None) -> None:
        self._store.rebuild(progress)

    def backup(self, path: Path) -> None:
        self._store.backup(path)

    def close(self) -> None:
        """The store stays open: whoever opened it closes it."""
