"""Counts beside the filters: per status, type and tag, each under all the other filters.

Without a text they are sums of the counts that every write keeps. With one, few matches are looked
at one by one; many are counted by the search index, one question a value, and then only the most
frequent tags: the kept counts are upper bounds, and tell when no other tag can be among them.
"""

from __future__ import annotations

import heapq
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlalchemy import Connection

from memtui.models import Facets, MemoryStatus, MemoryType, TagCount
from memtui.store import index_terms, matching
from memtui.store.base import Filter
from memtui.store.matching import Counted, Kept, Question
from memtui.store.raw import raw_rows

FEW = 30_000
"""Matches of a text that are looked at one by one."""

MOST_TAGS = 100
"""Tags that are counted when more than `FEW` memories hold the text."""

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
    if matching.number(connection, Question(question.expression)) <= FEW:
        return _of_few(connection, filter_, statuses, kept, question)
    pairs = _pairs(connection, kept, question)
    tags = _top_tags(connection, filter_)
    return _facets(filter_, statuses, pairs, tags, complete=len(tags) < MOST_TAGS)


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


# --- few matches -----------------------------------------------------------------------------


def _of_few(
    connection: Connection,
    filter_: Filter,
    statuses: Sequence[str],
    kept: Kept,
    question: Question,
) -> Facets:
    """Count from the tokens of every memory that holds the text."""
    tag_sign = None if kept.tag_id is None else index_terms.tag_sign(kept.tag_id)
    pairs: Counter[tuple[str, str]] = Counter()
    carried: Counter[str] = Counter()
    for tokens, number in _different_tokens(connection, question).items():
        status_sign, type_sign, *tag_signs = index_terms.signs_of(tokens)
        pair = _pair(status_sign, type_sign)
        if filter_.tag is None or tag_sign in tag_signs:
            pairs[pair] += number
        if matching.wants(filter_, Counted(*pair, number)):
            for sign in tag_signs:
                carried[sign] += number
    return _facets(
        filter_,
        statuses,
        [Counted(*pair, number) for pair, number in pairs.items()],
        _named(connection, carried),
    )


def _different_tokens(connection: Connection, question: Question) -> Counter[str]:
    statement = f"SELECT x.tokens {question.texts}"
    return Counter(row[0] for row in raw_rows(connection, statement, question.values))


def _named(connection: Connection, carried: Mapping[str, int]) -> list[TagCount]:
    numbers = {index_terms.tag_id_of_sign(sign): number for sign, number in carried.items()}
    names = raw_rows(connection, _NAMES, (json.dumps(list(numbers)),))
    counts = [TagCount(name, numbers[tag_id]) for tag_id, name in names]
    return sorted(counts, key=_by_frequency)


def _by_frequency(tag: TagCount) -> tuple[int, str]:
    return -tag.count, tag.tag


def _pair(status_sign: str, type_sign: str) -> tuple[str, str]:
    """Status and type of their signs; what other programs wrote counts for none of ours."""
    return (
        index_terms.status_of_sign(status_sign) or "",
        index_terms.type_of_sign(type_sign) or "",
    )


# --- many matches ----------------------------------------------------------------------------


def _pairs(connection: Connection, kept: Kept, question: Question) -> list[Counted]:
    """How many of the matches have each status and type that there are."""
    if kept.tag_id is not None:
        question = question.and_grams(index_terms.tag_gram(kept.tag_id))
    if question.needle is not None:
        # Each text must be looked at: once is enough. The signs stand at fixed places.
        statement = (
            "SELECT substr(x.tokens, 3, 1), substr(x.tokens, 6, 1), count(*) "
            f"{question.texts} GROUP BY 1, 2"
        )
        rows = raw_rows(connection, statement, question.values)
        return [Counted(*_pair(status, kind), number) for status, kind, number in rows]
    possible: Counter[tuple[str, str]] = Counter()
    for row in kept.among:
        signs = index_terms.status_sign(row.status), index_terms.type_sign(row.memory_type)
        possible[signs] += row.number
    found: list[Counted] = []
    rest = matching.number(connection, question)
    for signs, _ in sorted(possible.items(), key=lambda item: item[1]):
        last = len(found) == len(possible) - 1
        one = question.and_grams(*map(index_terms.gram, signs))
        number = rest if last else matching.number(connection, one)
        rest -= number
        found.append(Counted(*_pair(*signs), number))
    return found


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
