"""Where memories are kept: an interface small enough for a second database, and SQLite behind it.

SQL libraries are imported when a database is opened, never before.
"""

from __future__ import annotations

from pathlib import Path

from memtui.errors import CannotOpenError
from memtui.store.base import (
    Change,
    Filter,
    KeptAnswer,
    NewBatch,
    Order,
    Progress,
    ReadTransaction,
    Store,
    Term,
    TermMatch,
    WriteTransaction,
)

__all__ = [
    "Change",
    "Filter",
    "KeptAnswer",
    "NewBatch",
    "Order",
    "Progress",
    "ReadTransaction",
    "Store",
    "Term",
    "TermMatch",
    "WriteTransaction",
    "open_store",
]


def open_store(
    target: str | Path, *, read_only: bool = False, progress: Progress | None = None
) -> Store:
    """Open `target`, a path or a `sqlite:///` URL, and bring its schema up to date.

    `progress` is told how far the building of a search index is, where that must be done.
    Raises `CannotOpenError`, `DamagedError`, `NewerDatabaseError`, `ReadOnlyError`, `LockedError`.
    """
    path = _path_of(target)
    from memtui.store.sqlite import SqliteStore

    return SqliteStore(path, read_only=read_only, progress=progress)


def _path_of(target: str | Path) -> Path:
    text = str(target)
    if text.startswith("sqlite:///"):
        text = text.removeprefix("sqlite:///")
    elif "://" in text:
        raise CannotOpenError(
            f"{text.split('://', maxsplit=1)[0]}:// is not a database memtui knows",
            "Give the path of a file, or sqlite:///PATH.",
        )
    if text in {"", ":memory:"}:
        raise CannotOpenError(
            "A database needs a file", "For a throw-away database run: memtui demo"
        )
    return Path(text).expanduser()
