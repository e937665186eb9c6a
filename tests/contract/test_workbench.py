"""What the curator's screens ask of the service: places, ages, who acted, tags as one change."""

from __future__ import annotations

import pytest

from memtui.errors import InvalidError, NotFoundError
from memtui.models import (
    ActorCount,
    Age,
    MemoryCreate,
    MemoryPatch,
    MemoryQuery,
    MemoryStatus,
    Outcome,
    RevisionQuery,
    SortKey,
)
from memtui.service import MemoryService
from tests.clock import Clock


def tags_of(service: MemoryService) -> list[tuple[str, ...]]:
    return [memory.tags for memory in service.search(MemoryQuery(limit=100), touch=False).items]


def test_a_memory_is_found_at_its_position_under_every_sort(
    service: MemoryService, clock: Clock
) -> None:
    for number in range(12):
        clock.tick(days=number % 3)
        service.create(MemoryCreate(content=f"memory {number}"))
    for number in (3, 7, 3, 11):
        clock.tick()
        service.get(number)
        service.patch(number, MemoryPatch(content=f"changed {clock.now}"))
    for number in (2, 5, 6):
        service.delete(number)
    for status in (None, MemoryStatus.DELETED):
        for sort in SortKey:
            query = MemoryQuery(status=status, sort=sort, limit=100)
            for offset, memory in enumerate(service.search(query, touch=False).items):
                assert service.position(memory.id, sort) == offset
    with pytest.raises(NotFoundError):
        service.position(99)


def test_ages_count_each_memory_once_under_the_first_that_fits(
    service: MemoryService, clock: Clock
) -> None:
    for days in (0, 400, 40, 3):
        clock.tick(days=days)
        service.create(MemoryCreate(content="x" * (1_000 if days == 3 else 999)))
    service.get(1)
    service.delete(service.create(MemoryCreate(content="gone" * 500)).id)
    clock.tick(hours=1)
    measures = service.measures()
    assert measures.ages == (
        Age(1, 1, 1), Age(7, 1, 0), Age(30, 0, 0), Age(90, 1, 0), Age(365, 0, 0), Age(None, 1, 0)
    )  # fmt: skip
    assert (measures.long_from, measures.long) == (1_000, 1)


def test_everyone_in_the_journal_is_counted(service: MemoryService) -> None:
    service.create_many([MemoryCreate(content="a"), MemoryCreate(content="b")])
    service.as_actor("mcp:x").delete(1)
    assert service.actors() == (ActorCount("python", 2), ActorCount("mcp:x", 1))


def test_each_revision_is_told_the_one_before_it(service: MemoryService) -> None:
    service.create_many([MemoryCreate(content="a"), MemoryCreate(content="b")])
    service.patch(1, MemoryPatch(content="c"))
    service.delete(2)
    newest = service.history(RevisionQuery()).items
    earlier = service.earlier(newest)
    assert {seq: (before.memory_id, before.content) for seq, before in earlier.items()} == {
        3: (1, "a"),
        4: (2, "b"),
    }


def test_merging_tags_is_one_batch_and_counts_each_memory_once(service: MemoryService) -> None:
    before = [("py-test", "x", "PyTest"), ("pytest", "PyTest"), ("x",), ("py-test",)]
    service.create_many([MemoryCreate(content="m", tags=tags) for tags in before])
    told: list[tuple[int, int]] = []
    dry = service.merge_tags(["py-test", "PyTest"], "pytest", dry_run=True)
    done = service.merge_tags(
        ["py-test", "PyTest"], "pytest", progress=lambda *counts: told.append(counts)
    )
    for result in (dry, done):
        assert [item.memory_id for item in result.outcomes] == [1, 4, 2]
        assert result.count(Outcome.CHANGED) == 3
    assert told[-1] == (3, 3)
    assert tags_of(service) == [("pytest", "x"), ("pytest",), ("x",), ("pytest",)]
    assert done.batch is not None
    assert service.batches()[0].label == "merge tags py-test, PyTest into pytest"
    service.undo(done.batch)
    assert tags_of(service) == before


def test_tags_are_removed_everywhere_but_from_deleted_memories(service: MemoryService) -> None:
    service.create_many(
        [MemoryCreate(content="m", tags=tags) for tags in [("a", "b"), ("b", "c"), ("a",)]]
    )
    service.delete(3)
    result = service.remove_tags(["a", "b", "a"])
    assert result.count(Outcome.CHANGED) == 2
    assert tags_of(service) == [(), ("c",)]
    service.restore(3)
    assert tags_of(service) == [(), ("c",), ("a",)]
    with pytest.raises(NotFoundError, match="has the tag zzz"):
        service.remove_tags(["a", "zzz"])
    with pytest.raises(InvalidError):
        service.merge_tags(["a"], "x" * 65)
