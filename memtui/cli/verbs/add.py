"""`memtui add`: create one memory, or many at once."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence

from memtui.cli import output
from memtui.cli.batch import read_batch
from memtui.cli.call import Call
from memtui.cli.exits import UsageError
from memtui.cli.filters import add_status, add_type
from memtui.cli.inputs import text_or_stdin
from memtui.models import Memory, MemoryCreate

EXAMPLES = """\
examples:
  memtui add "Prefers tea to coffee" --type preference --tag drinks
  git log -1 --format=%B | memtui add - --tag releases
  memtui add -- "-v means verbose in this project"
  memtui add --batch notes.jsonl        one JSON object a line, or one JSON list
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument(
        "content", nargs="?", metavar="CONTENT|-", help="the text; - reads standard input"
    )
    parser.add_argument("--tag", action="append", metavar="T", help="a tag; may be repeated")
    add_type(parser, "what kind of thing it says (default fact)")
    add_status(parser, "whether it is in use (default active)")
    parser.add_argument(
        "--batch", metavar="FILE|-", help="create every memory of a JSON file, all or nothing"
    )


def run(call: Call) -> int:
    """Create, and print the ids."""
    args = call.args
    if (args.content is None) == (args.batch is None):
        raise UsageError("give the content, or --batch FILE", "See: memtui add --help")
    if args.batch is not None:
        if args.tag or args.type or args.status:
            raise UsageError("--batch takes tags, type and status from the file")
        _show_all(call, _create_many(call, read_batch(args.batch)))
        return 0
    given = {"memory_type": args.type, "status": args.status}
    values: dict[str, object] = {"content": text_or_stdin(args.content), "tags": args.tag or []}
    values |= {name: value for name, value in given.items() if value is not None}
    new = MemoryCreate.parse(values)
    with call.open() as service:
        created = service.create(new)
    if call.json:
        output.write_json(created)
    else:
        output.write(str(created.id))
    return 0


def _create_many(call: Call, memories: Sequence[MemoryCreate]) -> Sequence[Memory]:
    with call.open() as service:
        return service.create_many(memories, label="add many")


def _show_all(call: Call, created: Sequence[Memory]) -> None:
    if call.json:
        output.write_json(created)
        return
    for memory in created:
        output.write(str(memory.id))
