"""How the form, the dialogs, the help, the review and the palette look."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from memtui.errors import ConflictError
from memtui.models import MemoryPatch, TagCount
from memtui.service import MemoryService
from memtui.tui.app import MemtuiApp
from memtui.tui.options import UiOptions
from memtui.tui.screens.browse import BrowseScreen
from memtui.tui.screens.confirm import ConfirmDialog
from memtui.tui.screens.edit import EditScreen
from memtui.tui.screens.tags_dialog import TagsDialog
from memtui.tui.widgets.form_tags import TagInput
from tests.clock import Clock
from tests.tui.conftest import until

Act = Callable[[Pilot[None]], Awaitable[None]]
SIZES = [(80, 24), (120, 40)]
KNOWN = [TagCount("falcon", 88), TagCount("style", 61), TagCount("fal[red]con", 3)]


@pytest.fixture
def app(path: Path, clock: Clock, seeded: MemoryService) -> MemtuiApp:
    seeded.as_actor("cli").patch(
        2, MemoryPatch(content="Project Falcon launch moved to early May.", tags=("falcon", "old"))
    )
    clock.tick(hours=1)
    seeded.as_actor("mcp:claude").patch(2, MemoryPatch(status="invalid"))
    seeded.patch(6, MemoryPatch(content="Project Falcon uses PostgreSQL 16."))
    clock.tick(hours=2)
    return MemtuiApp(
        UiOptions(db=str(path)),
        open_service=lambda: MemoryService.open(path, actor="tui", clock=clock),
        now=clock,
    )


def still(act: Act) -> Act:
    """Do `act` once the table is there, and hold every cursor still."""

    async def run(pilot: Pilot[None]) -> None:
        pilot.app.animation_level = "none"
        await until(pilot, lambda: isinstance(pilot.app.screen, BrowseScreen))
        browse = pilot.app.screen
        await until(pilot, lambda: browse.page is not None and browse.idle)
        await act(pilot)
        for screen in pilot.app.screen_stack:
            for box in screen.query(Input):
                box.cursor_blink = False
            for area in screen.query(TextArea):
                area.cursor_blink = False
        await pilot.pause()

    return run


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def looks(request, snap_compare, app) -> Callable[[Act], bool]:
    def compare(act: Act) -> bool:
        return snap_compare(app, terminal_size=request.param, run_before=still(act))

    return compare


def shows(pilot: Pilot[None], kind: type) -> Callable[[], bool]:
    return lambda: isinstance(pilot.app.screen, kind)


def test_form(looks):
    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("e")
        await until(pilot, shows(pilot, EditScreen))
        await pilot.press(*" Or 17.", "tab", "backspace", *"fal", "enter", *"st", "down")

    assert looks(act)


def test_form_with_problems(looks):
    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("n")
        await until(pilot, shows(pilot, EditScreen))
        form = pilot.app.screen
        form.query_one("#form-content", TextArea).load_text("too much \x1b[31m " * 600)
        form.query_one(TagInput).value = "x" * 65
        await pilot.press("tab", "end", "enter", "ctrl+s")

    assert looks(act)


def test_unsaved_text(looks):
    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("e")
        await until(pilot, shows(pilot, EditScreen))
        await pilot.press("x", "escape")
        await until(pilot, shows(pilot, ConfirmDialog))

    assert looks(act)


def test_conflict(looks, seeded: MemoryService):
    async def act(pilot: Pilot[None]) -> None:
        base = seeded.get(2, touch=False)
        form = EditScreen(base, KNOWN)
        await pilot.app.push_screen(form)
        area = form.query_one("#form-content", TextArea)
        area.load_text("Project Falcon launch moved to late May. Tell Ana.")
        await pilot.press("tab", *"mine", "enter", "tab", "e")
        theirs = {
            "content": "The Project Falcon launch moved to June.",
            "tags": ("falcon", "moved"),
            "version": base.version + 1,
        }
        form.failed(ConflictError(base.model_copy(update=theirs), base.version))

    assert looks(act)


@pytest.mark.parametrize("mode", ["add", "remove"])
def test_tags(looks, mode):
    async def act(pilot: Pilot[None]) -> None:
        await pilot.app.push_screen(TagsDialog(mode, 12, KNOWN, KNOWN))
        await pilot.press(*"style", "enter", "f", "down")

    assert looks(act)


def test_help(looks):
    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("question_mark")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 2)

    assert looks(act)


def test_review(looks):
    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("r")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 2)
        related = pilot.app.screen.query_one("#review-close")
        await until(pilot, lambda: "PostgreSQL" in str(related.content))

    assert looks(act)


def test_review_done(looks):
    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("r")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 2)
        screen = pilot.app.screen
        await until(pilot, lambda: "1 of 1" in str(screen.query_one("#review-title").content))
        await pilot.press("a")
        await until(pilot, lambda: "All reviewed" in str(screen.query_one("#review-empty").content))

    assert looks(act)


def test_palette(looks):
    async def act(pilot: Pilot[None]) -> None:
        await pilot.press("colon")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 2)
        await pilot.press(*"tag")
        commands = pilot.app.screen.query_one("CommandList")
        await until(pilot, lambda: commands.option_count >= 6)
        await until(pilot, lambda: all(worker.is_finished for worker in pilot.app.workers))

    assert looks(act)
