"""Databases of generated memories, made once and kept outside the repository."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import platformdirs

from memtui.models import Memory, RevisionAction
from memtui.store import Change, NewBatch, open_store
from tests.bench.generate import SEED, memories

BATCH = 5_000
_MADE_AT = datetime(2026, 4, 6, tzinfo=UTC)
_LAYOUT = 1
"""Grows when a database of an earlier benchmark no longer is what this one would make."""


def default_folder() -> Path:
    """Where the databases are kept unless another folder is named."""
    return Path(platformdirs.user_cache_dir("memtui-bench"))


def database(folder: Path, number: int, seed: int = SEED) -> Path:
    """The kept database of so many memories; made when it is not there."""
    path = folder / f"memories-{number}-{seed}-{_LAYOUT}.db"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".unfinished")
        unfinished.unlink(missing_ok=True)
        fill(unfinished, memories(number, seed))
        unfinished.rename(path)
    return path


def copy(path: Path, to: Path) -> Path:
    """A copy to write in."""
    shutil.copyfile(path, to)
    return to


def fill(path: Path, source: Iterator[Memory]) -> float:
    """Write memories into a new database, as many transactions; returns seconds of CPU."""
    started = time.process_time()
    store = open_store(path)
    try:
        while chunk := list(islice(source, BATCH)):
            with store.write() as transaction:
                batch = transaction.open_batch(NewBatch("bench", _MADE_AT, "fill"))
                transaction.apply(
                    batch, [Change(None, memory, RevisionAction.CREATE) for memory in chunk]
                )
    finally:
        store.close()
    return time.process_time() - started
