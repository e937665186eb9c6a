"""SQLite connections: opening, pragmas, the fair write lock, and faults as our own errors."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.pool import NullPool, QueuePool
from tenacity import Retrying, retry_if_exception, stop_after_delay, wait_random

from memtui.errors import (
    CancelledError,
    CannotOpenError,
    DamagedError,
    LockedError,
    MemtuiError,
    NoSpaceError,
    NotFoundError,
    ReadOnlyError,
    StoreError,
)
from memtui.store.raw import raw_execute

LOCK_WAIT = 5.0
"""Seconds that a call waits for another writer before it raises `LockedError`."""

READERS = 16
_INSTRUCTIONS_BETWEEN_LOOKS = 20_000
_FAULTS: dict[int, tuple[type[StoreError], str, str]] = {
    sqlite3.SQLITE_BUSY: (
        LockedError,
        "The database is locked by another process",
        "Nothing was written. Wait for the other process, then try again.",
    ),
    sqlite3.SQLITE_READONLY: (
        ReadOnlyError,
        "The database may not be written",
        "Check the permissions of the file and its folder, or use --read-only.",
    ),
    sqlite3.SQLITE_FULL: (
        NoSpaceError,
        "The disk is full",
        "Nothing was written. Free some space, then try again.",
    ),
    sqlite3.SQLITE_CORRUPT: (
        DamagedError,
        "The database is damaged",
        "Run memtui doctor, and keep a copy of the file.",
    ),
    sqlite3.SQLITE_NOTADB: (
        DamagedError,
        "The file is not a memtui database",
        "Give another path with --db; the file was left as it is.",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        CannotOpenError,
        "The database cannot be opened",
        "Check that the path exists and that you may read and write it.",
    ),
}
_FAULTS[sqlite3.SQLITE_LOCKED] = _FAULTS[sqlite3.SQLITE_BUSY]
_FAULTS[sqlite3.SQLITE_PERM] = _FAULTS[sqlite3.SQLITE_READONLY]


def _primary_code(error: BaseException | None) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def translate(error: sqlite3.Error | DBAPIError, location: str) -> MemtuiError:
    """Turn a database error into ours, naming the database."""
    origin = error.orig if isinstance(error, DBAPIError) else error
    code = _primary_code(origin)
    if getattr(origin, "sqlite_errorcode", 0) == sqlite3.SQLITE_IOERR_SHMSIZE:
        code = sqlite3.SQLITE_FULL  # no room for the file beside the database that readers share
    if getattr(origin, "sqlite_errorcode", 0) == sqlite3.SQLITE_IOERR_WRITE:
        return NoSpaceError(
            f"The disk takes no more: {location}",
            "Nothing was written. Check its space, your quota and its health, then try again.",
        )
    if code == sqlite3.SQLITE_INTERRUPT:
        return CancelledError("The query was interrupted")
    if code in _FAULTS:
        kind, message, hint = _FAULTS[code]
        return kind(f"{message}: {location}", hint)
    return StoreError(f"The database failed: {origin}: {location}", "Run memtui doctor.")


@contextmanager
def translated(location: str) -> Iterator[None]:
    """Raise our errors for those of SQLite and of the connection pool."""
    try:
        yield
    except PoolTimeoutError as error:
        _, message, hint = _FAULTS[sqlite3.SQLITE_BUSY]
        raise LockedError(f"{message}: {location}", hint) from error
    except OverflowError as error:
        raise NotFoundError("No memory, version or batch has a number beyond 64 bits") from error
    except (sqlite3.Error, DBAPIError) as error:
        raise translate(error, location) from error


def prepare_file(path: Path) -> None:
    """Create a missing database file, private to its owner, and refuse what cannot be one.

    A file that is there is not opened: closing it again would drop every lock that this process
    holds on it (POSIX locks belong to the process), under connections that are at work.
    """
    if path.is_dir():
        raise CannotOpenError(f"{path} is a folder", "Give the path of a file.")
    database, dash, ending = str(path).rpartition("-")
    if dash and ending in {"wal", "shm", "journal"} and Path(database).is_file():
        raise CannotOpenError(f"{path} belongs to the database {database}", "Give that path.")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not path.exists():
            with suppress(FileExistsError):
                os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        if not path.is_file():
            raise CannotOpenError(f"{path} is not a regular file", "Give the path of a file.")
        if not os.access(path, os.R_OK | os.W_OK):
            raise PermissionError
    except FileExistsError as error:
        raise CannotOpenError(f"{path.parent} is not a folder", "Give another path.") from error
    except PermissionError as error:
        raise ReadOnlyError(
            f"{path} may not be written", "Check its permissions, or use --read-only."
        ) from error
    except OSError as error:
        raise CannotOpenError(f"{path} cannot be opened: {error.strerror}") from error


def connector(path: Path, *, mode: str, query_only: bool) -> Callable[[], sqlite3.Connection]:
    """Return a function that makes one connection; `mode` is SQLite's (`rw` or `ro`)."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"

    def connect() -> sqlite3.Connection:
        if mode != "ro":
            return prepared(uri)
        connection = prepared(uri)
        try:
            connection.execute("PRAGMA schema_version").fetchone()
        except sqlite3.OperationalError as error:
            connection.close()
            if _primary_code(error) != sqlite3.SQLITE_CANTOPEN or not _is_at_rest(path):
                raise
            return prepared(f"{uri}&immutable=1")
        except sqlite3.Error:
            pass  # what else is wrong is said where it is read
        return connection

    def prepared(uri: str) -> sqlite3.Connection:
        connection = sqlite3.connect(
            uri, uri=True, timeout=LOCK_WAIT, isolation_level=None, check_same_thread=False
        )
        try:
            if mode != "ro":
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute(f"PRAGMA query_only = {int(query_only)}")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    return connect


