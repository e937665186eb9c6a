"""`memtui review`: what waits for a person's decision."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser
from typing import cast

from memtui.cli import exits, output, show
from memtui.cli.call import Call
from memtui.cli.exits import UsageError, warn
from memtui.cli.filters import add_paging, given_paging, words
from memtui.cli.inputs import duration, memory_id, moment
from memtui.cli.parser import Parser, add_command, add_globals
from memtui.errors import NotFoundError
from memtui.models import ReviewMark, ReviewQuery, ReviewQueue

EXAMPLES = """\
The invalid queue holds invalid memories, newest change first; the stale queue holds active ones
that nobody uses. Keeping a memory takes it out of its queue and changes nothing else. To decide
otherwise: memtui edit, memtui delete. Never marks anything as accessed.

examples:
  memtui review
  memtui review --queue stale --older-than 90d
  memtui review keep 214 215
  memtui review keep 7 --queue stale --for 30d
  memtui review again 214
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    cast("Parser", parser).is_leaf = False
    _add_queue(parser)
    parser.add_argument(
        "--older-than", type=duration, metavar="AGE", help="stale: not used for that long"
    )
    add_paging(parser)
    commands = parser.add_subparsers(dest="what", metavar="COMMAND", parser_class=Parser)
    keep = add_command(commands, "keep", "leave memories as they are")
    keep.add_argument("ids", nargs="+", type=memory_id, metavar="ID", help="a memory's id")
    keep.add_argument(
        "--for", dest="span", type=duration, metavar="AGE", help="ask again after that long"
    )
    again = add_command(commands, "again", "put memories back into their queue")
    again.add_argument("ids", nargs="+", type=memory_id, metavar="ID", help="a memory's id")
    for command in (keep, again):
        _add_queue(command)
        add_globals(command)


def run(call: Call) -> int:
    """Show a queue, or take decisions to leave memories as they are."""
    args = call.args
    queue = ReviewQueue(getattr(args, "queue", ReviewQueue.INVALID.value))
    if args.what is not None:
        return _decide(call, queue)
    query = ReviewQuery.parse_strings({"queue": queue.value, **given_paging(args)})
    if args.older_than is not None:
        if queue is not ReviewQueue.STALE:
            raise UsageError("--older-than is for --queue stale")
        query = query.model_copy(update={"unused_since": moment(-args.older_than)})
    with call.open() as service:
        page = service.review(query)
    if call.json:
        output.write_json(page)
    elif page.items:
        show.memories(page.items, "updated_at")
        warn(f"{page.offset + 1:,} to {page.offset + len(page.items):,} of {page.total:,}")
    else:
        warn("Nothing waits.")
    return 0


def _decide(call: Call, queue: ReviewQueue) -> int:
    args = call.args
    span = getattr(args, "span", None)
    until = None if span is None else moment(span)
    done: list[int] = []
    failures: list[NotFoundError] = []
    with call.open() as service:
        for wanted in dict.fromkeys(args.ids):
            try:
                if args.what == "again":
                    service.unmark_reviewed(queue, wanted)
                else:
                    mark = {"queue": queue, "memory_id": wanted, "until": until}
                    service.mark_reviewed(ReviewMark.parse(mark))
                done.append(wanted)
            except NotFoundError as error:
                failures.append(error)
    if call.json:
        output.write_json({"queue": queue, "ids": done})
    for failure in failures:
        exits.report(failure, as_json=call.json)
    return exits.worst(failures, some_done=bool(done))


def _add_queue(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--queue",
        choices=words(ReviewQueue),
        default=SUPPRESS,
        help="which memories (default invalid)",
    )
