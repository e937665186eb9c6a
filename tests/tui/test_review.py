"""The review of invalid memories: one key a decision, nothing marked, nothing lost."""

from __future__ import annotations

from typing import cast

import pytest
from textual.widgets import Static

from memtui.models import (
    BulkChange,
    Memory,
    MemoryCreate,
    MemoryPatch,
    MemoryQuery,
    MemoryStatus,
    Revision,
    RevisionAction,
    Selection,
)
from memtui.service import MemoryService
from memtui.tui.reviewing import last_changes
from memtui.tui.screens.edit import EditScreen
from memtui.tui.screens.review import ReviewScreen
from tests.tui.conftest import Session, Start
from tests.tui.test_text_on_screen import NASTY, assert_harmless


def invalid(service: MemoryService, count: int) -> None:
    service.create_many(
        [MemoryCreate(content=f"Claim number {n} here", status="invalid") for n in range(count)]
    )


async def open_review(session: Session) -> ReviewScreen:
    await session.press("r")
    await session.until(lambda: isinstance(session.app.screen, ReviewScreen))
    screen = cast(ReviewScreen, session.app.screen)
    await session.until(lambda: "Looking" not in session.screen_text())
    return screen


def title(screen: ReviewScreen) -> str:
    return str(screen.query_one("#review-title", Static).content)


def shown(screen: ReviewScreen) -> str:
    return str(screen.query_one("#review-text", Static).content)


def notice(screen: ReviewScreen) -> str:
    return str(screen.query_one("#review-notice", Static).content)


def statuses(service: MemoryService) -> list[str]:
    found = {
        memory.id: str(memory.status)
        for status in (None, MemoryStatus.DELETED)
        for memory in service.search(MemoryQuery(status=status, limit=100), touch=False).items
    }
    return [found[key] for key in sorted(found)]


async def settled(session: Session, expected: list[str]) -> None:
    await session.until(lambda: statuses(session.service) == expected)


# --- decisions ---------------------------------------------------------------------------------


async def test_each_decision_is_one_key(service, start: Start):
    invalid(service, 4)
    async with start() as session:
        screen = await open_review(session)
        assert title(screen) == "Review  1 of 4"
        assert shown(screen) == "Claim number 3 here"
        await session.press("i")
        assert shown(screen) == "Claim number 2 here"
        await session.press("a", "d", "i")
        await session.until(lambda: "All reviewed." in session.screen_text())
        assert "2 kept invalid · 1 active again · 1 deleted" in session.screen_text()
        await settled(session, ["invalid", "deleted", "active", "invalid"])
    assert service.batches()[0].actor == "tui"


async def test_twenty_memories_take_twenty_one_keys(service, start: Start):
    invalid(service, 20)
    async with start() as session:
        await open_review(session)
        await session.press(*["a", "i"] * 10)
        await session.until(lambda: "All reviewed." in session.screen_text())
        await session.until(lambda: statuses(service).count("active") == 10)


async def test_it_is_taken_up_where_it_was_left(service, start: Start):
    invalid(service, 4)
    async with start() as session:
        screen = await open_review(session)
        await session.press("i", "a", "i", "u", "escape")
        await session.until(lambda: len(session.app.screen_stack) == 1)
        await settled(session, ["invalid", "invalid", "active", "invalid"])
        screen = await open_review(session)
        assert title(screen) == "Review  1 of 2"
        assert shown(screen) == "Claim number 1 here"
        service.patch(4, MemoryPatch(content="Claim changed after it was kept"))
        await session.press("escape")
        await session.until(lambda: len(session.app.screen_stack) == 1)
        screen = await open_review(session)
        assert title(screen) == "Review  1 of 3"
        assert shown(screen) == "Claim changed after it was kept"


async def test_looking_marks_nothing(service, start: Start):
    invalid(service, 3)
    service.create(MemoryCreate(content="Claim number 2 is right here"))
    async with start(peek=True) as session:
        await open_review(session)
        await session.press("i", "s", "u", "i", "i")
        await session.until(lambda: "All reviewed." in session.screen_text())
    page = service.search(MemoryQuery(), touch=False)
    assert [memory.last_accessed_at for memory in page.items] == [None] * 4


async def test_skipped_ones_come_again_at_the_end(service, start: Start):
    invalid(service, 3)
    async with start() as session:
        screen = await open_review(session)
        await session.press("s")
        assert title(screen) == "Review  1 of 3  1 skipped"
        assert shown(screen) == "Claim number 1 here"
        await session.press("i", "i")
        assert (title(screen), shown(screen)) == (
            "Review  3 of 3  1 skipped",
            "Claim number 2 here",
        )
        await session.press("s", "s", "i")
        await session.until(lambda: "3 kept invalid" in session.screen_text())


