"""`memtui get`: read memories by id."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator

from memtui.cli import exits, output, show
from memtui.cli.call import Call
from memtui.cli.inputs import memory_id
from memtui.errors import NotFoundError
from memtui.models import Memory

EXAMPLES = """\
Marks what it reads as accessed; --peek looks without marking.
With --json one id gives the object, several give a list.

examples:
  memtui get 214
  memtui get 214 --json | jq -r .content
  memtui get 3 5 8 --jsonl
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("ids", nargs="+", type=memory_id, metavar="ID", help="a memory's id")
    parser.add_argument("--jsonl", action="store_true", help="one JSON object a line")


def run(call: Call) -> int:
    """Read each; those that are not there are named at the end."""
    missing: list[NotFoundError] = []
    found = list(_read(call, missing))
    if call.args.jsonl:
        output.write_json_lines(found)
    elif not call.json:
        _show(found)
    elif len(call.args.ids) > 1:
        output.write_json(found)
    elif found:
        output.write_json(found[0])
    output.flush()
    for error in missing:
        exits.report(error, as_json=call.json or call.args.jsonl)
    return exits.worst(missing, some_done=bool(found))


def _read(call: Call, missing: list[NotFoundError]) -> Iterator[Memory]:
    with call.open() as service:
        for wanted in dict.fromkeys(call.args.ids):
            try:
                yield service.get(wanted, touch=call.touch)
            except NotFoundError as error:
                missing.append(error)


def _show(found: list[Memory]) -> None:
    for place, memory in enumerate(found):
        if place:
            output.write("")
        show.memory(memory)
