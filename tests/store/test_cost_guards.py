"""What an operation may cost: its statements, the plan of each, the trees that a write touches."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memtui.models import (
    BulkChange,
    MemoryCreate,
    MemoryPatch,
    MemoryQuery,
    RevisionQuery,
    Selection,
    StaleQuery,
    WritableStatus,
)
from memtui.service import MemoryService
from tests.bench import databases
from tests.bench.generate import memories
from tests.store.traced import plan, statements_of, trees_written

SIZE = 1_500
Act = Callable[[MemoryService], object]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("filled") / "m.db"
    databases.fill(path, memories(SIZE))
    return path


@pytest.fixture
def path(filled: Path, tmp_path: Path) -> Path:
    return databases.copy(filled, tmp_path / "m.db")


@pytest.fixture
def service(path: Path) -> Iterator[MemoryService]:
    with MemoryService.open(path) as opened:
        yield opened


def searching(**values: object) -> Act:
    query = MemoryQuery.parse({"limit": 100, **values})
    return lambda service: service.search(query)


PAGES = {
    "first page": searching(),
    "deep by id": searching(offset=1_300),
    "by change": searching(sort="updated_at"),
    "deep by change": searching(sort="updated_at", offset=700),
    "by access": searching(sort="last_accessed_at"),
    "tag": searching(tag="style"),
    "tag by creation": searching(tag="style", sort="created_at"),
    "status": searching(status="deleted", sort="updated_at"),
    "type": searching(memory_type="event", sort="updated_at"),
    "one letter": searching(q="e"),
    "two letters": searching(q="th", sort="updated_at"),
    "frequent word": searching(q="the", sort="created_at"),
    "long needle": searching(q="prefers", sort="updated_at"),
    "rare needle": searching(q="vegetarian coffee", sort="updated_at"),
    "everything at once": searching(
        q="the", tag="style", status="active", memory_type="fact", sort="last_accessed_at"
    ),
}
READS: dict[str, Act] = PAGES | {
    "one memory": lambda service: service.get(7),
    "facets": lambda service: service.facets(MemoryQuery()),
    "facets of a word": lambda service: service.facets(MemoryQuery(q="the", tag="style")),
    "tags": lambda service: service.tags(),
    "stale": lambda service: service.stale(StaleQuery()),
    "history of one": lambda service: service.history(RevisionQuery(memory_id=7)),
}
WRITES: dict[str, Act] = {
    "create": lambda service: service.create(MemoryCreate(content="new", tags=("a", "b"))),
    "edit": lambda service: service.patch(7, MemoryPatch(content="other words")),
    "retag": lambda service: service.patch(7, MemoryPatch(tags=("new", "tags"))),
    "invalidate": lambda service: service.patch(7, MemoryPatch(status=WritableStatus.INVALID)),
    "delete": lambda service: service.delete(7),
    "bulk": lambda service: service.bulk(Selection.of([8, 9]), BulkChange(add_tags=("x",))),
}


@pytest.mark.parametrize("name", PAGES)
def test_a_page_takes_at_most_thirteen_statements_whatever_its_size(
    service: MemoryService, name: str
) -> None:
    with statements_of(service) as seen:
        PAGES[name](service)
    assert len(seen) <= 13, seen
    assert sum(statement.startswith("UPDATE") for statement in seen) <= 1


def test_one_memory_takes_five_statements_and_a_first_page_six(service: MemoryService) -> None:
    with statements_of(service) as seen:
        service.get(7)
    assert len(seen) == 5, seen
    with statements_of(service) as seen:
        service.search(MemoryQuery(limit=100))
    assert len(seen) == 6, seen


def test_turning_a_page_does_not_count_again(service: MemoryService) -> None:
    service.search(MemoryQuery(q="the"))
    with statements_of(service) as seen:
        service.search(MemoryQuery(q="the", offset=10))
    assert not [statement for statement in seen if "count(*)" in statement]


@pytest.mark.parametrize("name", WRITES)
def test_a_write_takes_so_many_statements_however_many_memories_there_are(
    service: MemoryService, tmp_path: Path, name: str
) -> None:
    with statements_of(service) as seen:
        WRITES[name](service)
    with MemoryService.open(tmp_path / "small.db") as small:
        small.create_many([MemoryCreate(content=f"memory {n}") for n in range(10)])
        with statements_of(small) as seen_small:
            WRITES[name](small)
    assert len(seen) <= len(seen_small) + 10, seen
    assert len(seen) <= 40, seen


@pytest.mark.parametrize("name", [*READS, *WRITES])
def test_no_statement_reads_a_table_from_end_to_end(
    service: MemoryService, path: Path, name: str
) -> None:
    """A walk along an index is allowed where a LIMIT ends it, and reading every tag's counts."""
    with statements_of(service) as seen:
        (READS | WRITES)[name](service)
    for statement in seen:
        if not statement.startswith(("SELECT", "UPDATE", "DELETE", "WITH")):
            continue
        for line in plan(path, statement):
            scanned = re.match(r"SCAN (\w+)(.*)", line)
            if scanned is None or scanned[1] in {"page", "w", "json_each", "memory_index"}:
                continue
            assert "COVERING INDEX" in scanned[2], (statement, line)
            assert " LIMIT " in statement, (statement, line)


@pytest.mark.parametrize("name", PAGES)
def test_looking_writes_the_record_and_the_index_of_access_only(
    service: MemoryService, path: Path, name: str
) -> None:
    with statements_of(service) as seen:
        PAGES[name](service)
    for statement in seen:
        if statement.startswith(("UPDATE", "INSERT", "DELETE")):
            assert trees_written(path, statement) == {"memory", "memory_by_accessed"}


def test_an_edit_writes_no_index_entry_that_stays(service: MemoryService, path: Path) -> None:
    with statements_of(service) as seen:
        service.patch(7, MemoryPatch(content="other words"))
    updates = [statement for statement in seen if statement.startswith("UPDATE memory ")]
    assert [trees_written(path, update) for update in updates] == [{"memory", "memory_by_updated"}]


def test_searches_read_inside_the_index_until_the_page_is_known(
    service: MemoryService, path: Path
) -> None:
    """Rows of the memory table are looked up for the page alone, by id."""
    for name in ("deep by change", "type", "by access"):
        with statements_of(service) as seen:
            PAGES[name](service)
        (page,) = [statement for statement in seen if statement.startswith("SELECT m.id")]
        lines = plan(path, page)
        walks = [line for line in lines if line.startswith("SCAN") and "memory_by_" in line]
        assert walks
        assert all("COVERING INDEX" in line for line in walks)
