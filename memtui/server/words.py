"""What a caller from outside is told when the database cannot do its part: no path, no inside."""

from __future__ import annotations

from memtui.errors import (
    CannotOpenError,
    LockedError,
    MemtuiError,
    NewerDatabaseError,
    NoSpaceError,
    ReadOnlyError,
)

_WORDS: dict[type[MemtuiError], str] = {
    LockedError: "The database is locked by another process; nothing was written. Try again soon.",
    ReadOnlyError: "The memories may not be written here; nothing was written.",
    NoSpaceError: "The disk is full; nothing was written.",
    CannotOpenError: "The database cannot be opened; nothing was written.",
    NewerDatabaseError: "The database was made by a newer memtui; nothing was written.",
}


def public_words(error: MemtuiError) -> str:
    """One or two sentences for `error` that name neither a path nor an exception."""
    return _WORDS.get(type(error), "The database failed; nothing was written.")
