"""Ranked retrieval, a mode of its own beside the contract's query (CONTRACT §6)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.agents import Ranked, RankedQuery
from memtui.models import MemoryStatus
from memtui.service.context import Context
from memtui.service.retrieval import access_time
from memtui.store import Filter, ReadTransaction, Term, TermMatch
from memtui.text import fold

_IDEOGRAPH = "[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]"
_WORD = re.compile(rf"(?P<ideographs>{_IDEOGRAPH}+)|(?:(?!{_IDEOGRAPH})[^\W_])+")
_SHORT = 3
_LONGEST = 64
_ASKED = 24
# Of a long text the longest words are asked for: in any language those that few texts share.


def ranked(context: Context, query: RankedQuery, *, touch: bool) -> tuple[Ranked, ...]:
    """The active memories that have most to do with a text, best first, marked unless a peek."""
    terms = terms_of(query.text)
    if not terms:
        return ()
    filter_ = Filter(
        statuses=(MemoryStatus.ACTIVE.value,),
        memory_types=() if query.memory_type is None else (query.memory_type,),
        tag=query.tag,
    )
    if not touch or context.store.read_only:
        with context.store.read() as peek:
            return _ranked(peek, terms, filter_, query)
    with context.store.write() as transaction:
        found = _ranked(transaction, terms, filter_, query)
        if not found:
            return ()
        at = access_time(context, transaction)
        transaction.touch([memory.id for memory, _ in found], at)
    return tuple(Ranked(memory.having(last_accessed_at=at), score) for memory, score in found)


def _ranked(
    transaction: ReadTransaction, terms: tuple[Term, ...], filter_: Filter, query: RankedQuery
) -> tuple[Ranked, ...]:
    scores = dict(transaction.ranked(terms, filter_, limit=query.limit, min_score=query.min_score))
    return tuple(Ranked(memory, scores[memory.id]) for memory in transaction.find(tuple(scores)))


def terms_of(text: str) -> tuple[Term, ...]:
    """The distinct words of a text as the search folds them; ideographs count in pairs."""
    distinct = dict.fromkeys(_terms(fold(text)))
    return tuple(sorted(distinct, key=lambda term: -len(term.text))[:_ASKED])


def _terms(folded: str) -> Iterator[Term]:
    for found in _WORD.finditer(folded):
        word = found.group()
        if found["ideographs"] is None:
            match = TermMatch.WHOLE if len(word) < _SHORT else TermMatch.START
            yield Term(word[:_LONGEST], match)
            continue
        for start in range(max(1, len(word) - 1)):
            yield Term(word[start : start + 2], TermMatch.ANYWHERE)
