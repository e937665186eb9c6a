"""`memtui serve`: the memories over HTTP, and over MCP at /mcp."""

from __future__ import annotations

from argparse import ArgumentParser

from memtui.cli.call import Call
from memtui.cli.extras import needs
from memtui.cli.serving import add_server_flags, serve_options

EXAMPLES = """\
Listens on the loopback address. Elsewhere it asks for a token: --token-file FILE or MEMTUI_TOKEN.

examples:
  memtui serve
  memtui serve --port 9000
  memtui serve --host 0.0.0.0 --token-file token.txt --allow-host memories.example
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    add_server_flags(parser)


def run(call: Call) -> int:
    """Serve until interrupted."""
    options = serve_options(call.settings, call.args.max_body)
    with needs("server", "memtui serve"):
        from memtui.server import http

        return http.run(options)
