"""Saved views, review queues and tag housekeeping: beside the memories, never a read of them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memtui.errors import ConflictError, InvalidError, NotFoundError
from memtui.models import (
    MemoryCreate,
    MemoryPatch,
    MemoryQuery,
    ReviewMark,
    ReviewQuery,
    ReviewQueue,
    SavedView,
    TagMerge,
    WritableStatus,
)
from memtui.service import MemoryService
from tests.clock import Clock

INVALID = ReviewQuery(queue=ReviewQueue.INVALID)
STALE = ReviewQuery(queue=ReviewQueue.STALE)


def waiting(service: MemoryService, query: ReviewQuery) -> list[int]:
    page = service.review(query)
    assert page.total == len(page.items)
    return [memory.id for memory in page.items]


def test_views_are_kept_by_name(service: MemoryService) -> None:
    query = MemoryQuery.parse({"tag": "[x]", "q": 'a"b', "sort": "updated_at"})
    service.save_view(SavedView.parse({"name": " work ", "query": query}))
    assert service.view("work").query == query
    assert service.rename_view("work", "play").query == query
    assert [view.name for view in service.views()] == ["play"]
    service.delete_view("play")
    for act in (lambda: service.delete_view("play"), lambda: service.rename_view("play", "x")):
        with pytest.raises(NotFoundError, match="no view named play"):
            act()
    with pytest.raises(InvalidError):
        SavedView.parse({"name": " ", "query": query})


def test_an_invalid_memory_waits_until_it_is_kept_and_again_once_it_changed(
    service: MemoryService, clock: Clock
) -> None:
    for text in "abc":
        clock.tick()
        service.create(MemoryCreate(content=text, status=WritableStatus.INVALID))
    assert waiting(service, INVALID) == [3, 2, 1]
    service.mark_reviewed(ReviewMark(queue=ReviewQueue.INVALID, memory_id=2), expected_version=1)
    assert waiting(service, INVALID) == [3, 1]
    clock.tick()
    service.patch(2, MemoryPatch(content="changed"))
    assert waiting(service, INVALID) == [2, 3, 1]
    with pytest.raises(ConflictError):
        service.mark_reviewed(
            ReviewMark(queue=ReviewQueue.INVALID, memory_id=2), expected_version=1
        )


def test_stale_memories_can_be_kept_and_snoozed_without_faking_an_access(
    service: MemoryService, clock: Clock
) -> None:
    service.create_many([MemoryCreate(content=text) for text in "abcd"])
    service.get(1)
    clock.tick(days=90)
    service.get(2)
    month_ago = STALE.model_copy(update={"unused_since": clock.now - timedelta(days=30)})
    assert waiting(service, STALE) == [3, 4, 1, 2]
    assert waiting(service, month_ago) == [3, 4, 1]
    service.mark_reviewed(ReviewMark(queue=ReviewQueue.STALE, memory_id=3))
    until = clock.now + timedelta(days=7)
    service.mark_reviewed(ReviewMark(queue=ReviewQueue.STALE, memory_id=4, until=until))
    assert waiting(service, month_ago) == [1]
    service.unmark_reviewed(ReviewQueue.STALE, 3)
    assert waiting(service, month_ago) == [3, 1]
    clock.tick(days=8)
    assert waiting(service, month_ago) == [3, 4, 1]
    memory = service.get(4, touch=False)
    assert (memory.last_accessed_at, memory.version) == (None, 1)


def test_marks_of_purged_memories_are_gone(service: MemoryService) -> None:
    service.create(MemoryCreate(content="a"))
    service.mark_reviewed(ReviewMark(queue=ReviewQueue.STALE, memory_id=1))
    service.delete(1)
    with pytest.raises(NotFoundError):
        service.mark_reviewed(ReviewMark(queue=ReviewQueue.STALE, memory_id=1))
    service.purge()
    assert waiting(service, STALE) == []


def test_tags_that_seem_to_mean_the_same_are_proposed(service: MemoryService) -> None:
    for count, tag in [(3, "pytest"), (2, "py-test"), (1, "PyTest"), (2, "category"),
                       (1, "categories"), (1, "bus"), (1, "class"), (1, "classes"),
                       (1, "--"), (1, "??")]:  # fmt: skip
        service.create_many([MemoryCreate(content="x", tags=(tag,))] * count)
    assert service.proposed_merges() == (
        TagMerge("pytest", ("py-test", "PyTest")),
        TagMerge("category", ("categories",)),
        TagMerge("class", ("classes",)),
    )


def test_tag_summaries_tell_the_last_use(service: MemoryService, clock: Clock) -> None:
    service.create_many([MemoryCreate(content=text, tags=("t",)) for text in "ab"])
    read = clock.tick(days=3)
    service.get(1)
    (summary,) = service.tag_summaries()
    assert (summary.tag, summary.count, summary.last_used_at) == ("t", 2, read)


def test_months_count_what_was_made_and_read(service: MemoryService, clock: Clock) -> None:
    service.create_many([MemoryCreate(content=text) for text in "ab"])
    clock.tick(days=40)
    service.get(1)
    assert [(m.month, m.memory_type, m.created, m.accessed) for m in service.months()] == [
        ("2026-04", "fact", 2, 0),
        ("2026-05", "fact", 0, 1),
    ]
