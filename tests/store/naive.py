"""What the contract says a retrieval finds, over plain lists; random queries and writes for it."""

from __future__ import annotations

import random
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from memtui.errors import NotFoundError
from memtui.models import (
    BulkChange,
    Memory,
    MemoryCreate,
    MemoryPatch,
    MemoryQuery,
    MemoryStatus,
    MemoryType,
    Selection,
    SortKey,
    WritableStatus,
)
from memtui.service import MemoryService

ODD = [
    "don't", "Downloads/x", "ask-codex", "a:b", "*", "(", "AND", "NEAR", "^", '"', '""', "e", "th",
    "🎂", "👩‍💻", "語", "記憶", "%", "_", "\\", "100%", "my_tag", "myXtag", ", ", "[", "]", "u00e9",
    "STRASSE", "Äpfel", "ΣΊΣΥΦΟΣ", "é", "e\u0301", " ", "  ", ".", "MMM", "TaT", "TT", "xMy",
    "\ufdd0", "\ufdd1", "\uffff", "\ufffe", "\ufffd", "zzzzzzzz", "user prefers", "the ", "a" * 256,
    "\n", "İ",
]  # fmt: skip


def same_text(text: str) -> str:
    """The contract's comparison, written out."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())


@dataclass
class Naive:
    """Memories in a dictionary and each one's pieces of text, folded, set off by a NUL."""

    memories: dict[int, Memory] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    before_deletion: dict[int, MemoryStatus] = field(default_factory=dict)

    @classmethod
    def of(cls, memories: Iterable[Memory]) -> Naive:
        """A model of memories as they are."""
        naive = cls()
        for memory in memories:
            naive.put(memory)
        return naive

    def put(self, memory: Memory) -> None:
        """Take over a memory as it is now."""
        self.memories[memory.id] = memory
        self.texts[memory.id] = "\0".join(map(same_text, (memory.content, *memory.tags)))

    def matches(self, query: MemoryQuery) -> list[Memory]:
        """Everything that matches, in the order of the sort."""
        needle = None if query.q is None else same_text(query.q)
        found = [
            memory
            for memory in self.memories.values()
            if (
                memory.status != MemoryStatus.DELETED
                if query.status is None
                else memory.status == query.status
            )
            and query.memory_type in (None, memory.memory_type)
            and (query.tag is None or query.tag in memory.tags)
            and (needle is None or needle in self.texts[memory.id])
        ]
        if query.sort is SortKey.ID:
            return sorted(found, key=lambda memory: memory.id)
        moment: Callable[[Memory], object] = lambda memory: getattr(memory, query.sort.value)  # noqa: E731
        dated = [memory for memory in found if moment(memory) is not None]
        never = [memory for memory in found if moment(memory) is None]
        dated.sort(key=lambda memory: (moment(memory), memory.id), reverse=True)
        never.sort(key=lambda memory: memory.id, reverse=True)
        return dated + never


def compare_facets(
    service: MemoryService, naive: Naive, query: MemoryQuery, most_tags: int = 10**9
) -> None:
    """Fail unless each count is the number of matches under all the other filters.

    With `most_tags` only so many tags need be there, but those that the most memories carry.
    """
    facets = service.facets(query)
    assert facets.total == len(naive.matches(query)), query
    for status in MemoryStatus:
        narrowed = query.model_copy(update={"status": status})
        assert facets.statuses[status] == len(naive.matches(narrowed)), (query, status)
    kinds = Counter(
        memory.memory_type
        for memory in naive.matches(query.model_copy(update={"memory_type": None}))
    )
    assert facets.types == {kind: kinds[kind] for kind in MemoryType}, query
    carried = Counter(
        tag
        for memory in naive.matches(query.model_copy(update={"tag": None}))
        for tag in memory.tags
    )
    counts = {tag.tag: tag.count for tag in facets.tags}
    assert counts == {tag: carried[tag] for tag in counts}, query
    assert list(counts.values()) == sorted(carried.values(), reverse=True)[: len(counts)], query
    assert len(counts) == min(len(carried), most_tags), query
    assert facets.tags_complete == (len(carried) < most_tags) or len(carried) == most_tags


