"""What is written when a memory changes leaves the index as if it had been built anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.store import index_terms
from memtui.store.index_difference import Text, difference
from memtui.text import folded_row

CHARACTERS = "abcßé語🎂 .\ufdd0\uffff"
contents = st.text(CHARACTERS, min_size=1, max_size=40)
tags = st.lists(st.text(CHARACTERS, min_size=1, max_size=8), max_size=4)
numbers = st.lists(st.sampled_from([1, 2, 3, 700, 2**20, 2**20 + 1, 2**21 + 1]), max_size=4)


def texts(content: str, names: list[str], ids: list[int]) -> Text:
    tokens = index_terms.tokens_of("active", "fact", dict.fromkeys(ids))
    return Text(7, folded_row(content, names), tokens)


def grams(*parts: str | None) -> Iterator[str]:
    for text in parts:
        if text:
            yield from (text[at : at + 3] for at in range(len(text) - 2))


@settings(max_examples=500, deadline=None)
@given(contents, tags, numbers, contents, tags, numbers, st.booleans(), st.booleans())
def test_the_grams_that_remain_are_those_of_the_new_text(  # noqa: PLR0917
    content: str,
    names: list[str],
    ids: list[int],
    new_content: str,
    new_names: list[str],
    new_ids: list[int],
    keeps_content: bool,
    is_edit: bool,
) -> None:
    if keeps_content:
        new_content = content
    elif is_edit:
        new_content = content[: len(content) // 2] + new_content[:3] + content[len(content) // 2 :]
    before, after = texts(content, names, ids), texts(new_content, new_names, new_ids)
    gone, come, again = difference(before, after)
    had = set(grams(*index_terms.entry(*before)[1:]))
    wanted = set(grams(*index_terms.entry(*after)[1:]))
    taken = set(grams(*gone[1:], *again))
    put = set(grams(*come[1:], *again))
    assert (had - taken) | put == wanted
    assert not put & (had - taken), "a gram was put in that is there already"


@settings(max_examples=300, deadline=None)
@given(contents, tags, contents, tags)
def test_each_column_of_the_index_loses_what_it_was_given(
    content: str, names: list[str], new_content: str, new_names: list[str]
) -> None:
    """FTS5 keeps sums of what is in a column and takes a negative one for damage."""
    before, after = texts(content, names, [1]), texts(new_content, new_names, [2])
    change = difference(before, after)
    for column in (1, 2, 3):
        had = Counter(grams(index_terms.entry(*before)[column]))
        has = Counter(grams(index_terms.entry(*after)[column]))
        gone, come = (Counter(grams(part[column])) for part in (change.gone, change.come))
        assert had.total() - gone.total() + come.total() == has.total()
        assert not gone - had


@given(st.integers(0, 2**40 - 1))
def test_every_tag_has_a_sign_of_its_own(tag_id: int) -> None:
    text = index_terms.tokens_of("active", "fact", [tag_id])
    assert index_terms.tag_counts([text]) == {tag_id: 1}
    assert index_terms.tag_gram(tag_id) in set(grams(text))
