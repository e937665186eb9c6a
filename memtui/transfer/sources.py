"""Where an import reads from: files, standard input, archives; bounded, and never changed."""

from __future__ import annotations

import gzip
import io
import os
import stat
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, BinaryIO, Protocol

from memtui.errors import InvalidError
from memtui.interchange import Tally

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

HEAD = 64 * 1024
"""Bytes that are looked at to recognise a format."""

UNPACKED_LIMIT = 2 * 1024**3
"""Bytes that one archive may unpack to, all members together."""

SPOOL_LIMIT = 8 * 1024**3
"""Bytes that standard input or a pipe may bring."""

MEMBER_LIMIT = 10_000
"""Files in one archive or folder."""

RATIO_LIMIT = 200
"""How many times its packed size a member may grow to, once it is larger than `RATIO_FREE`."""

RATIO_FREE = 16 * 1024**2
_SPOOL_IN_MEMORY = 8 * 1024**2
_BLOCK = 256 * 1024
STDIN = "-"


@dataclass(slots=True)
class Meter:
    """How far everything is read, in bytes."""

    done: int = 0
    total: int = 0

    def measure(self) -> tuple[int, int]:
        """The bytes read, and all there are."""
        return min(self.done, self.total), self.total


@dataclass(slots=True)
class Source:
    """One input that can be read again from its start; `path` is set when it is a plain file."""

    label: str
    size: int
    open: Callable[[], BinaryIO]
    path: Path | None = None
    meter: Meter = field(default_factory=Meter)

    def head(self, size: int = HEAD) -> bytes:
        """The first bytes."""
        with self.open() as stream:
            return stream.read(size)


def source_of(label: str, resources: ExitStack) -> Source:
    """The source that a person named: a path, or `-` for standard input.

    What can be read only once is kept in a temporary file until `resources` are closed.
    Raises `InvalidError` when it cannot be read.
    """
    if label == STDIN:
        return _spooled("standard input", sys.stdin.buffer, SPOOL_LIMIT, resources)
    path = Path(label).expanduser()
    try:
        status = path.stat()
        if stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode):
            raise InvalidError(f"{label} is a device", "Give a file, or - for standard input.")
        if not stat.S_ISREG(status.st_mode):
            with path.open("rb") as stream:
                return _spooled(label, stream, SPOOL_LIMIT, resources)
        path.open("rb").close()
    except OSError as error:
        raise unreadable(label, error) from error
    return Source(label, status.st_size, lambda: path.open("rb"), path)


def unreadable(label: str, error: OSError) -> InvalidError:
    """The refusal for a source that the system does not let us read."""
    return InvalidError(
        f"{label} cannot be read: {error.strerror or error}",
        "Check the path and its permissions, or give - for standard input.",
    )


def files_under(folder: Path, endings: frozenset[str]) -> Iterator[Path]:
    """The files of a folder with one of these endings, by name; hidden ones and links are left out.

    Raises `InvalidError` when there are more than `MEMBER_LIMIT`.
    """
    count = 0
    for parent, folders, names in os.walk(folder, followlinks=False):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(parent, name)
            if name.startswith(".") or path.suffix.lower() not in endings or path.is_symlink():
                continue
            count += 1
            if count > MEMBER_LIMIT:
                raise InvalidError(
                    f"{folder} holds more than {MEMBER_LIMIT:,} files",
                    "Import its parts one by one.",
                )
            yield path


def unpacked(source: Source, resources: ExitStack) -> Source:
    """The one file inside a gzip file. Raises `InvalidError` when it is damaged or unreasonable."""
    label = f"{source.label} (unpacked)"
    limit = min(UNPACKED_LIMIT, max(RATIO_FREE, source.size * RATIO_LIMIT))
    try:
        with source.open() as stream, gzip.GzipFile(fileobj=stream) as packed:
            return _spooled(label, packed, limit, resources)
    except (OSError, EOFError, zlib.error) as error:
        raise InvalidError(f"{source.label} is a damaged gzip file: {error}") from error


def members(source: Source, resources: ExitStack, tally: Tally) -> Iterator[Source]:
    """The files inside a zip file, in its order; none is written under its own name.

    Members that cannot be read are skipped with the reason. Raises `InvalidError` for a damaged
    archive and for one with too many members or too much inside.
    """
    try:
        archive = resources.enter_context(zipfile.ZipFile(resources.enter_context(source.open())))
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise InvalidError(f"{source.label} is a damaged zip file: {error}") from error
    found = [member for member in archive.infolist() if not member.is_dir()]
    if len(found) > MEMBER_LIMIT:
        raise InvalidError(
            f"{source.label} holds {len(found):,} files; at most {MEMBER_LIMIT:,} are looked at"
        )
    left = UNPACKED_LIMIT
    for member in found:
        label = f"{source.label}/{member.filename}"
        if reason := _unfit(member):
            tally.skip(label, 0, reason)
            continue
        limit = min(left, max(RATIO_FREE, member.compress_size * RATIO_LIMIT))
        try:
            with archive.open(member) as stream:
                unpacked_member = _spooled(label, stream, limit, resources)
        except (zipfile.BadZipFile, OSError, EOFError, zlib.error, NotImplementedError) as error:
            tally.skip(label, 0, f"cannot be unpacked: {error}")
            continue
        left -= unpacked_member.size
        yield unpacked_member


def _unfit(member: zipfile.ZipInfo) -> str | None:
    name = PurePosixPath(member.filename.replace("\\", "/"))
    if name.is_absolute() or ".." in name.parts or ":" in name.parts[0]:
        return "its name leads out of the archive"
    if member.flag_bits & 0x1:
        return "is encrypted"
    if stat.S_ISLNK(member.external_attr >> 16):
        return "is a link"
    return None


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def _spooled(label: str, stream: _Readable, limit: int, resources: ExitStack) -> Source:
    spool = tempfile.SpooledTemporaryFile(max_size=_SPOOL_IN_MEMORY)  # noqa: SIM115 - next line
    resources.enter_context(spool)
    size = 0
    while block := stream.read(_BLOCK):
        size += len(block)
        if size > limit:
            raise InvalidError(
                f"{label} unpacks to more than {limit:,} bytes",
                "Unpack it yourself and import the file.",
            )
        spool.write(block)

    def reopen() -> BinaryIO:
        spool.seek(0)
        return io.BufferedReader(_Raw(spool), _BLOCK)

    return Source(label, size, reopen)


class _Raw(io.RawIOBase):
    """A reader over a spool that leaves the spool open when it is closed."""

    def __init__(self, spool: IO[bytes]) -> None:
        self._spool = spool

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return self._spool.seek(offset, whence)

    def readinto(self, buffer: WriteableBuffer) -> int:
        block = self._spool.read(len(memoryview(buffer)))
        memoryview(buffer)[: len(block)] = block
        return len(block)
