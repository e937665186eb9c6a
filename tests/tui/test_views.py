"""Saved views: filters and a sort under a name."""

from __future__ import annotations

import pytest

from memtui.models import MemoryQuery, MemoryType, SavedView, SortKey
from memtui.service import MemoryService
from memtui.tui.screens.confirm import ConfirmDialog
from memtui.tui.screens.prompt import PromptDialog
from memtui.tui.screens.views import ViewsScreen
from memtui.tui.view import View, in_words
from tests.tui.conftest import Session, Start
from tests.tui.curating import (
    SIZES,
    accesses,
    back_at_table,
    column,
    every_key_twice,
    hints,
    opened,
    shown,
)
from tests.tui.test_text_on_screen import NASTY, assert_harmless

FALCON = MemoryQuery(q="falcon", memory_type=MemoryType.FACT, sort=SortKey.ID)


@pytest.fixture
def saved(seeded: MemoryService) -> MemoryService:
    seeded.save_view(SavedView(name="falcon facts", query=FALCON))
    seeded.save_view(SavedView(name="who", query=MemoryQuery(memory_type=MemoryType.IDENTITY)))
    return seeded


def names(service: MemoryService) -> list[str]:
    return [view.name for view in service.views()]


async def open_views(session: Session) -> ViewsScreen:
    screen = await opened(session, "V", ViewsScreen)
    await session.until(lambda: screen.loaded)
    return screen


async def test_views_with_what_they_show_and_how_many(saved, start: Start):
    async with start() as session:
        screen = await open_views(session)
        assert column(screen, "View") == ["falcon facts", "who"]
        assert column(screen, "Shows") == ["“falcon” · fact · by id", "identity · by id"]
        assert column(screen, "Memories") == ["2", "1"]


async def test_a_view_is_shown_as_it_was_saved(saved, start: Start):
    async with start() as session:
        await session.press("slash", *"style", "enter", "m")
        await session.idle()
        await open_views(session)
        await session.press("enter")
        await back_at_table(session)
        await session.until(lambda: session.ids == [2, 6])
        assert session.browse.view == View(q="falcon", memory_type="fact", sort="id")
        assert session.browse.search.value == "falcon"
        await session.press("escape", "escape")
        await session.until(lambda: len(session.ids) == 6)


async def test_showing_a_view_is_a_retrieval(saved, start: Start, clock):
    async with start() as session:
        clock.tick(minutes=5)
        await open_views(session)
        await session.press("j", "enter")
        await session.until(lambda: session.ids == [3])
        await session.until(lambda: saved.get(3, touch=False).last_accessed_at == clock.now)
        assert saved.get(1, touch=False).last_accessed_at != clock.now


async def test_the_present_filters_are_kept_under_a_name(seeded, start: Start):
    async with start() as session:
        await session.press("slash", *"falcon", "enter", "s")
        await session.idle()
        screen = await open_views(session)
        assert "No view is saved yet" in session.screen_text()
        await session.press("n")
        await shown(session, PromptDialog)
        assert "“falcon” · newest first" in session.screen_text()
        await session.press(*" my view ", "enter")
        await session.until(lambda: column(screen, "View") == ["my view"])
        assert screen.grid.lines[0].sign.text == "●"
    query = seeded.view("my view").query
    assert (query.q, query.sort, query.limit) == ("falcon", "created_at", 10)


async def test_a_name_that_is_taken_asks_first(saved, start: Start):
    async with start() as session:
        screen = await open_views(session)
        await session.press("n", *"who", "enter")
        await shown(session, ConfirmDialog)
        assert "Replace the view who?" in session.screen_text()
        await session.press("n")
        await shown(session, ViewsScreen)
        assert saved.view("who").query.memory_type == "identity"
        await session.press("n", *"who", "enter")
        await shown(session, ConfirmDialog)
        await session.press("y")
        await session.until(lambda: saved.view("who").query.memory_type is None)
        await session.until(lambda: column(screen, "Memories") == ["2", "6"])


async def test_a_view_is_renamed(saved, start: Start):
    async with start() as session:
        screen = await open_views(session)
        await session.press("r", "ctrl+u", *"zebra", "enter")
        await session.until(lambda: column(screen, "View") == ["who", "zebra"])
        assert saved.view("zebra").query == FALCON
        assert screen.current is not None
        assert screen.current.name == "zebra"
        await session.press("r", "ctrl+u", *"who", "enter")
        await shown(session, ConfirmDialog)
        await session.press("y")
        await session.until(lambda: names(saved) == ["who"])


