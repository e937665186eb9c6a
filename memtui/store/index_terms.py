"""What the search index is told of a memory, and how a needle asks for it.

The index splits what it is given into *grams* of three characters and remembers in which memories
each gram occurs, nothing more. Three texts of a memory go in:

* `folded`: content and tags, set off by two separators, so that no gram reaches from one into the
  next. A needle of three characters is a gram of it.
* `pairs`: the same with a mark between the characters, so that a gram is one character between
  marks or two around one: what a needle of one or two characters asks for.
* `tokens`: a sign each for status, type and tags, set off by marks, so that filters are grams too.

The marks are capital letters, which no folded text and no needle holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from memtui.models import MemoryStatus, MemoryType
from memtui.text import SEPARATOR

GRAM = 3
LAYOUT = 3
"""Grows when what is written here changes; an index of another layout is built anew."""

_GAP = SEPARATOR * 2
_PAIR_MARK = "M"
_TOKEN_MARK = "T"
_TOKEN_GAP = _TOKEN_MARK * 2
_GAP_LENGTH = len(_TOKEN_GAP)
HEAD = 2 * (_GAP_LENGTH + 1)
"""Characters of a text of tokens that say status and type."""

_TAGS_A_PLANE = 0x100000
_FIRST_TAG = 0x10000
_STATUS_SIGNS = {
    MemoryStatus.ACTIVE.value: "a",
    MemoryStatus.INVALID.value: "i",
    MemoryStatus.DELETED.value: "d",
}
_TYPE_SIGNS = {
    MemoryType.PREFERENCE.value: "p",
    MemoryType.FACT.value: "f",
    MemoryType.IDENTITY.value: "n",
    MemoryType.EVENT.value: "e",
}
_OTHER_STATUS = "o"
_OTHER_TYPE = "x"
# The tokenizer takes these for U+FFFD; a gram of one of them may be a gram of another.
_CONFUSED = frozenset("\ufffd\ufffe\uffff")
_MOST_GRAMS = 24


class Entry(NamedTuple):
    """What is written of a memory, all of it or a part; an empty text says nothing."""

    memory_id: int
    folded: str = ""
    pairs: str = ""
    tokens: str = ""


class Terms(NamedTuple):
    """Grams that a memory must all have; `confirm` when having them does not yet prove a match."""

    grams: tuple[str, ...]
    confirm: bool


def entry(memory_id: int, folded: str, tokens: str) -> Entry:
    """All of a memory: from its `memtui.text.folded_row` and its `tokens_of`."""
    spaced = spaced_row(folded)
    return Entry(memory_id, spaced, paired(spaced), tokens)


def spaced_row(folded: str) -> str:
    """The first text: a `memtui.text.folded_row`, two separators around each piece."""
    return _GAP + folded.replace(SEPARATOR, _GAP)


def paired(text: str) -> str:
    """The second text of a part of the first one."""
    return _PAIR_MARK.join(text)


def tokens_of(status: str, memory_type: str, tag_ids: Iterable[int]) -> str:
    """The third text: status, type and tags, each as a piece."""
    return tokens((status_sign(status), type_sign(memory_type), *map(tag_sign, tag_ids)))


def tokens(signs: Iterable[str]) -> str:
    """Some tokens as a text of their own; nothing when there are none."""
    joined = _TOKEN_GAP.join(signs)
    return f"{_TOKEN_GAP}{joined}{_TOKEN_GAP}" if joined else ""


def signs_of(text: str) -> list[str]:
    """The signs in a text of tokens: status, type, then one for each tag."""
    return text.strip(_TOKEN_MARK).split(_TOKEN_GAP)


def head(status: str, memory_type: str) -> str:
    """The `HEAD` characters that a text of tokens of this status and type begins with."""
    return f"{_TOKEN_GAP}{status_sign(status)}{_TOKEN_GAP}{type_sign(memory_type)}"


def read_head(text: str) -> tuple[str | None, str | None]:
    """Status and type from the beginning of a text of tokens, None for those of other programs."""
    return _STATUS_OF_SIGN.get(text[_GAP_LENGTH]), _TYPE_OF_SIGN.get(text[HEAD - 1])


def tag_counts(texts: Iterable[str]) -> dict[int, int]:
    """How many of these texts of tokens have each tag, by its id."""
    joined = "".join([text[HEAD:-_GAP_LENGTH] for text in texts])
    signs = Counter(joined.split(_TOKEN_GAP)[1:])
    return {_tag_id(sign): number for sign, number in signs.items()}


def status_gram(status: str) -> str:
    """The gram of the memories with this status; those of other programs share one."""
    return gram(status_sign(status))


def type_gram(memory_type: str) -> str:
    """The gram of the memories of this type; those of other programs share one."""
    return gram(type_sign(memory_type))


def tag_gram(tag_id: int) -> str:
    """The gram of the memories with this tag."""
    return gram(tag_sign(tag_id))


def _tag_id(sign: str) -> int:
    high = ord(sign[0]) - _FIRST_TAG if len(sign) > 1 else 0
    return high * _TAGS_A_PLANE + ord(sign[-1]) - _FIRST_TAG


def needle_terms(needle: str) -> Terms:
    """What a memory must have to hold this folded needle."""
    confused = not _CONFUSED.isdisjoint(needle)
    if len(needle) == 1:
        return Terms((_PAIR_MARK + needle + _PAIR_MARK,), confused)
    if len(needle) == 2:
        return Terms((needle[0] + _PAIR_MARK + needle[1],), confused)
    if len(needle) == GRAM:
        return Terms((needle,), confused)
    # Every second gram and the last cover every neighbourhood; all of them would say little more.
    last = len(needle) - GRAM
    step = max(2, -(-last // _MOST_GRAMS))
    places = (*range(0, last, step), last)
    return Terms(tuple(dict.fromkeys(needle[at : at + GRAM] for at in places)), confirm=True)


def gram(sign: str) -> str:
    """The gram of the memories with a sign among their tokens."""
    return _TOKEN_MARK + sign + _TOKEN_MARK if len(sign) == 1 else _TOKEN_MARK + sign


def status_sign(status: str) -> str:
    """The sign of a status; those of other programs share one."""
    return _STATUS_SIGNS.get(status, _OTHER_STATUS)


def type_sign(memory_type: str) -> str:
    """The sign of a type; those of other programs share one."""
    return _TYPE_SIGNS.get(memory_type, _OTHER_TYPE)


def tag_sign(tag_id: int) -> str:
    """The sign of a tag among the tokens: a character above all planes' first, two for high ids."""
    high, low = divmod(tag_id, _TAGS_A_PLANE)
    sign = chr(_FIRST_TAG + low)
    return chr(_FIRST_TAG + high) + sign if high else sign


_STATUS_OF_SIGN = {sign: status for status, sign in _STATUS_SIGNS.items()}
_TYPE_OF_SIGN = {sign: memory_type for memory_type, sign in _TYPE_SIGNS.items()}
