"""`memtui config`: the settings in force and where each comes from."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping

from memtui.cli import output
from memtui.cli.call import Call, require
from memtui.cli.exits import warn
from memtui.cli.table import Column, write_table
from memtui.cli.ui import check_keys
from memtui.config import SETTINGS, Loaded

EXAMPLES = """\
A later source beats an earlier one: default, file, MEMTUI_* variable, flag. Creates no file.
Exit code 2 when something cannot be used; file, line and reason are on standard error.

examples:
  memtui config
  memtui --db work.db config --json
"""


def configure(parser: ArgumentParser) -> None:
    """Nothing of its own."""


def run(call: Call) -> int:
    """Show every setting, then what could not be used."""
    loaded = call.reloaded(check_keys)
    if call.json:
        output.write_json(_object(loaded))
    else:
        _show(loaded)
    output.flush()
    require(loaded.findings)
    return 0


def _object(loaded: Loaded) -> dict[str, object]:
    return {
        "file": str(loaded.file),
        "file_exists": loaded.file_exists,
        "settings": {
            info.name: {
                "value": _plain(getattr(loaded.settings, info.attribute)),
                "source": loaded.sources[info.attribute].kind,
                "place": loaded.sources[info.attribute].place,
                "variable": info.variable or None,
                "takes": info.kind.words,
                "doc": info.doc,
            }
            for info in SETTINGS
        },
    }


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else value


def _show(loaded: Loaded) -> None:
    rows = [
        [
            info.name,
            in_words(getattr(loaded.settings, info.attribute)),
            str(loaded.sources[info.attribute]),
        ]
        for info in SETTINGS
    ]
    columns = (Column("Setting"), Column("Value", flexible=True), Column("From", most=60))
    write_table(columns, rows)
    warn(f"File: {loaded.file}{'' if loaded.file_exists else ' (not there)'}")


def in_words(value: object) -> str:
    """A setting's value as the table shows it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ", ".join(value) or "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{action} = {'/'.join(keys)}" for action, keys in value.items()) or "none"
    return "unset" if value is None else str(value)
