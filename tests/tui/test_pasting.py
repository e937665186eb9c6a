"""Whatever is pasted is one paste and never a key."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from textual import events

from memtui.tui.pasting import PasteParser

START, END = "\x1b[200~", "\x1b[201~"
pasted = st.text(
    st.one_of(st.characters(exclude_categories=("Cs",)), st.sampled_from("\x1b[]0123~;dx\r\n\x00"))
).filter(lambda text: END not in text + END[:-1])


def messages(stream: str, cuts: list[int]) -> list[object]:
    parser = PasteParser()
    edges = sorted({0, len(stream), *(cut % (len(stream) + 1) for cut in cuts)})
    found = []
    for begin, stop in pairwise(edges):
        for message in parser.feed(stream[begin:stop]):
            found.append(message.text if isinstance(message, events.Paste) else message.key)
    return found


cut = st.lists(st.integers(0, 10_000), max_size=8)


@given(pasted, cut)
def test_a_paste_is_exact_wherever_the_stream_is_cut(text, cuts):
    assert messages(f"a{START}{text}{END}b", cuts) == ["a", text, "b"]


@given(pasted, pasted, cut)
def test_pastes_right_behind_one_another_stay_apart(one, two, cuts):
    assert messages(f"{START}{one}{END}{START}{two}{END}q", cuts) == [one, two, "q"]


def test_keys_around_a_paste_are_keys():
    assert messages(f"\x1b[A{START}\x1b[31mred dx{END}\x1b[Bd", []) == [
        "up", "\x1b[31mred dx", "down", "d"
    ]  # fmt: skip


def test_a_mark_cut_after_its_escape_is_still_a_mark():
    parser = PasteParser()
    assert list(parser.feed("\x1b")) == []
    assert list(parser.feed("[200")) == []
    assert list(parser.feed("~\x1b")) == []
    assert list(parser.feed("d\x1b[20")) == []
    (paste,) = parser.feed("1~")
    assert paste.text == "\x1bd"
