"""Ranked retrieval finds what plain counting of words finds, in the same order."""

from __future__ import annotations

import re
from itertools import pairwise
from math import log
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from memtui.agents import RankedQuery
from memtui.models import MemoryCreate, MemoryPatch, MemoryQuery, MemoryType
from memtui.service import MemoryService
from memtui.text import fold

VOCABULARY = [
    "Quantum",
    "computing",
    "straße",
    "weather",
    "units",
    "new",
    "UI",
    "go",
    "記憶",
    "ist",
]
BETWEEN = [" ", ", ", "\n", ". ", "/", " (", " – "]

memories = st.lists(
    st.lists(st.tuples(st.sampled_from(VOCABULARY), st.sampled_from(BETWEEN)), min_size=1).map(
        lambda pairs: "".join(word + between for word, between in pairs)
    ),
    min_size=1,
    max_size=8,
)
questions = st.lists(st.sampled_from([*VOCABULARY, "absent"]), min_size=1, max_size=4, unique=True)


def counted(word: str, text: str) -> float:
    """How often a folded word is in a text, the beginning of a word twice the rest."""
    if word == "記憶":
        return text.count(word)
    words = re.split(r"[^\w]|_", text)
    if len(word) < 3:
        return words.count(word)
    starts = sum(one.startswith(word) for one in words)
    return (text.count(word) + starts) / 2


def naive_scores(question: list[str], texts: dict[int, str], tag: str) -> dict[int, float]:
    """BM25 as a book has it, as a share of what a usual text gets that has every word once."""
    folded = {id_: fold(text) for id_, text in texts.items()}
    words = [fold(word) for word in question]
    spread = {word: sum(counted(word, text) > 0 for text in folded.values()) for word in words}
    weights = {word: log(1 + (len(texts) - n + 0.5) / (n + 0.5)) for word, n in spread.items()}
    found = {
        id_: text for id_, text in folded.items() if any(counted(word, text) for word in words)
    }
    ends = 1 + len(tag) + 1
    usual = sum(len(text) + ends for text in found.values()) / max(len(found), 1)
    scores = {}
    for id_, text in found.items():
        size = 1.2 * (0.25 + 0.75 * (len(text) + ends) / usual)
        raw = 0.0
        for word in words:
            often = counted(word, text)
            raw += weights[word] * often * 2.2 / (often + size)
        scores[id_] = min(1.0, raw / sum(weights.values()))
    return scores


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory):
    with MemoryService.open(tmp_path_factory.mktemp("ranking") / "m.db") as service:
        yield service


@given(texts=memories, question=questions)
@example(texts=["go go "], question=["Quantum", "go"])
@settings(deadline=None, max_examples=80, suppress_health_check=[HealthCheck.too_slow])
def test_it_scores_as_counting_does(shared: MemoryService, texts, question) -> None:
    scope = f"scope {shared.stats().revisions}"
    created = shared.create_many([MemoryCreate(content=text, tags=(scope,)) for text in texts])
    wanted = naive_scores(question, {memory.id: memory.content for memory in created}, scope)
    found = shared.ranked(RankedQuery(text="? ".join(question), tag=scope, limit=100))
    assert {memory.id: round(score, 6) for memory, score in found} == {
        id_: round(score, 6) for id_, score in wanted.items()
    }
    scores = [score for _, score in found]
    assert all(before >= after or abs(before - after) < 0.001 for before, after in pairwise(scores))


@pytest.fixture
def service(tmp_path: Path):
    with MemoryService.open(tmp_path / "m.db") as opened:
        yield opened


def contents(service: MemoryService, text: str, **options: object) -> list[str]:
    query = RankedQuery(text=text, **options)  # type: ignore[arg-type]
    return [memory.content for memory, _ in service.ranked(query)]


def test_the_memory_with_more_of_the_words_comes_first(service: MemoryService) -> None:
    for text in ("The weather in Lisbon", "The user likes Lisbon", "Vegan recipes only"):
        service.create(MemoryCreate(content=text))
    assert contents(service, "What is the weather in Lisbon?")[0] == "The weather in Lisbon"
    assert contents(service, "recipe, VEGAN!") == ["Vegan recipes only"]


def test_only_active_memories_of_the_tag_and_type_are_found(service: MemoryService) -> None:
    def make(content: str, **options: object) -> int:
        return service.create(MemoryCreate(content=content, **options)).id  # type: ignore[arg-type]

    make("tea one", tags=("a",), memory_type=MemoryType.EVENT)
    make("tea two", tags=("a",))
    make("tea three", tags=("ab",))
    service.delete(make("tea four", tags=("a",)))
    service.patch(make("tea five", tags=("a",)), MemoryPatch.parse({"status": "invalid"}))
    assert set(contents(service, "tea", tag="a")) == {"tea one", "tea two"}
    assert contents(service, "tea", tag="a", memory_type=MemoryType.EVENT) == ["tea one"]
    assert contents(service, "tea", tag="absent") == []


def test_it_looks_into_tags_as_well(service: MemoryService) -> None:
    service.create(MemoryCreate(content="Nothing else", tags=("my_falcon",)))
    assert contents(service, "falcon") == ["Nothing else"]


def test_exactly_the_returned_ones_are_marked(service: MemoryService) -> None:
    for number in range(5):
        service.create(MemoryCreate(content=f"tea {number}"))
    service.create(MemoryCreate(content="coffee"))
    found = service.ranked(RankedQuery(text="tea", limit=2))
    marked = {
        memory.id
        for memory in service.search(MemoryQuery(), touch=False).items
        if memory.last_accessed_at is not None
    }
    assert marked == {memory.id for memory, _ in found}
    assert all(memory.last_accessed_at is not None for memory, _ in found)


def test_a_peek_marks_nothing_and_a_threshold_leaves_out(service: MemoryService) -> None:
    service.create(MemoryCreate(content="tea and cake"))
    service.create(MemoryCreate(content="tea for two"))
    found = service.ranked(RankedQuery(text="tea cake"), touch=False)
    assert [memory.content for memory, _ in found] == ["tea and cake", "tea for two"]
    assert all(memory.last_accessed_at is None for memory, _ in found)
    assert contents(service, "tea cake", min_score=0.9) == ["tea and cake"]


def test_of_equal_ones_the_one_used_last_comes_first(service: MemoryService) -> None:
    for number in range(3):
        service.create(MemoryCreate(content=f"tea {number}"))
    service.get(2)
    assert contents(service, "tea") == ["tea 1", "tea 2", "tea 0"]


@pytest.mark.parametrize(
    "text", ["", " ", "?!", '" OR *', "NEAR(", "a" * 10_000, "x " * 5_000, "\ufffd", "\ufdd0", "é"]
)
def test_any_text_may_be_asked(service: MemoryService, text: str) -> None:
    service.create(MemoryCreate(content="Something quite different"))
    assert contents(service, text) == []


def test_a_memory_that_was_just_changed_is_found_by_what_it_says_now(
    service: MemoryService,
) -> None:
    memory = service.create(MemoryCreate(content="lives in Lisbon"))
    service.patch(memory.id, MemoryPatch.parse({"content": "lives in Porto"}))
    assert contents(service, "Lisbon") == []
    assert contents(service, "Porto") == ["lives in Porto"]
