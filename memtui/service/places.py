"""Where a file that memtui makes may be put: never in the place of the memories themselves."""

from __future__ import annotations

from pathlib import Path

from memtui.errors import CannotOpenError

_BESIDE = ("", "-wal", "-shm", "-journal")
_HINT = "Give another path."


def place_for(path: Path, database: str) -> Path:
    """The file to write for `path`, behind a link if it is one.

    Raises `CannotOpenError` for a folder, for what is no regular file (a device, a pipe), for the
    database itself and the files beside it, and for another database with writes in its log: those
    would be taken for writes to the new file.
    """
    path = path.expanduser()
    if path.is_dir():
        raise CannotOpenError(f"{path} is a folder", "Give the path of a file.")
    if path.exists() and not path.is_file():
        raise CannotOpenError(f"{path} is not a regular file", "Give the path of a file.")
    target = path.resolve() if path.is_symlink() else path
    if any(_same(target, Path(f"{database}{ending}")) for ending in _BESIDE):
        raise CannotOpenError(f"{path} is the database itself", _HINT)
    log = Path(f"{target}-wal")
    if log.is_file() and log.stat().st_size:
        raise CannotOpenError(f"{path} is a database with unfinished writes in {log.name}", _HINT)
    return target


def _same(path: Path, other: Path) -> bool:
    if path.exists() and other.exists():
        return path.samefile(other)
    return path.resolve() == other.resolve()