def random_query(chance: random.Random, memories: dict[int, Memory]) -> MemoryQuery:
    """A query about these memories: needles from them and odd ones, every filter and sort."""
    known = list(memories)
    values: dict[str, object] = {
        "sort": chance.choice(list(SortKey)),
        "limit": chance.choice((1, 7, 10, 100)),
    }
    if chance.random() < 0.35:
        values["status"] = chance.choice(list(MemoryStatus))
    if chance.random() < 0.3:
        values["memory_type"] = chance.choice(list(MemoryType))
    some = memories[chance.choice(known)] if known else None
    if chance.random() < 0.25:
        values["tag"] = chance.choice(some.tags) if some and some.tags else "no-such-tag"
    if chance.random() < 0.75:
        values["q"] = _needle(chance, some)
    most = len(memories)
    values["offset"] = chance.choice(
        (
            0,
            0,
            0,
            chance.randrange(50),
            chance.randrange(most + 1),
            max(most - chance.randrange(200), 0),
        )
    )
    return MemoryQuery.parse(values)


def _needle(chance: random.Random, memory: Memory | None) -> str:
    if memory is None or chance.random() < 0.2:
        return chance.choice(ODD)
    text = chance.choice((memory.content, memory.content, *memory.tags))
    length = chance.choice((1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 12, 30))
    start = chance.randrange(max(len(text) - length, 0) + 1)
    piece = text[start : start + length]
    return chance.choice((piece, piece, piece.upper(), piece.lower()))


def compare(service: MemoryService, naive: Naive, query: MemoryQuery) -> None:
    """Fail unless the service finds exactly what the model finds."""
    expected = naive.matches(query)
    page = service.search(query, touch=False)
    assert page.total == len(expected), query
    assert list(page.items) == expected[query.offset : query.offset + query.limit], query
    assert page.has_more == (query.offset + len(page.items) < page.total), query


def random_write(chance: random.Random, service: MemoryService, naive: Naive) -> None:
    """Do one of everything that changes memories, and follow it in the model."""
    memory = naive.memories[chance.choice(list(naive.memories))]
    other = naive.memories[chance.choice(list(naive.memories))]
    kind = chance.random()
    try:
        if kind < 0.15:
            naive.put(service.create(MemoryCreate(content=other.content[::-1], tags=memory.tags)))
        elif kind < 0.35:
            words = memory.content.split(" ")
            words[chance.randrange(len(words))] = chance.choice(ODD)
            naive.put(service.patch(memory.id, MemoryPatch(content=" ".join(words) + ".")))
        elif kind < 0.6:
            tags = [*memory.tags, *other.tags, chance.choice(("new", "Style", "style", "\ufdd0"))]
            chance.shuffle(tags)
            wanted = tuple(dict.fromkeys(tags))[: chance.randrange(7)]
            naive.put(service.patch(memory.id, MemoryPatch(tags=wanted)))
        elif kind < 0.75:
            patch = MemoryPatch(
                memory_type=chance.choice(list(MemoryType)),
                status=chance.choice(list(WritableStatus)),
            )
            naive.put(service.patch(memory.id, patch))
        elif kind < 0.85:
            naive.before_deletion[memory.id] = memory.status
            naive.put(service.delete(memory.id))
        elif kind < 0.9:
            naive.put(service.restore(memory.id))
        elif kind < 0.95:
            naive.put(service.get(memory.id))
        else:
            _random_bulk(chance, service, naive, memory)
    except NotFoundError:
        assert (memory.status == MemoryStatus.DELETED) == (not 0.85 <= kind < 0.9)


def _random_bulk(
    chance: random.Random, service: MemoryService, naive: Naive, memory: Memory
) -> None:
    tag = memory.tags[0] if memory.tags else "bulk"
    change = chance.choice(
        (
            BulkChange(add_tags=("bulk",)),
            BulkChange(remove_tags=(tag,)),
            BulkChange(add_tags=("ing", "bulk-2"), remove_tags=(tag,)),
            BulkChange(memory_type=MemoryType.EVENT, status=WritableStatus.INVALID),
        )
    )
    # A piece of the text, so that of a million memories it is a handful that is changed.
    query = MemoryQuery(tag=tag, q=memory.content[: chance.randrange(6, 16)])
    result = service.bulk(Selection.matching(query), change)
    for item in result.outcomes:
        naive.put(service.get(item.memory_id, touch=False))
