"""Random keys, pastes, sizes and changes from outside on the UI: no exception, nothing disagrees.

`MEMTUI_KEYS=5000` presses so many keys (400 otherwise), in sequences of 100.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from textual import events

from memtui.errors import NotFoundError
from memtui.models import MemoryCreate, MemoryPatch
from memtui.service import MemoryService
from memtui.tui.app import MemtuiApp
from memtui.tui.options import UiOptions
from tests.clock import Clock
from tests.tui.conftest import SEED
from tests.tui.test_text_on_screen import NASTY

LENGTH = 100
SEQUENCES = max(1, int(os.environ.get("MEMTUI_KEYS", "400")) // LENGTH)
NAMED = [
    "escape", "escape", "enter", "space", "tab", "shift+tab", "up", "down", "left", "right", "home",
    "end", "pageup", "pagedown", "backspace", "delete", "f1", "f5", "ctrl+s", "ctrl+u", "ctrl+r",
    "ctrl+n", "ctrl+p", "ctrl+a", "ctrl+k", "ctrl+z", "ctrl+f", "ctrl+b", "shift+down", "shift+up",
    "right_square_bracket", "left_square_bracket", "right_curly_bracket", "slash", "number_sign",
    "plus", "underscore", "colon", "question_mark", "full_stop", "comma",
]  # fmt: skip
LEAVES = {"q", "Q", "E"}
"""`q` ends the program, `E` gives the terminal away; the other keys may do what they do."""
LETTERS = [chr(code) for code in range(33, 127) if chr(code).isalnum() and chr(code) not in LEAVES]

step = st.one_of(
    st.sampled_from(NAMED + LETTERS),
    st.sampled_from(LETTERS),
    st.tuples(st.just("paste"), st.sampled_from([*NASTY, "one\ntwo", "x" * 9_000]) | st.text()),
    st.tuples(st.just("size"), st.integers(1, 200), st.integers(1, 60)),
    st.tuples(st.just("patch"), st.integers(1, 6), st.sampled_from(NASTY)),
    st.tuples(st.just("delete"), st.integers(1, 6)),
    st.tuples(st.just("create"), st.sampled_from(NASTY)),
)


@settings(
    max_examples=SEQUENCES,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(steps=st.lists(step, min_size=LENGTH, max_size=LENGTH))
def test_random_keys_end_nothing_and_lose_nothing(tmp_path_factory, steps):
    folder: Path = tmp_path_factory.mktemp("keys")
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        patched.setenv("HOME", str(folder))
        asyncio.run(_press(folder / "memories.db", steps))


async def _press(path: Path, steps: list[object]) -> None:
    clock = Clock()
    with MemoryService.open(path, actor="agent", clock=clock) as service:
        for content, tags, memory_type in SEED:
            service.create(MemoryCreate(content=content, tags=tags, memory_type=memory_type))
        app = MemtuiApp(
            UiOptions(db=str(path), actor="tui"),
            open_service=lambda: MemoryService.open(path, actor="tui", clock=clock),
            now=clock,
        )
        async with app.run_test(size=(100, 30)) as pilot:
            for one in steps:
                await _take(pilot, service, one)
                assert app.is_running, one
        app.gateway.close()
        assert app._exception is None
        assert service.check() == ()


async def _take(pilot, service: MemoryService, one: object) -> None:
    match one:
        case str():
            await pilot.press(one)
        case ("paste", text):
            pilot.app.post_message(events.Paste(text))
            await pilot.pause()
        case ("size", width, height):
            await pilot.resize_terminal(width, height)
        case ("patch", id_, text):
            _outside(lambda: service.patch(id_, MemoryPatch(content=text)))
        case ("delete", id_):
            _outside(lambda: service.delete(id_))
        case ("create", text):
            service.create(MemoryCreate(content=text))


def _outside(change: Callable[[], object]) -> None:
    with suppress(NotFoundError):
        change()