async def test_an_empty_name_is_refused(saved, start: Start):
    async with start() as session:
        await open_views(session)
        await session.press("n", "space", "enter")
        prompt = await shown(session, PromptDialog)
        await session.press("enter")
        await session.until(lambda: "at least 1 character" in session.screen_text())
        assert session.app.screen is prompt


async def test_a_view_is_deleted_and_brought_back(saved, start: Start):
    async with start() as session:
        screen = await open_views(session)
        assert "undo" not in hints(screen)
        await session.press("d", "d")
        await session.until(lambda: "who" not in names(saved) or "falcon facts" not in names(saved))
        await session.until(lambda: "undo" in hints(screen))
        await session.press("u", "u", "u")
        await session.until(lambda: names(saved) == ["falcon facts", "who"])
        assert saved.view("falcon facts").query == FALCON
    assert not any("view" in batch.label for batch in saved.batches())


async def test_views_of_others_appear(saved, start: Start):
    async with start() as session:
        screen = await open_views(session)
        saved.save_view(SavedView(name="another", query=MemoryQuery()))
        await session.until(lambda: "another" in column(screen, "View"))


async def test_looking_marks_nothing(saved, start: Start):
    async with start(peek=True) as session:
        await open_views(session)
    assert set(accesses(saved)) == {None}


async def test_a_session_that_may_not_write_only_shows(saved, start: Start):
    async with start(read_only=True) as session:
        screen = await open_views(session)
        await session.press("n", "r", "d", "u")
        assert session.app.screen is screen
        assert {"save current", "rename", "delete"}.isdisjoint(hints(screen))
        await session.press("enter")
        await session.until(lambda: session.ids == [2, 6])


async def test_none_says_so(start: Start):
    async with start(size=(80, 24)) as session:
        await open_views(session)
        assert "n keep the present one" in session.screen_text()
        await every_key_twice(session, ViewsScreen, "V")


async def test_every_key_twice_case_32(saved, start: Start):
    async with start(size=(40, 12)) as session:
        await open_views(session)
        await every_key_twice(session, ViewsScreen, "V")


async def test_at_every_size_case_34(saved, start: Start):
    async with start() as session:
        screen = await open_views(session)
        for size in SIZES:
            await session.pilot.resize_terminal(*size)
            await session.press("j", "k")
        assert session.app.screen is screen


async def test_untrusted_text_does_nothing_case_27(service, start: Start):
    for text in NASTY:
        name = text[:60].strip() or "x"
        query = MemoryQuery(q=name, tag=name)
        service.save_view(SavedView(name=name, query=query))
    async with start(size=(100, 30)) as session:
        await open_views(session)
        for _text in NASTY:
            assert_harmless(session)
            await session.press("r")
            await shown(session, PromptDialog)
            assert_harmless(session)
            await session.press("escape", "j")
        await session.press("enter")
        await back_at_table(session)
        assert_harmless(session)


def test_a_view_in_words():
    assert in_words(View()) == "all memories · newest change first"
    full = View("x", "invalid", "fact", "t", "id")
    assert in_words(full) == "“x” · invalid · fact · tag t · by id"
    assert View.of(full.query()) == full


async def test_views_are_in_the_sidebar_and_are_shown_by_a_key(saved, start: Start):
    async with start() as session:
        await session.until(lambda: session.browse.saved_views)
        labels = [facet.label for facet in session.browse.filters.facets]
        assert labels[-3:] == ["Views", "falcon facts", "who"]
        await session.press("1", "G", "k", "enter")
        await session.until(lambda: session.ids == [2, 6])
        assert session.browse.filters.facets[-2].chosen
        assert session.browse.search.value == "falcon"
        await session.press("enter")
        await session.until(lambda: len(session.ids) == 6)


async def test_views_are_shown_from_the_palette(saved, start: Start):
    async with start() as session:
        await session.until(lambda: session.browse.saved_views)
        await session.press("colon")
        await session.until(lambda: len(session.app.screen_stack) == 2)
        await session.press(*"view who")
        commands = session.app.screen.query_one("CommandList")
        await session.until(lambda: commands.option_count >= 1)
        await session.until(lambda: "View: who" in session.screen_text())
        await session.press("enter")
        await session.until(lambda: session.ids == [3])


async def test_a_view_saved_elsewhere_comes_into_the_sidebar(seeded, start: Start):
    async with start() as session:
        seeded.save_view(SavedView(name="[red]new[/]", query=MemoryQuery()))
        await session.until(lambda: "[red]new[/]" in session.browse.saved_views)
        assert "[red]new[/]" in session.screen_text()
