"""Exit codes and standard error: how a verb ends when it cannot do what it was asked."""

from __future__ import annotations

import errno
import json
import os
import sys
import traceback
from collections.abc import Iterable
from enum import IntEnum

from memtui.errors import (
    CancelledError,
    ConflictError,
    InvalidError,
    MemtuiError,
    NoSpaceError,
    ReadOnlyError,
)
from memtui.text import safe_block


class Exit(IntEnum):
    """What the program's end says; stable."""

    OK = 0
    FAILURE = 1
    USAGE = 2
    NOT_FOUND = 3
    CONFLICT = 4
    UNAVAILABLE = 5
    DAMAGED = 6
    PARTLY = 7
    INTERRUPTED = 130


MEANINGS = {
    Exit.OK: "done",
    Exit.FAILURE: "another failure, such as a file that cannot be opened",
    Exit.USAGE: "wrong usage, invalid input or an invalid setting; nothing was done",
    Exit.NOT_FOUND: "no such memory, version, tag or batch",
    Exit.CONFLICT: "the memory has another version than the expected one; nothing was written",
    Exit.UNAVAILABLE: "the database stayed locked, is read-only, or the disk is full",
    Exit.DAMAGED: "the file is damaged, is no database, or was made by a newer memtui",
    Exit.PARTLY: "partly done; the output says what was not",
    Exit.INTERRUPTED: "interrupted or cancelled; nothing was written",
}

_CODES = {
    "usage": Exit.USAGE,
    "invalid": Exit.USAGE,
    "config": Exit.USAGE,
    "not_found": Exit.NOT_FOUND,
    "conflict": Exit.CONFLICT,
    "locked": Exit.UNAVAILABLE,
    "read_only": Exit.UNAVAILABLE,
    "no_space": Exit.UNAVAILABLE,
    "damaged": Exit.DAMAGED,
    "newer_database": Exit.DAMAGED,
    "cancelled": Exit.INTERRUPTED,
}
_NO_SPACE = {errno.ENOSPC, errno.EDQUOT}
_READ_ONLY = {errno.EROFS}


class UsageError(MemtuiError):
    """The words after `memtui` make no sense together; nothing was done."""

    code = "usage"


class MissingExtraError(MemtuiError):
    """A verb needs a part of memtui that is not installed."""

    code = "missing_extra"


class FileError(MemtuiError):
    """A file that was named cannot be read or written."""

    code = "file"


def exit_code(error: MemtuiError) -> Exit:
    """The exit code that stands for an error."""
    return _CODES.get(error.code, Exit.FAILURE)


def warn(text: str) -> None:
    """Say something beside the data: one or more lines on standard error, safe to look at."""
    if sys.stderr is not None:
        print(safe_block(text), file=sys.stderr)


def fail(error: BaseException, *, as_json: bool) -> Exit:
    """Say why the program ends, in words or as JSON, and return its exit code."""
    known = _known(error)
    report(known, as_json=as_json)
    if os.environ.get("MEMTUI_DEBUG"):
        traceback.print_exception(error)
    return exit_code(known)


def report(error: MemtuiError, *, as_json: bool) -> None:
    """Write one error to standard error."""
    if as_json and sys.stderr is not None:
        print(json.dumps({"error": _as_object(error)}), file=sys.stderr)
        return
    warn(f"memtui: {error.message}")
    if error.hint:
        warn(error.hint)


def _as_object(error: MemtuiError) -> dict[str, object]:
    described: dict[str, object] = {
        "code": error.code,
        "message": error.message,
        "hint": error.hint,
        "exit_code": int(exit_code(error)),
    }
    if isinstance(error, InvalidError):
        described["problems"] = [
            {"loc": list(problem.loc), "message": problem.message, "kind": problem.kind}
            for problem in error.problems
        ]
    if isinstance(error, ConflictError):
        described["expected_version"] = error.expected_version
        described["current"] = error.current.model_dump(mode="json")
    return described


def _known(error: BaseException) -> MemtuiError:
    if isinstance(error, MemtuiError):
        return error
    if isinstance(error, KeyboardInterrupt):
        return CancelledError("Interrupted")
    if isinstance(error, OSError):
        return from_os(error)
    what = f"{type(error).__name__}: {error}"
    return MemtuiError(
        f"unexpected failure: {what}", "Set MEMTUI_DEBUG=1 to see where it came from."
    )


def from_os(error: OSError) -> MemtuiError:
    """Turn what the system refused into one of ours, naming the file."""
    where = f": {os.fsdecode(error.filename)}" if error.filename is not None else ""
    words = f"{(error.strerror or str(error)).lower()}{where}"
    if error.errno in _NO_SPACE:
        return NoSpaceError(words, "Free some space, then try again.")
    if error.errno in _READ_ONLY:
        return ReadOnlyError(words)
    return FileError(words)


def worst(errors: Iterable[MemtuiError], *, some_done: bool) -> Exit:
    """The exit code for work on many memories: partly done, or what kept all from being done."""
    codes = [exit_code(error) for error in errors]
    if not codes:
        return Exit.OK
    return Exit.PARTLY if some_done else codes[0]