async def test_more_than_a_page_is_reviewed_to_the_end(service, start: Start):
    invalid(service, 103)
    async with start() as session:
        screen = await open_review(session)
        for _ in range(50):
            screen.action_keep_invalid()
            screen.action_make_active()
        await session.until(lambda: title(screen) == "Review  101 of 103")
        assert shown(screen) == "Claim number 2 here"
        await session.press("i", "i", "i")
        await session.until(lambda: "53 kept invalid · 50 active again" in session.screen_text())
        await session.until(lambda: statuses_count(service) == 50)


def statuses_count(service: MemoryService) -> int:
    return service.search(MemoryQuery(status=MemoryStatus.ACTIVE), touch=False).total


# --- undo --------------------------------------------------------------------------------------


async def test_undo_takes_each_decision_back_in_turn(service, start: Start):
    invalid(service, 4)
    async with start() as session:
        screen = await open_review(session)
        await session.press("a", "d", "i", "s")
        await settled(session, ["invalid", "invalid", "deleted", "active"])
        await session.press("u")
        assert shown(screen) == "Claim number 0 here"
        await session.press("u")
        assert shown(screen) == "Claim number 1 here"
        await session.press("u", "u")
        await settled(session, ["invalid"] * 4)
        await session.until(lambda: title(screen) == "Review  1 of 4")
        assert shown(screen) == "Claim number 3 here"
        await session.press("u", "a")
        await settled(session, ["invalid", "invalid", "invalid", "active"])


async def test_undo_right_after_a_decision_waits_for_it(service, start: Start):
    invalid(service, 2)
    async with start() as session:
        screen = await open_review(session)
        screen.action_make_active()
        screen.action_review_undo()
        await session.until(lambda: len(service.batches()) == 3)
        await session.until(lambda: title(screen) == "Review  1 of 2")
        assert statuses(service) == ["invalid", "invalid"]
        assert shown(screen) == "Claim number 1 here"


async def test_undo_leaves_alone_what_was_changed_since(service, start: Start):
    invalid(service, 2)
    async with start() as session:
        screen = await open_review(session)
        await session.press("a")
        await settled(session, ["invalid", "active"])
        service.patch(2, MemoryPatch(content="Changed since"))
        await session.press("u")
        await session.until(lambda: "changed since" in notice(screen))
        assert service.get(2, touch=False).content == "Changed since"
        assert title(screen) == "Review  2 of 2"


# --- editing -----------------------------------------------------------------------------------


async def edit(session: Session, *keys: str) -> None:
    await session.press("e")
    await session.until(lambda: isinstance(session.app.screen, EditScreen))
    await session.press(*keys, "ctrl+s")
    await session.until(lambda: isinstance(session.app.screen, ReviewScreen))


async def test_an_edit_that_leaves_it_invalid_shows_it_again(service, start: Start):
    invalid(service, 2)
    async with start() as session:
        screen = await open_review(session)
        await edit(session, "!")
        await session.until(lambda: shown(screen) == "Claim number 1 here!")
        assert title(screen) == "Review  1 of 2"
        await session.press("a")
        await settled(session, ["invalid", "active"])
        await session.press("u", "u")
        await session.until(lambda: shown(screen) == "Claim number 1 here")
        assert service.get(2, touch=False).content == "Claim number 1 here"


async def test_an_edit_that_makes_it_active_decides(service, start: Start):
    invalid(service, 2)
    async with start() as session:
        screen = await open_review(session)
        await edit(session, "!", "tab", "tab", "tab", "a")
        await session.until(lambda: title(screen) == "Review  2 of 2")
        await settled(session, ["invalid", "active"])
        await session.press("u")
        await settled(session, ["invalid", "invalid"])
        await session.until(lambda: shown(screen) == "Claim number 1 here")


# --- others ------------------------------------------------------------------------------------


async def test_one_that_was_changed_meanwhile_is_left_alone_and_comes_again(service, start):
    invalid(service, 3)
    async with start() as session:
        screen = await open_review(session)
        service.patch(3, MemoryPatch(content="Claim changed by someone"))
        screen.action_review_delete()
        await session.until(lambda: "was changed meanwhile" in notice(screen))
        assert statuses(service) == ["invalid"] * 3
        assert shown(screen) == "Claim number 1 here"
        await session.press("i")
        await session.until(lambda: shown(screen) == "Claim changed by someone")
        assert title(screen) == "Review  2 of 3"


async def test_a_change_elsewhere_is_shown_before_one_decides(service, start: Start):
    invalid(service, 2)
    async with start() as session:
        screen = await open_review(session)
        service.patch(2, MemoryPatch(content="Now it says this"))
        screen.on_store_changed(None)
        await session.until(lambda: shown(screen) == "Now it says this")
        assert "changed meanwhile" in notice(screen)
        await session.press("a")
        await settled(session, ["invalid", "active"])


