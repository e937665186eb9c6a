"""How marks, the preview, the outcome, a draft's offer and the news of others look."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import pytest
from textual.pilot import Pilot

from memtui.models import MemoryCreate, MemoryPatch
from memtui.service import MemoryService
from memtui.tui.drafts import Draft, DraftFile
from memtui.tui.merge import Edited
from memtui.tui.screens import browse_live
from tests.tui import scenes
from tests.tui.conftest import until
from tests.tui.scenes import NOW, Scene, typed

Act = Callable[[Pilot[None]], Awaitable[None]]
SIZES = [(80, 24), (120, 40)]


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def looks(request, snap_compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Play keys on the sample memories, then `act`, and compare; toasts and news stay."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(browse_live, "LINGERS", 600.0)

    def compare(act: Act, *keys: str, before: Callable[[Path], None] | None = None) -> bool:
        scene = Scene("", request.param)
        app = scenes.app_on(tmp_path, scene)
        if before is not None:
            before(tmp_path / "memories.db")

        async def run(pilot: Pilot[None]) -> None:
            await scenes.play(scene, pilot)
            await pilot.press(*keys)
            await act(pilot)
            await scenes._until_still(pilot)

        return snap_compare(app, terminal_size=scene.size, run_before=run)

    return compare


def agent(path: Path) -> MemoryService:
    return MemoryService.open(path, actor="mcp:claude", clock=lambda: NOW)


async def idle(pilot: Pilot[None]) -> None:
    await until(pilot, lambda: pilot.app.screen.idle)


async def previewed(pilot: Pilot[None]) -> None:
    await until(pilot, lambda: getattr(pilot.app.screen, "preview", None) is not None)


def test_marks_and_a_range_some_of_them_hidden(looks):
    async def act(pilot: Pilot[None]) -> None:
        await idle(pilot)
        await pilot.press("v", "j", "j")
        await idle(pilot)

    assert looks(act, *"j", "space", "space", "slash", *typed("falcon"), "enter")


def test_preview_of_a_bulk_change(looks):
    async def act(pilot: Pilot[None]) -> None:
        await previewed(pilot)

    assert looks(act, "space", "space", "j", "space", "t", *typed("soon"), "enter")


def test_outcome_of_which_some_failed(looks, tmp_path: Path):
    async def act(pilot: Pilot[None]) -> None:
        await previewed(pilot)
        with agent(tmp_path / "memories.db") as service:
            service.patch(131, MemoryPatch(tags=("x",)))
        pilot.app._disable_notifications = False
        pilot.app.screen_stack[0].say = say_for_long(pilot.app.screen_stack[0])
        await pilot.press("y")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        await until(pilot, lambda: "left alone" in scenes._text(pilot))
        await until(pilot, lambda: "mcp:claude" in scenes._text(pilot))
        await idle(pilot)

    assert looks(act, "space", "space", "j", "space", "t", *typed("soon"), "enter")


def say_for_long(browse):
    def say(text: str, hint: str = "", *, bad: bool = False) -> None:
        browse.notify(f"{text}\n{hint}", severity="warning", markup=False, timeout=600)

    return say


def test_offer_of_a_draft(looks):
    def leave_a_draft(path: Path) -> None:
        with MemoryService.open(path) as service:
            base = service.get(126, touch=False)
        place = DraftFile(str(path))
        text = f"{base.content} We looked at Redpanda as well."
        values = Edited(text, (*base.tags, "queue"), "event", "active")
        place.write(Draft(base, values, NOW - timedelta(minutes=5)))
        place.release()

    async def act(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: "unsaved" in scenes._text(pilot))

    assert looks(act, before=leave_a_draft)


def test_rows_that_just_changed_and_who_changed_them(looks, tmp_path: Path):
    async def act(pilot: Pilot[None]) -> None:
        with agent(tmp_path / "memories.db") as service:
            service.patch(128, MemoryPatch(content="Load test: 4,100 messages a second."))
            service.patch(126, MemoryPatch(tags=("falcon", "queue")))
            service.create(
                MemoryCreate(content="Falcon: on-call from Monday.", memory_type="event")
            )
        await until(pilot, lambda: "changed 3 memories" in scenes._text(pilot))
        await until(pilot, lambda: "on-call from Monday" in scenes._text(pilot))
        await idle(pilot)

    assert looks(act, "space", "j")
