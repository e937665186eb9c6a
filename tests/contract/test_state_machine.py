"""The service and a tiny model of the contract answer alike, whatever is done to them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from memtui.errors import ConflictError, NotFoundError
from memtui.models import (
    BulkChange,
    MemoryCreate,
    MemoryPatch,
    MemoryQuery,
    MemoryStatus,
    MemoryType,
    Outcome,
    Selection,
    SortKey,
    WritableStatus,
)
from memtui.service import MemoryService
from tests.clock import Clock
from tests.contract.model import Model

WORDS = [
    "Straße",
    "STRASSE",
    "caf\u00e9",
    "cafe\u0301",
    "don't",
    "100%",
    "a_b",
    "日本語の記憶",
    "İ",
    "ﬁn",
    "x",
]
TAGS = [
    "style",
    "Style",
    "styles",
    "100%",
    "my_tag",
    "myXtag",
    "[x]",
    'a"b',
    "a,b",
    "caf\u00e9",
    "\ufdd0",
]
NEEDLES = [
    *WORDS,
    *TAGS,
    "e",
    "s",
    "ss",
    ", ",
    "[",
    '"',
    "\\",
    "%",
    "_",
    "記憶",
    "Σ",
    "\ufdd1",
    "yl",
    "b x",
]

contents = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join) | st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=20
).filter(lambda text: bool(text.strip()))
tags = st.lists(st.sampled_from(TAGS), max_size=4).map(lambda tags: tuple(dict.fromkeys(tags)))
types = st.sampled_from(MemoryType)
statuses = st.sampled_from(WritableStatus)
creates = st.builds(MemoryCreate, content=contents, tags=tags, memory_type=types, status=statuses)
patches = st.fixed_dictionaries(
    {}, optional={"content": contents, "tags": tags, "memory_type": types, "status": statuses}
).map(MemoryPatch.parse)
queries = st.builds(
    MemoryQuery,
    status=st.none() | st.sampled_from(MemoryStatus),
    memory_type=st.none() | types,
    tag=st.none() | st.sampled_from(TAGS),
    q=st.none() | st.sampled_from(NEEDLES),
    sort=st.sampled_from(SortKey),
    limit=st.integers(1, 5),
    offset=st.integers(0, 4),
)


class Contract(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock = Clock()
        self.model = Model()
        self.service = MemoryService.open(Path(self.folder.name) / "m.db", clock=self.clock)

    def teardown(self) -> None:
        assert self.service.check() == ()
        self.service.close()
        self.folder.cleanup()

    @rule(seconds=st.sampled_from([-3600, -1, 0, 0.000001, 1, 3600]))
    def time_passes(self, seconds: float) -> None:
        self.clock.tick(seconds=seconds)

    @rule(new=creates)
    def create(self, new: MemoryCreate) -> None:
        created = self.service.create(new)
        assert created.id not in self.model.memories
        assert created == self.model.create(created.id, new, self.clock.now)

    @rule(many=st.lists(creates, max_size=4))
    def create_many(self, many: list[MemoryCreate]) -> None:
        created = self.service.create_many(many)
        assert created == tuple(
            self.model.create(memory.id, new, self.clock.now)
            for memory, new in zip(created, many, strict=True)
        )

    @precondition(lambda self: self.model.memories)
    @rule(data=st.data(), patch=patches, seen=st.sampled_from(["none", "current", "older"]))
    def patch(self, data: st.DataObject, patch: MemoryPatch, seen: str) -> None:
        id_ = self.any_id(data)
        current = self.model.live(id_)
        expected = None
        if current is not None and seen != "none":
            expected = current.version + (seen == "older")
        act = lambda: self.service.patch(id_, patch, expected_version=expected)  # noqa: E731
        if current is None:
            refused(NotFoundError, act)
        elif seen == "older":
            assert refused(ConflictError, act).current == current
        else:
            assert act() == self.model.patch(id_, patch, self.clock.now)

    @precondition(lambda self: self.model.memories)
    @rule(data=st.data())
    def get(self, data: st.DataObject) -> None:
        id_ = self.any_id(data)
        current = self.model.live(id_)
        if current is None:
            refused(NotFoundError, lambda: self.service.get(id_))
        else:
            assert self.service.get(id_) == self.model.touch([current], self.clock.now)[0]

    @precondition(lambda self: self.model.memories)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        id_ = self.any_id(data)
        if self.model.live(id_) is None:
            refused(NotFoundError, lambda: self.service.delete(id_))
        else:
            assert self.service.delete(id_) == self.model.delete(id_)

    @precondition(lambda self: self.model.memories)
    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        id_ = self.any_id(data)
        if self.model.live(id_) is not None:
            refused(NotFoundError, lambda: self.service.restore(id_))
        else:
            assert self.service.restore(id_) == self.model.restore(id_)

    @rule(query=queries, touch=st.booleans())
    def search(self, query: MemoryQuery, touch: bool) -> None:
        total = len(self.model.matches(query))
        page = self.service.search(query, touch=touch)
        assert list(page.items) == self.model.search(query, self.clock.now, touch=touch)
        assert page.total == total
        assert page.has_more == (query.offset + len(page.items) < total)

    @rule(query=queries)
    def facets(self, query: MemoryQuery) -> None:
        facets = self.service.facets(query)
        without = {name: query.model_copy(update={name: None}) for name in ("memory_type", "tag")}
        for status in MemoryStatus:
            narrowed = query.model_copy(update={"status": status})
            assert facets.statuses[status] == len(self.model.matches(narrowed))
        for type_ in MemoryType:
            matches = self.model.matches(without["memory_type"])
            assert facets.types[type_] == sum(memory.memory_type is type_ for memory in matches)
        carried = [tag for memory in self.model.matches(without["tag"]) for tag in memory.tags]
        assert {found.tag: found.count for found in facets.tags} == {
            tag: carried.count(tag) for tag in carried
        }
        assert facets.total == len(self.model.matches(query))

    @rule(query=queries, added=tags, removed=tags, undo=st.booleans())
    def retag_all_that_match(
        self, query: MemoryQuery, added: tuple[str, ...], removed: tuple[str, ...], undo: bool
    ) -> None:
        if not added and not removed:
            return
        matches = [m for m in self.model.matches(query) if m.status is not MemoryStatus.DELETED]
        before = {memory.id: memory for memory in matches}
        result = self.service.bulk(
            Selection.matching(query), BulkChange(add_tags=added, remove_tags=removed)
        )
        changed = {item.memory_id for item in result.outcomes if item.outcome is Outcome.CHANGED}
        for memory in matches:
            kept = [tag for tag in memory.tags if tag not in removed]
            retagged = MemoryPatch(tags=tuple(dict.fromkeys((*kept, *added))))
            after = self.model.patch(memory.id, retagged, self.clock.now)
            assert (after != memory) == (memory.id in changed)
        if undo and result.batch:
            assert self.service.undo(result.batch).count(Outcome.CHANGED) == len(changed)
            for id_ in changed:
                self.model.patch(id_, MemoryPatch(tags=before[id_].tags), self.clock.now)

    @invariant()
    def same_records(self) -> None:
        everything = [
            memory
            for status in MemoryStatus
            for memory in self.service.search(
                MemoryQuery(status=status, limit=100), touch=False
            ).items
        ]
        stored = {memory.id: memory for memory in everything}
        if len(self.model.memories) <= 100:
            assert stored == self.model.memories

    def any_id(self, data: st.DataObject) -> int:
        return data.draw(st.sampled_from(sorted(self.model.memories)))


def refused(kind: type[Exception], act: Callable[[], object]) -> Exception:
    with pytest.raises(kind) as caught:
        act()
    return caught.value


TestContract = Contract.TestCase
TestContract.settings = settings(
    max_examples=60,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
