"""Copying to the clipboard: by a local tool where there is one, else through the terminal."""

from __future__ import annotations

import os
from collections.abc import Mapping


def is_remote(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the person sits at another machine: a local tool would fill the wrong clipboard."""
    return any(environment.get(name) for name in ("SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT"))


def can_ask_terminal(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether the terminal can be asked to copy (OSC 52); a dumb one cannot."""
    return environment.get("TERM", "") not in {"", "dumb", "unknown"}


def copy_locally(text: str) -> bool:
    """Give `text` to a local clipboard tool; False when there is none or it failed.

    May take a while: not for the UI thread.
    """
    import pyperclip  # type: ignore[import-untyped]

    copy, _paste = pyperclip.determine_clipboard()
    if not copy:
        return False
    try:
        copy(text)
    except (pyperclip.PyperclipException, OSError):
        return False
    return True
