"""Nothing is changed where nobody sees what a key does."""

from __future__ import annotations

import pytest
from textual.command import CommandList

from memtui.tui.actions import Place
from memtui.tui.palette import Palette
from memtui.tui.screens.edit import EditScreen
from memtui.tui.screens.tags_dialog import TagsDialog
from tests.tui.conftest import Start
from tests.tui.test_browse import stored


@pytest.mark.parametrize("size", [(39, 24), (20, 5), (80, 9)])
async def test_where_nothing_fits_no_key_but_the_one_that_leaves_works(seeded, start: Start, size):
    async with start(size=(80, 24)) as session:
        here = session.current_id
        await session.pilot.resize_terminal(*size)
        await session.until(lambda: "memtui needs 40×10" in session.screen_text())
        await session.press("d", "x", "A", "d", "y", "colon", "q", "slash")
        assert len(session.app.screen_stack) == 1
        await session.pilot.resize_terminal(80, 24)
        await session.until(lambda: "memtui needs" not in session.screen_text())
        assert stored(seeded, here).status == "active"
        assert session.browse.place() is Place.TABLE
        await session.press("j")
        assert session.current_id != here
        await session.pilot.resize_terminal(*size)
        await session.press("ctrl+q")
        await session.until(lambda: not session.app.is_running)


async def test_a_dialog_that_did_not_fit_goes_on_where_it_was(seeded, start: Start):
    async with start(size=(80, 24)) as session:
        await session.press("t", "a")
        await session.until(lambda: isinstance(session.app.screen, TagsDialog))
        await session.pilot.resize_terminal(20, 5)
        await session.until(lambda: "ctrl+q quits" in session.screen_text())
        await session.press("z", "escape")
        await session.pilot.resize_terminal(80, 24)
        await session.until(lambda: "memtui needs" not in session.screen_text())
        await session.press("b", "enter", "enter")
        await session.idle()
        assert "ab" in stored(seeded, session.current_id).tags
        await session.press("e", "X")
        form = session.app.screen
        assert isinstance(form, EditScreen)
        await session.pilot.resize_terminal(30, 24)
        await session.pilot.resize_terminal(80, 24)
        await session.until(lambda: session.app.focused is not None)
        await session.press("Y")
        assert form.values.content.endswith("XY")


@pytest.mark.parametrize("pane", ["1", "2"])
async def test_keys_of_a_memory_do_nothing_in_the_sidebar(seeded, start: Start, pane):
    async with start(size=(120, 40)) as session:
        here = session.current_id
        before = seeded.change_token()
        await session.press(pane, "d", "x", "e", "t", "T", "c", "X", "E", "R", "h", "y", "a", "i")
        assert len(session.app.screen_stack) == 1
        assert not session.browse.marks
        assert stored(seeded, here).version == 1
        assert stored(seeded, here).status == "active"
        assert seeded.change_token() == before
        await session.press("3", "d")
        await session.until(lambda: session.current_id != here)


async def test_a_key_for_a_palette_without_a_list_does_nothing(seeded, start: Start):
    async with start(size=(40, 10)) as session:
        await session.press("ctrl+p")
        palette = session.app.screen
        assert isinstance(palette, Palette)
        commands = palette.query_one(CommandList)
        await session.until(lambda: commands.option_count)
        commands.display = False  # as before it has a place
        await session.until(lambda: not commands.scrollable_content_region)
        commands.clear_options()
        commands.add_options(["one", "two"])
        await session.press("pageup", "pagedown")
        assert session.app.is_running
        await session.press("escape", "escape")
        await session.until(lambda: len(session.app.screen_stack) == 1)


async def test_another_tag_is_found_and_chosen_while_one_is_filtered_by(seeded, start: Start):
    async with start(size=(120, 40)) as session:
        await session.press("number_sign", *"falc", "enter", "enter")
        await session.idle()
        assert session.browse.view.tag == "falcon"
        await session.press("number_sign", *"styl", "enter", "enter")  # what was typed is replaced
        await session.idle()
        assert session.browse.view.tag == "style"
        await session.press("3", "slash", *"concise", "enter", "slash", *"other")
        assert session.browse.search.value == "other"


async def test_a_read_only_session_says_so_before_anything_is_typed(seeded, start: Start):
    async with start(read_only=True) as session:
        await session.press("e", "n")
        await session.until(
            lambda: any("Start without --read-only" in toast for toast in session.toasts)
        )
        assert len(session.app.screen_stack) == 1