@pytest.mark.parametrize(
    ("change", "said"),
    [(BulkChange(delete=True), "deleted"), (BulkChange(status="active"), "made active")],
)
async def test_one_that_is_gone_or_decided_elsewhere_is_never_shown(service, start, change, said):
    invalid(service, 3)
    async with start() as session:
        screen = await open_review(session)
        service.bulk(Selection.of([2]), change)
        await session.press("i")
        await session.until(lambda: shown(screen) == "Claim number 0 here")
        assert said in notice(screen)
        assert title(screen) == "Review  2 of 2"
        service.delete(1)
        await session.press("a")
        await session.until(lambda: "All reviewed." in session.screen_text())
        await session.until(lambda: "was deleted by someone else" in notice(screen))


async def test_nothing_to_review_says_so_and_every_key_is_harmless_case_32(seeded, start: Start):
    async with start() as session:
        screen = await open_review(session)
        assert "Nothing to review." in session.screen_text()
        assert "keep invalid" not in session.screen_text()
        await session.press("i", "a", "e", "d", "s", "u", "j", "k", "right", "space")
        assert session.app.screen is screen
        await session.press("escape", "escape")
        await session.until(lambda: len(session.app.screen_stack) == 1)
    assert seeded.batches(actor="tui") == ()


async def test_a_session_that_may_not_write_says_why(service, start: Start):
    invalid(service, 2)
    async with start(read_only=True) as session:
        screen = await open_review(session)
        await session.press("a")
        await session.until(lambda: "read-only" in notice(screen))
        await session.press("i")
        await session.until(lambda: shown(screen) == "Claim number 1 here")
        assert statuses(service) == ["invalid", "invalid"]


# --- what is shown -----------------------------------------------------------------------------


async def test_the_last_change_and_the_closest_active_memories_are_shown(service, start: Start):
    first = service.create(
        MemoryCreate(content="Project Falcon launch is in May", tags=("falcon",))
    )
    service.create(MemoryCreate(content="The Falcon project launch was moved to June"))
    service.patch(first.id, MemoryPatch(content="Project Falcon launch is in early May"))
    service.as_actor("mcp:claude").patch(first.id, MemoryPatch(status="invalid"))
    async with start() as session:
        await open_review(session)
        await session.until(lambda: "The Falcon project launch" in session.screen_text())
        text = session.screen_text()
        assert "Made invalid by mcp:claude" in text
        assert "active → invalid" in text
        assert "Changed by agent" in text
        assert "in early May" in text
        assert "#2" in text


def revision(version: int, action: str, content: str, status: str) -> Revision:
    return Revision.model_validate(
        {
            "seq": version,
            "memory_id": 1,
            "version": version,
            "action": RevisionAction(action),
            "content": content,
            "tags": (),
            "memory_type": "fact",
            "status": status,
            "at": "2026-04-06T14:12:00Z",
            "actor": "x",
            "batch": version,
        }
    )


def test_of_a_history_the_last_change_the_invalidation_and_the_last_text_are_picked():
    history = [
        revision(5, "patch", "b", "invalid"),
        revision(4, "patch", "b", "invalid"),
        revision(3, "patch", "b", "active"),
        revision(2, "patch", "a", "active"),
        revision(1, "create", "a", "active"),
    ]
    assert [change.revision.version for change in last_changes(history)] == [5, 4, 3]
    assert [change.revision.version for change in last_changes(history[:2])] == [5]
    assert [change.revision.version for change in last_changes(history[4:])] == [1]
    assert last_changes([]) == []


async def test_untrusted_text_does_nothing_in_the_review_case_27(service, start: Start):
    for text in NASTY:
        tag = text[:60].strip() or "x"
        memory: Memory = service.create(MemoryCreate(content=text, tags=(tag,)))
        service.create(MemoryCreate(content=text + " close", tags=(tag,)))
        service.as_actor("[@click=app.quit]q[/]\x1b[31m").patch(
            memory.id, MemoryPatch(status="invalid", content=text + " new", tags=())
        )
    async with start(size=(80, 24)) as session:
        await open_review(session)
        for _text in NASTY:
            await session.until(lambda: "Looking…" not in session.screen_text())
            assert_harmless(session)
            await session.press("i")
        await session.until(lambda: "All reviewed." in session.screen_text())


async def test_the_review_at_every_size_case_34(service, start: Start):
    invalid(service, 5)
    async with start() as session:
        screen = await open_review(session)
        for size in [(1, 1), (20, 5), (99, 10), (200, 60)]:
            await session.pilot.resize_terminal(*size)
            await session.press("i", "j", "k")
        assert title(screen) == "Review  3 of 5"  # nothing is done where nothing is seen


async def test_help_over_the_review(service, start: Start):
    invalid(service, 1)
    async with start() as session:
        screen = await open_review(session)
        await session.press("question_mark")
        await session.until(lambda: "In the review" in session.screen_text())
        await session.press("q")
        await session.until(lambda: session.app.screen is screen)
