"""`memtui stale`: least recently used first."""

from __future__ import annotations

from argparse import ArgumentParser

from memtui.cli import output, show
from memtui.cli.call import Call
from memtui.cli.exits import warn
from memtui.cli.filters import add_paging, words
from memtui.cli.inputs import duration, moment
from memtui.models import StaleQuery, WritableStatus

EXAMPLES = """\
Never-read memories first, then the longest unread. Never marks anything as accessed.

examples:
  memtui stale --older-than 90d
  memtui stale --older-than 1y --limit 100 --json
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument(
        "--older-than",
        type=duration,
        metavar="AGE",
        help="not read, or if never read not created, for that long: 12h, 90d, 6w, 1y",
    )
    parser.add_argument("--status", choices=words(WritableStatus), help="default active")
    parser.add_argument("--jsonl", action="store_true", help="one JSON object a line")
    add_paging(parser)


def run(call: Call) -> int:
    """Show a page of them."""
    args = call.args
    typed = {name: getattr(args, name) for name in ("status", "limit", "offset")}
    given = {name: value for name, value in typed.items() if value is not None}
    query = StaleQuery.parse_strings(given)
    if args.older_than is not None:
        query = query.model_copy(update={"unused_since": moment(-args.older_than)})
    with call.open() as service:
        page = service.stale(query)
    if args.jsonl:
        output.write_json_lines(page.items)
    elif call.json:
        output.write_json(page)
    elif page.items:
        show.memories(page.items, "last_accessed_at")
        warn(f"{page.offset + 1:,} to {page.offset + len(page.items):,} of {page.total:,}")
    else:
        warn("No memory is that stale.")
    return 0
