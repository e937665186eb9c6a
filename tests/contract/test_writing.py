"""Contract §2: create, PATCH, optimistic locking, delete, restore, purge."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.errors import ConflictError, InvalidError, NotFoundError
from memtui.models import (
    BulkChange,
    MemoryCreate,
    MemoryPatch,
    MemoryQuery,
    MemoryStatus,
    RevisionQuery,
    Selection,
    WritableStatus,
)
from memtui.service import MemoryService
from tests.clock import Clock


def note(content: str = "Lives in Albany", **fields: object) -> MemoryCreate:
    return MemoryCreate.parse({"content": content, **fields})


def test_create_many_is_all_or_nothing_and_one_batch(service: MemoryService) -> None:
    with pytest.raises(InvalidError):
        service.create_many([note(), MemoryCreate.parse({"content": ""})])
    assert service.search(MemoryQuery()).total == 0
    service.create_many([note("a"), note("b", status="invalid")])
    (batch,) = service.batches()
    assert batch.size == 2


def test_an_id_is_never_used_again(service: MemoryService) -> None:
    service.create_many([note("a"), note("b")])
    service.delete(2)
    service.purge([2])
    assert service.create(note("c")).id == 3


@pytest.mark.parametrize(
    "patch", [{}, {"content": "Lives in Albany"}, {"tags": ["home", " home "], "status": "active"}]
)
def test_a_patch_that_changes_nothing_leaves_everything_alone(
    service: MemoryService, clock: Clock, patch: dict[str, object]
) -> None:
    created = service.create(note(tags=["home"]))
    clock.tick()
    assert service.patch(1, MemoryPatch.parse(patch), expected_version=1) == created
    assert service.history(RevisionQuery(memory_id=1)).total == 1


def test_a_patch_of_several_fields_makes_one_version(service: MemoryService, clock: Clock) -> None:
    service.create(note(tags=["home"]))
    now = clock.tick()
    patched = service.patch(1, MemoryPatch.parse({"content": "Moved", "memory_type": "event"}))
    assert (patched.version, patched.updated_at, patched.last_accessed_at) == (2, now, None)


def test_another_order_of_the_same_tags_is_a_change(service: MemoryService) -> None:
    service.create(note(tags=["a", "b"]))
    assert service.patch(1, MemoryPatch.parse({"tags": ["b", "a"]})).version == 2


def test_updated_at_never_goes_backwards(service: MemoryService, clock: Clock) -> None:
    created = service.create(note())
    clock.tick(days=-3)
    assert service.patch(1, MemoryPatch(content="x")).updated_at == created.updated_at


def test_a_stale_version_writes_nothing_and_carries_the_current_record(
    service: MemoryService,
) -> None:
    service.create(note())
    current = service.patch(1, MemoryPatch(content="newer"))
    for act in (
        lambda: service.patch(1, MemoryPatch(content="mine"), expected_version=1),
        lambda: service.delete(1, expected_version=1),
        lambda: service.revert(1, 1, expected_version=1),
    ):
        with pytest.raises(ConflictError) as conflict:
            act()
        assert conflict.value.current == current
    assert service.get(1, touch=False) == current


def test_case_13_a_deleted_memory_is_seen_only_where_deleted_ones_are_asked_for(
    service: MemoryService,
) -> None:
    service.create_many([note("keep", tags=["t"]), note("gone secret", tags=["t", "only"])])
    service.delete(2)
    for act in (
        lambda: service.get(2),
        lambda: service.patch(2, MemoryPatch(content="x")),
        lambda: service.delete(2),
        lambda: service.revert(2, 1),
    ):
        with pytest.raises(NotFoundError):
            act()
    for query in (MemoryQuery(), MemoryQuery(q="secret"), MemoryQuery(tag="only")):
        assert 2 not in [memory.id for memory in service.search(query).items]
    assert [(found.tag, found.count) for found in service.tags()] == [("t", 1)]
    facets = service.facets(MemoryQuery())
    assert (facets.total, facets.statuses[MemoryStatus.DELETED]) == (1, 1)
    assert [found.tag for found in facets.tags] == ["t"]
    stats = service.stats()
    assert (sum(stats.types.values()), stats.tags, stats.never_accessed) == (1, 1, 0)
    asked_for = service.search(MemoryQuery(status=MemoryStatus.DELETED, q="secret"))
    assert [memory.id for memory in asked_for.items] == [2]


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**40])
def test_a_number_that_no_database_holds_is_not_found(service: MemoryService, number: int) -> None:
    service.create(note())
    for act in (
        lambda: service.get(number),
        lambda: service.patch(number, MemoryPatch(content="x")),
        lambda: service.restore(number),
        lambda: service.revert(1, number),
        lambda: service.undo(number),
        lambda: service.history(RevisionQuery(memory_id=number)),
    ):
        with pytest.raises(NotFoundError):
            act()
    assert service.bulk(Selection.of([number, 1]), BulkChange(add_tags=("t",))).batch
    assert service.bulk(Selection.of([number]), BulkChange(delete=True)).batch is None


def test_delete_keeps_version_and_times(service: MemoryService, clock: Clock) -> None:
    created = service.create(note())
    clock.tick()
    assert service.delete(1) == created.model_copy(update={"status": MemoryStatus.DELETED})


@pytest.mark.parametrize("status", list(WritableStatus))
def test_restore_brings_back_the_status_that_was(
    service: MemoryService, clock: Clock, status: WritableStatus
) -> None:
    created = service.create(note(status=status.value))
    service.delete(1)
    clock.tick()
    assert service.restore(1) == created
    with pytest.raises(NotFoundError):
        service.restore(1)


def test_case_12_the_same_text_again_then_restore_the_first(service: MemoryService) -> None:
    service.create(note("twice"))
    service.delete(1)
    service.create(note("twice"))
    service.restore(1)
    assert [memory.id for memory in service.search(MemoryQuery(q="twice")).items] == [1, 2]


def test_purge_counts_first_and_removes_only_deleted_memories(service: MemoryService) -> None:
    service.create_many([note("a", tags=["t"]), note("b", tags=["t"]), note("c")])
    service.delete(1)
    service.delete(2)
    assert service.purge(dry_run=True) == 2
    assert service.purge([1, 3, 99]) == 1
    assert service.purge() == 1
    assert service.search(MemoryQuery()).total == 1
    with pytest.raises(NotFoundError):
        service.history(RevisionQuery(memory_id=1))
    assert service.check() == ()


def test_case_15_a_patch_of_tags_leaves_the_content_and_undo_brings_a_text_back(
    service: MemoryService,
) -> None:
    text = "line\r\nline\u2028\x1b[1m end "
    service.create(note(text))
    service.patch(1, MemoryPatch(tags=("x",)))
    assert service.get(1).content == text
    service.patch(1, MemoryPatch(content="short"))
    service.undo()
    assert (service.get(1).content, service.get(1).tags) == (text, ("x",))


def test_case_20_content_of_the_longest_allowed_length_can_be_edited(
    service: MemoryService,
) -> None:
    service.create(note("x" * 8000))
    assert service.patch(1, MemoryPatch.parse({"content": "y" * 8000})).version == 2


def test_case_19_a_value_that_another_program_wrote_is_shown_and_kept(
    service: MemoryService, path: Path
) -> None:
    import sqlite3

    service.create(note(tags=["t"]))
    with sqlite3.connect(path) as other:
        other.execute("UPDATE memory SET memory_type = 'goal', tags = 'not json'")
    other.close()
    memory = service.get(1)
    assert (memory.memory_type, memory.tags) == ("goal", ("not json",))
    assert '"memory_type":"goal"' in memory.model_dump_json(warnings=False)
    assert service.patch(1, MemoryPatch(content="edited")).memory_type == "goal"
    service.undo()
    assert service.get(1).content == "Lives in Albany"
