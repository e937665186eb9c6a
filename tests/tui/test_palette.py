"""The command palette: every action by name, and filters, also by untrusted tags."""

from __future__ import annotations

import pytest
from textual.command import CommandList, CommandPalette

from memtui.models import MemoryCreate
from memtui.tui.actions import ACTIONS
from memtui.tui.screens.edit import EditScreen
from memtui.tui.screens.review import ReviewScreen
from tests.tui.conftest import Session, Start
from tests.tui.test_text_on_screen import NASTY, assert_harmless


async def open_palette(session: Session, key: str = "colon") -> None:
    await session.press(key)
    await session.until(lambda: isinstance(session.app.screen, CommandPalette))


def offered(session: Session) -> list[str]:
    commands = session.app.screen.query_one(CommandList)
    return [str(commands.get_option_at_index(at).prompt) for at in range(commands.option_count)]


async def choose(session: Session, typed: str, first: str) -> None:
    await open_palette(session)
    await session.press(*typed)
    await session.until(lambda: offered(session) and offered(session)[0].startswith(first))
    await session.press("enter")
    await session.until(lambda: not isinstance(session.app.screen, CommandPalette))


@pytest.mark.parametrize("key", ["colon", "ctrl+p"])
async def test_every_action_is_offered_with_its_key_and_sentence(seeded, start: Start, key):
    async with start() as session:
        await open_palette(session, key)
        wanted = {action.help for action in ACTIONS if action.palette}
        await session.until(lambda: len(offered(session)) >= len(wanted) - 5)
        text = "\n".join(offered(session))
        assert "Write a new memory" in text
        assert [line for line in text.split("\n") if line.startswith("Delete ")]
        assert all(any(sentence in line for sentence in wanted) for line in text.split("\n"))


async def test_an_action_is_run(seeded, start: Start):
    async with start() as session:
        await choose(session, "review", "Review")
        await session.until(lambda: isinstance(session.app.screen, ReviewScreen))
        await session.press("escape")
        await choose(session, "new", "New")
        await session.until(lambda: isinstance(session.app.screen, EditScreen))


@pytest.mark.parametrize(
    ("typed", "found"), [("merge", "Manage tags"), ("unmark the others", "Invert")]
)
async def test_an_action_is_found_by_what_it_does(seeded, start: Start, typed, found):
    async with start() as session:
        await session.press("colon", *typed)
        await session.until(lambda: found in session.screen_text())


async def test_filters_and_sorts_are_run(seeded, start: Start):
    async with start() as session:
        await choose(session, "type: event", "Type: event")
        await session.until(lambda: session.browse.view.memory_type == "event")
        await choose(session, "status: inv", "Status: invalid")
        await session.until(lambda: session.browse.view.status == "invalid")
        await choose(session, "sort: by id", "Sort: by id")
        await session.until(lambda: session.browse.view.sort == "id")


async def test_a_tag_is_chosen_exactly_as_it_is_stored_case_27(service, start: Start):
    for text in NASTY:
        service.create(MemoryCreate(content="x", tags=(text[:60].strip() or "x",)))
    async with start() as session:
        await session.until(lambda: session.browse.whole)
        await open_palette(session)
        await session.press(*"tag:")
        await session.until(lambda: len(offered(session)) >= len(NASTY))
        assert_harmless(session)
        await session.press("escape", "escape")
        await choose(session, "tag: [red]red", "Tag: [red]red")
        await session.until(lambda: session.browse.view.tag == NASTY[0][:60].strip())
        await session.until(lambda: session.browse.page.total == 1)


async def test_over_a_form_only_the_form_s_actions_are_offered(seeded, start: Start):
    async with start() as session:
        await session.press("n")
        await session.until(lambda: isinstance(session.app.screen, EditScreen))
        form = session.app.screen
        await session.press("x")
        await open_palette(session, "ctrl+p")
        await session.until(lambda: any("Save the memory" in line for line in offered(session)))
        assert not any("Delete the memory" in line for line in offered(session))
        await session.press("escape")
        await session.until(lambda: session.app.screen is form)
        assert form.values.content == "x"


async def test_no_such_command(seeded, start: Start):
    async with start() as session:
        await open_palette(session)
        await session.press(*"zzqqzz")
        await session.until(lambda: "No matches found" in "".join(offered(session)))
        await session.press("enter", "escape", "escape")
        await session.until(lambda: len(session.app.screen_stack) == 1)
