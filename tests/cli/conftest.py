"""The command line as people use it: `run` calls it in this process, `memtui` in one of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memtui.cli.main import main
from memtui.service import MemoryService


@dataclass(frozen=True)
class Answer:
    """What a command ended with."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        return json.loads(self.err)["error"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, and none of the tester's own settings."""
    for name in [name for name in os.environ if name.startswith(("MEMTUI_", "XDG_"))]:
        monkeypatch.delenv(name)
    for name in ("VISUAL", "EDITOR", "NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    empty = tmp_path / "home"
    empty.mkdir()
    monkeypatch.setenv("HOME", str(empty))
    return empty


@pytest.fixture
def db(tmp_path: Path) -> Path:
    return tmp_path / "m.db"


@pytest.fixture
def service(db: Path) -> Iterator[MemoryService]:
    with MemoryService.open(db, actor="test") as opened:
        yield opened


@pytest.fixture
def made(db: Path) -> None:
    """The database is there, and empty."""
    MemoryService.open(db).close()


class Run:
    """Calls the command line in this process, on the test's database."""

    def __init__(
        self, db: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self._db, self._capsys, self._monkeypatch = db, capsys, monkeypatch

    def __call__(self, *words: str | Path, stdin: str | bytes = "") -> Answer:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        self._monkeypatch.setenv("MEMTUI_DB", str(self._db))
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), "utf-8"))
        self._capsys.readouterr()
        code = main([str(word) for word in words])
        out, err = self._capsys.readouterr()
        return Answer(int(code), out, err)

    def ok(self, *words: str | Path, stdin: str | bytes = "") -> str:
        """The output of a command that must succeed, without its last line end."""
        answer = self(*words, stdin=stdin)
        assert answer.code == 0, answer
        return answer.out.removesuffix("\n")


@pytest.fixture
def run(db: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    return Run(db, capsys, monkeypatch)


def memtui(
    *words: str | Path, env: dict[str, str] | None = None, stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Run `memtui` as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "memtui", *map(str, words)],
        input=stdin,
        capture_output=True,
        env={**os.environ, **(env or {})},
        timeout=60,
        check=False,
    )
