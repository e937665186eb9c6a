"""`memtui stats`: figures of the whole store."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator

from memtui.cli import output
from memtui.cli.call import Call
from memtui.cli.show import both
from memtui.cli.table import Column, write_table
from memtui.models import Stats

EXAMPLES = """\
Never marks anything as accessed.

examples:
  memtui stats
  memtui stats --json
"""


def configure(parser: ArgumentParser) -> None:
    """Nothing of its own."""


def run(call: Call) -> int:
    """Show the figures."""
    with call.open() as service:
        stats = service.stats()
    if call.json:
        output.write_json(stats)
    else:
        write_table((Column("Figure"), Column("Value", flexible=True)), list(_rows(stats)))
    return 0


def _rows(stats: Stats) -> Iterator[tuple[str, str]]:
    for status, count in stats.statuses.items():
        yield str(status), f"{count:,}"
    for kind, count in stats.types.items():
        yield f"of type {kind}", f"{count:,}"
    yield "never read", f"{stats.never_accessed:,}"
    yield "without tags", f"{stats.untagged:,}"
    yield "tags", f"{stats.tags:,}"
    yield "revisions", f"{stats.revisions:,}"
    yield "first created", both(stats.first_created_at)
    yield "last changed", both(stats.last_updated_at)
    yield "database", size(stats.database_bytes)


def size(count: int) -> str:
    """Bytes as people read them: `4.2 MB`."""
    amount = float(count)
    for unit in ("B", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"
