"""The browse screen by its keys: finding, moving, changing."""

from __future__ import annotations

import pytest

from memtui.models import MemoryCreate, MemoryPatch, MemoryQuery, MemoryStatus, SortKey
from memtui.service import MemoryService
from memtui.tui.screens import browse_base
from tests.clock import Clock
from tests.tui.conftest import Start


def stored(service: MemoryService, memory_id: int):
    found = [
        memory
        for status in (None, MemoryStatus.DELETED)
        for memory in service.search(MemoryQuery(status=status, limit=100), touch=False).items
        if memory.id == memory_id
    ]
    return found[0]


async def test_the_newest_change_is_first_and_its_detail_is_shown(seeded, start: Start):
    async with start() as session:
        assert session.ids == [6, 5, 4, 3, 2, 1]
        assert session.current_id == 6
        assert session.browse.detail.memory.id == 6
        assert "1 of 6 · newest change first" in session.screen_text()


async def test_movement_keys(seeded, start: Start):
    async with start() as session:
        for key, expected in [
            ("j", 5), ("down", 4), ("k", 5), ("up", 6), ("k", 6),
            ("G", 1), ("j", 1), ("g", 6), ("end", 1), ("home", 6),
            ("pagedown", 1), ("pageup", 6),
        ]:  # fmt: skip
            await session.press(key)
            assert session.current_id == expected, key
        await session.press("j")
        await session.until(lambda: session.browse.detail.memory.id == 5)


async def test_opening_a_memory_by_moving_there_does_not_read_it_again(
    seeded, start: Start, clock: Clock
):
    async with start() as session:
        read_at = stored(seeded, 5).last_accessed_at
        assert read_at is not None
        clock.tick(minutes=5)
        await session.press("j", "enter", "j")
        await session.idle()
        assert stored(seeded, 5).last_accessed_at == read_at


def record_searches(session) -> list[tuple[str | None, bool]]:
    """Keep (needle, marked) of every retrieval from now on."""
    service = session.app.gateway._service
    search = service.search
    asked: list[tuple[str | None, bool]] = []

    def recorded(query: MemoryQuery, *, touch: bool = True):
        asked.append((query.q, touch))
        return search(query, touch=touch)

    service.search = recorded
    return asked


async def test_search_as_you_type_is_a_peek_and_the_settled_page_is_marked_once(
    seeded, start: Start, clock: Clock, monkeypatch
):
    monkeypatch.setattr(browse_base, "SETTLED", 3600)
    async with start() as session:
        before = stored(seeded, 2).last_accessed_at
        asked = record_searches(session)
        clock.tick(minutes=5)
        await session.press("slash", *"falcon")
        await session.until(lambda: session.ids == [6, 4, 2])
        assert stored(seeded, 2).last_accessed_at == before
        assert not any(touch for _q, touch in asked)
        assert "◎ peek while typing" in session.screen_text()
        await session.press("enter")
        await session.until(lambda: stored(seeded, 2).last_accessed_at != before)
        await session.press("slash", "enter")
        await session.idle()
        assert [mark for mark in asked if mark[1]] == [("falcon", True)]
        assert stored(seeded, 1).last_accessed_at == before


async def test_a_search_settles_by_itself(seeded, start: Start, clock: Clock):
    async with start() as session:
        asked = record_searches(session)
        await session.press("slash", *"albany")
        await session.until(lambda: ("albany", True) in asked)
        await session.idle()
        assert asked.count(("albany", True)) == 1


async def test_enter_settles_a_search_at_once_and_goes_to_the_results(seeded, start: Start):
    async with start() as session:
        await session.press("slash", *"STRASSE", "enter")
        await session.idle()
        assert session.ids == [5]
        assert session.browse.focused is session.browse.table
        assert session.browse.place() == "table"


async def test_a_session_that_peeks_marks_nothing_and_says_so(seeded, start: Start):
    async with start(peek=True) as session:
        assert "◎ peek: reads leave no mark" in session.screen_text()
        await session.press("slash", *"falcon", "enter")
        await session.idle()
        await session.press("s", "s")
        await session.idle()
        assert stored(seeded, 2).last_accessed_at is None
        await session.press("p")
        assert "◉ marking reads" in session.screen_text()
        await session.press("s")
        await session.idle()
        await session.until(lambda: stored(seeded, 2).last_accessed_at is not None)


