"""One change for all marked memories: previewed, honest, one step to undo, few keys."""

from __future__ import annotations

from threading import Event

import pytest

from memtui.models import (
    BulkChange,
    MemoryCreate,
    MemoryPatch,
    MemoryQuery,
    MemoryStatus,
    MemoryType,
    Selection,
)
from memtui.service import MemoryService
from memtui.tui.screens.confirm import ConfirmDialog
from memtui.tui.screens.edit import EditScreen
from memtui.tui.screens.pick import PickDialog
from memtui.tui.screens.preview import PreviewDialog
from memtui.tui.screens.tags_dialog import TagsDialog
from tests.tui.conftest import PATIENCE, Session, Start


class Keys:
    """Presses keys one by one and counts those that are no typed words."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.count = 0

    async def press(self, *keys: str) -> None:
        self.count += len(keys)
        await self._session.press(*keys)

    async def type(self, text: str) -> None:
        await self._session.press(*("space" if char == " " else char for char in text))


def count(service: MemoryService, **filters: str) -> int:
    return service.search(MemoryQuery.parse(filters), touch=False).total


def on_top(session: Session, kind: type) -> bool:
    return isinstance(session.app.screen, kind)


async def previewed(session: Session) -> PreviewDialog:
    """Wait for the preview and its numbers."""
    await session.until(lambda: on_top(session, PreviewDialog) and session.app.screen.preview)
    dialog = session.app.screen
    assert isinstance(dialog, PreviewDialog)
    return dialog


async def closed(session: Session) -> None:
    await session.until(lambda: len(session.app.screen_stack) == 1)
    await session.idle()


# --- few keys ------------------------------------------------------------------------------------


@pytest.fixture
def fifty(service: MemoryService) -> MemoryService:
    texts = [f"{'falcon' if n % 2 else 'heron'} {n}" for n in range(100)]
    service.create_many([MemoryCreate(content=text) for text in texts])
    return service


async def test_a_tag_for_fifty_matches_takes_six_keys_and_one_takes_it_back(fifty, start: Start):
    async with start() as session:
        keys = Keys(session)
        await keys.press("slash")
        await keys.type("falcon")
        await keys.press("enter")
        await session.idle()
        await keys.press("A")
        await session.until(lambda: len(session.browse.marks) == 50)
        await keys.press("t")
        await session.until(lambda: on_top(session, TagsDialog))
        await keys.type("bird")
        await keys.press("enter")
        await previewed(session)
        await keys.press("enter")
        await closed(session)
        assert keys.count <= 6
        assert count(fifty, tag="bird") == 50
        assert session.toasts[-1] == "50 memories tagged · u undoes it"
        assert not session.browse.marks
        await session.press("u")
        await session.until(lambda: count(fifty, tag="bird") == 0)
        await session.until(lambda: session.toasts[-1] == "50 memories taken back · ^r redoes it")


async def test_a_typo_is_fixed_with_six_keys(seeded, start: Start):
    seeded.patch(3, MemoryPatch(content="Lives in Albny, works remotely, with a cat."))
    async with start() as session:
        keys = Keys(session)
        await keys.press("slash")
        await keys.type("albny")
        await keys.press("enter")
        await session.idle()
        await keys.press("e")
        await session.until(lambda: on_top(session, EditScreen))
        await keys.press("ctrl+w")
        await keys.type("Albany")
        await keys.press("ctrl+s")
        await closed(session)
        assert keys.count <= 6
        assert seeded.get(3, touch=False).content == "Lives in Albany, works remotely, with a cat."


async def test_a_deleted_memory_is_found_and_restored_with_six_keys(seeded, start: Start):
    seeded.delete(2)
    seeded.delete(5)
    async with start() as session:
        keys = Keys(session)
        await keys.press("o", "o", "o", "slash")
        await keys.type("launch")
        await keys.press("enter")
        await session.idle()
        assert session.ids == [2]
        await keys.press("R")
        await session.until(lambda: session.ids == [])
        assert keys.count <= 6
        assert seeded.get(2, touch=False).status == "active"


# --- what is changed -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "words", "done"),
    [
        (["x"], "Make 3 memories invalid?", {"status": "invalid"}),
        (["X", "2"], "Make 3 memories invalid?", {"status": "invalid"}),
        (["c", "4"], "Make 3 memories an event?", {"memory_type": "event"}),
        (["d"], "Delete 3 memories?", {"status": "deleted"}),
        (["X", "3"], "Delete 3 memories?", {"status": "deleted"}),
    ],
)
async def test_keys_change_all_marked_after_a_preview(seeded, start: Start, keys, words, done):
    async with start() as session:
        before = count(seeded, **done)
        await session.press("space", "space", "j", "space", "g", *keys)
        await previewed(session)
        assert words in session.screen_text()
        assert count(seeded, **done) == before, "a preview writes nothing"
        await session.press("y")
        await closed(session)
        assert count(seeded, **done) == before + 3
        assert seeded.get(4, touch=False).version == 1, "not marked, not changed"


async def test_marked_memories_are_restored(seeded, start: Start):
    for memory_id in (2, 3, 4):
        seeded.delete(memory_id)
    async with start() as session:
        await session.press("o", "o", "o")
        await session.until(lambda: session.ids == [4, 3, 2])
        await session.idle()
        await session.press("a", "R")
        await previewed(session)
        await session.press("y")
        await closed(session)
        assert count(seeded, status="deleted") == 0


async def test_invalid_ones_alone_are_made_active(seeded, start: Start):
    seeded.bulk(Selection.of([2, 3]), BulkChange(status="invalid"))
    async with start() as session:
        await session.press("o", "o")
        await session.until(lambda: session.ids == [3, 2])
        await session.idle()
        await session.press("a", "x")
        await previewed(session)
        assert "Make 2 memories active?" in session.screen_text()


async def test_tags_are_taken_off_and_only_those_there_are_offered(seeded, start: Start):
    async with start() as session:
        await session.press("space", "j", "j", "space", "T")
        await session.until(lambda: on_top(session, TagsDialog))
        offered = {tag.tag for tag in session.app.screen._offered}
        assert offered == {"falcon", "database", "profile"}
        await session.press(*"falc", "enter")
        await previewed(session)
        assert "1 memory will change, 1 stay as they are" in session.screen_text()
        await session.press("y")
        await closed(session)
        assert seeded.get(6, touch=False).tags == ("database",)
        assert seeded.get(3, touch=False).tags == ("profile",)
        assert count(seeded, tag="falcon") == 2


async def test_the_only_marked_one_in_view_is_changed_at_once_not_the_one_under_the_cursor(
    seeded, start: Start
):
    async with start() as session:
        await session.press("space", "j", "d")
        await session.until(lambda: count(seeded, status="deleted") == 1)
        assert count(seeded, status="deleted", q="PostgreSQL") == 1
        await session.until(lambda: not session.browse.marks)


async def test_what_the_filters_hide_is_said_before_it_is_changed_case_17(seeded, start: Start):
    async with start() as session:
        await session.press("space", "slash", *"albany", "enter")
        await session.until(lambda: "1 marked (1 hidden)" in session.screen_text())
        await session.press("d")
        await previewed(session)
        assert "1 of them hidden by the filters" in session.screen_text()
        await session.press("n")
        await closed(session)
        await session.press("space", "d")
        await previewed(session)
        assert "Delete 2 memories?" in session.screen_text()
        assert "1 of them hidden by the filters" in session.screen_text()
        assert count(seeded, status="deleted") == 0


async def test_what_failed_stays_marked_case_16(seeded, start: Start):
    async with start() as session:
        await session.press("a", "t")
        await session.until(lambda: on_top(session, TagsDialog))
        await session.press(*"new", "enter")
        await previewed(session)
        # Meanwhile, in front of the preview:
        seeded.patch(2, MemoryPatch(content="changed by another"))
        seeded.delete(4)
        await session.press("y")
        await closed(session)
        assert session.toasts[-1] == (
            "4 memories tagged, 1 changed meanwhile: left alone, 1 gone\n"
            "What failed is still marked."
        )
        assert sorted(session.browse.marks.versions) == [2, 4]
        assert count(seeded, tag="new") == 4
        await session.press("u")
        await session.until(lambda: count(seeded, tag="new") == 0)


async def test_all_that_match_can_be_acted_on_before_they_are_read(
    fifty, start: Start, monkeypatch: pytest.MonkeyPatch
):
    hold = Event()
    versions = MemoryService.versions

    def late(self: MemoryService, query: MemoryQuery) -> dict[int, int]:
        assert hold.wait(PATIENCE)
        return versions(self, query)

    monkeypatch.setattr(MemoryService, "versions", late)
    async with start() as session:
        await session.press("slash", *"heron", "enter")
        await session.idle()
        await session.press("A")
        assert "marking 50…" in session.screen_text()
        await session.press("d")
        await session.until(lambda: on_top(session, PreviewDialog))
        assert "Delete 50 memories?" in session.screen_text()
        await session.press("enter")
        assert on_top(session, PreviewDialog), "Enter ahead of the numbers does nothing"
        hold.set()
        await previewed(session)
        await session.press("enter")
        await closed(session)
        assert count(fifty, status="deleted") == 50


async def test_marking_all_can_fail_and_changes_nothing(
    fifty, start: Start, monkeypatch: pytest.MonkeyPatch
):
    hold = Event()

    def broken(self: MemoryService, query: MemoryQuery) -> dict[int, int]:
        assert hold.wait(PATIENCE)
        raise RuntimeError("out of luck")

    monkeypatch.setattr(MemoryService, "versions", broken)
    async with start() as session:
        await session.press("A", "d")
        hold.set()
        await session.until(lambda: any("out of luck" in toast for toast in session.toasts))
        await closed(session)
        assert session.browse.marked_count == 0
        assert count(fifty, status="deleted") == 0


async def test_a_long_change_is_stopped_and_writes_nothing(service, start: Start):
    service.create_many([MemoryCreate(content=f"memory {n}") for n in range(3_000)])
    async with start() as session:
        reached, go_on = Event(), Event()
        own = session.app.gateway._service
        bulk = own.bulk

        def slow(selection, change, *, dry_run=False, progress=None):
            def told(done: int, total: int) -> bool:
                if not dry_run:
                    reached.set()
                    assert go_on.wait(PATIENCE)
                return progress(done, total)

            return bulk(selection, change, dry_run=dry_run, progress=told)

        own.bulk = slow
        await session.press("A")
        await session.until(lambda: len(session.browse.marks) == 3_000)
        await session.press("d")
        await previewed(session)
        await session.press("y")
        await session.until(reached.is_set)
        await session.press("n")
        go_on.set()
        await closed(session)
        assert count(service, status="deleted") == 0
        assert len(session.browse.marks) == 3_000


async def test_a_read_only_session_changes_nothing(seeded, start: Start):
    async with start(read_only=True) as session:
        await session.press("a", "d")
        await session.until(lambda: any("read-only" in toast for toast in session.toasts))
        await session.press("t", "c", "x", "R", "E")
        await session.idle()
        assert len(session.app.screen_stack) == 1


async def test_the_lines_above_and_below_keep_the_width_of_the_terminal(seeded, start: Start):
    async with start(size=(80, 24)) as session:
        await session.press("a", "d")
        await previewed(session)
        await session.press("n")
        await closed(session)
        await session.pilot.resize_terminal(200, 50)
        await session.until(lambda: session.browse.status.size.width == 200)
        assert "6 active" in session.screen_text()


# --- one memory ----------------------------------------------------------------------------------


async def test_type_and_status_of_the_one_under_the_cursor(seeded, start: Start):
    async with start() as session:
        await session.press("j", "c")
        await session.until(lambda: on_top(session, PickDialog))
        assert "Type of #5" in session.screen_text()
        await session.press("3")
        await session.until(lambda: seeded.get(5, touch=False).memory_type == MemoryType.IDENTITY)
        await session.idle()
        await session.press("X", "2")
        await session.until(lambda: seeded.get(5, touch=False).status == MemoryStatus.INVALID)


# --- undo ----------------------------------------------------------------------------------------


async def test_undo_and_redo_are_one_step_each(seeded, start: Start):
    async with start() as session:
        for key in ("x", "d"):
            await session.press("g", key)
            await session.until(lambda: session.toasts and "#6" in session.toasts[-1])
            await session.idle()
        assert count(seeded, status="deleted") == 1
        await session.press("u")
        await session.until(lambda: session.toasts[-1] == "#6 taken back · ^r redoes it")
        assert seeded.get(6, touch=False).status == "invalid"
        await session.press("u")
        await session.until(lambda: seeded.get(6, touch=False).status == "active")
        await session.press("ctrl+r", "ctrl+r")
        await session.until(lambda: count(seeded, status="deleted") == 1)
        await session.press("ctrl+r")
        await session.until(lambda: session.toasts[-1] == "There is nothing to redo")
        await session.press("u", "u", "u")
        await session.until(lambda: session.toasts[-1] == "There is nothing to undo")


async def test_undo_says_what_it_left_alone(seeded, start: Start):
    async with start() as session:
        await session.press("a", "x")
        await previewed(session)
        await session.press("y")
        await closed(session)
        seeded.patch(1, MemoryPatch(content="by the agent"))
        await session.press("u")
        await session.until(
            lambda: "5 memories taken back, 1 changed meanwhile: left alone" in session.toasts[-1]
        )
        assert count(seeded, status="invalid") == 1


async def test_editing_outside_is_refused_for_too_many(service, start: Start):
    service.create_many([MemoryCreate(content=f"memory {n}") for n in range(1_001)])
    async with start() as session:
        await session.press("A")
        await session.until(lambda: len(session.browse.marks) == 1_001)
        await session.press("E")
        await session.until(lambda: session.toasts)
        assert "1,001 memories are too many for an editor" in session.toasts[-1]
        await session.press("Y")
        await session.until(lambda: "too many to copy" in session.toasts[-1])


async def test_a_question_does_not_stand_in_the_way(seeded, start: Start):
    async with start() as session:
        await session.press("a", "d", "d", "escape", "escape")
        await closed(session)
        assert not any(isinstance(screen, ConfirmDialog) for screen in session.app.screen_stack)
        assert count(seeded, status="deleted") == 0
