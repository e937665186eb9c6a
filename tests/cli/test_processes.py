"""Verbs that live on: the demo in a terminal, the servers, and what is said when they can't be."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from ..terminal import Terminal
from .conftest import Run, memtui

SAMPLE = "Safety group signed off"


def memtui_in_a_terminal(*words: str | Path, home: Path) -> Terminal:
    env = {**os.environ, "HOME": str(home), "TMPDIR": str(home)}
    return Terminal([sys.executable, "-m", "memtui", *map(str, words)], env)


def test_the_demo_shows_the_sample_and_leaves_nothing(home: Path) -> None:
    terminal = memtui_in_a_terminal("demo", home=home)
    assert terminal.shows(SAMPLE), terminal.text
    assert list(home.glob("memtui-demo-*"))
    terminal.child.send("q")
    assert terminal.ends() == 0
    assert list(home.rglob("*memtui*")) == []


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_the_demo_leaves_nothing_when_its_terminal_goes(home: Path, number: int) -> None:
    terminal = memtui_in_a_terminal("demo", home=home)
    assert terminal.shows(SAMPLE), terminal.text
    terminal.child.kill(number)
    assert terminal.ends() in {128 + number, -number}
    assert list(home.rglob("*memtui*")) == []


def test_the_ui_starts_with_settings_that_cannot_be_used(home: Path, db: Path) -> None:
    file = home / "broken.toml"
    file.write_text("theme = \n")
    terminal = memtui_in_a_terminal("--db", db, "--config", file, home=home)
    assert terminal.shows("is not TOML", "0 active"), terminal.text
    terminal.child.send("q")
    assert terminal.ends() == 0


def test_serve_answers_over_http(home: Path, db: Path) -> None:
    pytest.importorskip("uvicorn")
    process = subprocess.Popen(
        [sys.executable, "-m", "memtui", "--db", str(db), "serve", "--port", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    said = iter(process.stderr.readline, "")
    found = next(hit for line in said if (hit := re.search(r"http://127\.0\.0\.1:\d+", line)))
    with urllib.request.urlopen(f"{found[0]}/memories") as answer:
        assert json.load(answer)["total"] == 0
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0
    process.stderr.close()


def test_mcp_answers_over_stdio(home: Path, db: Path) -> None:
    pytest.importorskip("mcp")
    hello = {
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        },
    }  # fmt: skip
    with subprocess.Popen(
        [sys.executable, "-m", "memtui", "--db", str(db), "mcp"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(hello) + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["result"]["serverInfo"]["name"] == "memtui"
        process.stdin.close()
        assert process.stdout.read() == ""
        assert process.wait(30) == 0


@pytest.mark.parametrize(
    "client", ["claude-desktop", "claude-code", "cursor", "vscode", "codex", "gemini"]
)
def test_mcp_prints_settings_with_absolute_paths(run: Run, db: Path, client: str) -> None:
    shown = run.ok("--db", os.path.relpath(db), "mcp", "--print-config", client)
    assert str(db) in shown
    assert "mcp" in shown
    assert not db.exists()


@pytest.mark.parametrize(("verb", "package"), [("serve", "uvicorn"), ("mcp", "mcp")])
def test_without_the_extra_one_line_says_how_to_get_it(
    home: Path, db: Path, verb: str, package: str
) -> None:
    code = (
        "import sys\n"
        f"sys.modules[{package!r}] = None\n"
        "from memtui.cli.main import main\n"
        f"sys.exit(main(['--db', {str(db)!r}, {verb!r}]))\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, input=""
    )
    assert ended.returncode == 1
    assert ended.stderr.endswith("pip install 'memtui[server]'\n")
    assert ended.stderr.count("\n") == 2


@pytest.mark.parametrize(
    "words",
    [["--host", "0.0.0.0"], ["--allow-origin", "null"], ["--allow-host", "a b"],
     ["--token-file", "no-such-file"], ["--port", "70000"], ["--max-body", "0"]],
    ids=" ".join,
)  # fmt: skip
def test_serve_refuses_what_would_be_unsafe(words: list[str], db: Path) -> None:
    pytest.importorskip("uvicorn")
    ended = memtui("--db", db, "serve", *words)
    assert (ended.returncode, ended.stderr[:8]) == (2, b"memtui: "), ended
    assert not db.exists()


@pytest.mark.parametrize(("answer", "code"), [("n", 130), ("", 130), ("y", 0)])
def test_purge_asks_at_a_terminal(run: Run, home: Path, db: Path, answer: str, code: int) -> None:
    run.ok("add", "one")
    run.ok("delete", "1")
    terminal = memtui_in_a_terminal("--db", db, "purge", home=home)
    assert terminal.shows("Remove 1 deleted memories for good? [y/N]")
    terminal.child.sendline(answer)
    assert terminal.ends() == code
    assert run("list", "--status", "deleted", "--json").json["total"] == (1 if code else 0)