async def test_letters_typed_into_the_search_are_text(seeded, start: Start):
    async with start() as session:
        await session.press("slash", *"xdqneu")
        await session.idle()
        assert session.browse.search.value == "xdqneu"
        assert session.service.stats().statuses[MemoryStatus.ACTIVE] == 6
        assert len(session.app.screen_stack) == 1
        assert "No memory holds “xdqneu”" in session.screen_text()


async def test_escape_steps_back_out_of_the_box_then_search_then_filters(seeded, start: Start):
    async with start() as session:
        await session.press("slash", *"falcon", "enter", "m", "m")
        await session.idle()
        assert session.browse.view.memory_type == "fact"
        assert session.ids == [6, 2]
        await session.press("slash", "escape")
        assert session.browse.place() == "table"
        await session.press("escape")
        await session.idle()
        assert (session.browse.view.q, session.browse.search.value) == ("", "")
        assert session.browse.view.memory_type == "fact"
        await session.press("escape")
        await session.idle()
        assert not session.browse.view.filtered
        assert len(session.ids) == 6
        await session.press("escape")
        assert len(session.ids) == 6


async def test_one_key_clears_search_and_filters(seeded, start: Start):
    async with start() as session:
        await session.press("slash", *"falcon", "enter", "o")
        await session.idle()
        await session.press("backspace")
        await session.idle()
        assert not session.browse.view.filtered
        assert session.browse.search.value == ""
        assert len(session.ids) == 6


async def test_filters_by_keys_in_the_sidebar(seeded, start: Start):
    async with start() as session:
        await session.press("1")
        assert session.browse.place() == "filters"
        await session.press("j", "j", "j", "enter")  # past the statuses, to the types
        await session.idle()
        assert session.browse.view.memory_type == "preference"
        assert session.ids == [1]
        await session.press("space")
        await session.idle()
        assert session.browse.view.memory_type is None


async def test_a_tag_filter_is_exact_and_counts_stand_beside_the_tags(seeded, start: Start):
    seeded.create(MemoryCreate(content="Not that project.", tags=("falcon-2",)))
    async with start() as session:
        await session.idle()
        rows = {row.label: row.count for row in session.browse.tags.facets}
        assert rows["falcon"] == 3
        assert rows["falcon-2"] == 1
        await session.press("2", "g", "enter")
        await session.idle()
        assert session.browse.view.tag == "falcon"
        assert sorted(session.ids) == [2, 4, 6]
        await session.press("enter")
        await session.idle()
        assert session.browse.view.tag is None


async def test_the_tags_have_a_quick_filter(seeded, start: Start):
    async with start() as session:
        await session.press("number_sign", *"CAF", "enter")
        assert [row.label for row in session.browse.tags.facets] == ["café"]
        assert session.browse.place() == "tags"
        await session.press("enter")
        await session.idle()
        assert session.ids == [5]
        await session.press("slash", "escape")
        assert len(session.browse.tags.facets) > 1


async def test_sort_cycles_and_keeps_the_memory(seeded, start: Start, clock: Clock):
    seeded.patch(1, MemoryPatch(content="Changed."))
    async with start() as session:
        await session.press("j", "j")
        here = session.current_id
        for expected in ("created_at", "last_accessed_at", "id", "updated_at"):
            await session.press("s")
            await session.idle()
            assert session.browse.view.sort == expected
            assert session.current_id == here


async def test_pages_turn_and_say_where_they_are(service, start: Start, clock: Clock):
    service.create_many([MemoryCreate(content=f"memory {n}") for n in range(1, 251)])
    async with start() as session:
        assert "1 of 250 · page 1 of 3" in session.screen_text()
        await session.press("G", "right_square_bracket")
        await session.until(lambda: session.browse.page.offset == 100)
        assert session.current_id == 150
        assert "101 of 250 · page 2 of 3" in session.screen_text()
        await session.press("right_square_bracket", "right_square_bracket", "right_square_bracket")
        await session.until(lambda: session.browse.page.offset == 200)
        await session.press("G")
        assert "250 of 250 · page 3 of 3" in session.screen_text()
        await session.press("left_square_bracket")
        await session.until(lambda: session.browse.page.offset == 100)
        await session.press("left_curly_bracket")
        await session.until(lambda: session.browse.page.offset == 0)
        await session.press("right_curly_bracket")
        await session.until(lambda: session.browse.page.offset == 200)


async def test_walking_by_last_access_shows_every_memory_once(service, start: Start):
    service.create_many([MemoryCreate(content=f"memory {n}") for n in range(1, 251)])
    async with start() as session:
        await session.press("s", "s")
        await session.idle()
        seen = list(session.ids)
        for page in (2, 3):
            await session.press("right_square_bracket")
            await session.until(lambda page=page: session.browse.page.offset == (page - 1) * 100)
            await session.idle()
            seen += session.ids
        assert sorted(seen) == list(range(1, 251))


