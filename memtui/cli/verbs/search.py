"""`memtui search`: the memories that have most to do with a text."""

from __future__ import annotations

from argparse import ArgumentParser

from pydantic import ValidationError

from memtui.agents import Ranked, RankedQuery
from memtui.cli import output
from memtui.cli.call import Call
from memtui.cli.exits import warn
from memtui.cli.filters import words
from memtui.cli.inputs import fraction, number, text_or_stdin
from memtui.cli.table import Column, write_table
from memtui.errors import InvalidError
from memtui.models import MemoryType, problems_of

EXAMPLES = """\
Active memories that hold some of the words, best first, each with a score up to 1. Marks what it
returns as accessed; --peek looks without marking. For exact text use: memtui list --q TEXT

examples:
  memtui search "when do we launch falcon"
  memtui search "tea or coffee" --type preference --limit 3 --json
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("text", metavar="TEXT|-", help="the words; - reads standard input")
    parser.add_argument("--tag", metavar="T", help="only with exactly this tag")
    parser.add_argument("--type", choices=words(MemoryType), help="only this type")
    parser.add_argument(
        "--limit", type=number, metavar="N", help="at most this many, 1 to 100 (default 10)"
    )
    parser.add_argument(
        "--min-score", type=fraction, metavar="S", help="leave out what scores less, 0 to 1"
    )


def run(call: Call) -> int:
    """Search and show."""
    args = call.args
    values = {
        "tag": args.tag,
        "memory_type": args.type,
        "limit": args.limit,
        "min_score": args.min_score,
    }
    given = {name: value for name, value in values.items() if value is not None}
    query = _query({"text": text_or_stdin(args.text), **given})
    with call.open() as service:
        found = service.ranked(query, touch=call.touch)
    if call.json:
        output.write_json(found)
    elif found:
        _show(found)
    else:
        warn("No memory has to do with that.")
    return 0


def _query(values: dict[str, object]) -> RankedQuery:
    try:
        return RankedQuery.model_validate(values)
    except ValidationError as error:
        raise InvalidError(problems_of(error)) from error


def _show(found: tuple[Ranked, ...]) -> None:
    columns = (
        Column("Score", right=True),
        Column("ID", right=True),
        Column("Type"),
        Column("Memory", flexible=True),
        Column("Tags", most=max(10, output.width() // 5)),
    )
    write_table(
        columns,
        [
            [
                f"{one.score:.2f}",
                str(one.memory.id),
                one.memory.memory_type,
                one.memory.content,
                ", ".join(one.memory.tags),
            ]
            for one in found
        ],
    )
