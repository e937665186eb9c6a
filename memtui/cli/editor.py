"""Editing a text in the person's own editor, through a private file that is removed afterwards."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memtui.cli.exits import FileError, UsageError
from memtui.cli.inputs import decode, drop_line_end


class EditedText:
    """What came back from the editor, and the file that holds it until it is safe elsewhere."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.text = text
        self.kept = False

    def keep(self) -> None:
        """Leave the file where it is: the text could not be saved."""
        self.kept = True


@contextmanager
def edit_text(text: str, name: str, editor: str | None) -> Iterator[EditedText]:
    """Let the person edit `text` in a file called `name.md`, and yield what it became.

    `editor` is the configured command; without it $VISUAL, $EDITOR, then vi. Line ends are kept
    as they are. Raises `UsageError` when there is no such editor, `FileError` when it failed.
    """
    command = _command(editor)
    # A folder of its own: only its owner may look into it, whatever the editor writes beside.
    folder = Path(tempfile.mkdtemp(prefix="memtui-"))
    path = folder / f"{name}.md"
    edited = EditedText(path, text)
    try:
        path.touch(mode=0o600)
        path.write_bytes(text.encode())
        _run([*command, str(path)])
        edited.text = _without_added_end(decode(path.read_bytes(), str(path)), text)
        yield edited
    finally:
        if not edited.kept:
            shutil.rmtree(folder, ignore_errors=True)


def _command(editor: str | None) -> list[str]:
    words = editor or os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        command = shlex.split(words)
    except ValueError as error:
        raise UsageError(f"the editor {words!r} cannot be understood: {error}") from error
    if not command or shutil.which(command[0]) is None:
        raise UsageError(f"there is no editor {words!r}", "Set EDITOR, or use --content.")
    return command


def _run(command: list[str]) -> None:
    code = subprocess.run(command, check=False).returncode
    if code != 0:
        raise FileError(f"{command[0]} ended with {code}; nothing was changed")


def _without_added_end(edited: str, original: str) -> str:
    """Editors end the last line; where the original did not, that is no edit."""
    return edited if original.endswith("\n") else drop_line_end(edited)
