"""From a filter to one question for the search index, with what the kept counts say about it.

The counts are those that every write keeps (`facet`): they give the number of matches where no text
is asked for, tell which conditions need not be asked at all, and what a way to a page would cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from memtui.store import index_terms
from memtui.store.base import Filter
from memtui.store.raw import raw_one, raw_rows
from memtui.store.rows import to_micros

_ALL_COUNTS = """
SELECT tag_id, status, memory_type, count FROM facet WHERE tag_id = 0 AND count > 0
"""
_COUNTS_WITH_TAG = """
SELECT tag_id, status, memory_type, count FROM facet
WHERE tag_id IN (0, (SELECT id FROM tag WHERE name = ?)) AND count > 0
"""
_COUNT_UNUSED = """
SELECT (
    SELECT count(*) FROM memory INDEXED BY memory_by_accessed
    WHERE last_accessed_at < ? AND {conditions}
) + (
    SELECT count(*) FROM memory INDEXED BY memory_by_accessed
    WHERE last_accessed_at IS NULL AND created_at < ? AND {conditions}
)
"""


class Question(NamedTuple):
    """What to ask the search index: an expression, and a needle that the text must be seen to hold.

    Without a needle the index alone is sure. Without an expression every memory is meant.
    """

    expression: str | None
    needle: str | None = None

    @property
    def matches(self) -> str:
        """FROM and WHERE of the memories, by `memory_index.rowid`."""
        if self.needle is None:
            return "FROM memory_index WHERE memory_index MATCH ?"
        return (
            "FROM memory_index CROSS JOIN memory_text x ON x.id = memory_index.rowid "
            "WHERE memory_index MATCH ? AND instr(x.folded, ?) > 0"
        )

    @property
    def texts(self) -> str:
        """The same, with the text `x` also where the index alone is sure."""
        if self.needle is not None:
            return self.matches
        return (
            "FROM memory_index CROSS JOIN memory_text x ON x.id = memory_index.rowid "
            "WHERE memory_index MATCH ?"
        )

    @property
    def values(self) -> tuple[str | None, ...]:
        """The values for the places in `matches`."""
        return (self.expression,) if self.needle is None else (self.expression, self.needle)

    def and_grams(self, *grams: str) -> Question:
        """The same for the memories that have these grams as well."""
        own = () if self.expression is None else (f"({self.expression})",)
        return self._replace(expression=" AND ".join((*own, *map(_quoted, grams))))


class Counted(NamedTuple):
    """How many memories have a status and a type."""

    status: str
    memory_type: str
    number: int


class Kept(NamedTuple):
    """The kept counts: of all memories, of those `among` which a tag leaves, and the tag's id."""

    all: Sequence[Counted]
    among: Sequence[Counted]
    tag_id: int | None


@dataclass(frozen=True, slots=True)
class Match:
    """A filter in the light of one view of the store.

    `possible` is the number of matches of everything but the needle, `population` that of all
    memories, whose statuses are `every_status`.
    """

    filter_: Filter
    question: Question
    tag_id: int | None
    possible: int
    population: int
    every_status: tuple[str, ...]


def match(connection: Connection, filter_: Filter) -> Match:
    """Prepare a filter. `unused_since` plays no part in the question."""
    kept = kept_counts(connection, filter_.tag)
    own = Question(None) if filter_.needle is None else holding(filter_.needle)
    return Match(
        filter_=filter_,
        question=own._replace(expression=_expression(filter_, kept, own.expression)),
        tag_id=kept.tag_id,
        possible=sum(row.number for row in kept.among if wants(filter_, row)),
        population=sum(row.number for row in kept.all),
        every_status=tuple(sorted({row.status for row in kept.all})),
    )


def count(connection: Connection, found: Match) -> int:
    """How many memories match."""
    filter_ = found.filter_
    if filter_.unused_since is not None:
        return _count_unused(connection, filter_, filter_.unused_since)
    if filter_.needle is None or not found.possible:
        return found.possible
    return number(connection, found.question)


def number(connection: Connection, question: Question) -> int:
    """How many memories a question is answered with."""
    statement = f"SELECT count(*) {question.matches}"
    return raw_one(connection, statement, question.values)


