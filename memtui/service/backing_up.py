"""A copy of the database, consistent while it is in use."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from memtui.errors import CannotOpenError, NoSpaceError
from memtui.service.context import Context
from memtui.service.places import place_for


def backup(context: Context, path: Path) -> Path:
    """Write the copy beside its place and move it there when it is complete."""
    target = place_for(path, context.store.location)
    try:
        # Made by mkstemp, the file is private to its owner from the first moment.
        handle, name = tempfile.mkstemp(
            dir=target.parent, prefix=f".{target.name}.", suffix=".part"
        )
    except OSError as error:
        raise CannotOpenError(
            f"{path} can't be written: {error.strerror}", "Give another path."
        ) from error
    os.close(handle)
    part = Path(name)
    try:
        context.store.backup(part)
        _sync(part)
        part.replace(target)
    except OSError as error:
        raise NoSpaceError(f"{path} can't be written: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)
    return target


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
