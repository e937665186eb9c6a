"""Marks: made by key, kept through everything, counted in plain sight."""

from __future__ import annotations

from memtui.models import MemoryCreate, MemoryPatch, MemoryQuery
from memtui.service import MemoryService
from tests.tui.conftest import Session, Start


def fill(service: MemoryService, count: int) -> None:
    service.create_many([MemoryCreate(content=f"memory {n}") for n in range(1, count + 1)])


def marked(session: Session) -> list[int]:
    return sorted(session.browse.marks.versions)


async def test_space_marks_and_goes_on_and_takes_the_mark_away(seeded, start: Start):
    async with start() as session:
        await session.press("space", "space", "j", "space")
        assert (marked(session), session.current_id) == ([3, 5, 6], 2)
        assert "3 marked" in session.screen_text()
        assert "✓   6" in session.screen_text()
        await session.press("g", "space")
        assert marked(session) == [3, 5]


async def test_a_range_grows_and_shrinks_with_the_cursor(seeded, start: Start):
    async with start() as session:
        await session.press("space", "j", "v", "j", "j")
        assert marked(session) == [2, 3, 4, 6]
        assert "range" in session.screen_text()
        await session.press("k")
        assert marked(session) == [3, 4, 6]
        await session.press("v", "j", "j")
        assert marked(session) == [3, 4, 6]
        await session.press("v", "k", "k", "enter")
        assert (marked(session), session.browse.place()) == ([1, 2, 3, 4, 6], "table")


async def test_a_range_that_is_typed_ahead_reaches_the_cursor(seeded, start: Start):
    async with start() as session:
        await session.burst("v", "j", "j", "v", "j", "j")
        assert marked(session) == [4, 5, 6]


async def test_escape_takes_a_range_back_then_the_marks_then_the_search(seeded, start: Start):
    async with start() as session:
        await session.press("slash", *"falcon", "enter")
        await session.idle()
        await session.press("space", "v", "j")
        assert marked(session) == [2, 4, 6]
        await session.press("escape")
        assert marked(session) == [6]
        await session.press("escape")
        assert marked(session) == []
        assert any("1 mark taken away" in toast for toast in session.toasts)
        assert session.browse.view.q == "falcon"
        await session.press("escape")
        assert session.browse.view.q == ""


async def test_the_page_is_marked_unmarked_and_inverted(seeded, start: Start):
    async with start() as session:
        await session.press("j", "space", "a")
        assert len(marked(session)) == 6
        await session.press("a")
        assert marked(session) == []
        await session.press("g", "space", "i")
        assert marked(session) == [1, 2, 3, 4, 5]
        await session.press("ctrl+u")
        assert marked(session) == []


async def test_all_that_match_are_marked_on_every_page(service, start: Start):
    fill(service, 250)
    async with start() as session:
        await session.press("A")
        await session.until(lambda: len(session.browse.marks) == 250)
        assert "250 marked" in session.screen_text()
        assert "hidden" not in session.screen_text()
        assert service.search(MemoryQuery(limit=1), touch=False).total == 250
        read = service.search(MemoryQuery.parse({"q": "memory 9"}), touch=False).items
        assert read[0].last_accessed_at is None, "marking is no reading"


async def test_marks_that_the_filter_hides_are_counted(seeded, start: Start):
    async with start() as session:
        await session.press("space", "space", "space", "slash", *"postgres", "enter")
        await session.idle()
        assert session.ids == [6]
        await session.until(lambda: "3 marked (2 hidden)" in session.screen_text())
        await session.press("escape")
        await session.press("escape")
        await session.idle()
        assert "hidden" not in session.screen_text()


async def test_on_another_page_is_not_hidden_but_behind_a_filter_is(service, start: Start):
    fill(service, 250)
    async with start() as session:
        await session.press("space", "right_square_bracket")
        await session.until(lambda: session.browse.page.offset == 100)
        await session.idle()
        await session.until(lambda: not session.browse._hidden_request)
        assert "1 marked" in session.screen_text()
        assert "hidden" not in session.screen_text()
        # More than one page matches, and the marked memory is not among them.
        await session.press("slash", *"memory 1", "enter")
        await session.idle()
        await session.until(lambda: "1 marked (1 hidden)" in session.screen_text())


async def test_marks_survive_sorting_paging_and_refresh(service, start: Start):
    fill(service, 150)
    async with start() as session:
        await session.press("space", "j", "space")
        kept = marked(session)
        for key in ("s", "s", "s", "right_square_bracket", "left_square_bracket", "f5"):
            await session.press(key)
            await session.idle()
        assert marked(session) == kept == [148, 150]


async def test_only_what_is_in_sight_is_renewed(service, start: Start):
    fill(service, 150)
    async with start(size=(80, 24)) as session:
        await session.press("O", "4")
        await session.idle()
        await session.press("a")
        assert session.browse.marks.versions[1] == session.browse.marks.versions[90] == 1
        service.patch(1, MemoryPatch(content="seen"))
        service.patch(90, MemoryPatch(content="far below"))
        await session.until(lambda: session.browse.table.memories[0].version == 2)
        await session.until(lambda: session.browse.marks.versions[1] == 2)
        assert session.browse.marks.versions[90] == 1
        await session.press("G")
        await session.until(lambda: session.browse.marks.versions[90] == 2)


async def test_a_range_ends_where_the_page_ends(service, start: Start):
    fill(service, 150)
    async with start() as session:
        await session.press("v", "j", "right_square_bracket")
        await session.until(lambda: session.browse.page.offset == 100)
        await session.idle()
        assert session.browse.marks.anchor is None
        assert marked(session) == [149, 150]


async def test_keys_of_marks_on_an_empty_table_do_nothing_case_32(service, start: Start):
    async with start() as session:
        await session.press(*"vaAi", "space", "v", "ctrl+u", "t", "T", "x", "X", "c", "d", "R", "E")
        await session.press("Y", "ctrl+r", "escape")
        await session.idle()
        assert marked(session) == []
        assert len(session.app.screen_stack) == 1
