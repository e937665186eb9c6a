"""Each module is imported in a fresh interpreter, and what it must not bring along is not there."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

import pytest

import memtui

SQL = {"sqlalchemy", "sqlmodel"}
SCREEN = {"textual"}
WEB = {"starlette", "uvicorn", "mcp", "mcp_types"}
ALL = SQL | SCREEN | WEB

FORBIDDEN = {
    "memtui": ALL | {"pydantic", "rich", "sqlite3", "argparse"},
    "memtui.models": ALL | {"rich", "sqlite3"},
    "memtui.errors": ALL | {"pydantic", "rich", "sqlite3"},
    "memtui.text": ALL | {"pydantic", "rich", "sqlite3"},
    "memtui.config": ALL | {"pydantic", "rich", "sqlite3", "platformdirs"},
    "memtui.service": ALL | {"rich"},
    "memtui.store": ALL | {"rich"},
    "memtui.cli": ALL | {"pydantic", "rich"},
    "memtui.cli.main": ALL | {"pydantic", "rich", "sqlite3", "platformdirs"},
    "memtui.tui": ALL | {"pydantic", "rich"},
    "memtui.tui.actions": ALL | {"pydantic", "rich"},
    "memtui.tui.options": ALL | {"pydantic", "rich"},
    "memtui.tui.times": ALL | {"pydantic", "rich"},
    "memtui.tui.app": SQL | WEB,
    "memtui.server": ALL | {"pydantic", "rich"},
    "memtui.server.options": ALL | {"rich"},
    "memtui.server.mcp": SQL | SCREEN | {"starlette", "uvicorn", "fastapi"},
    "memtui.server.http": SCREEN | SQL,
    "memtui.sample": ALL | {"rich"},
}


def brought_along(module: str, watched: set[str]) -> set[str]:
    """Which of the watched packages importing `module` imports."""
    code = (
        "import sys, importlib\n"
        f"importlib.import_module({module!r})\n"
        f"print(*({watched!r} & set(sys.modules)))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    return set(ended.stdout.split())


@pytest.mark.parametrize("module", FORBIDDEN)
def test_importing_it_brings_along_nothing_it_must_not(module: str) -> None:
    if module.startswith("memtui.server."):
        pytest.importorskip("starlette")
        pytest.importorskip("mcp")
    assert brought_along(module, FORBIDDEN[module]) == set()


def test_the_watched_packages_are_the_ones_that_matter() -> None:
    assert brought_along("memtui.store.sqlite", SQL) == SQL
    assert brought_along("memtui.tui.app", SCREEN) == SCREEN


def modules() -> list[str]:
    found = pkgutil.walk_packages(memtui.__path__, "memtui.", onerror=lambda _: None)
    return [module.name for module in found if module.name != "memtui.__main__"]


def test_every_module_can_be_imported_first() -> None:
    """No module needs another one to be imported before it: no import cycles."""
    # The libraries once, in the parent: only our own order matters.
    code = (
        "import importlib, os, sys\n"
        "import mcp.server.lowlevel, sqlmodel, starlette.routing, uvicorn\n"
        "import textual.app, textual.command, textual.widgets._text_area\n"
        "for name in sys.argv[1:]:\n"
        "    child = os.fork()\n"
        "    if not child:\n"
        "        importlib.import_module(name)\n"
        "        os._exit(0)\n"
        "    if os.waitpid(child, 0)[1]:\n"
        "        sys.exit(name)\n"
    )
    names = [name for name in modules() if not name.startswith("memtui.integrations.")]
    pytest.importorskip("mcp")
    ended = subprocess.run(
        [sys.executable, "-c", code, *names], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr


def test_the_public_names_are_there() -> None:
    for name in memtui.__all__:
        assert getattr(memtui, name) is not None
    with pytest.raises(AttributeError):
        _ = memtui.nothing_of_that_name  # type: ignore[attr-defined]
