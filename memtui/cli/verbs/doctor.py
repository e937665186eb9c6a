"""`memtui doctor`: is the database well, and what is installed."""

from __future__ import annotations

import os
import platform
import sqlite3
from argparse import ArgumentParser
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from memtui import __version__
from memtui.cli import output
from memtui.cli.call import Call
from memtui.cli.exits import Exit, warn
from memtui.cli.many import progress
from memtui.cli.table import Column, write_table
from memtui.cli.verbs.stats import size
from memtui.errors import DamagedError, NewerDatabaseError
from memtui.text import safe_line

if TYPE_CHECKING:
    from memtui.service import MemoryService

EXAMPLES = """\
Reads the whole database and changes nothing. Exit code 6 when it is damaged. With --fix, tags,
counts and the search index are built anew from the memories, after a copy was made beside the
database. What it prints holds no memory, so it can go into a bug report.

examples:
  memtui doctor
  memtui doctor --fix
  memtui doctor --json
"""

_TRY_FIX = "Keep a copy of the file; memtui doctor --fix repairs what can be."
_WAY_OUT = (
    "What is left can't be repaired. Put a backup in its place, or save what can be read:\n"
    "memtui export salvaged.jsonl"
)
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
        "configuration": _at_home(str(call.loaded.file)) if call.loaded.file_exists else "none",
        "settings": _settings(call),
        "database": _at_home(call.settings.db),
    }
    faults: tuple[str, ...] = ()
    if "://" not in call.settings.db and not path.exists():
        facts["state"] = "not there yet; the first memory makes it"
    else:
        facts |= _sizes(path)
        faults, figures = _check(call)
        facts |= figures
        if faults and call.args.fix:
            facts |= _fix(call)
            faults, _ = _check(call)
        facts["state"] = "well" if not faults else "damaged"
    _show(call, facts, faults)
    if faults:
        warn(_WAY_OUT if call.args.fix else _TRY_FIX)
    return Exit.DAMAGED if faults else Exit.OK


def _check(call: Call) -> tuple[tuple[str, ...], dict[str, str]]:
    from memtui.service import MemoryService

    faults: tuple[str, ...] = ()
    try:
        with MemoryService.open(call.settings.db, actor="doctor", read_only=True) as service:
            faults = service.check()
            index = [fault for fault in faults if "search" in fault]
            figures = {"search index": "needs a repair" if index else "agrees with the memories"}
            return faults, figures | _figures(service)
    except (DamagedError, NewerDatabaseError) as error:
        return (*faults, error.message), {}


def _figures(service: MemoryService) -> dict[str, str]:
    same = sum(len(group) - 1 for group in service.duplicates())
    stats = service.stats()
    return {
        "memories": f"{sum(stats.statuses.values()):,}",
        "revisions": f"{stats.revisions:,}",
        "duplicates": f"{same:,} (memtui duplicates shows them)" if same else "none",
    }


def _fix(call: Call) -> dict[str, str]:
    """Repair, and return where the copy from before is, and why it could not be done."""
    path = Path(call.settings.db)
    copy = path.with_name(f"{path.name}.{datetime.now(UTC):%Y%m%dT%H%M%SZ}.bak")
    facts: dict[str, str] = {}
    try:
        with call.open() as service:
            service.backup(copy)
            facts["copy before the repair"] = _at_home(str(copy))
            service.repair(progress=progress("repairing"))
    except (DamagedError, NewerDatabaseError) as error:
        facts["repair"] = f"not possible: {error.message}"
    return facts


def _settings(call: Call) -> str:
    """Which settings are not as they are by default, without what they are set to."""
    found = [
        f"{name} ({source.kind})"
        for name, source in call.loaded.sources.items()
        if source.kind != "default"
    ]
    return ", ".join(found) or "the defaults"


def _at_home(path: str) -> str:
    """The path without the name of the person whose home it is in."""
    home = str(Path.home())
    return f"~{path[len(home) :]}" if path.startswith(f"{home}{os.sep}") else path


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
