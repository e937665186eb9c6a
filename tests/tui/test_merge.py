"""Word-wise differences and three-way merges."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.tui.merge import (
    Change,
    Edited,
    Piece,
    diff_words,
    merge_memories,
    merge_tags,
    merge_texts,
)
from memtui.tui.widgets.form_diff import changed_places

texts = st.lists(
    st.sampled_from(["the ", "cat ", "sat", " ", ".", "\n", "\r\n", "記", "é", "e\u0301 ", "x"])
).map("".join)
anything = st.text()


def merged(base: str, mine: str, theirs: str) -> str:
    return "".join(place.merged for place in merge_texts(base, mine, theirs))


@given(old=texts | anything, new=texts | anything)
def test_a_difference_holds_both_texts_whole(old, new):
    pieces = diff_words(old, new)
    assert "".join(piece.text for piece in pieces if piece.change is not Change.ADDED) == old
    assert "".join(piece.text for piece in pieces if piece.change is not Change.REMOVED) == new


@given(old=texts, new=texts)
def test_no_two_kept_pieces_meet(old, new):
    kinds = [piece.change for piece in diff_words(old, new)]
    assert (Change.SAME, Change.SAME) not in list(pairwise(kinds))


def test_only_the_changed_word_is_marked():
    assert diff_words("The user likes tea.", "The user likes coffee.") == (
        Piece(Change.SAME, "The user likes "),
        Piece(Change.REMOVED, "tea"),
        Piece(Change.ADDED, "coffee"),
        Piece(Change.SAME, "."),
    )


def test_a_replaced_phrase_reads_as_one():
    pieces = diff_words("It is planned for May.", "It was moved to June.")
    assert Piece(Change.REMOVED, "is planned for May") in pieces
    assert Piece(Change.ADDED, "was moved to June") in pieces


def test_ideographs_are_compared_one_by_one():
    assert Piece(Change.ADDED, "新") in diff_words("日本語の記憶", "日本語の新記憶")


def test_a_long_text_of_one_word_is_compared_at_once():
    pieces = diff_words("a " * 4000, "a " * 2000 + "b " + "a " * 1999)
    assert sum(len(piece.text) for piece in pieces if piece.change is Change.ADDED) <= 8000


@given(base=texts, mine=texts, theirs=texts)
def test_a_merge_holds_all_three_texts_whole(base, mine, theirs):
    places = merge_texts(base, mine, theirs)
    assert "".join(place.base for place in places) == base
    assert "".join(place.mine for place in places) == mine
    assert "".join(place.theirs for place in places) == theirs


@given(base=texts, changed=texts)
def test_one_side_alone_wins_whole(base, changed):
    assert merged(base, changed, base) == changed
    assert merged(base, base, changed) == changed
    assert merged(base, changed, changed) == changed
    assert not any(place.clash for place in merge_texts(base, changed, base))


@given(base=texts, mine=texts, theirs=texts)
def test_the_sides_can_be_swapped(base, mine, theirs):
    here = [place.clash for place in merge_texts(base, mine, theirs)]
    there = [place.clash for place in merge_texts(base, theirs, mine)]
    assert here == there


def test_changes_in_different_places_are_both_taken():
    assert merged("the cat sat", "the dog sat", "the cat sat down") == "the dog sat down"


def test_changes_of_the_same_words_clash_and_both_are_kept():
    places = merge_texts("in May at ten", "in June at ten", "in July at noon")
    assert [(place.mine, place.theirs) for place in places if place.clash] == [("June", "July")]
    assert "".join(place.merged for place in places) == "in June at noon"


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "expected"),
    [
        ("ab", "ab", "abc", "abc"),
        ("ab", "abx", "aby", "abyx"),
        ("abc", "ac", "abc", "ac"),
        ("abc", "ac", "ab", "a"),
        ("abc", "cba", "abc", "cba"),
        ("abc", "abc", "cba", "cba"),
        ("abc", "cba", "abcd", "cbad"),
        ("", "a", "a", "a"),
    ],
)
def test_tags_are_merged_by_what_each_side_added_and_removed(base, mine, theirs, expected):
    assert "".join(merge_tags(base, mine, theirs)) == expected


tags = st.lists(st.sampled_from("abcde"), unique=True)


@given(base=tags, mine=tags, theirs=tags)
def test_no_added_tag_is_lost_and_no_removed_one_comes_back(base, mine, theirs):
    result = set(merge_tags(base, mine, theirs))
    for tag in "abcde":
        sides = {tag in mine, tag in theirs}
        expected = (tag in mine) if len(sides) == 1 else tag not in base
        assert (tag in result) == expected


def test_fields_follow_the_side_that_changed_them():
    base = Edited("text", ("a",), "fact", "active")
    mine = Edited("text", ("a",), "event", "active")
    theirs = Edited("text", ("a",), "fact", "invalid")
    assert merge_memories(base, mine, theirs).result == Edited("text", ("a",), "event", "invalid")


def test_each_clash_can_take_the_other_side():
    merge = merge_memories(
        Edited("one and two", (), "fact", "active"),
        Edited("1 and 2", (), "fact", "active"),
        Edited("uno and due", (), "fact", "active"),
    )
    assert merge.clashes == 2
    assert merge.content == "1 and 2"
    assert merge.toggled(1).content == "1 and due"
    assert merge.toggled(1).toggled(1) == merge


def test_only_the_places_that_changed_are_shown():
    words = "one two three " * 40
    shown = changed_places(words + "x " + words, words + "y " + words).plain
    assert "x y" in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert len(shown) < 100
    assert changed_places("a short text", "a longer text").plain == "a short longer text"
    assert "\x1b" not in changed_places("a", "\x1b[2J").plain
    assert len(changed_places("a", "b" * 8000).plain) < 300
