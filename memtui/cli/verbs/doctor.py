"""`memtui doctor`: is the database well, and what is installed."""

from __future__ import annotations

import platform
import sqlite3
from argparse import ArgumentParser
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from memtui import __version__
from memtui.cli import output
from memtui.cli.call import Call
from memtui.cli.exits import Exit
from memtui.cli.many import progress
from memtui.cli.table import Column, write_table
from memtui.cli.verbs.stats import size
from memtui.text import safe_line

EXAMPLES = """\
Reads the whole database and changes nothing. Exit code 6 when it is damaged. With --fix, tags,
counts and the search index are built anew from the memories, after a copy was made beside the
database. What it prints holds no memory, so it can go into a bug report.

examples:
  memtui doctor
  memtui doctor --fix
  memtui doctor --json
"""

_PACKAGES = ("textual", "pydantic", "sqlmodel", "SQLAlchemy", "mcp", "starlette", "uvicorn")


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("--fix", action="store_true", help="repair what can be, after a copy")


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
        faults, figures = _check(call)
        facts |= figures
        if faults and call.args.fix:
            facts["copy before the repair"] = _fix(call)
            faults, _ = _check(call)
        facts["state"] = "well" if not faults else "damaged"
    _show(call, facts, faults)
    return Exit.DAMAGED if faults else Exit.OK


def _check(call: Call) -> tuple[tuple[str, ...], dict[str, str]]:
    from memtui.service import MemoryService

    with MemoryService.open(call.settings.db, actor="doctor", read_only=True) as service:
        faults = service.check()
        same = sum(len(group) - 1 for group in service.duplicates())
        stats = service.stats()
    return faults, {
        "memories": f"{sum(stats.statuses.values()):,}",
        "revisions": f"{stats.revisions:,}",
        "duplicates": f"{same:,} (memtui duplicates shows them)" if same else "none",
    }


def _fix(call: Call) -> str:
    """Repair, and return where the copy from before is."""
    with call.open() as service:
        path = Path(service.location)
        copy = path.with_name(f"{path.name}.{datetime.now(UTC):%Y%m%dT%H%M%SZ}.bak")
        service.backup(copy)
        service.repair(progress=progress("repairing"))
    return str(copy)


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
