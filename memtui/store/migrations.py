"""The schema's ordered steps, each in one transaction with its own record (`user_version`)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from memtui.errors import DamagedError, NewerDatabaseError, ReadOnlyError
from memtui.store import search_index
from memtui.store.engine import begin_immediate

APPLICATION_ID = 0x6D656D74
"""The bytes "memt" in the file's header: this SQLite database is ours."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of the schema; its version is its place in `MIGRATIONS`, from 1.

    A step that `rewrites` what is stored is taken only after a copy was put beside the file.
    """

    name: str
    statements: Sequence[str]
    fill: Callable[[sqlite3.Connection], None] | None = None
    rewrites: bool = False


MIGRATIONS: tuple[Migration, ...] = (
    Migration(
        "memories, tags, counts, search text and the journal",
        (
            """CREATE TABLE memory (
                id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
                content TEXT NOT NULL,
                tags TEXT NOT NULL,
                created_at INTEGER NOT NULL,
                updated_at INTEGER NOT NULL,
                last_accessed_at INTEGER,
                memory_type TEXT NOT NULL,
                status TEXT NOT NULL,
                version INTEGER NOT NULL
            )""",
            """CREATE INDEX memory_by_created
                ON memory (created_at DESC, id DESC, status, memory_type)""",
            """CREATE INDEX memory_by_updated
                ON memory (updated_at DESC, id DESC, status, memory_type)""",
            """CREATE INDEX memory_by_accessed
                ON memory (last_accessed_at DESC, id DESC, status, memory_type)""",
            "CREATE TABLE tag (id INTEGER NOT NULL PRIMARY KEY, name TEXT NOT NULL UNIQUE)",
            """CREATE TABLE memory_tag (
                tag_id INTEGER NOT NULL,
                memory_id INTEGER NOT NULL,
                PRIMARY KEY (tag_id, memory_id)
            ) WITHOUT ROWID""",
            """CREATE TABLE facet (
                tag_id INTEGER NOT NULL,
                status TEXT NOT NULL,
                memory_type TEXT NOT NULL,
                count INTEGER NOT NULL,
                PRIMARY KEY (tag_id, status, memory_type)
            ) WITHOUT ROWID""",
            "CREATE TABLE memory_text (id INTEGER NOT NULL PRIMARY KEY, folded TEXT NOT NULL)",
            """CREATE TABLE batch (
                id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
                at INTEGER NOT NULL,
                actor TEXT NOT NULL,
                label TEXT NOT NULL,
                size INTEGER NOT NULL,
                undoes INTEGER,
                is_undo BOOLEAN NOT NULL
            )""",
            "CREATE INDEX ix_batch_undoes ON batch (undoes)",
            """CREATE TABLE revision (
                seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
                memory_id INTEGER NOT NULL,
                version INTEGER NOT NULL,
                action TEXT NOT NULL,
                content TEXT,
                tags TEXT NOT NULL,
                memory_type TEXT NOT NULL,
                status TEXT NOT NULL,
                at INTEGER NOT NULL,
                actor TEXT NOT NULL,
                batch_id INTEGER NOT NULL
            )""",
            "CREATE INDEX revision_of_memory ON revision (memory_id, seq)",
            "CREATE INDEX revision_of_batch ON revision (batch_id, memory_id, seq)",
        ),
    ),
    Migration(
        "answers kept under an idempotency key",
        (
            """CREATE TABLE idempotency_key (
                "key" TEXT NOT NULL PRIMARY KEY,
                request TEXT NOT NULL,
                answer BLOB NOT NULL,
                at INTEGER NOT NULL
            )""",
            "CREATE INDEX ix_idempotency_key_at ON idempotency_key (at)",
        ),
    ),
    Migration(
        "where imported memories come from, and which texts are equal",
        (
            """CREATE TABLE origin (
                id INTEGER NOT NULL PRIMARY KEY,
                format TEXT NOT NULL,
                source TEXT NOT NULL,
                UNIQUE (format, source)
            )""",
            """CREATE TABLE provenance (
                memory_id INTEGER NOT NULL,
                "key" INTEGER NOT NULL,
                origin_id INTEGER NOT NULL,
                source_id TEXT,
                digest INTEGER NOT NULL,
                version INTEGER NOT NULL,
                batch_id INTEGER NOT NULL,
                PRIMARY KEY (memory_id, "key")
            ) WITHOUT ROWID""",
            """CREATE UNIQUE INDEX provenance_by_key ON provenance ("key")""",
            """CREATE TABLE fingerprint (
                memory_id INTEGER NOT NULL PRIMARY KEY,
                hash INTEGER NOT NULL
            )""",
            "CREATE INDEX fingerprint_by_hash ON fingerprint (hash)",
            "CREATE TABLE fingerprinted (until INTEGER NOT NULL PRIMARY KEY)",
            "INSERT INTO fingerprinted VALUES (0)",
            """CREATE TRIGGER memory_purged AFTER DELETE ON memory BEGIN
                DELETE FROM provenance WHERE memory_id = OLD.id;
                DELETE FROM fingerprint WHERE memory_id = OLD.id;
            END""",
        ),
    ),
    Migration(
        "saved views and review marks",
        (
            "CREATE TABLE saved_view (name TEXT NOT NULL PRIMARY KEY, query TEXT NOT NULL)",
            """CREATE TABLE review_mark (
                queue TEXT NOT NULL,
                memory_id INTEGER NOT NULL,
                version INTEGER NOT NULL,
                at INTEGER NOT NULL,
                until INTEGER,
                PRIMARY KEY (queue, memory_id)
            ) WITHOUT ROWID""",
            """CREATE TRIGGER review_mark_of_purged AFTER DELETE ON memory
                BEGIN DELETE FROM review_mark WHERE memory_id = old.id; END""",
        ),
    ),
    Migration(
        "what agents leave beside the memories",
        (
            """CREATE TABLE attachment (
                memory_id INTEGER NOT NULL PRIMARY KEY,
                media_type TEXT NOT NULL,
                details TEXT NOT NULL,
                data BLOB
            )""",
            """CREATE TABLE activity (
                seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
                at INTEGER NOT NULL,
                actor TEXT NOT NULL,
                kind TEXT NOT NULL,
                memory_ids TEXT NOT NULL,
                detail TEXT NOT NULL
            )""",
            """CREATE TRIGGER attachment_of_purged AFTER DELETE ON memory
                BEGIN DELETE FROM attachment WHERE memory_id = old.id; END""",
        ),
    ),
    Migration(
        "the search index",
        (
            "ALTER TABLE memory_text ADD COLUMN tokens TEXT NOT NULL DEFAULT ''",
            *search_index.CREATE,
            "CREATE TABLE index_state (version TEXT NOT NULL PRIMARY KEY)",
            "INSERT INTO index_state VALUES ('')",  # `index_upkeep` fills the index
        ),
    ),
)


def schema_version(connection: sqlite3.Connection, path: Path) -> int:
    """The version that a database is at; 0 for an empty file.

    Raises `DamagedError` for another program's database and `NewerDatabaseError`.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    application = int(connection.execute("PRAGMA application_id").fetchone()[0])
    is_empty = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0
    if application != APPLICATION_ID and not (is_empty and version == 0):
        raise DamagedError(
            f"{path} is a SQLite database, but not one of memtui's",
            "Give another path with --db; to bring its memories in, try memtui import.",
        )
    if version > len(MIGRATIONS):
        raise NewerDatabaseError(
            f"{path} was made by a newer memtui: it has schema {version}, this one knows up to "
            f"{len(MIGRATIONS)}",
            "Update memtui; the file was left as it is.",
        )
    return version


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the database up to date, one transaction a step; safe among several processes."""
    while (version := schema_version(connection, path)) < len(MIGRATIONS):
        step = MIGRATIONS[version]
        if step.rewrites and version > 0:
            _copy_aside(connection, path, version)
        begin_immediate(lambda: connection.execute("BEGIN IMMEDIATE"))
        try:
            if schema_version(connection, path) == version:
                _take(connection, step, version + 1)
            connection.execute("COMMIT")
        except BaseException:
            connection.execute("ROLLBACK")
            raise


def require_current(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse to read a database that first needs a step, which may not be written now."""
    if schema_version(connection, path) < len(MIGRATIONS):
        raise ReadOnlyError(
            f"{path} has an older schema and may not be written",
            "Open it once without --read-only to bring it up to date.",
        )


def _take(connection: sqlite3.Connection, step: Migration, version: int) -> None:
    for statement in step.statements:
        connection.execute(statement)
    if step.fill:
        step.fill(connection)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {version}")


def _copy_aside(connection: sqlite3.Connection, path: Path, version: int) -> None:
    aside = path.with_name(f"{path.name}.schema-{version}.bak")
    aside.touch(mode=0o600)
    with sqlite3.connect(aside) as copy:
        connection.backup(copy)
    copy.close()
