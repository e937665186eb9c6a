"""`memtui` and `python -m memtui`."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line on the program's arguments."""
    from memtui.cli.main import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
