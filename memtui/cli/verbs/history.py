"""`memtui history`: the journal."""

from __future__ import annotations

from argparse import ArgumentParser

from memtui.cli import output
from memtui.cli.call import Call
from memtui.cli.exits import UsageError, warn
from memtui.cli.filters import add_paging, given_paging, words
from memtui.cli.inputs import memory_id
from memtui.cli.show import since
from memtui.cli.table import Column, write_table
from memtui.models import Batch, RevisionAction, RevisionPage, RevisionQuery

EXAMPLES = """\
Newest first; of one memory (deleted ones too), or of all. Never marks anything as accessed.

examples:
  memtui history 214
  memtui history --by mcp:claude --action delete
  memtui history --batches               what memtui undo can take back
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument(
        "id", nargs="?", type=memory_id, metavar="ID", help="one memory (default: all)"
    )
    parser.add_argument("--by", metavar="NAME", help="only what this actor did")
    parser.add_argument("--action", choices=words(RevisionAction), help="only this action")
    parser.add_argument("--batches", action="store_true", help="whole batches, with their ids")
    parser.add_argument("--jsonl", action="store_true", help="one JSON object a line")
    add_paging(parser)


def run(call: Call) -> int:
    """Show revisions or batches."""
    return _batches(call) if call.args.batches else _revisions(call)


def _revisions(call: Call) -> int:
    args = call.args
    values = {"memory_id": args.id, "actor": args.by, "action": args.action}
    given = {name: str(value) for name, value in values.items() if value is not None}
    query = RevisionQuery.parse_strings({**given, **given_paging(args)})
    with call.open() as service:
        page = service.history(query)
    if args.jsonl:
        output.write_json_lines(page.items)
    elif call.json:
        output.write_json(page)
    else:
        _show_revisions(page, one=args.id is not None)
    return 0


def _show_revisions(page: RevisionPage, *, one: bool) -> None:
    if not page.items:
        warn("Nothing in the journal matches.")
        return
    columns = [
        Column("ID", right=True),
        Column("Version", right=True),
        Column("Action"),
        Column("When"),
        Column("Actor", most=20),
        Column("Batch", right=True),
        Column("Status"),
        Column("Memory", flexible=True),
    ]
    rows = [
        [
            str(revision.memory_id),
            str(revision.version),
            revision.action,
            since(revision.at),
            revision.actor,
            str(revision.batch),
            revision.status,
            revision.content,
        ]
        for revision in page.items
    ]
    skipped = 1 if one else 0
    write_table(columns[skipped:], [row[skipped:] for row in rows])
    if page.has_more:
        warn(f"{page.total:,} in all; --offset {page.offset + len(page.items)} shows the next")


def _batches(call: Call) -> int:
    args = call.args
    if args.id is not None or args.action or args.offset:
        raise UsageError("--batches takes only --by and --limit")
    limit = RevisionQuery.parse_strings(given_paging(args)).limit
    with call.open() as service:
        batches = service.batches(limit=limit, actor=args.by)
    if args.jsonl:
        output.write_json_lines(batches)
    elif call.json:
        output.write_json(batches)
    elif batches:
        _show_batches(batches)
    else:
        warn("Nothing in the journal matches.")
    return 0


def _show_batches(batches: tuple[Batch, ...]) -> None:
    columns = (
        Column("Batch", right=True),
        Column("When"),
        Column("Actor", most=20),
        Column("Changes", right=True),
        Column("What", flexible=True),
        Column("Undone by", right=True),
    )
    write_table(
        columns,
        [
            [
                str(batch.id),
                since(batch.at),
                batch.actor,
                f"{batch.size:,}",
                batch.label,
                str(batch.undone_by or ""),
            ]
            for batch in batches
        ],
    )