async def test_invalidate_and_make_active_again(seeded, start: Start):
    async with start() as session:
        await session.press("j", "x")
        await session.until(lambda: stored(seeded, 5).status == "invalid")
        await session.until(lambda: session.browse.table.current.status == "invalid")
        assert session.current_id == 5
        assert any("#5 is invalid now" in toast for toast in session.toasts)
        assert any(hint.label == "make active" for hint in session.browse.keys.hints)
        await session.press("x")
        await session.until(lambda: stored(seeded, 5).status == "active")
        assert stored(seeded, 5).version == 3


async def test_delete_undo_and_restore(seeded, start: Start):
    async with start() as session:
        await session.press("j", "d")
        await session.until(lambda: 5 not in session.ids)
        await session.idle()
        assert session.current_id == 4
        assert stored(seeded, 5).status == "deleted"
        await session.press("u")
        await session.until(lambda: 5 in session.ids)
        await session.until(lambda: session.current_id == 5)
        await session.press("d")
        await session.until(lambda: 5 not in session.ids)
        await session.press("o", "o", "o")
        await session.until(lambda: session.ids == [5])
        await session.idle()
        assert [hint.label for hint in session.browse.keys.hints][:2] == ["read", "restore"]
        await session.press("e", "x", "d")
        assert len(session.app.screen_stack) == 1
        await session.press("R")
        await session.until(lambda: session.ids == [])
        assert stored(seeded, 5).status == "active"
        assert "Nothing is deleted" in session.screen_text()


async def test_a_second_press_never_hits_another_memory(seeded, start: Start):
    async with start() as session:
        await session.press("d", "d", "d")
        await session.idle()
        await session.until(lambda: 6 not in session.ids)
        gone = [n for n in range(1, 7) if stored(seeded, n).status == "deleted"]
        shown = [toast for toast in session.toasts if "was deleted" in toast]
        assert len(gone) == len(shown)
        assert 6 in gone


async def test_a_memory_changed_meanwhile_is_left_alone(seeded, start: Start):
    async with start() as session:
        service = session.app.gateway._service
        bulk = service.bulk

        def late(selection, change, **options):
            seeded.patch(6, MemoryPatch(content="Changed under the cursor."))
            return bulk(selection, change, **options)

        service.bulk = late
        await session.press("d")
        await session.until(lambda: any("changed meanwhile" in toast for toast in session.toasts))
        assert stored(seeded, 6).status == "active"
        await session.until(
            lambda: session.browse.table.current.content == "Changed under the cursor."
        )


async def test_tags_are_added_and_removed(seeded, start: Start):
    async with start() as session:
        await session.press("t")
        await session.until(lambda: len(session.app.screen_stack) == 2)
        await session.pilot.pause()
        await session.press(*"urgent", "enter", "ctrl+s")
        await session.until(lambda: "urgent" in stored(seeded, 6).tags)
        assert stored(seeded, 6).tags == ("falcon", "database", "urgent")
        await session.until(lambda: "urgent" in session.browse.table.current.tags)
        await session.press("T")
        await session.until(lambda: len(session.app.screen_stack) == 2)
        await session.pilot.pause()
        await session.press(*"falcon", "enter", "ctrl+s")
        await session.until(lambda: "falcon" not in stored(seeded, 6).tags)


async def test_new_memory_is_written_and_found(seeded, start: Start, clock: Clock):
    async with start() as session:
        clock.tick(minutes=1)
        await session.press("n")
        await session.until(lambda: len(session.app.screen_stack) == 2)
        await session.press(*"Tea", "space", *"please", "ctrl+s")
        await session.until(lambda: len(session.app.screen_stack) == 1)
        await session.until(lambda: session.current_id == 7)
        assert stored(seeded, 7).content == "Tea please"


async def test_editing_saves_with_the_version_that_was_shown(seeded, start: Start, clock: Clock):
    async with start() as session:
        clock.tick(minutes=1)
        await session.press("G", "e")
        await session.until(lambda: len(session.app.screen_stack) == 2)
        await session.press("x", "ctrl+s")
        await session.until(lambda: len(session.app.screen_stack) == 1)
        await session.until(lambda: session.ids[0] == 1)
        assert stored(seeded, 1).content == SEEDED_FIRST + "x"
        assert stored(seeded, 1).version == 2
        await session.until(lambda: session.current_id == 1)