def holding(needle: str) -> Question:
    """The question for the memories that hold a folded text."""
    terms = index_terms.needle_terms(needle)
    return Question(all_of(terms.grams), needle if terms.confirm else None)


def every_one(found: Match) -> Question:
    """The question of a match, spelled out also where every memory is meant."""
    if found.question.expression is not None:
        return found.question
    return Question(any_of(map(index_terms.status_gram, found.every_status)))


def kept_counts(connection: Connection, tag: str | None) -> Kept:
    """The kept counts of all memories and of those that carry a tag."""
    statement, values = (_ALL_COUNTS, ()) if tag is None else (_COUNTS_WITH_TAG, (tag,))
    rows = raw_rows(connection, statement, values)
    every = [Counted(*row[1:]) for row in rows if row[0] == 0]
    if tag is None:
        return Kept(every, every, None)
    tagged = [row for row in rows if row[0] != 0]
    return Kept(every, [Counted(*row[1:]) for row in tagged], tagged[0][0] if tagged else None)


def wants(filter_: Filter, row: Counted) -> bool:
    """Whether status and type of a row are those of a filter."""
    return row.status in filter_.statuses and is_type(filter_, row.memory_type)


def is_type(filter_: Filter, memory_type: str) -> bool:
    """Whether a type is one of a filter's."""
    return not filter_.memory_types or memory_type in filter_.memory_types


def all_of(grams: Iterable[str]) -> str:
    """The expression for memories that have every one of these grams."""
    return " AND ".join(map(_quoted, grams))


def any_of(grams: Iterable[str]) -> str:
    """The expression for memories that have one of these grams."""
    return f"({' OR '.join(map(_quoted, grams))})"


def conditions(
    filter_: Filter, alias: str, every_status: Sequence[str] = ()
) -> tuple[str, list[object]]:
    """Status and type of a filter as conditions on a row, and the values of their places.

    Where `every_status` that there is is known, the shorter way to say it is taken: a walk over
    hundreds of thousands of rows tests each.
    """
    parts: list[str] = []
    values: list[object] = []
    others = [status for status in every_status if status not in filter_.statuses]
    if len(others) == 1:
        parts.append(f"{alias}.status <> ?")
        values += others
    elif others or not every_status:
        parts.append(f"{alias}.status IN ({_places(filter_.statuses)})")
        values += map(str, filter_.statuses)
    if filter_.memory_types:
        parts.append(f"{alias}.memory_type IN ({_places(filter_.memory_types)})")
        values += map(str, filter_.memory_types)
    return " AND ".join(parts) or "TRUE", values


def _count_unused(connection: Connection, filter_: Filter, since: datetime) -> int:
    condition, values = conditions(filter_, "memory")
    once = (to_micros(since), *values)
    statement = _COUNT_UNUSED.format(conditions=condition)
    return raw_one(connection, statement, (*once, *once))


def _expression(filter_: Filter, kept: Kept, needle: str | None) -> str | None:
    """All conditions that the counts show to leave something out, as one expression."""
    parts = [] if needle is None else [needle]
    if kept.tag_id is not None:
        parts.append(_quoted(index_terms.tag_gram(kept.tag_id)))
    of_type = [row for row in kept.among if is_type(filter_, row.memory_type)]
    if len(of_type) < len(kept.among):
        parts.append(any_of(map(index_terms.type_gram, filter_.memory_types)))
    wanted = [row for row in of_type if row.status in filter_.statuses]
    others = [row for row in of_type if row.status not in filter_.statuses]
    unwanted: Iterable[str] = ()
    if parts and sum(row.number for row in others) < sum(row.number for row in wanted):
        unwanted = {row.status for row in others}
    elif others:
        parts.append(any_of(map(index_terms.status_gram, filter_.statuses)))
    if not parts:
        return None
    together = " AND ".join(parts)
    if not unwanted:
        return together
    return f"({together}) NOT {any_of(map(index_terms.status_gram, sorted(unwanted)))}"


def _places(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))


def _quoted(gram: str) -> str:
    escaped = gram.replace('"', '""')
    return f'"{escaped}"'
