"""`memtui undo`: take a batch back."""

from __future__ import annotations

from argparse import ArgumentParser

from memtui.cli.call import Call
from memtui.cli.inputs import batch_id
from memtui.cli.many import finish, progress

EXAMPLES = """\
Without a batch: the newest change of this actor that is not undone yet. What was changed since is
left alone and named (exit code 7). An undo is a batch of its own: undoing it is the redo.

examples:
  memtui undo
  memtui undo 42 --dry-run
  memtui --actor tui undo               the last change made in the terminal UI
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument(
        "batch", nargs="?", type=batch_id, metavar="BATCH", help="see memtui history --batches"
    )
    parser.add_argument("--dry-run", action="store_true", help="show what would change")


def run(call: Call) -> int:
    """Undo, and report on each memory."""
    with call.open() as service:
        result = service.undo(
            call.args.batch, dry_run=call.args.dry_run, progress=progress("undoing")
        )
    return finish(call, result)