SEEDED_FIRST = "User prefers concise answers with examples."


async def test_a_conflict_keeps_the_form_open(seeded, start: Start):
    async with start() as session:
        await session.press("e")
        await session.until(lambda: len(session.app.screen_stack) == 2)
        await session.press("x")
        seeded.patch(6, MemoryPatch(content="Theirs."))
        await session.press("ctrl+s")
        await session.until(lambda: len(session.app.screen_stack) == 3)
        assert stored(seeded, 6).content == "Theirs."
        form = session.app.screen_stack[1]
        assert form.values.content == "Falcon uses PostgreSQL 16.x"


async def test_changes_by_others_are_followed_with_the_cursor_kept(
    seeded, start: Start, clock: Clock
):
    async with start() as session:
        await session.press("j", "j")
        assert session.current_id == 4
        marked = stored(seeded, 3).last_accessed_at
        clock.tick(minutes=3)
        seeded.create(MemoryCreate(content="From an agent."))
        await session.until(lambda: 7 in session.ids)
        assert session.ids[0] == 7
        assert session.current_id == 4
        assert stored(seeded, 3).last_accessed_at == marked
        seeded.delete(4)
        await session.until(lambda: 4 not in session.ids)
        await session.idle()
        assert session.current_id == 3


async def test_typed_text_survives_a_change_by_others(seeded, start: Start):
    async with start() as session:
        await session.press("slash", *"falc")
        await session.idle()
        seeded.create(MemoryCreate(content="Falcon again."))
        await session.until(lambda: 7 in session.ids)
        assert session.browse.search.value == "falc"
        assert session.browse.focused is session.browse.search


async def test_reading_in_a_read_only_session(seeded, start: Start):
    async with start(read_only=True) as session:
        assert "read-only" in session.screen_text()
        assert stored(seeded, 1).last_accessed_at is None
        labels = {hint.label for hint in session.browse.keys.hints}
        assert not labels & {"new", "edit", "delete", "tag", "undo", "invalidate"}
        await session.press("d")
        await session.until(lambda: any("read-only" in toast for toast in session.toasts))
        await session.press("p")
        assert session.browse.peek


async def test_theme_switch(seeded, start: Start):
    async with start() as session:
        assert session.app.theme == "memtui-dark"
        await session.press("D")
        assert session.app.theme == "memtui-light"
        await session.press("D")
        assert session.app.theme == "memtui-dark"


async def test_any_textual_theme_works(seeded, start: Start):
    async with start(theme="nord") as session:
        assert session.app.theme == "nord"
        assert "Falcon uses" in session.screen_text()


async def test_a_theme_that_there_is_not_is_said_and_the_dark_one_taken(seeded, start: Start):
    async with start(theme="nrod") as session:
        assert session.app.theme == "memtui-dark"
        (toast,) = session.toasts
        assert "No theme is named 'nrod'" in toast
        assert "nord" in toast


async def test_mouse_rows_tags_and_facets(seeded, start: Start):
    async with start() as session:
        assert await session.pilot.click("#table", offset=(20, 2))
        assert session.current_id == 4
        assert await session.pilot.click("#filters", offset=(5, 1))
        await session.idle()
        assert session.browse.view.status == "active"
        assert await session.pilot.click("#tags", offset=(5, 0))
        await session.idle()
        assert session.browse.view.tag == "falcon"
        await session.press("3", "backspace")
        await session.idle()
        assert await session.pilot.click("#table", offset=(20, 1), times=2)
        await session.until(lambda: session.browse.place() == "detail")
        assert await session.pilot.click("#detail-tags", offset=(2, 0))
        await session.idle()
        assert session.browse.view.tag == "日本"


async def test_clicking_a_key_does_it(seeded, start: Start):
    async with start(size=(200, 50)) as session:
        hints = session.browse.keys._placed()
        at = next(begin for begin, _end, hint in hints if hint.action == "sort")
        assert await session.pilot.click("#keys", offset=(at, 0))
        await session.idle()
        assert session.browse.view.sort == SortKey.CREATED_AT


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_every_hint_has_a_method_and_works(seeded, start: Start, size):
    async with start(size=size) as session:
        for place in ("table", "detail", "filters", "tags"):
            for hint in (*session.browse.keys.hints, *session.browse.keys._always):
                owners = (session.browse, session.app, session.browse.focused)
                assert any(hasattr(owner, f"action_{hint.action}") for owner in owners), hint
            await session.press({"table": "4", "detail": "1", "filters": "2"}.get(place, "3"))
            await session.pilot.pause()
