"""Which active memories say something close to another one: by the words they have in common."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from memtui.models import Memory, MemoryStatus
from memtui.service.context import Context
from memtui.service.retrieval import live
from memtui.store import Filter, Order, ReadTransaction
from memtui.text import fold

_IDEOGRAPH = "[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]"
_WORD = re.compile(rf"(?:(?!{_IDEOGRAPH})\w){{3,64}}")
_PAIR = re.compile(rf"(?=({_IDEOGRAPH}{{2}}))")
_LOOKED_FOR = 8
_FOUND_EACH = 25
# Together a bound on the work, whatever the size of the store: eight searches of one page each.


def related(context: Context, memory_id: int, limit: int) -> tuple[Memory, ...]:
    """The active memories closest to one, a peek. Raises `NotFoundError`."""
    with context.store.read() as peek:
        memory = live(peek, memory_id)
        mine = words_of(memory.content)
        candidates = _candidates(peek, mine)
    candidates.pop(memory_id, None)
    return _closest(mine, candidates.values(), limit)


def words_of(text: str) -> frozenset[str]:
    """Return the words of `text` as the search folds them; ideographs count in pairs."""
    folded = fold(text)
    return frozenset(_WORD.findall(folded)) | frozenset(_PAIR.findall(folded))


def _candidates(peek: ReadTransaction, words: Iterable[str]) -> dict[int, Memory]:
    """Look for the longest words: in any language they are the ones that few texts share."""
    longest = sorted(words, key=lambda word: (-len(word), word))[:_LOOKED_FOR]
    found: dict[int, Memory] = {}
    for word in longest:
        filter_ = Filter(statuses=(MemoryStatus.ACTIVE.value,), needle=word)
        for memory in peek.page(filter_, Order.UPDATED_AT, _FOUND_EACH, 0):
            found[memory.id] = memory
    return found


def _closest(mine: frozenset[str], candidates: Iterable[Memory], limit: int) -> tuple[Memory, ...]:
    """Rank by shared words; long words weigh more, words that many candidates have weigh less.

    One shared word is chance, unless there is but one.
    """
    shared = {memory: mine & words_of(memory.content) for memory in _by_change(candidates)}
    spread = Counter(word for words in shared.values() for word in words)
    enough = min(2, len(mine))
    scores = [
        (sum(len(word) / spread[word] for word in words), memory)
        for memory, words in shared.items()
        if len(words) >= enough
    ]
    ranked = sorted(scores, key=lambda scored: -scored[0])
    return tuple(memory for _score, memory in ranked[:limit])


def _by_change(memories: Iterable[Memory]) -> list[Memory]:
    return sorted(memories, key=lambda memory: (memory.updated_at, memory.id), reverse=True)
