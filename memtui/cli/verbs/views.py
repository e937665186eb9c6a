"""`memtui views`: queries under a name."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import cast

from memtui.cli import output
from memtui.cli.call import Call
from memtui.cli.exits import warn
from memtui.cli.filters import add_filters, add_sort, query_of
from memtui.cli.parser import Parser, add_command, add_globals
from memtui.cli.table import Column, write_table
from memtui.models import MemoryQuery, SavedView, SortKey

EXAMPLES = """\
Views are kept in the database; the terminal UI shows the same ones.

examples:
  memtui views
  memtui views save mine --tag falcon --status active --sort updated_at
  memtui views rename mine falcon
  memtui views delete falcon
  memtui list --view mine
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    cast("Parser", parser).is_leaf = False
    commands = parser.add_subparsers(dest="what", metavar="COMMAND", parser_class=Parser)
    save = add_command(commands, "save", "keep filters and sort under a name")
    save.add_argument("name", metavar="NAME", help="replaces a view of the same name")
    add_filters(save)
    add_sort(save)
    rename = add_command(commands, "rename", "give a view another name")
    rename.add_argument("old", metavar="OLD", help="the name it has")
    rename.add_argument("new", metavar="NEW", help="the name it is to have")
    delete = add_command(commands, "delete", "forget a view; no memory is touched")
    delete.add_argument("name", metavar="NAME", help="the name it has")
    for command in (save, rename, delete):
        add_globals(command)


def run(call: Call) -> int:
    """List, save, rename or forget."""
    args = call.args
    if args.what == "save":
        view = SavedView.parse({"name": args.name, "query": query_of(args)})
        with call.open() as service:
            service.save_view(view)
        return _answer(call, view)
    with call.open() as service:
        if args.what == "rename":
            return _answer(call, service.rename_view(args.old, args.new))
        if args.what == "delete":
            service.delete_view(args.name)
            return 0
        views = service.views()
    if call.json:
        output.write_json(views)
    elif views:
        columns = (Column("View", most=32), Column("Query", flexible=True))
        write_table(columns, [[view.name, describe(view.query)] for view in views])
    else:
        warn("No views are saved.")
    return 0


def describe(query: MemoryQuery) -> str:
    """A query in a few words: `tag falcon, status active, by updated_at`."""
    parts = {"text": query.q, "tag": query.tag, "type": query.memory_type, "status": query.status}
    words = [f"{name} {value}" for name, value in parts.items() if value is not None]
    if query.sort is not SortKey.ID:
        words.append(f"by {query.sort}")
    return ", ".join(words) or "everything"


def _answer(call: Call, view: SavedView) -> int:
    if call.json:
        output.write_json(view)
    else:
        write_table(
            (Column("View", most=32), Column("Query", flexible=True)),
            [[view.name, describe(view.query)]],
        )
    return 0
