"""`memtui restore`: bring deleted memories back."""

from __future__ import annotations

from argparse import ArgumentParser

from memtui.cli import output
from memtui.cli.call import Call
from memtui.cli.inputs import memory_id
from memtui.cli.many import finish
from memtui.models import BulkChange, Selection

EXAMPLES = """\
Each comes back with the status that it had before. With --json one id gives the object, several
give the outcome of each.

examples:
  memtui restore 214
  memtui list --status deleted
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("ids", nargs="+", type=memory_id, metavar="ID", help="a memory's id")


def run(call: Call) -> int:
    """Restore one, or several as one batch."""
    ids = tuple(dict.fromkeys(call.args.ids))
    with call.open() as service:
        if len(ids) > 1:
            result = service.bulk(Selection.of(ids), BulkChange.parse({"restore": True}))
            return finish(call, result)
        restored = service.restore(ids[0])
    if call.json:
        output.write_json(restored)
    else:
        output.write(f"#{restored.id} is {restored.status} again")
    return 0
