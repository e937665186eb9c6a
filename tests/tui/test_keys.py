"""The registry of actions: one source for bindings, hints and overrides."""

from __future__ import annotations

import subprocess
import sys

import pytest
from textual.keys import _character_to_key

from memtui.tui.actions import ACTIONS, BY_ID, Place, Scope, key_problems
from memtui.tui.actions.key_names import NAMED
from memtui.tui.app import MemtuiApp
from memtui.tui.screens.browse import BrowseScreen
from memtui.tui.widgets.detail import Detail
from memtui.tui.widgets.rows import Rows
from memtui.tui.widgets.search_box import SearchBox
from tests.tui.conftest import Start

OWNERS = {
    Scope.APP: MemtuiApp,
    Scope.BROWSE: BrowseScreen,
    Scope.LIST: Rows,
    Scope.DETAIL: Detail,
    Scope.SEARCH: SearchBox,
}


@pytest.mark.parametrize("action", [a for a in ACTIONS if a.scope in OWNERS], ids=lambda a: a.id)
def test_every_action_is_bound_and_has_its_method(action):
    owner = OWNERS[action.scope]
    assert callable(getattr(owner, f"action_{action.id}", None))
    bound = {binding.id for binding in owner.BINDINGS}
    assert action.id in bound


def test_ids_are_unique_and_texts_are_there():
    assert len(BY_ID) == len(ACTIONS)
    for action in ACTIONS:
        assert action.label
        assert action.help
        assert action.where


def test_the_defaults_have_no_clash():
    assert key_problems({}) == []


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        ({"fly": "y"}, "is not an action"),
        ({"edit": ""}, "empty key"),
        ({"edit": "e,e"}, "twice"),
        ({"edit": "banana"}, "is not a key"),
        ({"edit": "x"}, "also the key of toggle_invalid"),
        ({"edit": "z", "copy": "z"}, "bound twice"),
        ({"edit": "slash"}, "also the key of search"),
    ],
)
def test_bad_overrides_are_named(overrides, said):
    problems = key_problems(overrides)
    assert problems
    assert said in str(problems[0])
    assert problems[0].loc[0] == "keys"


@pytest.mark.parametrize(
    "overrides", [{"edit": "ctrl+e, f2"}, {"edit": "x", "toggle_invalid": "e"}, {"copy": "ctrl+y"}]
)
def test_good_overrides_are_taken(overrides):
    assert key_problems(overrides) == []


def test_key_names_are_those_of_textual():
    for char, name in NAMED.items():
        assert _character_to_key(char) == name


def test_the_registry_needs_no_textual():
    code = (
        "import sys, memtui.tui.actions;"
        "bad = [m for m in ('textual', 'rich', 'pydantic', 'sqlmodel') if m in sys.modules];"
        "sys.exit(str(bad) if bad else 0)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_first_frame_needs_no_models_and_no_sql():
    code = (
        "import sys, memtui.tui.app;"
        "bad = [m for m in ('pydantic', 'sqlalchemy', 'sqlmodel', 'pyperclip', 'memtui.models',"
        " 'memtui.service') if m in sys.modules];"
        "sys.exit(str(bad) if bad else 0)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


async def test_keys_can_be_moved(seeded, start: Start):
    async with start(
        keys={"delete": "D", "toggle_theme": "ctrl+t", "cursor_down": "n", "new": "N"}
    ) as session:
        await session.press("n")
        assert session.current_id == 5
        await session.press("d")
        await session.idle()
        assert 5 in session.ids
        assert any(hint.key == "D" and hint.label == "delete" for hint in session.browse.keys.hints)
        await session.press("D")
        await session.until(lambda: 5 not in session.ids)


async def test_hints_follow_the_focus(seeded, start: Start):
    async with start() as session:
        labels = lambda: [hint.label for hint in session.browse.keys.hints]  # noqa: E731
        assert {"read", "edit", "delete"} <= set(labels())
        await session.press("1")
        await session.until(lambda: "choose" in labels())
        assert "edit" not in labels()
        await session.press("slash")
        await session.until(lambda: "to the results" in labels())
        assert "new" not in labels()
        assert session.browse.place() is Place.SEARCH
