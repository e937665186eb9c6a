"""`memtui demo`: the terminal UI on sample memories."""

from __future__ import annotations

import shutil
import signal
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NoReturn

from memtui.cli import output, ui
from memtui.cli.call import Call
from memtui.cli.exits import UsageError

EXAMPLES = """\
The sample lies in a temporary folder and is removed at the end; your own memories are not touched.

examples:
  memtui demo
  memtui demo --keep sample.db          then: memtui --db sample.db
  memtui demo --keep sample.db --no-ui
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("--keep", metavar="PATH", help="keep the sample in this new database")
    parser.add_argument("--no-ui", action="store_true", help="only write the sample, with --keep")


def run(call: Call) -> int:
    """Write the sample, show it, and remove it unless it is to be kept."""
    if call.args.no_ui:
        return _write_only(call)
    ui.require_terminal()
    if call.args.keep is not None:
        return ui.show(call.loaded, _new_sample(Path(call.args.keep)))
    with _throw_away_folder() as folder:
        return ui.show(call.loaded, _new_sample(folder / "sample.db"))


@contextmanager
def _throw_away_folder() -> Iterator[Path]:
    """A folder that is removed at the end, also when the terminal goes away."""

    def leave(number: int, _: FrameType | None) -> NoReturn:
        raise SystemExit(128 + number)

    for number in (signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, leave)
    folder = Path(tempfile.mkdtemp(prefix="memtui-demo-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _write_only(call: Call) -> int:
    if call.args.keep is None:
        raise UsageError("--no-ui needs --keep PATH: nothing would be left of the sample")
    output.write(_new_sample(Path(call.args.keep)))
    return 0


def _new_sample(path: Path) -> str:
    if path.exists():
        raise UsageError(f"{path} is there already", f"To open it: memtui --db {path}")
    from memtui.sample import fill

    fill(path)
    return str(path)
