"""`memtui activity`: what agents did that changed no memory."""

from __future__ import annotations

from argparse import ArgumentParser

from memtui.cli import output
from memtui.cli.call import Call
from memtui.cli.exits import UsageError, warn
from memtui.cli.inputs import number
from memtui.cli.show import since
from memtui.cli.table import Column, write_table

EXAMPLES = """\
Queries, injections and failures, newest first; what changed a memory is in memtui history.

examples:
  memtui activity
  memtui activity --by autogen --limit 100 --json
"""

_MOST = 1_000


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("--by", metavar="NAME", help="only what this actor did")
    parser.add_argument(
        "--limit", type=number, default=20, metavar="N", help="at most this many (default 20)"
    )


def run(call: Call) -> int:
    """Show them."""
    if not 1 <= call.args.limit <= _MOST:
        raise UsageError(f"--limit must be from 1 to {_MOST}")
    with call.open() as service:
        done = service.activities(limit=call.args.limit, actor=call.args.by)
    if call.json:
        output.write_json(done)
    elif done:
        columns = (
            Column("When"),
            Column("Actor", most=24),
            Column("What"),
            Column("Memories", most=30),
            Column("How", flexible=True),
        )
        rows = [
            [since(one.at), one.actor, one.kind, ", ".join(map(str, one.memory_ids)), one.detail]
            for one in done
        ]
        write_table(columns, rows)
    else:
        warn("Nothing is noted.")
    return 0
