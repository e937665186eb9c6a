"""One call of a verb: what was typed, the settings in force, and the way to the memories."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.config import SETTINGS, Finding, Loaded, Settings, load
from memtui.errors import ConfigError, NotFoundError
from memtui.text import safe_line

if TYPE_CHECKING:
    from memtui.config import KeyCheck
    from memtui.service import MemoryService

ACTOR = "cli"
READING = frozenset(
    {
        *("list", "search", "get", "history", "related", "duplicates", "stale", "activity"),
        *("stats", "export", "backup"),
    }
)
"""Verbs that only read."""


@dataclass(frozen=True)
class Call:
    """What a verb is given."""

    args: Namespace
    loaded: Loaded

    @property
    def settings(self) -> Settings:
        """The settings in force. Raises `ConfigError` when some that matter cannot be used."""
        require(finding for finding in self.loaded.findings if not finding.ui_only)
        return self.loaded.settings

    def reloaded(self, check_keys: KeyCheck) -> Loaded:
        """The settings once more, with the keys of the terminal UI checked as well."""
        return make_call(self.args, check_keys).loaded

    @property
    def json(self) -> bool:
        """Whether the answer is to be JSON."""
        return bool(getattr(self.args, "json", False))

    @property
    def touch(self) -> bool:
        """Whether what is read is marked as accessed."""
        return not self.settings.peek

    def open(self) -> MemoryService:
        """Open the memories, as a context manager.

        A verb that only reads makes no database where one was named that is not there.
        """
        settings = self.settings
        self._require_there(settings.db)
        from memtui.service import MemoryService

        return MemoryService.open(
            settings.db, actor=settings.actor or ACTOR, read_only=settings.read_only
        )

    def _require_there(self, db: str) -> None:
        if self.args.verb not in READING or self.loaded.sources["db"].kind == "default":
            return
        if "://" not in db and not Path(db).exists():
            raise NotFoundError(
                f"There is no database {safe_line(db)}",
                "Check the path; memtui add, memtui import and the terminal UI make a new one.",
            )


def make_call(args: Namespace, check_keys: KeyCheck | None = None) -> Call:
    """Put the settings together for what was typed. Raises nothing: see `Call.settings`."""
    names = [info.attribute for info in SETTINGS]
    typed = {name: value for name in names if (value := getattr(args, name, None)) is not None}
    return Call(args, load(typed, file=getattr(args, "config", None), check_keys=check_keys))


def require(findings: Iterable[Finding]) -> None:
    """Raise one `ConfigError` for all of them."""
    errors = [finding.error for finding in findings]
    if errors:
        hints = dict.fromkeys(error.hint for error in errors if error.hint)
        raise ConfigError("\n".join(error.message for error in errors), "\n".join(hints))
