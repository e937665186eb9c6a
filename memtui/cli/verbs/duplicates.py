"""`memtui duplicates`: memories that say the same."""

from __future__ import annotations

from argparse import ArgumentParser

from memtui.cli import output, show
from memtui.cli.call import Call
from memtui.cli.exits import warn
from memtui.service import MemoryService

EXAMPLES = """\
Texts that are equal but for case and white space; deleted ones left out. Never marks anything as
accessed. To decide between them: memtui delete, memtui edit.

examples:
  memtui duplicates
  memtui duplicates --json
"""

_PEEKED = 1_000


def configure(parser: ArgumentParser) -> None:
    """Nothing of its own."""


def run(call: Call) -> int:
    """Show each group."""
    with call.open() as service:
        groups = service.duplicates()
        if call.json:
            output.write_json(groups)
        elif groups:
            _show(service, groups)
        else:
            warn("No two memories say the same.")
    return 0


def _show(service: MemoryService, groups: tuple[tuple[int, ...], ...]) -> None:
    ids = [memory_id for group in groups for memory_id in group]
    show.memories(service.get_many(ids[:_PEEKED], touch=False))
    warn(f"{len(ids):,} memories in {len(groups):,} groups")
