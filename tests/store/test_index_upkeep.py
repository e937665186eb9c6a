"""The search index is built where missing, renewed where folding changed, checked and mended."""

from __future__ import annotations

import sqlite3
import unicodedata
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest

from memtui.errors import CancelledError, DamagedError, ReadOnlyError
from memtui.models import MemoryCreate, MemoryPatch, MemoryQuery
from memtui.service import MemoryService
from memtui.store import index_terms, index_upkeep, search_index
from memtui.text import folded_row
from tests.bench import databases
from tests.bench.generate import memories
from tests.store.naive import Naive, compare

SIZE = 400
QUERY = MemoryQuery(q="the", limit=100)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "m.db"
    databases.fill(path, memories(SIZE))
    return path


def change(path: Path, *statements: str) -> None:
    """What another program, or an earlier memtui, did to the file."""
    connection = sqlite3.connect(path)
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


EARLIER_FORM = (
    "DROP TABLE memory_index",
    "DROP TABLE index_state",
    "ALTER TABLE memory_text DROP COLUMN tokens",
)


def make_earlier(path: Path) -> None:
    """Take the database back to the schema before the index."""
    from memtui.store.migrations import MIGRATIONS

    step = next(at for at, step in enumerate(MIGRATIONS) if step.name == "the search index")
    later = [statement for step in MIGRATIONS[step + 1 :] for statement in step.statements]
    if later:
        pytest.skip("steps after this one would have to be taken back first")
    change(path, *EARLIER_FORM, f"PRAGMA user_version = {step}")


def test_an_earlier_form_is_migrated_with_progress(path: Path) -> None:
    make_earlier(path)
    told: list[tuple[int, int]] = []
    with MemoryService.open(path, progress=lambda *far: told.append(far)) as service:
        compare(service, Naive.of(memories(SIZE)), QUERY)
        assert service.check() == ()
    assert told[-1] == (SIZE, SIZE)


def test_a_migration_that_is_cancelled_is_begun_again(path: Path) -> None:
    change(path, "UPDATE index_state SET version = ''")
    with pytest.raises(CancelledError):
        MemoryService.open(path, progress=lambda done, total: False)
    with MemoryService.open(path) as service:
        compare(service, Naive.of(memories(SIZE)), QUERY)
        assert service.check() == ()


def test_an_index_of_another_layout_is_not_read_and_not_rebuilt_without_writing(
    path: Path,
) -> None:
    change(path, "UPDATE index_state SET version = '0/1.0.0'")
    with pytest.raises(ReadOnlyError):
        MemoryService.open(path, read_only=True)


def test_other_unicode_data_folds_again_what_differs(path: Path) -> None:
    with MemoryService.open(path) as service:
        created = service.create(MemoryCreate(content="Ǆungla", tags=("x",)))
        # As a Python would have left it that does not know that the first letter has a small form.
        unfolded = folded_row(created.content, created.tags).replace("ǆ", "Ǆ")
        with service._context.store.write() as writing:
            search_index.replace(
                writing._connection,  # type: ignore[attr-defined]
                [search_index.NewText(created.id, unfolded, None)],
            )
    change(path, f"UPDATE index_state SET version = '{index_terms.LAYOUT}/1.0.0'")
    with MemoryService.open(path, read_only=True) as reader:
        assert reader.search(MemoryQuery(q="ǆUNG")).total == 0
    with MemoryService.open(path) as service:
        assert [found.id for found in service.search(MemoryQuery(q="ǆUNG")).items] == [created.id]
        assert service.check() == ()
    with sqlite3.connect(path) as raw:
        version = raw.execute("SELECT version FROM index_state").fetchone()[0]
    assert version == index_upkeep.current_version()
    assert version.endswith(unicodedata.unidata_version)


