"""The help: every key, those for the focus first, found by searching."""

from __future__ import annotations

import pytest

from memtui.tui.actions import ACTIONS, Place, key_label, keys_of
from memtui.tui.screens.arrangement import is_too_small
from memtui.tui.screens.help import HelpScreen
from memtui.tui.widgets.form_help import place_name, sections
from tests.tui.conftest import Start


@pytest.mark.parametrize("place", list(Place))
def test_every_action_is_listed_once_and_those_of_the_focus_come_first(place):
    found = sections(place, ACTIONS, {})
    rows = [row for section in found for row in section.rows]
    assert sorted(row.does for row in rows) == sorted(action.help for action in ACTIONS)
    here = sum(place in action.where for action in ACTIONS)
    assert found[0].title == f"In the {place_name(place)}"
    assert len(found[0].rows) == here
    assert all(row.where == "" for row in found[0].rows)
    assert all(row.where for section in found[1:] for row in section.rows)


def test_keys_are_shown_as_the_person_set_them():
    rows = [
        row for section in sections(Place.TABLE, ACTIONS, {"edit": "f2, E"}) for row in section.rows
    ]
    (edit,) = [row for row in rows if row.does.startswith("Edit the memory's")]
    assert edit.keys == "f2  E"


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: action.id)
def test_an_action_is_found_by_its_words_and_its_key(action):
    key = key_label(keys_of(action, {})[0])
    for wanted in (action.label.upper(), action.help[3:20], key):
        rows = [row for part in sections(Place.TABLE, ACTIONS, {}, wanted) for row in part.rows]
        assert action.help in [row.does for row in rows]


async def test_it_opens_for_the_focus_and_closes_with_each_of_its_keys(seeded, start: Start):
    async with start() as session:
        for key in ("escape", "q", "question_mark", "f1"):
            await session.press("question_mark")
            await session.until(lambda: isinstance(session.app.screen, HelpScreen))
            assert "In the table" in session.screen_text()
            await session.press(key)
            await session.until(lambda: len(session.app.screen_stack) == 1)


async def test_searching_and_leaving_the_search(seeded, start: Start):
    async with start() as session:
        await session.press("question_mark")
        await session.until(lambda: isinstance(session.app.screen, HelpScreen))
        await session.press("slash", *"deleted memory")
        await session.until(lambda: "Bring a deleted memory" in session.screen_text())
        assert "Write a new memory" not in session.screen_text()
        await session.press("q", "?")
        await session.until(lambda: "No key does that." in session.screen_text())
        await session.press("escape")
        await session.until(lambda: "Write a new memory" in session.screen_text())
        await session.press("escape")
        await session.until(lambda: len(session.app.screen_stack) == 1)


async def test_the_last_line_can_be_reached_with_the_keys(seeded, start: Start):
    async with start(size=(80, 24)) as session:
        await session.press("question_mark")
        await session.until(lambda: isinstance(session.app.screen, HelpScreen))
        body = session.app.screen.query_one("#help-body")
        await session.press("j")
        await session.until(lambda: body.scroll_y == 1)
        await session.press("end")
        await session.until(lambda: body.scroll_y == body.max_scroll_y > 0)
        await session.press("k", "k")
        await session.until(lambda: body.scroll_y == body.max_scroll_y - 2)


@pytest.mark.parametrize("size", [(1, 1), (12, 4), (40, 12), (200, 60)])
async def test_help_at_every_size_case_34(seeded, start: Start, size):
    async with start() as session:
        session.app.push_screen(HelpScreen(Place.REVIEW, ACTIONS))
        await session.pilot.resize_terminal(*size)
        await session.press("j", "slash", "x", "escape", "escape")
        if is_too_small(*size):  # nobody sees what a key does there
            assert len(session.app.screen_stack) == 2
            await session.pilot.resize_terminal(80, 24)
            await session.press("escape")
        await session.until(lambda: len(session.app.screen_stack) == 1)
