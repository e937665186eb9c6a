"""Ranking in SQLite: BM25 over the words of a query, on the search index.

The index finds the candidates; their texts are counted and scored in one statement. FTS5's own
`bm25()` is of no use here: it would count grams, and the index keeps neither lengths nor places.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from math import log

from sqlalchemy import Connection

from memtui.store import index_terms, matching
from memtui.store.base import Filter, Term, TermMatch
from memtui.store.matching import Match, Question, number
from memtui.store.raw import raw_rows
from memtui.text import SEPARATOR

CANDIDATES = 1_000
"""Memories that are scored at most: those with the most and the rarest words of the query."""

_RARE = 4
_AT_A_TIME = 12
_BETWEEN = (
    "\n\t.,;:!?()[]{}<>\"'`-/\\_=*#@&+|\u2013\u2014\u2018\u2019\u201c\u201d\u2026" + SEPARATOR
)
_NEWEST = """
SELECT rowid FROM memory_index WHERE memory_index MATCH ? ORDER BY rowid DESC LIMIT ?
"""


def _spaced(text: str, between: str) -> str:
    """SQL that puts a space for each of these characters."""
    for char in between:
        text = f"replace({text}, char({ord(char)}), ' ')"
    return text


def _texts() -> str:
    """SQL for the texts with spaces around all words, so that a word's start can be looked for.

    A few characters at a time: SQLite's parser bears only so many calls within calls.
    """
    steps = [_BETWEEN[at : at + _AT_A_TIME] for at in range(0, len(_BETWEEN), _AT_A_TIME)]
    source = """
        SELECT x.id AS id, x.folded AS text, length(x.folded) AS size
        FROM json_each(?) p JOIN memory_text x ON x.id = p.value
    """
    for step in steps:
        source = f"SELECT id, {_spaced('text', step)} AS text, size FROM ({source})"
    # Two spaces between words: what replaces one word must not take the next one's space.
    return f"SELECT id, ' ' || replace(text, ' ', '  ') || ' ' AS text, size FROM ({source})"


def _occurrences(piece: str) -> str:
    return f"((length(t.text) - length(replace(t.text, {piece}, ''))) / length({piece}))"


_SCORED = f"""
WITH term AS MATERIALIZED (
    SELECT value ->> 0 AS word, value ->> 1 AS match, value ->> 2 AS weight FROM json_each(?)
),
text AS MATERIALIZED ({_texts()}),
usual AS (SELECT avg(size) AS size FROM text),
counted AS (
    SELECT t.id AS id, t.size AS size, term.weight AS weight,
        CASE term.match
            WHEN '{TermMatch.ANYWHERE}' THEN {_occurrences("term.word")}
            WHEN '{TermMatch.WHOLE}' THEN {_occurrences("' ' || term.word || ' '")}
            ELSE ({_occurrences("term.word")} + {_occurrences("' ' || term.word")}) / 2.0
        END AS often
    FROM text t CROSS JOIN term WHERE instr(t.text, term.word) > 0
),
scored AS (
    SELECT c.id AS id, min(1.0, sum(
        c.weight * c.often * 2.2 / (c.often + 1.2 * (0.25 + 0.75 * c.size / usual.size))
    ) / ?) AS score
    FROM counted c, usual GROUP BY c.id
)
SELECT s.id, s.score FROM scored s JOIN memory m ON m.id = s.id
WHERE s.score > 0 AND s.score >= ?
ORDER BY round(s.score, 3) DESC, m.last_accessed_at DESC, m.id DESC LIMIT ?
"""
# BM25 with the usual k1 = 1.2 and b = 0.75, as a share of what a text of usual length gets that
# holds every word once. Equal scores: what was used last comes first.


class SqliteRankingRead:
    """The part of `ReadTransaction` that ranks."""

    _connection: Connection

    def ranked(
        self, terms: Sequence[Term], filter_: Filter, *, limit: int, min_score: float
    ) -> list[tuple[int, float]]:
        """The ids of the best matches of any of the words, with their scores, best first."""
        among = matching.match(self._connection, filter_)
        if not among.possible:
            return []
        questions = {term: _question(term) for term in terms}
        counts = {
            term: number(self._connection, _within(question, among))
            for term, question in questions.items()
        }
        rarest_first = sorted((term for term in terms if counts[term]), key=counts.__getitem__)
        if not rarest_first:
            return []
        weights = {term: _weight(among.possible, counts[term]) for term in terms}
        candidates = self._candidates([questions[term] for term in rarest_first], among)
        asked = [(term.text, term.match, weights[term]) for term in rarest_first]
        rows = raw_rows(
            self._connection,
            _SCORED,
            (json.dumps(asked), json.dumps(candidates), sum(weights.values()), min_score, limit),
        )
        return [(memory_id, score) for memory_id, score in rows]

    def _candidates(self, questions: Sequence[str], among: Match) -> list[int]:
        """The newest ids that have all words, then the rarest few, then any, up to the bound."""
        found: dict[int, None] = {}
        for wanted in _tiers(questions):
            question = _within(" AND ".join(wanted), among)
            rows = raw_rows(self._connection, _NEWEST, (question.expression, CANDIDATES))
            found |= dict.fromkeys(row[0] for row in rows)
            if len(found) >= CANDIDATES:
                break
        return list(found)[:CANDIDATES]


def _tiers(questions: Sequence[str]) -> Iterator[Sequence[str]]:
    if len(questions) > _RARE:
        yield questions
    for together in range(min(_RARE, len(questions)), 1, -1):
        yield questions[:together]
    for question in questions:
        yield (question,)


def _question(term: Term) -> str:
    """What to ask the index for the memories that may have a word."""
    if term.match is TermMatch.WHOLE and len(term.text) == index_terms.GRAM - 1:
        # Two letters are inside of everything: ask for them after what is no letter.
        return matching.any_of(before + term.text for before in " " + _BETWEEN)
    return f"({matching.all_of(index_terms.needle_terms(term.text).grams)})"


def _within(question: str, among: Match) -> Question:
    expression = among.question.expression
    return Question(question if expression is None else f"({question}) AND ({expression})")


def _weight(total: int, count: int) -> float:
    """How much a word says, by how few of the memories have it (never negative)."""
    return log(1 + (max(total, count) - count + 0.5) / (count + 0.5))
