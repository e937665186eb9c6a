"""`memtui purge`: remove deleted memories for good."""

from __future__ import annotations

import sys
from argparse import ArgumentParser

from memtui.cli import output
from memtui.cli.call import Call
from memtui.cli.exits import Exit, UsageError, warn
from memtui.cli.inputs import memory_id

EXAMPLES = """\
Only deleted memories are removed, with their history; this cannot be undone. The number is shown
first, and asked about at a terminal; elsewhere --yes says that it is meant.

examples:
  memtui purge --dry-run
  memtui purge 214 --yes
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument(
        "ids", nargs="*", type=memory_id, metavar="ID", help="only these (default: all deleted)"
    )
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.add_argument("--dry-run", action="store_true", help="only count")


def run(call: Call) -> int:
    """Count, ask, remove."""
    ids = tuple(call.args.ids) or None
    with call.open() as service:
        count = service.purge(ids, dry_run=True)
        if call.args.dry_run or count == 0:
            return _done(call, 0, count)
        if not call.args.yes and not _agreed(count):
            warn("Nothing was removed.")
            return Exit.INTERRUPTED
        return _done(call, service.purge(ids), count)


def _agreed(count: int) -> bool:
    if sys.stdin is None or not sys.stdin.isatty():
        raise UsageError(f"{count:,} deleted memories would be removed for good", "Say --yes.")
    print(
        f"Remove {count:,} deleted memories for good? [y/N] ", end="", file=sys.stderr, flush=True
    )
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


def _done(call: Call, removed: int, counted: int) -> int:
    if call.json:
        output.write_json({"purged": removed, "deleted": counted, "dry_run": call.args.dry_run})
    elif call.args.dry_run:
        output.write(f"{counted:,} would be removed for good")
    else:
        output.write(f"{removed:,} removed for good")
    return 0
