"""Makes the pictures in `screenshots/` anew: python -m tests.tui.screenshots"""

from __future__ import annotations

import asyncio
import re
import tempfile
from pathlib import Path

from tests.tui.scenes import SCREENSHOTS, Scene, playing

FOLDER = Path(__file__).parents[2] / "screenshots"
_WEB_FONT = re.compile(r"\s*@font-face \{.*?\}\n", re.DOTALL)
_FONT = "Fira Code, ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace"


async def picture(scene: Scene) -> str:
    """Return the scene as SVG that needs nothing from the network."""
    with tempfile.TemporaryDirectory() as folder:
        async with playing(scene, Path(folder)) as app:
            svg = app.export_screenshot(title="memtui")
    svg = _WEB_FONT.sub("\n", svg)
    return svg.replace("font-family: Fira Code, monospace;", f"font-family: {_FONT};")


async def main() -> None:
    """Write every picture."""
    FOLDER.mkdir(exist_ok=True)
    for scene in SCREENSHOTS:
        path = FOLDER / f"{scene.name}.svg"
        path.write_text(await picture(scene), encoding="utf-8")
        print(path.relative_to(FOLDER.parent))


if __name__ == "__main__":
    asyncio.run(main())
