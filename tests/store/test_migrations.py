"""The steps of the schema lead to what the table classes describe."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sqlalchemy import create_engine, inspect

from memtui.service import MemoryService
from memtui.store import tables


def test_the_migrated_schema_is_the_one_of_the_table_classes(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    MemoryService.open(path).close()
    migrated = inspect(create_engine(f"sqlite:///{path}"))
    for name, table in tables.metadata.tables.items():
        columns = {
            (column["name"], str(column["type"]), column["nullable"])
            for column in migrated.get_columns(name)
        }
        assert columns == {
            (column.name, column.type.compile(), bool(column.nullable)) for column in table.columns
        }
        indexes = {index["name"]: index["column_names"] for index in migrated.get_indexes(name)}
        assert set(indexes) == {index.name for index in table.indexes}


def test_opening_twice_migrates_once(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    MemoryService.open(path).close()
    with sqlite3.connect(path) as raw:
        before = raw.execute("PRAGMA schema_version").fetchone()
        MemoryService.open(path).close()
        assert raw.execute("PRAGMA schema_version").fetchone() == before
    raw.close()
