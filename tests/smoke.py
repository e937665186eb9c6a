"""Does the README's first line end in the terminal UI? `python -m tests.smoke CLONE LINE`

The line runs in a copy of the clone's commit, with an empty home, in a pseudo-terminal, until the
sample memories are on the screen; then `q` must end it with 0 and leave nothing in the home.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pexpect
import pyte

COLUMNS, LINES = 120, 40
INSTALL_SECONDS = 600
WANTED = ("Safety group signed off", "120 active", "search")


def main(clone: str, line: str) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        copy, home = Path(scratch) / "clone", Path(scratch) / "home"
        home.mkdir()
        subprocess.run(["git", "clone", "-q", clone, str(copy)], check=True)
        child = pexpect.spawn(
            "bash", ["-c", line], cwd=str(copy), env=_environment(home), dimensions=(LINES, COLUMNS)
        )
        screen = pyte.Screen(COLUMNS, LINES)
        if not _appears(child, pyte.ByteStream(screen), screen):
            print("\n".join(screen.display))
            print("The sample memories did not appear.", file=sys.stderr)
            child.close(force=True)
            return 1
        print("\n".join(row.rstrip() for row in screen.display[:12]))
        child.send("q")
        child.expect(pexpect.EOF, timeout=30)
        child.close()
        left = [str(path) for path in home.rglob("*") if path.is_file()]
        print(f"Left with {child.exitstatus}; files in the home: {left or 'none'}")
        return 0 if child.exitstatus == 0 and not left else 1


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
    return {**environment, "HOME": str(home), "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}


def _appears(child: pexpect.spawn, stream: pyte.ByteStream, screen: pyte.Screen) -> bool:
    end = time.monotonic() + INSTALL_SECONDS
    while time.monotonic() < end:
        try:
            stream.feed(child.read_nonblocking(65536, timeout=1))
        except pexpect.TIMEOUT:
            pass
        except pexpect.EOF:
            return False
        shown = "\n".join(screen.display)
        if all(words in shown for words in WANTED):
            return True
    return False


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
