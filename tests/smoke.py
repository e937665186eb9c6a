"""Does the README's first line end in the terminal UI? `python -m tests.smoke CLONE LINE`

The line runs in a copy of the clone's commit, with an empty home, in a pseudo-terminal, until the
sample memories are on the screen; then `q` must end it with 0 and leave nothing in the home.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from .terminal import Terminal

INSTALL_SECONDS = 600
WANTED = ("Safety group signed off", "120 active", "search")


def main(clone: str, line: str) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        copy, home = Path(scratch) / "clone", Path(scratch) / "home"
        home.mkdir()
        subprocess.run(["git", "clone", "-q", clone, str(copy)], check=True)
        terminal = Terminal(["bash", "-c", line], _environment(home), copy)
        if not terminal.shows(*WANTED, seconds=INSTALL_SECONDS):
            print(terminal.text)
            print("The sample memories did not appear.", file=sys.stderr)
            terminal.child.close(force=True)
            return 1
        print("\n".join(terminal.text.splitlines()[:12]))
        terminal.child.send("q")
        code = terminal.ends()
        left = [str(path) for path in home.rglob("*memtui*")]
        print(f"Left with {code}; of memtui in the home: {left or 'nothing'}")
        return 0 if code == 0 and not left else 1


def _environment(home: Path) -> dict[str, str]:
    """This environment with an empty home; what pip is told stays."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("MEMTUI_", "XDG_", "VIRTUAL_ENV"))
    }
    settings = Path.home() / ".config" / "pip" / "pip.conf"
    if settings.is_file():
        environment.setdefault("PIP_CONFIG_FILE", str(settings))
    environment.setdefault("PIP_CACHE_DIR", str(Path.home() / ".cache" / "pip"))
    return {**environment, "HOME": str(home), "LC_ALL": "C.UTF-8"}


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
