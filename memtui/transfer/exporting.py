"""An export from beginning to end: to a stream, or to a file that appears complete or never."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from memtui.errors import CancelledError, CannotOpenError, InvalidError, NoSpaceError
from memtui.models import Selection
from memtui.service import MemoryService
from memtui.service.context import Progress
from memtui.service.places import place_for
from memtui.transfer.exporter import FIELDS, Rows
from memtui.transfer.registry import EXPORTERS, exporter_named

_CHUNK = 256 * 1024
"""Characters that are written at a time; progress is told in between."""


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What to export and how. Without `selection` it is everything.

    JSON Lines without `fields` is complete: with every revision, where memories came from, and,
    without a selection, deleted memories too; so it can be imported as an identical store. The
    other formats hold the present values, and deleted memories only when the selection asks.
    """

    format: str = "jsonl"
    selection: Selection | None = None
    fields: Sequence[str] | None = None


def format_of(path: Path) -> str:
    """The format that a file's ending stands for; JSON Lines for a name without one.

    Raises `InvalidError` for an ending that stands for none.
    """
    ending = path.suffix.lower()
    if not ending:
        return "jsonl"
    for exporter in EXPORTERS:
        if exporter.ending == ending:
            return exporter.name
    known = ", ".join(exporter.ending for exporter in EXPORTERS)
    raise InvalidError(f"No format has the ending {ending}", f"Known: {known}; or give --format.")


def export_to_stream(
    service: MemoryService,
    stream: BinaryIO,
    options: ExportOptions | None = None,
    *,
    progress: Progress | None = None,
) -> int:
    """Write an export as UTF-8 and return how many memories it holds. A peek.

    `progress` is told how many are written; when it returns False, `CancelledError` is raised.
    """
    chosen = options or ExportOptions()
    exporter = exporter_named(chosen.format)
    with service.snapshot() as snapshot:
        rows = Rows(snapshot, chosen.selection)
        total = rows.total() if progress else 0
        for chunk in _chunks(exporter.pieces(rows, _known(chosen.fields))):
            stream.write(chunk.encode())
            if progress is not None and progress(rows.done, total) is False:
                raise CancelledError("Cancelled; the export is not complete")
    return rows.done


def export_to_file(
    service: MemoryService,
    path: Path,
    options: ExportOptions | None = None,
    *,
    progress: Progress | None = None,
) -> int:
    """Write an export to a file, private to its owner, replacing one that is there.

    The file is written beside its place and moved there when it is complete.
    Raises `CannotOpenError` (also when `path` is the database), `NoSpaceError` and
    `CancelledError`, leaving what was there.
    """
    target = place_for(path, service.location)
    try:
        handle, name = tempfile.mkstemp(
            dir=target.parent, prefix=f".{target.name}.", suffix=".part"
        )
    except OSError as error:
        raise CannotOpenError(f"{path} can't be written: {error.strerror}") from error
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            count = export_to_stream(service, stream, options, progress=progress)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(target)
    except OSError as error:
        kind = NoSpaceError if error.errno == errno.ENOSPC else CannotOpenError
        raise kind(f"{path} can't be written: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)
    return count


def _chunks(pieces: Iterable[str]) -> Iterator[str]:
    waiting: list[str] = []
    characters = 0
    for piece in pieces:
        waiting.append(piece)
        characters += len(piece)
        if characters >= _CHUNK:
            yield "".join(waiting)
            waiting, characters = [], 0
    if waiting:
        yield "".join(waiting)


def _known(fields: Sequence[str] | None) -> Sequence[str] | None:
    if fields is None:
        return None
    unknown = [name for name in fields if name not in FIELDS]
    if unknown or not fields:
        raise InvalidError(
            f"{', '.join(unknown) or 'Nothing'} is no field of a memory",
            f"The fields are: {', '.join(FIELDS)}.",
        )
    return tuple(dict.fromkeys(fields))
