"""Sizes: what is in sight where, and nothing breaks in between."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.models import MemoryCreate
from memtui.tui.actions import Place
from memtui.tui.screens.arrangement import (
    LEAST,
    DetailPlace,
    Pane,
    Sidebar,
    Wishes,
    arrange,
)
from memtui.tui.widgets.bars import Part, fitting
from tests.tui.conftest import Start


@pytest.mark.parametrize(
    ("size", "sidebar", "detail"),
    [
        ((80, 24), Sidebar.STRIP, DetailPlace.HIDDEN),
        ((80, 50), Sidebar.STRIP, DetailPlace.BELOW),
        ((100, 24), Sidebar.COLUMN, DetailPlace.HIDDEN),
        ((120, 24), Sidebar.COLUMN, DetailPlace.RIGHT),
        ((120, 40), Sidebar.COLUMN, DetailPlace.BELOW),
        ((200, 50), Sidebar.COLUMN, DetailPlace.RIGHT),
    ],
)
def test_what_is_in_sight_at_a_size(size, sidebar, detail):
    arrangement = arrange(*size, Wishes())
    assert (arrangement.sidebar, arrangement.detail) == (sidebar, detail)
    assert arrangement.table
    assert not arrangement.too_small


@given(
    st.integers(120, 300),
    st.integers(LEAST[1], 100),
)
def test_all_three_panes_are_in_sight_from_120_columns_on(width, height):
    arrangement = arrange(width, height, Wishes())
    assert arrangement.sidebar is Sidebar.COLUMN
    assert arrangement.detail in {DetailPlace.RIGHT, DetailPlace.BELOW}
    assert arrangement.table


@given(
    st.integers(0, 300),
    st.integers(0, 100),
    st.builds(
        Wishes,
        st.none() | st.booleans(),
        st.booleans(),
        st.none() | st.sampled_from(list(Pane)),
    ),
)
def test_some_pane_is_always_in_sight(width, height, wishes):
    arrangement = arrange(width, height, wishes)
    assert (
        arrangement.table
        or arrangement.sidebar is Sidebar.FULL
        or arrangement.detail is DetailPlace.FULL
    )
    assert arrangement.too_small == (width < LEAST[0] or height < LEAST[1])


@given(
    st.lists(st.builds(Part, st.text("ab日", max_size=8), st.just("text"), st.integers(0, 3))),
    st.integers(0, 60),
)
def test_a_bar_drops_its_least_important_parts_first(parts, width):
    left, right = fitting(parts, [], width)
    dropped = max((part.rank for part in parts if part not in left), default=0)
    assert not right
    assert all(part.rank <= dropped or part.rank == 0 or dropped == 0 for part in left)


async def test_80_by_24_is_fully_usable(seeded, start: Start):
    async with start(size=(80, 24)) as session:
        text = session.screen_text()
        assert "all memories" in text
        assert "Falcon uses PostgreSQL 16." in text
        assert "? help" in text
        await session.press("f")
        await session.until(lambda: session.browse.place() is Place.FILTERS)
        assert "Status" in session.screen_text()
        await session.press("j", "j", "j", "j", "enter")
        await session.idle()
        assert session.browse.view.memory_type == "fact"
        await session.press("escape")
        await session.until(lambda: session.browse.place() is Place.TABLE)
        assert "only fact" in session.screen_text()
        assert "Status" not in session.screen_text()
        await session.press("enter")
        await session.until(lambda: session.browse.place() is Place.DETAIL)
        assert "last read" in session.screen_text()
        await session.press("J")
        await session.until(lambda: session.browse.detail.memory.id == 5)
        assert "Straße" in session.screen_text()
        await session.press("escape")
        await session.until(lambda: session.browse.place() is Place.TABLE)
        assert session.current_id == 5
        await session.press("2")
        await session.until(lambda: session.browse.place() is Place.TAGS)
        await session.press("slash")
        await session.until(lambda: session.browse.focused is session.browse.tag_search)


async def test_zoom_gives_the_focused_pane_the_screen(seeded, start: Start):
    async with start() as session:
        await session.press("plus")
        assert not session.browse.arrangement.detail.hidden or session.browse.arrangement.table
        assert session.browse.arrangement.sidebar is Sidebar.STRIP
        assert session.browse.arrangement.detail is DetailPlace.HIDDEN
        await session.press("underscore", "4", "plus")
        assert session.browse.arrangement.detail is DetailPlace.FULL
        await session.press("escape")
        assert session.browse.arrangement.sidebar is Sidebar.COLUMN
        await session.press("1", "plus")
        assert session.browse.arrangement.sidebar is Sidebar.FULL
        await session.press("3")
        await session.until(lambda: session.browse.place() is Place.TABLE)
        assert session.browse.arrangement.table


async def test_the_sidebar_can_be_folded_where_there_is_room(seeded, start: Start):
    async with start() as session:
        await session.press("1", "f")
        assert session.browse.arrangement.sidebar is Sidebar.STRIP
        assert session.browse.place() is Place.TABLE
        await session.press("f")
        assert session.browse.arrangement.sidebar is Sidebar.COLUMN


async def test_a_note_where_nothing_fits_case_34(seeded, start: Start):
    async with start(size=(30, 8)) as session:
        assert "memtui needs 40×10" in session.screen_text()
        await session.pilot.resize_terminal(80, 24)
        await session.until(lambda: "Falcon uses" in session.screen_text())


async def test_every_size_from_1x1_to_200x60_case_34(seeded, start: Start):
    sizes = [(1, 1), (2, 1), (1, 60), (200, 1), (39, 9), (40, 10), (41, 11), (60, 15), (79, 23)]
    sizes += [(80, 24), (99, 29), (100, 30), (119, 29), (120, 30), (159, 31), (160, 60), (200, 60)]
    async with start() as session:
        for size in sizes:
            await session.pilot.resize_terminal(*size)
            await session.burst("j")
            assert session.app.is_running
        await session.idle()
        assert "Falcon" in session.screen_text()


async def test_random_resizes_with_the_form_and_a_dialog_open_keep_the_text_case_34(
    seeded, start: Start
):
    chance = random.Random(34)
    async with start() as session:
        await session.press("e")
        await session.until(lambda: len(session.app.screen_stack) == 2)
        await session.press(*"typed")
        form = session.app.screen
        for number in range(50):
            width, height = chance.randint(1, 200), chance.randint(1, 60)
            await session.pilot.resize_terminal(width, height)
            if number == 25:
                await session.press("escape")
                await session.until(lambda: len(session.app.screen_stack) == 3)
        assert session.app.is_running
        assert form.values.content == "Falcon uses PostgreSQL 16.typed"


async def test_the_cursor_keeps_its_line_on_the_screen_when_rows_come_case_31(
    service, start: Start, clock
):
    service.create_many([MemoryCreate(content=f"memory {n}") for n in range(80)])
    async with start(size=(80, 24)) as session:
        await session.press(*"jjjjjjjjjj", "pagedown")
        table = session.browse.table
        here, line = session.current_id, table.cursor - round(table.scroll_y)
        clock.tick(minutes=1)
        service.create_many([MemoryCreate(content=f"new {n}") for n in range(5)])
        await session.until(lambda: 85 in session.ids)
        assert session.current_id == here
        assert table.cursor - round(table.scroll_y) == line


async def test_only_the_focused_pane_is_lit(seeded, start: Start):
    async with start() as session:
        titles = session.browse.titles
        lit = titles.styles.color
        await session.press("1")
        await session.until(lambda: titles.styles.color != lit)
        await session.press("3")
        await session.until(lambda: titles.styles.color == lit)


async def test_columns_are_shared_at_the_width_that_is_drawn(service, start: Start):
    service.create_many([MemoryCreate(content="word " * 60) for _ in range(3)])
    async with start(size=(80, 24)) as session:
        table = session.browse.table
        service.create_many([MemoryCreate(content="word " * 60) for _ in range(60)])
        await session.until(lambda: len(session.ids) == 63 and table.show_vertical_scrollbar)
        width = table.scrollable_content_region.width
        drawn = sum(segment.cell_length for segment in table.draw_row(0, width))
        assert drawn == width
        assert table.draw_row(0, width - 1) != table.draw_row(0, width)
