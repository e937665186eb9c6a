"""What can go wrong, as values: each error has a message, a hint and a stable code.

A surface shows `message` and `hint`, and translates `code` (an exit code on the command line, a
status over HTTP, a tool error over MCP). No surface invents an error of its own for these cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from memtui.interchange import ImportReport
    from memtui.models import Memory


class MemtuiError(Exception):
    """The base of every error that memtui raises on purpose.

    `message` says in one sentence what happened; `hint` says what is allowed or what to do next,
    and may be empty. `code` is stable and lower case.
    """

    code: ClassVar[str] = "error"

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Problem:
    """One refused value: where it was (`("tags", 2)`), what is allowed, and Pydantic's kind."""

    loc: tuple[str | int, ...]
    message: str
    kind: str = "value_error"

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.loc))}: {self.message}" if self.loc else self.message


class InvalidError(MemtuiError):
    """A value, a field or a combination that the contract refuses; nothing was written."""

    code = "invalid"

    def __init__(self, problems: Sequence[Problem] | str, hint: str = "") -> None:
        if isinstance(problems, str):
            problems = [Problem((), problems)]
        self.problems = tuple(problems)
        super().__init__("; ".join(map(str, self.problems)), hint)


class NotFoundError(MemtuiError):
    """There is no such memory, revision, tag or batch, or it is deleted (CONTRACT §2)."""

    code = "not_found"


class ConflictError(MemtuiError):
    """The caller saw an older version; nothing was written (CONTRACT §2, optimistic locking).

    `current` is the memory as it is stored now, `expected_version` what the caller passed.
    """

    code = "conflict"

    def __init__(self, current: Memory, expected_version: int) -> None:
        super().__init__(
            f"Memory {current.id} is at version {current.version}, not {expected_version}",
            "Read the current memory, merge your change and pass its version.",
        )
        self.current = current
        self.expected_version = expected_version


class StoreError(MemtuiError):
    """The database could not do its part; what was acknowledged before is kept."""

    code = "store"


class LockedError(StoreError):
    """Another process kept the database locked for longer than the bounded wait."""

    code = "locked"


class ReadOnlyError(StoreError):
    """The database, its folder or the session may not be written."""

    code = "read_only"


class NoSpaceError(StoreError):
    """The disk is full; the write was rolled back."""

    code = "no_space"


class CannotOpenError(StoreError):
    """The path cannot be opened: a folder, no permission, or a missing parent."""

    code = "cannot_open"


class DamagedError(StoreError):
    """The file is not a database, or its pages are damaged."""

    code = "damaged"


class NewerDatabaseError(StoreError):
    """The database was made by a newer memtui than this one."""

    code = "newer_database"


class SecretsError(InvalidError):
    """An import was stopped because records seem to hold live credentials; nothing was written.

    `report` says which ones; it never holds their values.
    """

    def __init__(self, report: ImportReport) -> None:
        first = "; ".join(
            f"{found.source}, line {found.line}: {found.what}" for found in report.first_secrets[:3]
        )
        super().__init__(
            f"{report.secrets} records seem to hold live credentials: {first}",
            "Nothing was imported. Leave these records out, or allow them.",
        )
        self.report = report


class CancelledError(MemtuiError):
    """The caller asked for the work to stop; it was rolled back and nothing was written."""

    code = "cancelled"


class ConfigError(MemtuiError):
    """A setting cannot be used; the message names the file, the line and the reason."""

    code = "config"
