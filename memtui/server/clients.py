"""What to paste into each MCP client so that it starts `memtui mcp`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memtui.errors import InvalidError


@dataclass(frozen=True, slots=True)
class Client:
    """One MCP client: the file its settings are in, and how they are written."""

    file: str
    write: Callable[[Sequence[str]], str]


def print_config(name: str, command: Sequence[str], db: str) -> str:
    """The settings that make client `name` start memtui on the database `db`.

    `command` is memtui as an absolute path, with arguments where it needs them; `db` is an absolute
    path or a URL. Raises `InvalidError` for a client that is not in `CLIENTS`.
    """
    return _client(name).write([*command, "mcp", "--db", db])


def config_file(name: str) -> str:
    """Where that client keeps its settings. Raises `InvalidError` as `print_config` does."""
    return _client(name).file


def _client(name: str) -> Client:
    if name not in CLIENTS:
        raise InvalidError(f"{name!r} is not a client known here", f"Known: {', '.join(CLIENTS)}.")
    return CLIENTS[name]


def _servers(key: str, **more: str) -> Callable[[Sequence[str]], str]:
    def write(command: Sequence[str]) -> str:
        server = {**more, "command": command[0], "args": list(command[1:])}
        return json.dumps({key: {"memtui": server}}, indent=2, ensure_ascii=False) + "\n"

    return write


def _toml(command: Sequence[str]) -> str:
    # A JSON string without escaped surrogate pairs is a TOML basic string.
    program, *arguments = (json.dumps(word, ensure_ascii=False) for word in command)
    return f"[mcp_servers.memtui]\ncommand = {program}\nargs = [{', '.join(arguments)}]\n"


CLIENTS: dict[str, Client] = {
    "claude-desktop": Client(
        "claude_desktop_config.json (Settings > Developer > Edit Config)", _servers("mcpServers")
    ),
    "claude-code": Client(".mcp.json in the project", _servers("mcpServers", type="stdio")),
    "cursor": Client("~/.cursor/mcp.json, or .cursor/mcp.json", _servers("mcpServers")),
    "vscode": Client(".vscode/mcp.json", _servers("servers", type="stdio")),
    "codex": Client("~/.codex/config.toml", _toml),
    "gemini": Client("~/.gemini/settings.json", _servers("mcpServers")),
}
