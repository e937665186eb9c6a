"""`memtui bulk`: one change for many memories."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memtui.cli.call import Call
from memtui.cli.exits import UsageError
from memtui.cli.filters import add_filters, add_status, add_type, add_view, given_filters, viewed
from memtui.cli.inputs import memory_id
from memtui.cli.many import finish, progress
from memtui.models import BulkChange, MemoryQuery, Selection
from memtui.service import MemoryService

EXAMPLES = """\
Says which memories by ids, by filters, or --all; and what to do with them. --type and --status are
what becomes of them; the filters of the same names are --where-type and --where-status.
One transaction and one batch, which memtui undo takes back. Exit code 7: some were left alone.

examples:
  memtui bulk --tag py-test --add-tag pytest --remove-tag py-test --dry-run
  memtui bulk --q "project falcon" --where-type event --status invalid
  memtui bulk 3 5 8 --delete
  memtui bulk --where-status deleted --restore
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("ids", nargs="*", type=memory_id, metavar="ID", help="these memories")
    parser.add_argument("--all", action="store_true", help="every memory that is not deleted")
    add_filters(parser, "where-")
    add_view(parser)
    changes = parser.add_argument_group("changes")
    changes.add_argument("--add-tag", action="append", metavar="T", help="one more tag")
    changes.add_argument("--remove-tag", action="append", metavar="T", help="one tag less")
    add_type(changes, "the new type")
    add_status(changes, "the new status")
    changes.add_argument("--delete", action="store_true", help="soft-delete them")
    changes.add_argument("--restore", action="store_true", help="bring deleted ones back")
    parser.add_argument("--dry-run", action="store_true", help="show what would change")


def run(call: Call) -> int:
    """Make the change and report on each memory."""
    typed, change = _typed(call.args), _change(call.args)
    with call.open() as service:
        selection = _selection(service, call.args, typed)
        result = service.bulk(
            selection, change, dry_run=call.args.dry_run, progress=progress("changing")
        )
    return finish(call, result)


def _typed(args: Namespace) -> MemoryQuery:
    filters = given_filters(args)
    if bool(args.ids) + bool(filters or args.view) + args.all != 1:
        raise UsageError("say which memories: ids, or filters, or --all", "See: memtui bulk --help")
    if args.restore and not args.ids and filters.get("status") != "deleted":
        raise UsageError("--restore needs ids or --where-status deleted")
    return MemoryQuery.parse_strings(filters)


def _selection(service: MemoryService, args: Namespace, typed: MemoryQuery) -> Selection:
    if args.ids:
        return Selection.of(args.ids)
    return Selection.matching(viewed(service, args.view, typed))


def _change(args: Namespace) -> BulkChange:
    values: dict[str, object] = {
        "add_tags": args.add_tag,
        "remove_tags": args.remove_tag,
        "memory_type": args.type,
        "status": args.status,
        "delete": args.delete or None,
        "restore": args.restore or None,
    }
    given = {name: value for name, value in values.items() if value is not None}
    if not given:
        raise UsageError("say what to change", "See: memtui bulk --help")
    return BulkChange.parse(given)
