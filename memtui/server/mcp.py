"""`memtui mcp`: takes standard input and output first, then loads what serves MCP on them."""

from __future__ import annotations

from memtui.server.options import McpOptions
from memtui.server.stdio import Wire


def run_stdio(options: McpOptions) -> int:
    """Serve one client over standard input and output until its input ends; returns 0.

    The database is opened when the first tool needs it.
    """
    wire = Wire.claim()
    from memtui.server import mcp_stdio

    return mcp_stdio.run(options, wire)
