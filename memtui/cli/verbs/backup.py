"""`memtui backup`: a consistent copy of the database."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from memtui.cli import output
from memtui.cli.call import Call

EXAMPLES = """\
The copy is taken while the database is in use, and replaces a file of that name when it is
complete. To use it: memtui --db FILE.

examples:
  memtui backup memories-backup.db
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("file", metavar="FILE", help="where to put the copy")


def run(call: Call) -> int:
    """Copy, and print where the copy is."""
    with call.open() as service:
        path = service.backup(Path(call.args.file).expanduser())
    if call.json:
        output.write_json({"path": str(path), "bytes": path.stat().st_size})
    else:
        output.write(str(path))
    return 0
