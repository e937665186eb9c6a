"""Disks and files in a bad state, and every surface asked to write there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from memtui.models import MemoryCreate
from memtui.service import MemoryService
from tests.server.support import serving
from tests.server.test_mcp_stdio import INITIALIZE, INITIALIZED, calling, hear, process, say

COUNT = 300


@contextmanager
def small_disk(folder: Path, size: str = "2m") -> Iterator[Path]:
    """A file system of its own of so many bytes; skips where nothing may be mounted."""
    folder.mkdir()
    options = ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", str(folder)]
    try:
        subprocess.run(options, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("a small disk needs the right to mount one")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def mounted(folder: Path, how: str) -> None:
    """Make the small disk read-only (`ro`) or writable (`rw`)."""
    subprocess.run(["mount", "-o", f"remount,{how}", str(folder)], check=True)


@contextmanager
def full(folder: Path) -> Iterator[None]:
    """No byte is left on the small disk."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 1024)
        except OSError:
            pass
    try:
        yield
    finally:
        filler.unlink()


def filled(path: Path) -> Path:
    """A database that lies in many pages, closed."""
    with MemoryService.open(path) as service:
        service.create_many(
            [MemoryCreate(content=f"memory {n} " + "x" * 500, tags=("a",)) for n in range(COUNT)]
        )
    return path


class Answer(NamedTuple):
    """What a surface said; `code` is an exit code or a status."""

    code: int
    said: str


def by_command(db: Path, *words: str, **environment: str) -> Answer:
    """Ask the command line, in a process of its own."""
    ended = subprocess.run(
        [sys.executable, "-m", "memtui", "--db", str(db), *(words or ("add", "written"))],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**os.environ, **environment},
    )
    assert "Traceback" not in ended.stderr
    return Answer(ended.returncode, ended.stdout + ended.stderr)


Write = Callable[[], Answer]


@contextmanager
def command_line(db: Path) -> Iterator[Write]:
    """The command line, a process each time."""
    yield lambda: by_command(db)


@contextmanager
def http(db: Path) -> Iterator[Write]:
    """A server that was started while all was well."""
    with serving(db) as server, server.client() as client:

        def write() -> Answer:
            answer = client.post("/memories", json={"content": "written"})
            assert client.get("/health").status_code == 200
            return Answer(answer.status_code, answer.text)

        assert client.get("/memories?peek=true").status_code == 200
        yield write


@contextmanager
def mcp(db: Path) -> Iterator[Write]:
    """A stdio server that was started while all was well."""
    with process(db) as running:
        say(running, INITIALIZE, INITIALIZED, calling(2, "search_memories", q="no such"))
        hear(running)
        assert hear(running)["id"] == 2

        def write() -> Answer:
            say(running, calling(3, "record_memory", content="written"))
            result = hear(running)["result"]
            return Answer(int(result["isError"]), json.dumps(result["content"]))

        yield write


SURFACES = {"command line": command_line, "HTTP": http, "MCP": mcp}
