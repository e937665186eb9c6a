"""`memtui revert`: bring back an earlier version, as a new one."""

from __future__ import annotations

from argparse import ArgumentParser

from memtui.cli import output
from memtui.cli.call import Call
from memtui.cli.inputs import memory_id, number, version

EXAMPLES = """\
examples:
  memtui history 214
  memtui revert 214 --to 2
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("id", type=memory_id, metavar="ID", help="the memory's id")
    parser.add_argument(
        "--to", type=version, required=True, metavar="VERSION", help="the version to bring back"
    )
    parser.add_argument(
        "--expect-version", type=number, metavar="N", help="only if it still has this version"
    )


def run(call: Call) -> int:
    """Revert, and print what it is now."""
    args = call.args
    with call.open() as service:
        changed = service.revert(args.id, args.to, expected_version=args.expect_version)
    if call.json:
        output.write_json(changed)
    else:
        output.write(f"#{changed.id} is at version {changed.version}")
    return 0
