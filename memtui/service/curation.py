"""What a curator keeps beside the memories: saved views, review queues, tag housekeeping.

None of it is a read or a change of a memory (CONTRACT §4): nothing is touched, no version is made.
"""

from __future__ import annotations

import re
from collections import defaultdict

from memtui.errors import NotFoundError
from memtui.models import (
    ActorCount,
    Measures,
    MemoryPage,
    Month,
    ReviewMark,
    ReviewQuery,
    ReviewQueue,
    SavedView,
    SortKey,
    TagMerge,
    TagSummary,
)
from memtui.service.context import Context
from memtui.service.retrieval import live
from memtui.service.writing import require_version
from memtui.store import Order


def views(context: Context) -> tuple[SavedView, ...]:
    """Every saved view, by name."""
    with context.store.read() as peek:
        return tuple(peek.views())


def save_view(context: Context, view: SavedView) -> None:
    """Keep a view, replacing one of the same name."""
    with context.store.write() as transaction:
        transaction.save_view(view)


def rename_view(context: Context, old: str, new: str) -> SavedView:
    """Give a view another name, replacing one that has it."""
    with context.store.write() as transaction:
        query = next((view.query for view in transaction.views() if view.name == old), None)
        if query is None:
            raise _no_view(old)
        renamed = SavedView.parse({"name": new, "query": query})
        transaction.delete_view(old)
        transaction.save_view(renamed)
    return renamed


def delete_view(context: Context, name: str) -> None:
    """Forget a view."""
    with context.store.write() as transaction:
        if not transaction.delete_view(name):
            raise _no_view(name)


def view(context: Context, name: str) -> SavedView:
    """One view by its name."""
    for saved in views(context):
        if saved.name == name:
            return saved
    raise _no_view(name)


def _no_view(name: str) -> NotFoundError:
    return NotFoundError(f"There is no view named {name}", "memtui views lists them.")


def review(context: Context, query: ReviewQuery) -> MemoryPage:
    """What waits in a queue; a peek."""
    with context.store.read() as peek:
        ids, total = peek.review(query, context.clock())
        items = tuple(peek.find(ids))
    return MemoryPage.model_construct(
        items=items,
        total=total,
        limit=query.limit,
        offset=query.offset,
        has_more=query.offset + len(items) < total,
    )


def mark_reviewed(context: Context, mark: ReviewMark, expected_version: int | None) -> None:
    """Remember a decision to leave a memory as it is."""
    with context.store.write() as transaction:
        memory = require_version(live(transaction, mark.memory_id), expected_version)
        transaction.mark_reviewed(mark, memory.version, context.clock())


def unmark_reviewed(context: Context, queue: ReviewQueue, memory_id: int) -> None:
    """Put a memory back into a queue."""
    with context.store.write() as transaction:
        transaction.unmark_reviewed(queue, memory_id)


def tag_summaries(context: Context) -> tuple[TagSummary, ...]:
    """Every tag in use, a peek."""
    with context.store.read() as peek:
        return tuple(peek.tag_summaries())


def months(context: Context) -> tuple[Month, ...]:
    """The store over time, a peek."""
    with context.store.read() as peek:
        return tuple(peek.months())


AGES = (1, 7, 30, 90, 365)
"""The ages, in days, that memories are counted by."""


def measures(context: Context, long_from: int) -> Measures:
    """How old and how long the memories are, a peek."""
    with context.store.read() as peek:
        ages = tuple(peek.ages(context.clock(), AGES))
        return Measures(ages, long_from, peek.count_long(long_from))


def actors(context: Context) -> tuple[ActorCount, ...]:
    """Everyone in the journal, a peek."""
    with context.store.read() as peek:
        return tuple(peek.actors())


def position(context: Context, memory_id: int, sort: SortKey) -> int:
    """Where a memory is among all of its kind, a peek."""
    with context.store.read() as peek:
        found = peek.find([memory_id])
        if not found:
            raise NotFoundError(f"Memory {memory_id} not found")
        return peek.count_before(found[0], Order(sort.value))


_PLURALS = (
    (re.compile(r"ies$"), "y"),
    (re.compile(r"(?<=s|x|z)es$|(?<=ch|sh)es$"), ""),
    (re.compile(r"(?<=[^s])s$"), ""),
)


def proposed_merges(tags: tuple[TagSummary, ...]) -> tuple[TagMerge, ...]:
    """Tags that seem to mean the same: other case, other joints (`py-test`, `pytest`), plurals.

    Each proposal keeps the most frequent spelling; the proposals with most memories come first.
    """
    alike: dict[str, list[TagSummary]] = defaultdict(list)
    for tag in tags:
        alike[_gist(tag.tag)].append(tag)
    merges = []
    for group in alike.values():
        if len(group) > 1:
            keep, *others = sorted(group, key=lambda tag: (-tag.count, tag.tag))
            merges.append(TagMerge(keep.tag, tuple(other.tag for other in others)))
    counts = {tag.tag: tag.count for tag in tags}
    return tuple(sorted(merges, key=lambda merge: (-counts[merge.keep], merge.keep)))


def _gist(tag: str) -> str:
    plain = re.sub(r"[\W_]+", "", tag.casefold()) or tag
    if len(plain) > 3:
        for ending, singular in _PLURALS:
            if ending.search(plain):
                return ending.sub(singular, plain)
    return plain
