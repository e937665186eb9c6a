"""Bulk work: per-item outcomes, one transaction, one batch."""

from __future__ import annotations

import pytest

from memtui.errors import CancelledError, InvalidError, NotFoundError
from memtui.models import (
    BulkChange,
    ItemOutcome,
    MemoryCreate,
    MemoryPatch,
    MemoryQuery,
    MemoryStatus,
    MemoryType,
    Outcome,
    Selection,
    WritableStatus,
)
from memtui.service import MemoryService


def fill(service: MemoryService, count: int, *tags: str) -> None:
    service.create_many([MemoryCreate(content=f"memory {n}", tags=tags) for n in range(count)])


def test_case_16_what_is_gone_or_was_changed_is_left_alone_and_named(
    service: MemoryService,
) -> None:
    fill(service, 10)
    seen = dict.fromkeys(range(1, 11), 1)
    service.delete(3)
    service.delete(4)
    service.purge([4])
    service.patch(5, MemoryPatch(content="newer"))
    result = service.bulk(Selection.of_seen(seen), BulkChange(add_tags=("t",)))
    assert result.count(Outcome.CHANGED) == 7
    assert [item for item in result.outcomes if item.outcome is not Outcome.CHANGED] == [
        ItemOutcome(3, Outcome.NOT_FOUND, "is deleted"),
        ItemOutcome(4, Outcome.NOT_FOUND, "does not exist"),
        ItemOutcome(5, Outcome.CONFLICT, "is at version 2, not 1"),
    ]
    assert service.undo(result.batch).count(Outcome.CHANGED) == 7
    assert service.search(MemoryQuery(tag="t")).total == 0


def test_case_18_forty_thousand_at_once(service: MemoryService) -> None:
    fill(service, 40_000)
    everything = Selection.matching(MemoryQuery())
    progress: list[tuple[int, int]] = []
    for change in (
        BulkChange(add_tags=("all",)),
        BulkChange(status=WritableStatus.INVALID),
        BulkChange(delete=True),
    ):
        result = service.bulk(everything, change, progress=lambda *at: progress.append(at))
        assert result.count(Outcome.CHANGED) == 40_000
    deleted = Selection.matching(MemoryQuery(status=MemoryStatus.DELETED))
    assert service.bulk(deleted, BulkChange(restore=True)).count(Outcome.CHANGED) == 40_000
    assert service.search(MemoryQuery(tag="all", status=MemoryStatus.INVALID)).total == 40_000
    assert progress[-1] == (40_000, 40_000)
    ids = Selection.of(range(1, 40_001))
    assert service.bulk(ids, BulkChange(add_tags=("ids",))).count(Outcome.CHANGED) == 40_000


def test_all_that_match_are_selected_as_they_are_now(service: MemoryService) -> None:
    fill(service, 1_200, "t")
    service.patch(7, MemoryPatch(content="newer"))
    service.patch(8, MemoryPatch(tags=()))
    seen = service.versions(MemoryQuery.parse({"tag": "t", "sort": "created_at"}))
    assert (len(seen), next(iter(seen)), seen[7], 8 in seen) == (1_199, 1_200, 2, False)
    service.patch(9, MemoryPatch(content="meanwhile"))
    result = service.bulk(Selection.of_seen(seen), BulkChange(add_tags=("u",)))
    assert (result.count(Outcome.CHANGED), result.count(Outcome.CONFLICT)) == (1_198, 1)
    assert service.get(1_200, touch=False).last_accessed_at is None


def test_a_cancelled_run_writes_nothing(service: MemoryService) -> None:
    fill(service, 2_500)
    with pytest.raises(CancelledError):
        service.bulk(
            Selection.matching(MemoryQuery()),
            BulkChange(add_tags=("t",)),
            progress=lambda done, total: done < 2_000,
        )
    assert service.search(MemoryQuery(tag="t")).total == 0
    assert len(service.batches()) == 1
    assert service.check() == ()


def test_a_dry_run_says_what_would_be_and_writes_nothing(service: MemoryService) -> None:
    fill(service, 7, "old")
    change = BulkChange(add_tags=("new",), remove_tags=("old",), memory_type=MemoryType.EVENT)
    result = service.bulk(Selection.matching(MemoryQuery()), change, dry_run=True)
    assert (result.count(Outcome.CHANGED), result.batch, result.dry_run) == (7, None, True)
    before, after = result.samples[0]
    assert (before.tags, after.tags, after.memory_type) == (("old",), ("new",), "event")
    assert service.search(MemoryQuery(tag="old")).total == 7


