"""Counts beside the filters: per status, type and tag, each under all the other filters.

Without a text they are sums of the counts that every write keeps. With one, the matches are looked
at one by one, unless there are many and the search index alone is sure of them: then it is asked
for each value, and only for the most frequent tags. The kept counts are upper bounds, and tell when
no other tag can be among those.
"""

from __future__ import annotations

import heapq
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice

from sqlalchemy import Connection

from memtui.models import Facets, MemoryStatus, MemoryType, TagCount
from memtui.store import index_terms, matching
from memtui.store.base import Filter
from memtui.store.index_terms import HEAD
from memtui.store.matching import Counted, Kept, Question
from memtui.store.raw import raw_rows, raw_stream

FEW = 100_000
"""Matches of a text that are looked at one by one where the index could be asked."""

_AT_A_TIME = 10_000

MOST_TAGS = 12
"""Tags that are counted where it is."""

_TAG_SUMS = """
SELECT t.id, t.name, sum(f.count) AS number
FROM facet f CROSS JOIN tag t ON t.id = f.tag_id
WHERE f.count > 0 AND f.tag_id > 0 AND {conditions}
GROUP BY t.id ORDER BY number DESC, t.name
"""
_NAMES = "SELECT id, name FROM tag WHERE id IN (SELECT value FROM json_each(?))"


def facets(connection: Connection, filter_: Filter, statuses: Sequence[str]) -> Facets:
    """Counts per status (of `statuses`), type and tag, and how many match the whole filter."""
    kept = matching.kept_counts(connection, filter_.tag)
    if filter_.needle is None:
        return _facets(filter_, statuses, kept.among, _tag_sums(connection, filter_))
    question = matching.holding(filter_.needle)
    if question.needle is not None or matching.number(connection, question) <= FEW:
        return _one_by_one(connection, filter_, statuses, kept, question)
    return _by_index(connection, filter_, statuses, kept)


def tags(connection: Connection, filter_: Filter) -> list[TagCount]:
    """Every tag with how many memories of these statuses and types carry it."""
    return _tag_sums(connection, filter_)


def _facets(
    filter_: Filter,
    statuses: Sequence[str],
    pairs: Sequence[Counted],
    tags: Sequence[TagCount],
    *,
    complete: bool = True,
) -> Facets:
    of_status: Counter[str] = Counter()
    of_type: Counter[str] = Counter()
    for status, memory_type, number in pairs:
        if matching.is_type(filter_, memory_type) and status in statuses:
            of_status[status] += number
        if status in filter_.statuses:
            of_type[memory_type] += number
    return Facets.model_construct(
        total=sum(row.number for row in pairs if matching.wants(filter_, row)),
        statuses={status: of_status[status] for status in MemoryStatus},
        types={type_: of_type[type_] for type_ in MemoryType},
        tags=tuple(tags),
        tags_complete=complete,
    )


def _tag_sums(connection: Connection, filter_: Filter) -> list[TagCount]:
    return [TagCount(name, number) for _, name, number in _tag_bounds(connection, filter_)]


def _tag_bounds(connection: Connection, filter_: Filter) -> Sequence[tuple[int, str, int]]:
    """Each tag's id, name and number under status and type, most frequent first."""
    conditions, values = matching.conditions(filter_, "f")
    statement = _TAG_SUMS.format(conditions=conditions)
    return raw_rows(connection, statement, values)


# --- one by one ------------------------------------------------------------------------------


def _one_by_one(
    connection: Connection,
    filter_: Filter,
    statuses: Sequence[str],
    kept: Kept,
    question: Question,
) -> Facets:
    """Count from the tokens of every memory that holds the text, some thousands at a time."""
    wanted = {
        index_terms.head(status, kind)
        for status in filter_.statuses
        for kind in filter_.memory_types or MemoryType
    }
    own = ""
    if filter_.tag is not None:
        own = index_terms.tokens([index_terms.tag_sign(kept.tag_id or 0)])
    heads: Counter[str] = Counter()
    carried: Counter[int] = Counter()
    rows = raw_stream(connection, f"SELECT x.tokens {question.texts}", question.values)
    while found := [row[0] for row in islice(rows, _AT_A_TIME)]:
        with_own = [tokens for tokens in found if own in tokens] if own else found
        heads.update([tokens[:HEAD] for tokens in with_own])
        carried.update(
            index_terms.tag_counts([tokens for tokens in found if tokens[:HEAD] in wanted])
        )
    counted = []
    for head, number in heads.items():
        status, kind = index_terms.read_head(head)
        counted.append(Counted(status or "", kind or "", number))
    return _facets(filter_, statuses, counted, _named(connection, carried))


def _named(connection: Connection, carried: Mapping[int, int]) -> list[TagCount]:
    names = raw_rows(connection, _NAMES, (json.dumps(list(carried)),))
    counts = [TagCount(name, carried[tag_id]) for tag_id, name in names]
    return sorted(counts, key=_by_frequency)


def _by_frequency(tag: TagCount) -> tuple[int, str]:
    return -tag.count, tag.tag


# --- by the index ----------------------------------------------------------------------------


def _by_index(
    connection: Connection, filter_: Filter, statuses: Sequence[str], kept: Kept
) -> Facets:
    total = matching.count(connection, matching.match(connection, filter_))
    here = {row.status for row in kept.among}
    of_status = _divided(
        connection,
        {status: replace(filter_, statuses=(status,)) for status in statuses if status in here},
        filter_.statuses,
        total,
    )
    kinds = {row.memory_type for row in kept.among}
    of_type = _divided(
        connection,
        {kind: replace(filter_, memory_types=(kind,)) for kind in MemoryType if kind in kinds},
        filter_.memory_types or tuple(kinds),
        total,
    )
    tags = _top_tags(connection, filter_)
    return Facets.model_construct(
        total=total,
        statuses={status: of_status.get(status, 0) for status in MemoryStatus},
        types={kind: of_type.get(kind, 0) for kind in MemoryType},
        tags=tuple(tags),
        tags_complete=len(tags) < MOST_TAGS,
    )


def _divided(
    connection: Connection, parts: Mapping[str, Filter], wanted: Sequence[str], total: int
) -> dict[str, int]:
    """Count the matches of each part. Those that are `wanted` come to the `total` together."""
    matches = {name: matching.match(connection, part) for name, part in parts.items()}
    inside = [name for name in parts if name in wanted]
    largest = max(inside, key=lambda name: matches[name].possible, default=None)
    if len(inside) < len(set(wanted)):
        largest = None  # something is wanted that is no part: what is left is not one part's
    counts = {
        name: matching.count(connection, match)
        for name, match in matches.items()
        if name != largest
    }
    if largest is not None:
        counts[largest] = total - sum(counts[name] for name in inside if name != largest)
    return counts


def _top_tags(connection: Connection, filter_: Filter) -> list[TagCount]:
    """The most frequent tags among the matches of everything but the tag."""
    matches = matching.match(connection, replace(filter_, tag=None)).question
    best: list[int] = []
    found: list[TagCount] = []
    for tag_id, name, bound in _tag_bounds(connection, filter_):
        if len(best) == MOST_TAGS and bound < best[0]:
            break
        one = matches.and_grams(index_terms.tag_gram(tag_id))
        number = matching.number(connection, one)
        if number:
            found.append(TagCount(name, number))
            (heapq.heappush if len(best) < MOST_TAGS else heapq.heappushpop)(best, number)
    return sorted(found, key=_by_frequency)[:MOST_TAGS]
