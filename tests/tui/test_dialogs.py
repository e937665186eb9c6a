"""The confirmation and the tags dialog."""

from __future__ import annotations

import pytest
from textual.widgets import Button, Static

from memtui.models import TagCount
from memtui.tui.screens.arrangement import is_too_small
from memtui.tui.screens.confirm import ConfirmDialog
from memtui.tui.screens.tags_dialog import TagsDialog
from memtui.tui.widgets.form_tags import TagInput, TagsField
from tests.tui.conftest import Session, Start
from tests.tui.test_text_on_screen import NASTY, assert_harmless

KNOWN = [TagCount("falcon", 88), TagCount("style", 61), TagCount("falcon-2", 3)]


class Asked:
    """A dialog on the screen, and the answers that it gave."""

    def __init__(self, session: Session, dialog: ConfirmDialog | TagsDialog) -> None:
        self.session = session
        self.dialog = dialog
        self.answers: list[object] = []
        session.app.push_screen(dialog, self.answers.append)

    async def answer(self, *keys: str) -> object:
        await self.session.until(lambda: self.session.app.screen is self.dialog)
        await self.session.press(*keys)
        await self.session.until(lambda: self.answers)
        assert len(self.session.app.screen_stack) == 1
        (answer,) = self.answers
        return answer


def destructive() -> ConfirmDialog:
    return ConfirmDialog("Remove 3 memories for good?", ["There is no undo."], "Remove")


# --- the confirmation ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "agreed"),
    [
        (["y"], True),
        (["n"], False),
        (["escape"], False),
        (["enter"], False),
        (["right", "enter"], True),
        (["tab", "enter"], True),
        (["right", "left", "enter"], False),
        (["y", "y", "y"], True),
        (["escape", "escape", "escape"], False),
        (["n", "y"], False),
        (["enter", "enter"], False),
    ],
)
async def test_keys_of_a_destructive_question_once_or_twice_case_32(seeded, start, keys, agreed):
    async with start() as session:
        assert await Asked(session, destructive()).answer(*keys) is agreed


async def test_a_harmless_question_is_agreed_to_with_enter(start: Start):
    async with start() as session:
        dialog = ConfirmDialog("Go on?", [], "Go on", destructive=False)
        assert await Asked(session, dialog).answer("enter") is True


async def test_a_click_answers(start: Start):
    async with start() as session:
        asked = Asked(session, destructive())
        await session.until(lambda: session.app.screen is asked.dialog)
        await session.pilot.click(Button)
        await session.until(lambda: asked.answers == [False])


async def test_dialogs_on_dialogs_close_one_by_one_case_32(seeded, start: Start):
    async with start() as session:
        first = Asked(session, TagsDialog("add", 1, KNOWN, ()))
        second = Asked(session, destructive())
        third = Asked(session, destructive())
        await session.until(lambda: session.app.screen is third.dialog)
        await session.press("escape", "y", "escape", "escape")
        await session.until(lambda: len(session.app.screen_stack) == 1)
        assert [*third.answers, *second.answers, *first.answers] == [False, True, None]


async def test_a_dialog_below_another_closes_with_it(start: Start):
    async with start() as session:
        below, above = Asked(session, destructive()), Asked(session, destructive())
        await session.until(lambda: session.app.screen is above.dialog)
        below.dialog.finish(True)
        await session.until(lambda: len(session.app.screen_stack) == 1)
        assert below.answers == [True]


# --- tags ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "tags"),
    [
        ([*"new", "enter", "enter"], ("new",)),
        ([*"new", "ctrl+s"], ("new",)),
        ([*"fal", "tab", "enter"], ("falcon",)),
        ([*"fal", "down", "down", "enter", "enter"], ("falcon-2",)),
        ([*"fal", "enter"], ("fal",)),
        ([*"a,b,a,", "enter"], ("a", "b")),
        (["down", "comma", "down", "enter"], ("falcon", "style")),
        ([*"a,b,", "backspace", "enter"], ("a",)),
        (["enter"], None),
        ([*"half", "escape"], None),
        (["escape", "escape"], None),
        ([*"x", "enter", "enter", "enter", "enter"], ("x",)),
    ],
)
async def test_adding_tags(start: Start, keys, tags):
    async with start() as session:
        assert await Asked(session, TagsDialog("add", 12, KNOWN, ())).answer(*keys) == tags


