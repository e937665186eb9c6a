"""The SDK's own clients, connected to real servers."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, Implementation, TextContent

from tests.server.support import Server

Mode = Literal["auto", "legacy"]
MODES: tuple[Mode, ...] = ("auto", "legacy")
TESTER = Implementation(name="Tester 1", version="9")


@asynccontextmanager
async def over_http(server: Server, mode: Mode) -> AsyncIterator[Client]:
    async with Client(f"{server.url}/mcp", mode=mode, client_info=TESTER) as client:
        yield client


@asynccontextmanager
async def over_stdio(db: Path, mode: Mode, *flags: str) -> AsyncIterator[Client]:
    words = ["-m", "memtui", "--db", str(db), *flags, "mcp"]
    parameters = StdioServerParameters(command=sys.executable, args=words)
    async with Client(parameters, mode=mode, client_info=TESTER) as client:
        yield client


def texts(result: CallToolResult) -> list[str]:
    assert all(isinstance(part, TextContent) for part in result.content)
    return [part.text for part in result.content if isinstance(part, TextContent)]


async def ask(client: Client, tool: str, **arguments: object) -> dict[str, Any]:
    """Call a tool that is to succeed: the structured content, which the text says as well."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, texts(result)
    text = texts(result)[0]
    assert json.loads(text) == result.structured_content
    assert text == json.dumps(result.structured_content, separators=(",", ":"), ensure_ascii=False)
    return result.structured_content


async def refusal(client: Client, tool: str, **arguments: object) -> str:
    """Call a tool that is to refuse: its words."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    assert result.structured_content is None
    return "\n".join(texts(result))
