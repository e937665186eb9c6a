"""How the screens about files look."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from memtui.service import MemoryService
from memtui.tui.app import MemtuiApp
from memtui.tui.options import UiOptions
from memtui.tui.screens.browse import BrowseScreen
from memtui.tui.screens.import_screen import ImportScreen
from memtui.tui.screens.pick import PickDialog
from memtui.tui.screens.pick_file import PickFileDialog
from memtui.tui.widgets.file_tree import FileTree
from tests.clock import Clock
from tests.tui.conftest import until

SIZES = [(80, 24), (120, 40)]
Act = Callable[[Pilot[None]], Awaitable[None]]


@pytest.fixture
def app(
    path: Path,
    clock: Clock,
    seeded: MemoryService,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> MemtuiApp:
    folder = tmp_path / "notes"
    (folder / "vault").mkdir(parents=True)
    rows = [
        {"content": "Prefers tea to coffee", "tags": ["taste"], "memory_type": "preference"},
        {"content": "Falcon uses PostgreSQL 16.", "tags": ["falcon", "database"]},
        {"content": "[red]not markup[/red] 日本 \x1b[2J", "tags": ["odd"]},
    ]
    lines = [*map(json.dumps, rows), "{broken"]
    (folder / "memories.jsonl").write_text("\n".join(lines) + "\n")
    (folder / "notes.txt").write_text("")
    monkeypatch.chdir(folder)
    return MemtuiApp(
        UiOptions(db=str(path), peek=True),
        open_service=lambda: MemoryService.open(path, actor="tui", clock=clock),
        now=clock,
    )


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def looks(request, snap_compare, app) -> Callable[[Act], bool]:
    async def still(act: Act, pilot: Pilot[None]) -> None:
        pilot.app.animation_level = "none"
        await until(pilot, lambda: isinstance(pilot.app.screen, BrowseScreen))
        browse = pilot.app.screen
        await until(pilot, lambda: browse.page is not None and browse.idle)
        await act(pilot)
        for screen in pilot.app.screen_stack:
            for box in screen.query(Input):
                box.cursor_blink = False
        await pilot.pause()

    def compare(act: Act) -> bool:
        return snap_compare(
            app, terminal_size=request.param, run_before=lambda pilot: still(act, pilot)
        )

    return compare


def test_choosing_a_file(looks):
    async def act(pilot: Pilot[None]) -> None:
        dialog = PickFileDialog("Import from which file or folder?", Path())
        pilot.app.push_screen(dialog)
        await until(pilot, lambda: pilot.app.screen is dialog)
        tree = dialog.query_one(FileTree)
        await until(pilot, lambda: len(tree.root.children) == 3)
        await pilot.press("tab")
        await until(pilot, lambda: tree.has_focus)

    assert looks(act)


async def _import(pilot: Pilot[None], path: str) -> ImportScreen:
    browse = pilot.app.screen
    screen = ImportScreen(browse.gateway, browse.now, Path(path))
    pilot.app.push_screen(screen)
    await until(pilot, lambda: screen.report is not None or screen.error is not None)
    return screen


def test_what_would_come_in(looks):
    async def act(pilot: Pilot[None]) -> None:
        await _import(pilot, "memories.jsonl")

    assert looks(act)


def test_what_cannot_be_read(looks):
    async def act(pilot: Pilot[None]) -> None:
        await _import(pilot, "notes.txt")

    assert looks(act)


def test_what_to_export_as(looks):
    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("space", "space", "W")
        await until(pilot, lambda: isinstance(pilot.app.screen, PickDialog))

    assert looks(act)
