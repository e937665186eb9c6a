"""`memtui redo`: take the last undo back."""

from __future__ import annotations

from argparse import ArgumentParser

from memtui.cli.call import Call
from memtui.cli.many import finish, progress

EXAMPLES = """\
This actor's newest undo, unless it made another change since. Any other undo is a batch of its own,
which memtui undo BATCH takes back.

examples:
  memtui undo
  memtui redo
"""


def configure(parser: ArgumentParser) -> None:
    """Nothing of its own."""


def run(call: Call) -> int:
    """Redo, and report on each memory."""
    with call.open() as service:
        result = service.redo(progress=progress("redoing"))
    return finish(call, result)
