"""`memtui related`: what else is said about the same."""

from __future__ import annotations

from argparse import ArgumentParser

from memtui.cli import output, show
from memtui.cli.call import Call
from memtui.cli.exits import UsageError, warn
from memtui.cli.inputs import memory_id, number
from memtui.models import MAX_LIMIT

EXAMPLES = """\
The active memories with the most words in common, closest first: a likely duplicate, replacement
or contradiction. Never marks anything as accessed.

examples:
  memtui related 214
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("id", type=memory_id, metavar="ID", help="a memory's id")
    parser.add_argument(
        "--limit", type=number, default=5, metavar="N", help="at most this many (default 5)"
    )


def run(call: Call) -> int:
    """Show them."""
    if not 1 <= call.args.limit <= MAX_LIMIT:
        raise UsageError(f"--limit must be from 1 to {MAX_LIMIT}")
    with call.open() as service:
        found = service.related(call.args.id, limit=call.args.limit)
    if call.json:
        output.write_json(found)
    elif found:
        show.memories(found)
    else:
        warn("No active memory has words in common with it.")
    return 0
