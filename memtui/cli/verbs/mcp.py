"""`memtui mcp`: the memories to one MCP client, over standard input and output."""

from __future__ import annotations

import shutil
import sys
from argparse import ArgumentParser
from pathlib import Path

from memtui.cli import output
from memtui.cli.call import Call
from memtui.cli.exits import warn
from memtui.cli.extras import needs

EXAMPLES = """\
MCP clients start it themselves; --print-config shows what to paste into their settings.

examples:
  memtui mcp --print-config claude-code
  memtui --db work.db mcp --print-config codex
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    from memtui.server.clients import CLIENTS

    parser.add_argument(
        "--print-config", choices=list(CLIENTS), metavar="CLIENT",
        help=f"print what to paste for: {', '.join(CLIENTS)}",
    )  # fmt: skip


def run(call: Call) -> int:
    """Serve until the input ends."""
    settings = call.settings
    if call.args.print_config is not None:
        return _print_config(call.args.print_config, settings.db)
    from memtui.server.options import McpOptions

    options = McpOptions(db=settings.db, read_only=settings.read_only, actor=settings.actor)
    # What is not needed to answer first is imported while it runs.
    with needs("server", "memtui mcp"):
        from memtui.server import mcp

        return mcp.run_stdio(options)


def _print_config(client: str, db: str) -> int:
    from memtui.server.clients import config_file, print_config

    where = db if "://" in db else str(Path(db).resolve())
    output.write(print_config(client, _own_command(), where))
    warn(f"Paste it into {config_file(client)}")
    return 0


def _own_command() -> list[str]:
    """How to start this very memtui, wherever the client is started."""
    beside = Path(sys.executable).with_name("memtui")
    found = str(beside) if beside.is_file() else shutil.which("memtui")
    return [str(Path(found).absolute())] if found else [sys.executable, "-m", "memtui"]
