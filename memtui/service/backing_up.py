"""A copy of the database, consistent while it is in use."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from memtui.errors import CannotOpenError, NoSpaceError
from memtui.service.context import Context


def backup(context: Context, path: Path) -> Path:
    """Write the copy beside its place and move it there when it is complete."""
    path = path.expanduser()
    if path.is_dir():
        raise CannotOpenError(f"{path} is a folder", "Give the path of a file.")
    here = Path(context.store.location)
    if path.exists() and here.exists() and path.samefile(here):
        raise CannotOpenError(f"{path} is the database itself", "Give another path.")
    try:
        # Made by mkstemp, the file is private to its owner from the first moment.
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise CannotOpenError(
            f"{path} can't be written: {error.strerror}", "Give another path."
        ) from error
    os.close(handle)
    part = Path(name)
    try:
        context.store.backup(part)
        _sync(part)
        part.replace(path)
    except OSError as error:
        raise NoSpaceError(f"{path} can't be written: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)
    return path


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
