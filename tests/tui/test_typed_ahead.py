"""Keys that are typed faster than the screen follows go where they belong."""

from __future__ import annotations

import pytest
from textual import events

from memtui.models import MemoryQuery, MemoryStatus
from memtui.tui.screens.edit import EditScreen
from memtui.tui.screens.preview import PreviewDialog
from memtui.tui.screens.tags_dialog import TagsDialog
from memtui.tui.widgets.form_tags import TagInput
from tests.tui.conftest import Start


async def test_a_tag_typed_ahead_of_its_dialog_presses_no_keys(seeded, start: Start):
    async with start() as session:
        await session.burst("t", *"ydrexinu", "enter")
        await session.until(lambda: "ydrexinu" in seeded.get(6, touch=False).tags)
        await session.idle()
        assert seeded.get(6, touch=False).version == 2
        assert seeded.search(MemoryQuery(status=MemoryStatus.DELETED)).total == 0
        assert len(session.app.screen_stack) == 1


async def test_keys_behind_the_search_reach_its_results(seeded, start: Start):
    async with start() as session:
        await session.burst("slash", *"falcon", "enter", "j", "space")
        await session.until(lambda: session.browse.marks)
        assert session.browse.search.value == "falcon"
        assert session.browse.focused is session.browse.table


async def test_a_whole_bulk_change_can_be_typed_ahead_up_to_its_preview(seeded, start: Start):
    async with start() as session:
        await session.burst("slash", *"falcon", "enter", "a", "t", *"bird", "enter")
        await session.until(lambda: isinstance(session.app.screen, PreviewDialog))
        await session.until(lambda: session.app.screen.preview is not None)
        assert "Add tag “bird” to" in session.screen_text()


async def test_text_typed_ahead_of_the_form_is_text(seeded, start: Start):
    async with start() as session:
        await session.burst("n", *"dx q", "ctrl+s")
        await session.until(lambda: len(session.app.screen_stack) == 1)
        await session.until(lambda: seeded.search(MemoryQuery(q="dx q"), touch=False).total == 1)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_tag_looked_for_in_filters_that_open_first(seeded, start: Start, size):
    async with start(size=size) as session:
        await session.burst("number_sign", *"dax")
        assert session.browse.tag_search.value == "dax"
        assert not session.browse.marks
        assert seeded.search(MemoryQuery(status=MemoryStatus.DELETED)).total == 0


async def test_a_paste_waits_for_its_box(seeded, start: Start):
    async with start() as session:
        driver = session.app._driver
        assert driver is not None
        for event in (events.Key("t", "t"), events.Paste("pasted tag")):
            event.set_sender(session.app)
            driver.send_message(event)
        await session.until(lambda: isinstance(session.app.screen, TagsDialog))
        box = session.app.screen.query_one(TagInput)
        await session.until(lambda: box.value == "pasted tag")


async def test_a_key_that_closes_and_one_for_what_is_below(seeded, start: Start):
    async with start() as session:
        await session.burst("e", "escape", "j", "j", "space", "e")
        await session.until(lambda: isinstance(session.app.screen, EditScreen))
        assert list(session.browse.marks.versions) == [4]
        assert session.app.screen.base.id == 3


async def test_a_long_burst_of_movement_arrives_whole(seeded, start: Start):
    async with start() as session:
        await session.burst(*("j" * 5), *("k" * 3), "space", *("G", "k") * 20, "space")
        await session.until(lambda: len(session.browse.marks) == 2)
        assert list(session.browse.marks.versions) == [4, 2]
