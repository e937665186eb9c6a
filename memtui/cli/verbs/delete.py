"""`memtui delete`: soft-delete."""

from __future__ import annotations

from argparse import ArgumentParser

from memtui.cli import output
from memtui.cli.call import Call
from memtui.cli.exits import UsageError
from memtui.cli.inputs import memory_id, number
from memtui.cli.many import finish
from memtui.models import BulkChange, Selection

EXAMPLES = """\
Deleted memories are hidden, not gone: memtui restore brings them back, memtui purge ends them.
With --json one id gives the deleted object, several give the outcome of each.

examples:
  memtui delete 214
  memtui delete 3 5 8
  memtui delete 214 --expect-version 3
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("ids", nargs="+", type=memory_id, metavar="ID", help="a memory's id")
    parser.add_argument(
        "--expect-version", type=number, metavar="N", help="only if it still has this version"
    )


def run(call: Call) -> int:
    """Delete one, or several as one batch."""
    ids = tuple(dict.fromkeys(call.args.ids))
    expected = call.args.expect_version
    with call.open() as service:
        if len(ids) > 1:
            if expected is not None:
                raise UsageError("--expect-version is for one memory")
            result = service.bulk(Selection.of(ids), BulkChange.parse({"delete": True}))
            return finish(call, result)
        deleted = service.delete(ids[0], expected_version=expected)
    if call.json:
        output.write_json(deleted)
    else:
        output.write(f"#{deleted.id} deleted (memtui restore {deleted.id} brings it back)")
    return 0
