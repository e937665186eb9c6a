"""What was typed and not yet saved, kept in a private file so that a crash does not take it along.

A draft is two files beside the database, or, where that is no place to write, in the platform's
folder for state: the text, replaced as a whole each time, and an empty one that is locked for as
long as the program lives which keeps it. A draft that nobody has locked was left behind.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeVar, cast

from memtui.models import Memory, MemoryStatus, MemoryType
from memtui.tui.merge import Edited

_FORMAT: Final = 1
_SUFFIX: Final = ".draft"
_EDITING: Final = ".editing"
_MOST_BYTES: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Draft:
    """What a form held at a moment; `base` is the memory it began with, None for a new one."""

    base: Memory | None
    values: Edited
    saved_at: datetime

    def to_json(self) -> str:
        """Write it down, exactly."""
        return json.dumps(
            {
                "format": _FORMAT,
                "saved_at": self.saved_at.astimezone(UTC).isoformat(),
                "base": None
                if self.base is None
                else self.base.model_dump(mode="json", warnings=False),
                "values": asdict(self.values),
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Draft | None:
        """Read it, or return None for what is no draft that this version understands."""
        try:
            found = json.loads(text)
            if found["format"] != _FORMAT:
                return None
            return cls(
                None if found["base"] is None else _memory(found["base"]),
                _edited(found["values"]),
                datetime.fromisoformat(found["saved_at"]),
            )
        except (ValueError, KeyError, TypeError, RecursionError):
            return None


def _edited(values: Mapping[str, Any]) -> Edited:
    return Edited(
        _text(values["content"]),
        tuple(map(_text, values["tags"])),
        _text(values["memory_type"]),
        _text(values["status"]),
    )


def _memory(values: Mapping[str, Any]) -> Memory:
    """The memory as it was, also with values of another program."""
    read_at = values["last_accessed_at"]
    return Memory.model_construct(
        id=int(values["id"]),
        content=_text(values["content"]),
        tags=tuple(map(_text, values["tags"])),
        created_at=datetime.fromisoformat(values["created_at"]),
        updated_at=datetime.fromisoformat(values["updated_at"]),
        last_accessed_at=None if read_at is None else datetime.fromisoformat(read_at),
        memory_type=_member(MemoryType, values["memory_type"]),
        status=_member(MemoryStatus, values["status"]),
        version=int(values["version"]),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a draft holds texts")
    return value


_MemberT = TypeVar("_MemberT", bound=StrEnum)


def _member(kind: type[_MemberT], value: object) -> _MemberT:
    text = _text(value)
    return kind(text) if text in list(kind) else cast("_MemberT", text)


class DraftFile:
    """The place of one draft of the database at `location`; it is made by the first `write`.

    Methods may be called on any thread.
    """

    def __init__(self, location: str) -> None:
        self._location = location
        self._path: Path | None = None
        self._lock_fd: int | None = None
        self._busy = Lock()
        self._over = False

    @classmethod
    def found(cls, location: str, path: Path, lock_fd: int) -> DraftFile:
        """A place that was left behind, and is locked by `lock_fd` now."""
        place = cls(location)
        place._path, place._lock_fd = path, lock_fd
        return place

    @property
    def path(self) -> Path | None:
        """Where the draft is; None until it is written."""
        return self._path

    def write(self, draft: Draft) -> None:
        """Keep `draft` in the place of the one before, as a whole or not at all. `OSError`."""
        with self._busy:
            if self._over:
                return
            if self._path is None:
                self._path, self._lock_fd = _new_place(self._location)
            _replace(self._path, draft.to_json())

    def remove(self) -> None:
        """Forget the draft; later calls of `write` do nothing."""
        with self._busy:
            if self._path is not None:
                for path in (self._path, _lock_path(self._path)):
                    with suppress(OSError):
                        path.unlink(missing_ok=True)
            self._close()

    def release(self) -> None:
        """Leave the draft behind, for the next start."""
        with self._busy:
            self._close()

    def _close(self) -> None:
        self._over = True
        if self._lock_fd is not None:
            os.close(self._lock_fd)
            self._lock_fd = None


@contextmanager
def editing_folder(location: str) -> Iterator[Path]:
    """A private folder for what an editor outside is given; `left_in_editors` finds what it held.

    It is removed in the end, unless the program ends before. Raises `OSError` where none can be.
    """
    path, lock_fd = _new_place(location, _EDITING)
    try:
        path.mkdir(mode=0o700)
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
        _lock_path(path).unlink(missing_ok=True)
        os.close(lock_fd)


def _new_place(location: str, suffix: str = _SUFFIX) -> tuple[Path, int]:
    problem = OSError("there is no place for a draft")
    for folder, stem in _places(location):
        path = folder / f"{stem}-{uuid.uuid4().hex[:12]}{suffix}"
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            return path, _lock(path)
        except OSError as error:
            problem = error
    raise problem


def _replace(path: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # private: 0600
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise


def left_behind(location: str) -> list[tuple[DraftFile, Draft]]:
    """Return the drafts of the database at `location` whose programs are gone, newest first.

    They are locked for this program now. What is no draft is left alone.
    """
    found: list[tuple[DraftFile, Draft]] = []
    for path in _candidates(location):
        try:
            fd = _lock(path)
        except OSError:
            continue  # its program lives
        place = DraftFile.found(location, path, fd)
        draft = _read(path)
        if draft is None:
            place.release()
        else:
            found.append((place, draft))
    return sorted(found, key=lambda one: one[1].saved_at, reverse=True)


def left_in_editors(location: str) -> list[Path]:
    """Return the files that were in an editor when the program that opened it ended."""
    found: list[Path] = []
    for folder in _candidates(location, _EDITING):
        with suppress(OSError):
            os.close(_lock(folder))  # else its program lives
            found += sorted(folder.glob("*.md"))
    return found


def _candidates(location: str, suffix: str = _SUFFIX) -> Iterator[Path]:
    for folder, stem in _places(location):
        with suppress(OSError):
            yield from sorted(folder.glob(f"{_escaped(stem)}-*{suffix}"))


def _read(path: Path) -> Draft | None:
    try:
        if path.stat().st_size > _MOST_BYTES:
            return None
        return Draft.from_json(path.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None


def _places(location: str) -> Iterator[tuple[Path, str]]:
    """Yield where drafts of a database may be, the best place first, and how their names begin."""
    path = Path(location)
    if "://" not in location and path.is_file():
        yield path.resolve().parent, path.resolve().name
    import platformdirs

    digest = blake2b(location.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    yield platformdirs.user_state_path("memtui", appauthor=False) / "drafts", digest


def _escaped(stem: str) -> str:
    return "".join(f"[{char}]" if char in "*?[" else char for char in stem)


def _lock_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


def _lock(path: Path) -> int:
    """Lock a draft's place and return what holds the lock. Raises `OSError` when another has it."""
    try:
        import fcntl
    except ImportError as error:
        raise OSError("this system has no such locks") from error
    fd = os.open(_lock_path(path), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        raise
    return fd