DAMAGES: dict[str, tuple[str, ...]] = {
    "counts": ("UPDATE facet SET count = count + 1 WHERE tag_id = 0",),
    "tag entries": ("DELETE FROM memory_tag WHERE memory_id % 7 = 0",),
    "texts": ("UPDATE memory_text SET folded = 'nothing\ufdd0' WHERE id = 3",),
    "tokens": ("UPDATE memory_text SET tokens = 'TTiTTfTT' WHERE id = 5",),
    "a missing text": ("DELETE FROM memory_text WHERE id = 9",),
    "a stray text": ("INSERT INTO memory_text VALUES (100000, 'stray\ufdd0', 'TTaTTfTT')",),
    "the index": ("INSERT INTO memory_index (memory_index) VALUES ('delete-all')",),
    "an entry too much": ("INSERT INTO memory_index (rowid, folded) VALUES (3, 'zqzqz')",),
    "broken pages of the index": ("UPDATE memory_index_data SET block = x'00' WHERE id > 10",),
    "a tag of another program": ("UPDATE memory SET tags = '[\"theirs\"]' WHERE id = 11",),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_found_and_mended(path: Path, damage: str) -> None:
    change(path, *DAMAGES[damage])
    with MemoryService.open(path) as service:
        assert service.check() != ()
        service.repair()
        left = service.check()
    # What another program did to a record itself stays as it is, and the journal tells.
    assert [fault for fault in left if "newest revision" not in fault] == []


def test_repairing_tells_how_far_it_is_and_can_be_cancelled(path: Path) -> None:
    change(path, *DAMAGES["counts"])
    with MemoryService.open(path) as service:
        with pytest.raises(CancelledError):
            service.repair(progress=lambda done, total: False)
        assert service.check() != ()
        told: list[tuple[int, int]] = []
        service.repair(progress=lambda *far: told.append(far))
        assert told[-1] == (SIZE, SIZE)


def test_a_damaged_index_is_named_as_such_when_searched(path: Path) -> None:
    change(path, *DAMAGES["broken pages of the index"])
    with MemoryService.open(path) as service, pytest.raises(DamagedError):
        service.search(QUERY)


@pytest.mark.parametrize(
    "act",
    [
        lambda service, stop: service.search(QUERY, stop=stop),
        lambda service, stop: service.search(QUERY, touch=False, stop=stop),
        lambda service, stop: service.facets(QUERY, stop=stop),
    ],
)
def test_what_is_stopped_is_cancelled_and_marks_nothing(
    path: Path, act: Callable[[MemoryService, Event], object]
) -> None:
    stop = Event()
    stop.set()
    with MemoryService.open(path) as service:
        before = service.search(QUERY, touch=False)
        with pytest.raises(CancelledError):
            act(service, stop)
        assert service.search(QUERY, touch=False) == before
        assert act(service, Event())


def test_a_running_statement_is_interrupted(path: Path) -> None:
    """The statement would run for hours; it asks itself whether to stop, and stop it does."""
    endless = """
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n
    """

    class AfterAWhile(Event):
        looks = 0

        def is_set(self) -> bool:
            self.looks += 1
            return self.looks > 5

    stop = AfterAWhile()
    with MemoryService.open(path) as service:
        store = service._context.store
        with pytest.raises(CancelledError), store.read(stop) as reading:
            reading._connection.exec_driver_sql(endless)  # type: ignore[attr-defined]
        compare(service, Naive.of(memories(SIZE)), QUERY)


def test_totals_are_forgotten_when_memories_change(path: Path) -> None:
    with MemoryService.open(path) as service, MemoryService.open(path) as other:
        total = service.search(QUERY).total
        other.create(MemoryCreate(content="the other one"))
        assert service.search(QUERY).total == total + 1
        first = other.search(QUERY).items[0]
        service.patch(first.id, MemoryPatch(content="nothing of that kind"))
        assert other.search(QUERY).total == total
        deleted = other.search(QUERY).items[0].id
        service.delete(deleted)
        found = MemoryQuery.parse({"q": "the", "status": "deleted"})
        before = other.search(found).total
        service.purge([deleted])
        assert other.search(found).total == before - 1
