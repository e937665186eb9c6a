"""`memtui doctor`: is the database well, and what is installed."""

from __future__ import annotations

import platform
import sqlite3
from argparse import ArgumentParser
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from memtui import __version__
from memtui.cli import output
from memtui.cli.call import Call
from memtui.cli.exits import Exit
from memtui.cli.table import Column, write_table
from memtui.cli.verbs.stats import size
from memtui.text import safe_line

EXAMPLES = """\
Reads the whole database and changes nothing. Exit code 6 when it is damaged.
What it prints holds no memory, so it can go into a bug report.

examples:
  memtui doctor
  memtui doctor --json
"""

_PACKAGES = ("textual", "pydantic", "sqlmodel", "SQLAlchemy", "mcp", "starlette", "uvicorn")


def configure(parser: ArgumentParser) -> None:
    """Nothing of its own."""


def run(call: Call) -> int:
    """Check, and say what was found."""
    path = Path(call.settings.db)
    facts = {
        "memtui": __version__,
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "system": f"{platform.system()} {platform.machine()}",
        **{name.lower(): found for name in _PACKAGES if (found := _version(name))},
        "configuration": str(call.loaded.file) if call.loaded.file_exists else "none",
        "database": call.settings.db,
    }
    faults: tuple[str, ...] = ()
    if "://" not in call.settings.db and not path.exists():
        facts["state"] = "not there yet; the first memory makes it"
    else:
        facts |= _sizes(path)
        faults = _check(call)
        facts["state"] = "well" if not faults else "damaged"
    _show(call, facts, faults)
    return Exit.DAMAGED if faults else Exit.OK


def _check(call: Call) -> tuple[str, ...]:
    from memtui.service import MemoryService

    with MemoryService.open(call.settings.db, actor="doctor", read_only=True) as service:
        return service.check()


def _show(call: Call, facts: dict[str, str], faults: tuple[str, ...]) -> None:
    if call.json:
        output.write_json({**facts, "faults": faults})
        return
    write_table((Column("What"), Column("Found", flexible=True)), list(facts.items()))
    for fault in faults:
        output.write(safe_line(f"fault: {fault}"))


def _sizes(path: Path) -> dict[str, str]:
    parts = {"file": path, "write-ahead log": Path(f"{path}-wal")}
    return {name: size(part.stat().st_size) for name, part in parts.items() if part.is_file()}


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
