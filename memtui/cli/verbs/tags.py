"""`memtui tags`: list, rename, merge and remove tags."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import cast

from memtui.cli import output
from memtui.cli.call import Call
from memtui.cli.exits import warn
from memtui.cli.many import finish, progress
from memtui.cli.parser import Parser, add_command, add_globals
from memtui.cli.show import since
from memtui.cli.table import Column, write_table
from memtui.models import TagMerge

EXAMPLES = """\
Tags of memories that are not deleted, most frequent first.

examples:
  memtui tags
  memtui tags --similar                 tags that seem to mean the same
  memtui tags rename py-test pytest     merges where pytest is there already
  memtui tags merge style styles writing-style --dry-run
  memtui tags remove obsolete
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    cast("Parser", parser).is_leaf = False
    parser.add_argument("--similar", action="store_true", help="show tags that look alike")
    commands = parser.add_subparsers(dest="what", metavar="COMMAND", parser_class=Parser)
    rename = add_command(commands, "rename", "rename a tag on every memory")
    rename.add_argument("old", metavar="OLD", help="the tag as it is")
    rename.add_argument("new", metavar="NEW", help="the tag as it is to be")
    merge = add_command(commands, "merge", "put one tag in the place of several")
    merge.add_argument("new", metavar="KEEP", help="the tag that stays")
    merge.add_argument("olds", nargs="+", metavar="TAG", help="a tag that it replaces")
    remove = add_command(commands, "remove", "take tags off every memory")
    remove.add_argument("olds", nargs="+", metavar="TAG", help="a tag")
    for command in (rename, merge, remove):
        command.add_argument("--dry-run", action="store_true", help="show what would change")
        add_globals(command)


def run(call: Call) -> int:
    """List, or rename."""
    if call.args.what is not None:
        return _change(call)
    with call.open() as service:
        if call.args.similar:
            return _show_merges(call, service.proposed_merges())
        tags = service.tag_summaries()
    if call.json:
        output.write_json(tags)
    elif tags:
        columns = (
            Column("Memories", right=True),
            Column("Last used", right=True),
            Column("Tag", flexible=True),
        )
        rows = [[f"{tag.count:,}", since(tag.last_used_at), tag.tag] for tag in tags]
        write_table(columns, rows)
    else:
        warn("No memory has a tag.")
    return 0


def _show_merges(call: Call, merges: Sequence[TagMerge]) -> int:
    if call.json:
        output.write_json(merges)
    elif merges:
        columns = (Column("Keep", most=32), Column("Similar", flexible=True))
        write_table(columns, [[merge.keep, ", ".join(merge.others)] for merge in merges])
    else:
        warn("No tags look alike.")
    return 0


def _change(call: Call) -> int:
    args, tell = call.args, progress("changing")
    with call.open() as service:
        match args.what:
            case "rename":
                result = service.rename_tag(args.old, args.new, dry_run=args.dry_run, progress=tell)
            case "merge":
                result = service.merge_tags(
                    args.olds, args.new, dry_run=args.dry_run, progress=tell
                )
            case _:
                result = service.remove_tags(args.olds, dry_run=args.dry_run, progress=tell)
    return finish(call, result)