def _is_at_rest(path: Path) -> bool:
    """Whether it lies where nothing can be made, with no writes beside it.

    SQLite shares what is being written by way of files beside the database; where they cannot be
    made nobody writes either, and the file can be read as it is.
    """
    return not os.access(path.parent, os.W_OK) and not Path(f"{path}-wal").exists()


def reader_engine(path: Path, *, mode: str) -> Engine:
    """Connections that cannot write, one for each thread that reads."""
    engine = create_engine(
        "sqlite://",
        creator=connector(path, mode=mode, query_only=True),
        poolclass=QueuePool,
        pool_size=2,
        max_overflow=READERS - 2,
        pool_timeout=LOCK_WAIT,
        pool_use_lifo=True,  # its cache holds what was read last
    )

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        raw_execute(connection, "BEGIN")

    return engine


def checking_engine(path: Path) -> Engine:
    """One connection that may write to its temporary database alone, on disk: it may be large."""
    engine = create_engine(
        "sqlite://", creator=connector(path, mode="ro", query_only=False), poolclass=NullPool
    )

    @event.listens_for(engine, "connect")
    def _on_disk(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute("PRAGMA temp_store = FILE")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        raw_execute(connection, "BEGIN")

    return engine


def writer_engine(path: Path) -> Engine:
    """The one connection that writes; the pool queues the threads of this process for it."""
    engine = create_engine(
        "sqlite://",
        creator=connector(path, mode="rw", query_only=False),
        poolclass=QueuePool,
        pool_size=1,
        max_overflow=0,
        pool_timeout=LOCK_WAIT,
    )

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        begin_immediate(lambda: raw_execute(connection, "BEGIN IMMEDIATE"))

    @event.listens_for(engine, "connect")
    def _poll_often(connection: sqlite3.Connection, _record: object) -> None:
        # SQLite's own wait backs off to 100 ms and starves whoever came early; short waits with
        # jitter between them give every waiting process the same chance.
        connection.execute("PRAGMA busy_timeout = 10")

    return engine


@contextmanager
def interruptible(connection: Connection, stop: Event | None) -> Iterator[None]:
    """End the running statement, with `CancelledError`, soon after `stop` is set by any thread."""
    if stop is None:
        yield
        return
    if stop.is_set():
        raise CancelledError("The query was interrupted")
    raw = connection.connection.driver_connection
    assert isinstance(raw, sqlite3.Connection)
    # Asked by SQLite itself every so often, it can't miss a statement that is about to begin.
    raw.set_progress_handler(stop.is_set, _INSTRUCTIONS_BETWEEN_LOOKS)
    try:
        yield
    finally:
        raw.set_progress_handler(None, 0)


def begin_immediate(begin: Callable[[], object]) -> None:
    """Take the write lock, waiting `LOCK_WAIT` seconds at most, fairly among processes."""
    try:
        begin()
    except (sqlite3.OperationalError, DBAPIError) as error:
        if not _is_busy(error):
            raise
        for attempt in Retrying(
            retry=retry_if_exception(_is_busy),
            wait=wait_random(0.001, 0.008),
            stop=stop_after_delay(LOCK_WAIT),
            reraise=True,
        ):
            with attempt:
                begin()


def _is_busy(error: BaseException) -> bool:
    origin = error.orig if isinstance(error, DBAPIError) else error
    return _primary_code(origin) in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