@pytest.mark.parametrize(
    ("keys", "tags"),
    [
        (["down", "enter", "enter"], ("falcon",)),
        ([*"sty", "enter", "enter"], ("style",)),
        ([*"sty", "ctrl+s"], ("style",)),
        ([*"s,f,", "enter"], ("style", "falcon")),
    ],
)
async def test_only_tags_that_are_there_can_be_removed(start: Start, keys, tags):
    async with start() as session:
        dialog = TagsDialog("remove", 5, KNOWN, KNOWN[:2])
        assert await Asked(session, dialog).answer(*keys) == tags


async def test_a_tag_that_is_not_there_is_not_removed(start: Start):
    async with start() as session:
        asked = Asked(session, TagsDialog("remove", 5, KNOWN, KNOWN[:2]))
        await session.until(lambda: session.app.screen is asked.dialog)
        await session.press(*"falcon-2", "enter", "ctrl+s")
        problem = asked.dialog.query_one("#tags-problem", Static)
        await session.until(lambda: "no tag here" in str(problem.content))
        assert asked.dialog.query_one(TagInput).value == "falcon-2"
        assert not asked.answers


async def test_no_tags_to_remove_is_said(start: Start):
    async with start() as session:
        asked = Asked(session, TagsDialog("remove", 1, KNOWN, ()))
        await session.until(lambda: "no tags to remove" in session.screen_text())
        assert await asked.answer("down", "tab", "enter") is None


async def test_it_says_for_how_many(start: Start):
    async with start() as session:
        asked = Asked(session, TagsDialog("add", 1_234, KNOWN, ()))
        await session.until(lambda: "Add tags to 1,234 memories" in session.screen_text())
        await asked.answer("escape")
        asked = Asked(session, TagsDialog("remove", 1, KNOWN, KNOWN))
        await session.until(lambda: "Remove tags from this memory" in session.screen_text())


async def test_tags_that_all_of_them_have_are_not_offered(start: Start):
    async with start() as session:
        asked = Asked(session, TagsDialog("add", 2, KNOWN, [TagCount("falcon", 2)]))
        assert await asked.answer("down", "enter", "enter") == ("style",)


async def test_what_is_no_tag_is_refused(start: Start):
    async with start() as session:
        asked = Asked(session, TagsDialog("add", 2, KNOWN, ()))
        await session.until(lambda: session.app.screen is asked.dialog)
        asked.dialog.query_one(TagInput).value = "x" * 65
        await session.press("enter", "ctrl+s")
        problem = asked.dialog.query_one("#tags-problem", Static)
        await session.until(lambda: "64" in str(problem.content))
        assert not asked.answers


async def test_untrusted_tags_do_nothing_case_27(start: Start):
    async with start(size=(80, 24)) as session:
        known = [TagCount(text, 1) for text in NASTY]
        asked = Asked(session, TagsDialog("add", 1, known, ()))
        await session.until(lambda: session.app.screen is asked.dialog)
        for _text in NASTY:
            assert_harmless(session)
            await session.press("down", "comma")
        field = asked.dialog.query_one(TagsField)
        assert field.tags
        assert_harmless(session)


async def test_a_question_shows_untrusted_text_safely_case_27(start: Start):
    async with start(size=(80, 24)) as session:
        asked = Asked(session, ConfirmDialog(NASTY[0], NASTY, NASTY[1]))
        await session.until(lambda: session.app.screen is asked.dialog)
        assert_harmless(session)
        assert "[@click=app.quit]" in session.screen_text()
        assert await asked.answer("escape") is False


@pytest.mark.parametrize("size", [(1, 1), (12, 3), (30, 9), (80, 24), (200, 50)])
async def test_dialogs_at_every_size_case_34(start: Start, size):
    async with start(size=size, wait=False) as session:
        asked = Asked(session, destructive())
        await session.until(lambda: session.app.screen is asked.dialog)
        if is_too_small(*size):
            await session.press("y")
            assert session.app.screen is asked.dialog  # nothing is done where nothing is seen
            await session.pilot.resize_terminal(80, 24)
        assert await asked.answer("y") is True
        await session.pilot.resize_terminal(*size)
        asked = Asked(session, TagsDialog("add", 1, KNOWN, ()))
        await session.until(lambda: session.app.screen is asked.dialog)
        await session.pilot.resize_terminal(max(size[0], 40), max(size[1], 10))
        assert await asked.answer("f", "tab", "enter") == ("falcon",)
