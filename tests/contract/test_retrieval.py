"""Contract §§3-5: filters, search, order, pages, access marks, the stale view."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.models import (
    MemoryCreate,
    MemoryPatch,
    MemoryQuery,
    MemoryStatus,
    SortKey,
    StaleQuery,
)
from memtui.service import MemoryService
from tests.clock import Clock


def store(service: MemoryService, *contents: str, tags: tuple[str, ...] = ()) -> None:
    service.create_many([MemoryCreate(content=content, tags=tags) for content in contents])


def tagged(service: MemoryService, *tags: str) -> None:
    service.create_many([MemoryCreate(content="memory", tags=(tag,)) for tag in tags])


def found(service: MemoryService, **query: object) -> list[int]:
    page = service.search(MemoryQuery.parse({"limit": 100, **query}), touch=False)
    assert page.total == len(page.items)
    return [memory.id for memory in page.items]


def test_case_1_tags_with_characters_that_mean_something_elsewhere(service: MemoryService) -> None:
    odd = ["100%", "my_tag", "myXtag", "[x]", "\\", "a'b", 'a"b']
    tagged(service, *odd)
    for place, tag in enumerate(odd, start=1):
        assert found(service, tag=tag) == [place]
        assert found(service, q=tag) == [place]


def test_case_2_a_tag_matches_only_itself(service: MemoryService) -> None:
    tagged(service, "test", "testing", "a-test", "Test")
    assert found(service, tag="test") == [1]
    counts = {count.tag: count.count for count in service.facets(MemoryQuery()).tags}
    assert counts == {"test": 1, "testing": 1, "a-test": 1, "Test": 1}


@pytest.mark.parametrize(
    ("needle", "ids"),
    [
        ("привет", [1]),
        ("ägypten", [1]),
        ("STRASSE", [1]),
        ("ΣΊΣΥΦΟΣ", [2]),
        ("caf\u00e9", [3, 4]),
        ("cafe\u0301", [3, 4]),
        ("CAFÉ", [3, 4]),
        ("cafe", []),
        ("ﬁ", [5]),
        ("FI", [5]),
        (" b", [6]),
        ("  b", []),
    ],
)
def test_case_3_search_is_case_insensitive_by_unicode_s_rules(
    service: MemoryService, needle: str, ids: list[int]
) -> None:
    store(
        service,
        "ПРИВЕТ Ägypten Straße",
        "Σίσυφος",
        "caf\u00e9",
        "cafe\u0301",
        "ﬁn",
        "a b",
    )
    assert found(service, q=needle) == ids


def test_case_4_search_sees_tags_as_they_are_not_as_they_are_stored(service: MemoryService) -> None:
    tagged(service, "café")
    service.create(MemoryCreate(content="two", tags=("a", "b")))
    for needle in ("café", "CAFÉ"):
        assert found(service, q=needle) == [1]
    for needle in ("u00e9", ", ", "[", '"', ",", "ab", "twoa", "\ufdd0", "[]"):
        assert found(service, q=needle) == []


@pytest.mark.parametrize(
    "needle",
    ["don't", "Downloads/x", "ask-codex", "a:b", "*", "(", "AND", "NEAR", "^", '"', "q", "zz", "👍",
     "本", "%", "_", "\\", "--", "OR 1=1", "\t", "\ufdd0", "\ufdd1\ufdd2", "⏎"],
)  # fmt: skip
def test_case_5_a_needle_is_literal(service: MemoryService, needle: str) -> None:
    store(service, "nothing of the kind", f"x{needle}y", f"X{needle.upper()}Y")
    assert found(service, q=needle) == [2, 3]


def test_case_6_search_finds_pieces_of_words_and_the_very_end(service: MemoryService) -> None:
    store(service, "日本語の記憶", "x" * 7997 + "end")
    assert found(service, q="記憶") == [1]
    assert found(service, q="xend") == [2]


@pytest.mark.parametrize("sort", list(SortKey))
@pytest.mark.parametrize("touch", [True, False])
def test_case_7_walking_forward_shows_every_match_once(
    service: MemoryService, clock: Clock, sort: SortKey, touch: bool
) -> None:
    store(service, *[f"imported {n}" for n in range(120)])
    for id_ in (3, 50, 51, 119):
        clock.tick(minutes=-7)
        service.get(id_)
    seen: list[int] = []
    for offset in range(0, 120, 13):
        clock.tick(seconds=-1)
        page = service.search(MemoryQuery(sort=sort, limit=13, offset=offset), touch=touch)
        assert page.has_more == (offset + 13 < 120)
        seen += [memory.id for memory in page.items]
    assert sorted(seen) == list(range(1, 121))


def test_the_order_of_a_page_is_the_one_before_the_marking(
    service: MemoryService, clock: Clock
) -> None:
    store(service, "a", "b", "c")
    clock.tick()
    service.get(2)
    clock.tick()
    page = service.search(MemoryQuery(sort=SortKey.LAST_ACCESSED_AT))
    assert [memory.id for memory in page.items] == [2, 3, 1]
    assert {memory.last_accessed_at for memory in page.items} == {clock.now}


def test_case_8_every_row_of_a_large_store_is_reachable(service: MemoryService) -> None:
    store(service, *[f"memory {n}" for n in range(30_000)])
    page = service.search(MemoryQuery(limit=100, offset=29_999))
    assert (page.total, page.has_more) == (30_000, False)
    assert [memory.content for memory in page.items] == ["memory 29999"]
    beyond = service.search(MemoryQuery(limit=100, offset=2**63 - 1))
    assert (beyond.items, beyond.total, beyond.has_more) == ((), 30_000, False)


def test_case_9_times_are_utc_whatever_the_zone_of_the_process(
    service: MemoryService, path: Path
) -> None:
    service.create(MemoryCreate(content="x"))
    service.close()
    script = (
        "import sys; from memtui import MemoryService\n"
        "print(MemoryService.open(sys.argv[1]).get(1, touch=False).model_dump_json())"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", script, str(path)],
            env={**os.environ, "TZ": zone},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for zone in ("Asia/Kolkata", "America/Los_Angeles")
    }
    assert len(answers) == 1
    assert '"created_at":"2026-04-06T14:12:00.000000Z"' in answers.pop()


def test_case_11_editing_moves_to_the_front_and_looking_does_not(
    service: MemoryService, clock: Clock
) -> None:
    store(service, "a", "b", "c")
    clock.tick()
    service.patch(1, MemoryPatch(content="edited"))
    service.get(2)
    assert found(service, sort="updated_at") == [1, 3, 2]


def test_only_the_rows_of_the_page_are_marked(service: MemoryService, clock: Clock) -> None:
    store(service, *"abcde")
    now = clock.tick()
    service.search(MemoryQuery(limit=2, offset=1))
    marks = service.search(MemoryQuery(), touch=False).items
    assert [memory.last_accessed_at for memory in marks] == [None, now, now, None, None]


def test_what_is_no_read_marks_nothing(service: MemoryService) -> None:
    store(service, "a")
    service.patch(1, MemoryPatch(content="b"))
    service.delete(1)
    service.restore(1)
    service.facets(MemoryQuery())
    service.stats()
    service.tags()
    service.stale(StaleQuery())
    service.batches()
    service.get(1, touch=False)
    assert service.search(MemoryQuery(), touch=False).items[0].last_accessed_at is None


def test_the_stale_view_begins_with_what_was_never_read(
    service: MemoryService, clock: Clock
) -> None:
    store(service, *"abcd")
    for id_ in (3, 1):
        clock.tick(days=1)
        service.get(id_)
    page = service.stale(StaleQuery())
    assert [memory.id for memory in page.items] == [2, 4, 3, 1]
    long_ago = service.stale(StaleQuery(unused_since=clock.now))
    assert [memory.id for memory in long_ago.items] == [2, 4, 3]


def test_facets_count_each_dimension_under_the_other_filters(service: MemoryService) -> None:
    service.create_many(
        [
            MemoryCreate.parse(fields)
            for fields in (
                {"content": "tea", "tags": ["a", "b"], "memory_type": "preference"},
                {"content": "tea", "tags": ["a"], "status": "invalid"},
                {"content": "coffee", "tags": ["b"]},
            )
        ]
    )
    facets = service.facets(MemoryQuery(q="TEA", tag="b", status=MemoryStatus.ACTIVE))
    assert facets.total == 1
    assert facets.statuses == {"active": 1, "invalid": 0, "deleted": 0}
    assert facets.types == {"preference": 1, "fact": 0, "identity": 0, "event": 0}
    assert [(found.tag, found.count) for found in facets.tags] == [("a", 1), ("b", 1)]
