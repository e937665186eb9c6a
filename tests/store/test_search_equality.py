"""Whatever is asked, the index and the page plans answer as a scan of plain lists does."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtui.models import MemoryCreate, MemoryQuery, SortKey
from memtui.service import MemoryService
from memtui.store import facet_counts, matching, page_plans
from memtui.store.base import Order
from memtui.text import fold
from tests.bench import databases
from tests.bench.generate import memories
from tests.clock import Clock
from tests.store.naive import Naive, compare, compare_facets, random_query, random_write


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "m.db"
    databases.fill(path, memories(600))
    return path


@pytest.fixture
def service(path: Path) -> Iterator[MemoryService]:
    with MemoryService.open(path) as opened:
        yield opened


def test_random_queries_before_and_after_random_writes(service: MemoryService) -> None:
    naive = Naive.of(memories(600))
    chance = random.Random(1)
    for _ in range(400):
        compare(service, naive, random_query(chance, naive.memories))
    for _ in range(250):
        random_write(chance, service, naive)
    for _ in range(400):
        compare(service, naive, random_query(chance, naive.memories))
    assert service.check() == ()


@pytest.mark.parametrize(("few", "most_tags"), [(10**9, 10**9), (0, 10**9), (0, 5)])
def test_random_facets_one_by_one_and_by_the_index(
    service: MemoryService, monkeypatch: pytest.MonkeyPatch, few: int, most_tags: int
) -> None:
    monkeypatch.setattr(facet_counts, "FEW", few)
    monkeypatch.setattr(facet_counts, "MOST_TAGS", most_tags)
    naive = Naive.of(memories(600))
    chance = random.Random(few + most_tags)
    for _ in range(120):
        query = random_query(chance, naive.memories)
        by_index = few == 0 and query.q and matching.holding(fold(query.q)).needle is None
        compare_facets(service, naive, query, most_tags if by_index else 10**9)


@pytest.mark.parametrize("near", [0, 1_000])
@pytest.mark.parametrize("step", [1, 100_000])
def test_every_way_to_a_page_leads_to_the_same(
    service: MemoryService, monkeypatch: pytest.MonkeyPatch, near: int, step: int
) -> None:
    """Prices that make each way the cheapest: walking, walking and giving up, gathering."""
    monkeypatch.setattr(page_plans, "_NEAR", near)
    monkeypatch.setattr(page_plans, "_STEP", step)
    naive = Naive.of(memories(600))
    chance = random.Random(step + near)
    for _ in range(300):
        compare(service, naive, random_query(chance, naive.memories))


@pytest.mark.parametrize("offset", [0, 20, 95])
def test_the_walk_gives_up_where_the_matches_lie_at_the_far_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, offset: int
) -> None:
    monkeypatch.setattr(page_plans, "_NEAR", 50)
    tried: list[str] = []
    real = page_plans._ways
    monkeypatch.setattr(
        page_plans,
        "_ways",
        lambda *given: tried.extend(way.sql for way in real(*given)) or real(*given),
    )
    clock = Clock()
    with MemoryService.open(tmp_path / "m.db", clock=clock) as service:
        made = []
        for number in range(400):
            clock.tick()
            content = "an old needle" if 0 < number <= 100 else "some hay"
            made.append(service.create(MemoryCreate(content=content)))
        query = MemoryQuery(q="needle", sort=SortKey.CREATED_AT, offset=offset)
        compare(service, Naive.of(made), query)
    assert ["memory_index MATCH" in way for way in tried] == [False, True]


characters = st.sampled_from(
    'aAbßéÉ\u0301語語🎂 "%_*(MT\ufdd0\ufdd1\ufdd2\uffff\ufffe\ufffd\U00010001'
)
words = st.text(characters, min_size=1, max_size=6)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    new=st.lists(
        st.tuples(words.filter(str.strip), st.lists(words.filter(str.strip), max_size=3)),
        min_size=1,
        max_size=6,
    ),
    needles=st.lists(words, min_size=1, max_size=8),
)
def test_any_text_is_found_by_any_needle_it_holds(
    tmp_path_factory: pytest.TempPathFactory,
    new: list[tuple[str, list[str]]],
    needles: list[str],
) -> None:
    with MemoryService.open(tmp_path_factory.mktemp("words") / "m.db") as service:
        made = service.create_many(
            [MemoryCreate.parse({"content": content, "tags": tags}) for content, tags in new]
        )
        naive = Naive.of(made)
        for needle in needles:
            compare(service, naive, MemoryQuery(q=needle))


def test_every_order_has_a_plan() -> None:
    assert set(page_plans._SORTINGS) | {Order.ID} == set(Order)