def test_a_run_that_changes_nothing_makes_no_batch(service: MemoryService) -> None:
    fill(service, 3, "t")
    result = service.bulk(Selection.of([1, 2, 3]), BulkChange(add_tags=("t",)))
    assert (result.count(Outcome.UNCHANGED), result.batch) == (3, None)
    assert len(service.batches()) == 1


def test_too_many_tags_are_refused_for_that_memory_alone(service: MemoryService) -> None:
    service.create(MemoryCreate(content="full", tags=tuple(f"t{n}" for n in range(20))))
    service.create(MemoryCreate(content="free"))
    result = service.bulk(Selection.of([1, 2]), BulkChange(add_tags=("one",)))
    assert [item.outcome for item in result.outcomes] == [Outcome.REFUSED, Outcome.CHANGED]
    assert "at most 20" in result.outcomes[0].reason


@pytest.mark.parametrize("values", [{}, {"delete": True, "restore": True},
                                    {"delete": True, "add_tags": ["x"]}])  # fmt: skip
def test_a_change_is_one_thing(values: dict[str, object]) -> None:
    with pytest.raises(InvalidError, match="give edits"):
        BulkChange.parse(values)


def test_case_1_renaming_a_tag_hits_exactly_its_own_rows(service: MemoryService) -> None:
    service.create_many(
        [
            MemoryCreate(content="x", tags=tags)
            for tags in (("my_tag", "b"), ("myXtag",), ("b", "my_tag", "new"))
        ]
    )
    result = service.rename_tag("my_tag", " new ")
    assert result.count(Outcome.CHANGED) == 2
    tags = [memory.tags for memory in service.search(MemoryQuery()).items]
    assert tags == [("new", "b"), ("myXtag",), ("b", "new")]
    assert service.undo().count(Outcome.CHANGED) == 2
    with pytest.raises(NotFoundError):
        service.rename_tag("nothing", "x")
    with pytest.raises(InvalidError):
        service.rename_tag("my_tag", " ")
    assert service.check() == ()


def test_each_memory_gets_its_own_patch_in_one_batch(service: MemoryService) -> None:
    fill(service, 5)
    service.patch(2, MemoryPatch(content="newer"))
    service.delete(3)
    patches = {
        1: (MemoryPatch(content="one"), 1),
        2: (MemoryPatch(content="two"), 1),
        3: (MemoryPatch(tags=("t",)), 1),
        4: (MemoryPatch(content="memory 3"), None),
        5: (MemoryPatch(tags=("t",), memory_type=MemoryType.EVENT), None),
        9: (MemoryPatch(content="nine"), 1),
    }
    dry = service.patch_many(patches, dry_run=True)
    assert [(sample.before.id, sample.after.content) for sample in dry.samples] == [
        (1, "one"), (5, "memory 4")
    ]  # fmt: skip
    assert service.get(1, touch=False).version == 1
    result = service.patch_many(patches, label="edit in vi")
    assert [item.outcome for item in result.outcomes] == [
        Outcome.CHANGED, Outcome.CONFLICT, Outcome.NOT_FOUND,
        Outcome.UNCHANGED, Outcome.CHANGED, Outcome.NOT_FOUND,
    ]  # fmt: skip
    assert dry.outcomes == result.outcomes
    assert service.batches(limit=1)[0].label == "edit in vi"
    edited = service.get(5, touch=False)
    assert (edited.tags, edited.memory_type, edited.version) == (("t",), MemoryType.EVENT, 2)
    assert service.undo(result.batch).count(Outcome.CHANGED) == 2
    assert service.get(1, touch=False).content == "memory 0"
    assert service.patch_many({}).batch is None


def test_patching_many_can_be_cancelled_between_chunks(service: MemoryService) -> None:
    fill(service, 2_500)
    patches = {id_: (MemoryPatch(content="x"), 1) for id_ in range(1, 2_501)}
    told: list[tuple[int, int]] = []

    def stop(done: int, total: int) -> bool:
        told.append((done, total))
        return len(told) < 2

    with pytest.raises(CancelledError):
        service.patch_many(patches, progress=stop)
    assert told == [(1_000, 2_500), (2_000, 2_500)]
    assert service.get(1, touch=False).content == "memory 0"
