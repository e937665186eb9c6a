"""What the screenshots and the snapshots show: the sample memories at one moment, and some keys."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from memtui import sample
from memtui.service import MemoryService
from memtui.tui.app import MemtuiApp
from memtui.tui.options import UiOptions
from memtui.tui.screens.browse import BrowseScreen

NOW = datetime(2026, 4, 6, 14, 12, tzinfo=UTC)
_PATIENCE = 30.0


class Scene(NamedTuple):
    """A picture: its name, the terminal's size, the keys pressed, and what is then to be read."""

    name: str
    size: tuple[int, int]
    keys: tuple[str, ...] = ()
    shows: str = ""
    theme: str = "dark"
    empty: bool = False


def typed(text: str) -> tuple[str, ...]:
    """The keys that type `text`."""
    return tuple("space" if char == " " else char for char in text)


SCREENSHOTS = (
    Scene("browse-120x40", (120, 40), ("j", "j")),
    Scene("browse-80x24", (80, 24), ("j", "j")),
    Scene(
        "filtered-120x40",
        (120, 40),
        ("slash", *typed("falcon"), "enter", "m", "m", "2", "j", "enter", "3"),
        "1 of ",
    ),
    Scene("edit-120x40", (120, 40), ("j", "j", "e"), "nothing changed"),
    Scene("review-120x40", (120, 40), ("r",), "keep invalid"),
    Scene("help-120x40", (120, 40), ("question_mark",), "Keys"),
)
"""The pictures in `screenshots/`."""

LOOKS = (
    Scene("light-120x40", (120, 40), ("1", "j"), theme="light"),
    Scene("wide-200x50", (200, 50), ("G", "4")),
    Scene("short-120x24", (120, 24), ("j",)),
    Scene("tall-80x50", (80, 50), ("j",)),
    Scene("detail-80x24", (80, 24), ("enter",), "last read"),
    Scene("filters-80x24", (80, 24), ("f", "j"), "Status"),
    Scene("typing-80x24", (80, 24), ("slash", *typed("station")), "station"),
    Scene("nothing-found-80x24", (80, 24), ("slash", *typed("zebra"), "enter"), "zebra"),
    Scene("deleted-80x24", (80, 24), ("o", "o", "o"), "only deleted"),
    Scene("empty-80x24", (80, 24), shows="Nothing is remembered yet", empty=True),
    Scene("small-40x10", (40, 10)),
    Scene("too-small-30x8", (30, 8), shows="memtui needs"),
)
"""More layouts that a snapshot keeps."""


def app_on(folder: Path, scene: Scene) -> MemtuiApp:
    """Return the app on the sample memories (or on none), where and when every picture is taken."""
    path = folder / "memories.db"
    if not scene.empty:
        sample.fill(path, now=NOW)
    return MemtuiApp(
        UiOptions(db=str(path), theme=scene.theme),
        open_service=lambda: MemoryService.open(path, actor="tui", clock=lambda: NOW),
        now=lambda: NOW,
    )


async def play(scene: Scene, pilot: Pilot[None]) -> None:
    """Press the scene's keys and wait until its picture stands still."""
    app = pilot.app
    app.animation_level = "none"
    await _until(pilot, lambda: isinstance(app.screen, BrowseScreen))
    browse = app.screen
    assert isinstance(browse, BrowseScreen)
    await _until(pilot, lambda: browse.page is not None and browse.idle)
    await _until_still(pilot)  # a screen behind another one is laid out no more
    for key in scene.keys:
        await pilot.press(key)
    await _until(pilot, lambda: browse.idle and scene.shows in _text(pilot))
    for screen in app.screen_stack:
        for box in (*screen.query(Input), *screen.query(TextArea)):
            box.cursor_blink = False
    await _until_still(pilot)


@asynccontextmanager
async def playing(scene: Scene, folder: Path) -> AsyncIterator[MemtuiApp]:
    """Run the app and play `scene` on it."""
    app = app_on(folder, scene)
    async with app.run_test(size=scene.size) as pilot:
        await play(scene, pilot)
        yield app
    app.gateway.close()


def _text(pilot: Pilot[None]) -> str:
    return "\n".join(strip.text for strip in pilot.app.screen._compositor.render_strips())


async def _until_still(pilot: Pilot[None]) -> None:
    """Wait until the screen, colours included, is the same four looks in a row."""
    seen: list[str] = []
    while len(seen) < 4 or len(set(seen[-4:])) > 1:
        await pilot.pause(0.05)
        seen.append(pilot.app.export_screenshot())


async def _until(pilot: Pilot[None], condition) -> None:
    deadline = monotonic() + _PATIENCE
    while not condition():
        if monotonic() > deadline:
            raise AssertionError(f"the scene never came:\n{_text(pilot)}")
        await pilot.pause(0.01)
