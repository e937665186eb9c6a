"""What `memtui mcp --print-config` prints is what each client reads."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from memtui.errors import InvalidError
from memtui.server.clients import CLIENTS, config_file, print_config
from tests.server.test_mcp_stdio import INITIALIZE, lines_of

COMMAND = ["/opt/my tools/memtui", "-x"]
DB = '/home/é/my "own" memories.db'
ARGS = ["-x", "mcp", "--db", DB]


def test_the_clients() -> None:
    assert list(CLIENTS) == ["claude-desktop", "claude-code", "cursor", "vscode", "codex", "gemini"]
    assert all(config_file(name) for name in CLIENTS)


@pytest.mark.parametrize("name", [name for name in CLIENTS if name != "codex"])
def test_json_clients(name: str) -> None:
    key = "servers" if name == "vscode" else "mcpServers"
    server = json.loads(print_config(name, COMMAND, DB))[key]["memtui"]
    assert (server["command"], server["args"]) == (COMMAND[0], ARGS)
    assert ("type" in server) == (name in {"vscode", "claude-code"})


def test_codex_reads_toml() -> None:
    server = tomllib.loads(print_config("codex", COMMAND, DB))["mcp_servers"]["memtui"]
    assert server == {"command": COMMAND[0], "args": ARGS}


def test_another_client_is_refused_with_those_there_are() -> None:
    with pytest.raises(InvalidError) as raised:
        print_config("emacs", COMMAND, DB)
    assert "claude-code" in raised.value.hint


def test_what_is_printed_starts_a_server(tmp_path: Path) -> None:
    def memtui(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "memtui", *words]
        return subprocess.run(
            command, capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path
        )

    printed = memtui("--db", "relative.db", "mcp", "--print-config", "cursor")
    assert printed.returncode == 0
    server = json.loads(printed.stdout)["mcpServers"]["memtui"]
    assert Path(server["command"]).is_absolute()
    assert server["args"][-1] == str(tmp_path / "relative.db")
    started = subprocess.run(
        [server["command"], *server["args"]],
        input=lines_of([INITIALIZE]),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert json.loads(started.stdout)["result"]["serverInfo"]["name"] == "memtui"
    assert started.returncode == 0
    assert memtui("mcp", "--print-config", "emacs").returncode == 2
