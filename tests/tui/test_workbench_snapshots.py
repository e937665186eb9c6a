"""How the curator's screens and their dialogs look."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from memtui.agents import ActivityKind
from memtui.models import BulkChange, MemoryCreate, MemoryPatch, MemoryQuery, SavedView, Selection
from memtui.service import MemoryService
from memtui.tui.app import MemtuiApp
from memtui.tui.options import UiOptions
from memtui.tui.screens.activity import ActivityScreen
from memtui.tui.screens.agents import AgentsScreen
from memtui.tui.screens.browse import BrowseScreen
from memtui.tui.screens.history import HistoryScreen
from memtui.tui.screens.pick import PickDialog
from memtui.tui.screens.preview import PreviewDialog
from memtui.tui.screens.prompt import PromptDialog
from memtui.tui.screens.stale import StaleScreen
from memtui.tui.screens.stats import StatsScreen
from memtui.tui.screens.tag_manager import TagManagerScreen
from memtui.tui.screens.undo_list import UndoListScreen
from memtui.tui.screens.views import ViewsScreen
from tests.clock import Clock
from tests.tui.conftest import until

SIZES = [(80, 24), (120, 40)]
Act = Callable[[Pilot[None]], Awaitable[None]]


@pytest.fixture
def app(path: Path, clock: Clock, seeded: MemoryService) -> MemtuiApp:
    """A store with a past: edits by several, a bulk change and its undo, tags that look alike."""
    claude = seeded.as_actor("mcp:claude")
    clock.tick(days=40)
    claude.patch(2, MemoryPatch(content="Project Falcon launch moved to early June."))
    clock.tick(days=40)
    claude.patch(2, MemoryPatch(tags=("falcon", "dates"), status="invalid"))
    clock.tick(hours=2)
    claude.create(MemoryCreate(content="Tests run with pytest.", tags=("pytest", "style")))
    seeded.create(MemoryCreate(content="Prefers py-test fixtures.", tags=("py-test",)))
    clock.tick(hours=1)
    tui = seeded.as_actor("tui")
    tagged = tui.bulk(Selection.matching(MemoryQuery()), BulkChange(add_tags=("checked",)))
    clock.tick(minutes=5)
    tui.undo(tagged.batch)
    tui.bulk(Selection.matching(MemoryQuery(tag="falcon")), BulkChange(add_tags=("launch",)))
    clock.tick(days=20)
    seeded.get(1)
    seeded.save_view(SavedView(name="launch", query=MemoryQuery(tag="falcon", sort="updated_at")))
    seeded.save_view(SavedView(name="to check", query=MemoryQuery(status="invalid", q="the")))
    options = UiOptions(db=str(path), peek=True, standard_tags=("falcon", "decision"))
    return MemtuiApp(
        options,
        open_service=lambda: MemoryService.open(path, actor="tui", clock=clock),
        now=clock,
    )


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def looks(request, snap_compare, app) -> Callable[[Act], bool]:
    async def still(act: Act, pilot: Pilot[None]) -> None:
        """Do `act` once the table is there, and hold every cursor still."""
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


async def opened(pilot: Pilot[None], key: str, kind: type):
    await pilot.press(key)
    await until(pilot, lambda: type(pilot.app.screen) is kind)
    return pilot.app.screen


def test_history(looks):
    async def act(pilot: Pilot[None]) -> None:
        browse = pilot.app.screen
        browse.table.go_to(2)
        screen = await opened(pilot, "h", HistoryScreen)
        await until(pilot, lambda: screen.page is not None)
        await pilot.press("j", "j")

    assert looks(act)


def test_activity(looks):
    async def act(pilot: Pilot[None]) -> None:
        screen = await opened(pilot, "H", ActivityScreen)
        await until(pilot, lambda: screen.page is not None)
        await pilot.press("j")

    assert looks(act)


def test_whose_changes(looks):
    async def act(pilot: Pilot[None]) -> None:
        screen = await opened(pilot, "H", ActivityScreen)
        await until(pilot, lambda: screen.page is not None)
        await opened(pilot, "a", PickDialog)

    assert looks(act)


def test_what_agents_read(looks, seeded, clock):
    weather = seeded.as_actor("autogen:weather")
    weather.note_activity(ActivityKind.QUERIED, (1, 3), "ranked, 2 found")
    weather.note_activity(ActivityKind.INJECTED, (1, 3), "96 of 4,000 characters")
    clock.tick(minutes=8)
    seeded.as_actor("mcp:claude").get(1, noted="inspect_memory")
    clock.tick(minutes=8)
    weather.note_activity(ActivityKind.RETRACTED, (2,), "invalid now")

    async def act(pilot: Pilot[None]) -> None:
        screen = await opened(pilot, "w", AgentsScreen)
        await until(pilot, lambda: screen.activities is not None)
        await pilot.press("j", "j")
        await until(pilot, lambda: "Albany" in screen.pane.shown)

    assert looks(act)


def test_undo_list(looks):
    async def act(pilot: Pilot[None]) -> None:
        screen = await opened(pilot, "U", UndoListScreen)
        await until(pilot, lambda: screen.preview is not None)

    assert looks(act)


def test_tag_manager(looks):
    async def act(pilot: Pilot[None]) -> None:
        screen = await opened(pilot, "M", TagManagerScreen)
        await until(pilot, lambda: "would change" in screen.pane.shown)

    assert looks(act)


def test_renaming_a_tag(looks):
    async def act(pilot: Pilot[None]) -> None:
        screen = await opened(pilot, "M", TagManagerScreen)
        await until(pilot, lambda: screen.loaded)
        screen.grid.go_to(("tag", "falcon"))
        await until(pilot, lambda: "#" in screen.pane.shown)
        await opened(pilot, "r", PromptDialog)

    assert looks(act)


def test_removing_a_tag(looks):
    async def act(pilot: Pilot[None]) -> None:
        screen = await opened(pilot, "M", TagManagerScreen)
        await until(pilot, lambda: screen.loaded)
        screen.grid.go_to(("tag", "falcon"))
        await until(pilot, lambda: "#" in screen.pane.shown)
        dialog = await opened(pilot, "d", PreviewDialog)
        await until(pilot, lambda: dialog.preview is not None)

    assert looks(act)


def test_views(looks):
    async def act(pilot: Pilot[None]) -> None:
        screen = await opened(pilot, "V", ViewsScreen)
        await until(pilot, lambda: screen.loaded)

    assert looks(act)


def test_stale(looks):
    async def act(pilot: Pilot[None]) -> None:
        screen = await opened(pilot, "z", StaleScreen)
        close = screen.query_one("#review-close")
        await until(pilot, lambda: "1 of" in str(screen.query_one("#review-title").content))
        await until(pilot, lambda: str(close.content) not in {"", "Looking…"})

    assert looks(act)


def test_stats(looks, monkeypatch):
    from memtui.tui.screens import stats

    monkeypatch.setattr(stats, "decimal", lambda _bytes: "64.0 kB")

    async def act(pilot: Pilot[None]) -> None:
        screen = await opened(pilot, "S", StatsScreen)
        await until(pilot, lambda: screen.figures is not None)

    assert looks(act)
