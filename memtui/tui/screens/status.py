"""What the status line says, on whichever screen."""

from __future__ import annotations

from collections.abc import Mapping

from memtui.tui import cells
from memtui.tui.widgets.bars import Part


def session_parts(location: str, counts: Mapping[str, int] | None = None) -> list[Part]:
    """Name the program and the database, with how many memories it has, if that is known."""
    name = location.rsplit("/", 1)[-1] or location
    parts = [Part(" memtui ", "key", 9), Part(f" {cells.line_text(name)} ", "strong", 1)]
    if counts is not None:
        words = [
            f"{counts.get(status, 0):,} {status}" for status in ("active", "invalid", "deleted")
        ]
        parts.append(Part(f"  {words[0]}", "text", 3))
        parts.append(Part(f" · {words[1]}", "muted", 5))
        parts.append(Part(f" · {words[2]}", "muted", 6))
    return parts


def reading_parts(*, peek: bool, read_only: bool, typing: bool = False) -> list[Part]:
    """Say whether what is shown is marked as read."""
    parts = [Part(" read-only ", "warning", 2)] if read_only else []
    if peek:
        parts += [Part(" ◎ peek", "accent"), Part(": reads leave no mark", "accent", 7)]
    elif typing:
        parts.append(Part(" ◎ peek while typing", "accent"))
    else:
        parts.append(Part(" ◉ marking reads", "muted"))
    return [*parts, Part(" ")]
