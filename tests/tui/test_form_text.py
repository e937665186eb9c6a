"""The text boxes: exact to the character, safe to look at, quick with a big paste."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

from hypothesis import given, settings
from hypothesis import strategies as st
from textual import events
from textual.app import App, ComposeResult
from textual.document._document import EditResult
from textual.pilot import Pilot

from memtui.tui.widgets.form_exact import ExactDocument, StandIns, one_cell_each
from memtui.tui.widgets.form_text import ContentArea, LineInput, PasteRefused
from tests.tui.test_text_on_screen import NASTY, visible

ODD = [
    "one\r\ntwo\nthree\r\n",
    "\r\r\n\n\r",
    "a\x0bb\x0cc\x1cd\x85e\u2028f\u2029g",
    "\ttabs\tand \x1b[31mescapes\x1b[0m",
    "ends with one\n",
    "\n",
    "codes of our own: \U000f0000\U000f0001 \U0010ffff",
    *NASTY,
]
odd_text = st.text(
    st.sampled_from("ab \r\n\t\x0b\x1b\x85\u2028\u200d\u0301記\U000f0000\U0001f1e9")
) | st.text(st.characters())


class Boxes(App[None]):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.area = ContentArea(text, paste_limit=32_000)
        self.box = LineInput(paste_limit=100)
        self.refused: list[int] = []

    def compose(self) -> ComposeResult:
        yield self.area
        yield self.box

    def on_paste_refused(self, message: PasteRefused) -> None:
        self.refused.append(message.length)


@asynccontextmanager
async def boxes(text: str = "") -> AsyncIterator[tuple[Boxes, Pilot[None]]]:
    app = Boxes(text)
    async with app.run_test(size=(80, 24)) as pilot:
        app.area.focus()
        await pilot.pause()
        yield app, pilot


def shown(app: App[None]) -> Iterator[str]:
    for strip in app.screen._compositor.render_strips():
        yield from (segment.text for segment in strip)


# --- the document behind the editor ------------------------------------------------------------


@given(odd_text)
def test_stand_ins_give_back_the_text_and_are_safe_and_of_the_same_length(text):
    stand_ins = StandIns()
    encoded = stand_ins.encode(text)
    assert stand_ins.decode(encoded) == text
    for line in ExactDocument(encoded).lines:
        drawn, _places = stand_ins.shown(line)
        assert len(drawn) == len(line)
        assert visible(drawn.replace("\t", "")), ascii(drawn)


@given(odd_text)
def test_a_document_gives_back_its_text(text):
    encoded = StandIns().encode(text)
    assert ExactDocument(encoded).text == encoded


@given(odd_text)
def test_a_single_line_shows_one_safe_character_for_each(text):
    drawn = one_cell_each(text)
    assert len(drawn) == len(text)
    assert visible(drawn)


lines = st.lists(st.sampled_from(["a", "b", "\n", "\r\n"]), max_size=12).map("".join)


@given(text=lines, new=lines, data=st.data())
def test_an_edit_replaces_its_range_and_nothing_else(text, new, data):
    document = ExactDocument(text)
    ends = st.integers(0, len(text)).filter(lambda at: text[at - 1 : at + 1] != "\r\n")
    start, stop = sorted((data.draw(ends), data.draw(ends)))
    places = [document.get_location_from_index(at) for at in (start, stop)]
    assert [document.get_index_from_location(place) for place in places] == [start, stop]
    assert document.get_text_range(*places) == text[start:stop]
    result: EditResult = document.replace_range(places[0], places[1], new)
    assert result.replaced_text == text[start:stop]
    assert document.text == text[:start] + new + text[stop:]
    document.replace_range(places[0], result.end_location, result.replaced_text)
    assert document.text == text


# --- the editor --------------------------------------------------------------------------------


async def test_opening_and_typing_changes_only_what_is_typed_case_29():
    async with boxes() as (app, pilot):
        for text in ODD:
            app.area.load_text(text)
            assert app.area.value == text
            app.area.move_cursor(app.area.document.end)
            await pilot.press("x", "y")
            assert app.area.value == text + "xy"
            app.area.undo()
            assert app.area.value == text
            app.area.move_cursor((0, 0))
            await pilot.press("z")
            assert app.area.value == "z" + text
            assert all(visible(piece) for piece in shown(app))


async def test_enter_and_deleting_a_line_end_keep_the_text_s_own_kind():
    async with boxes("one\r\ntwo\r\n") as (app, pilot):
        app.area.move_cursor((0, 3))
        await pilot.press("enter")
        assert app.area.value == "one\r\n\r\ntwo\r\n"
        await pilot.press("backspace")
        assert app.area.value == "one\r\ntwo\r\n"
        await pilot.press("delete")
        assert app.area.value == "onetwo\r\n"


async def test_cut_and_paste_inside_the_editor_are_exact():
    text = "a\x1b[31m\u2028b\r\n\tc\n"
    async with boxes(text) as (app, pilot):
        app.area.select_all()
        assert app.area.selected_text == text
        await pilot.press("ctrl+x")
        assert app.area.value == ""
        await pilot.press("ctrl+v")
        assert app.area.value == text


async def test_pasted_lines_follow_the_text_s_line_ends():
    async with boxes("one\r\ntwo\r\n") as (app, pilot):
        app.area.move_cursor((2, 0))
        app.area.post_message(events.Paste("three\rfour\nfive\r\nsix"))
        await pilot.pause()
        assert app.area.value == "one\r\ntwo\r\nthree\r\nfour\r\nfive\r\nsix"
        assert app.area.cursor_location == (5, 3)


async def test_a_megabyte_pasted_is_refused_and_changes_nothing_case_30():
    async with boxes("mine") as (app, pilot):
        app.area.post_message(events.Paste("x" * 1_048_576))
        await pilot.pause()
        assert app.area.value == "mine"
        assert app.refused == [1_048_576]


async def test_letters_are_text_case_33():
    async with boxes() as (app, pilot):
        await pilot.press(*"qdxu?:/ejk")
        assert app.area.value == "qdxu?:/ejk"


# --- the single line ---------------------------------------------------------------------------


async def test_three_lines_pasted_into_a_line_are_joined_by_spaces_case_30():
    async with boxes() as (app, pilot):
        app.box.focus()
        app.box.post_message(events.Paste("one\ntwo\r\nthree"))
        await pilot.pause()
        assert app.box.value == "one two three"


async def test_a_line_shows_pasted_control_characters_safely_and_keeps_them():
    async with boxes() as (app, pilot):
        app.box.focus()
        app.box.post_message(events.Paste("a\x1b[2Jb\u202e"))
        await pilot.pause()
        assert app.box.value == "a\x1b[2Jb\u202e"
        assert all(visible(piece) for piece in shown(app))


async def test_a_line_refuses_what_could_never_fit():
    async with boxes() as (app, pilot):
        app.box.focus()
        app.box.post_message(events.Paste("x" * 1_048_576))
        await pilot.pause()
        assert (app.box.value, app.refused) == ("", [1_048_576])


@settings(max_examples=10, deadline=None)
@given(keys=st.lists(st.sampled_from(
    ["left", "right", "up", "down", "home", "end", "backspace", "delete", "enter", "x",
     "ctrl+w", "ctrl+u", "ctrl+k", "ctrl+shift+k", "shift+left", "f6", "f7", "ctrl+x", "ctrl+v"]
), max_size=12))  # fmt: skip
async def test_undoing_everything_gives_the_text_back(keys):
    text = "one\r\ntwo \x1b three\n記憶\u2028end\r\n"
    async with boxes(text) as (app, pilot):
        app.area.move_cursor((1, 2))
        await pilot.press(*keys)
        for _ in range(len(keys) + 1):
            app.area.undo()
        assert app.area.value == text
