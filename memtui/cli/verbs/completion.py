"""`memtui completion`: the completion script for a shell."""

from __future__ import annotations

from argparse import ArgumentParser

from memtui.cli import output
from memtui.cli.call import Call
from memtui.cli.parser import build_complete

EXAMPLES = """\
examples:
  memtui completion bash > ~/.local/share/bash-completion/completions/memtui
  memtui completion zsh > "${fpath[1]}/_memtui"
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("shell", choices=["bash", "zsh"], help="the shell")


def run(call: Call) -> int:
    """Print the script."""
    import shtab

    output.write(shtab.complete(build_complete(), shell=call.args.shell))
    return 0
