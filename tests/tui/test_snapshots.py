"""How the browse screen looks, and that the pictures in `screenshots/` show it as it is."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.tui import scenes
from tests.tui.screenshots import FOLDER, picture


@pytest.mark.parametrize("scene", scenes.LOOKS, ids=lambda scene: scene.name)
def test_looks(scene: scenes.Scene, snap_compare, tmp_path: Path):
    app = scenes.app_on(tmp_path, scene)
    assert snap_compare(app, terminal_size=scene.size, run_before=partial(scenes.play, scene))


@pytest.mark.parametrize("scene", scenes.SCREENSHOTS, ids=lambda scene: scene.name)
async def test_the_screenshots_are_those_of_this_version(scene: scenes.Scene):
    path = FOLDER / f"{scene.name}.svg"
    kept = path.read_text(encoding="utf-8")
    assert await picture(scene) == kept, "run: python -m tests.tui.screenshots"


def test_no_picture_is_left_over_and_none_needs_the_network():
    kept = {path.name for path in FOLDER.iterdir()}
    assert kept == {f"{scene.name}.svg" for scene in scenes.SCREENSHOTS}
    for path in FOLDER.iterdir():
        assert "url(http" not in path.read_text(encoding="utf-8")
