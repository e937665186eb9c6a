"""What the terminal UI is told when it starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class UiOptions:
    """The settings of one session, already checked by whoever starts it.

    `db` is a path or URL; `actor` names the session in the journal; `peek` starts it without
    marking reads; `theme` is `"dark"`, `"light"` or the name of any Textual theme; `keys` maps an
    action id to its keys, comma-separated (see `memtui.tui.actions.key_problems`). `warnings` are
    said at the start: settings that could not be used, for example. `standard_tags` are set apart
    by the tag manager. `editor` is the command for editing outside; without one $VISUAL, $EDITOR,
    then vi.
    """

    db: str
    actor: str = "tui"
    peek: bool = False
    read_only: bool = False
    theme: str = "dark"
    keys: Mapping[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    standard_tags: tuple[str, ...] = ()
    editor: str | None = None
