"""Editing a text in the person's own editor, through a private file that is removed afterwards."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import current_thread, main_thread

from memtui.errors import MemtuiError


class EditorError(MemtuiError):
    """The editor failed, or left what is no text; nothing was changed."""

    code = "editor"


class NoEditorError(EditorError):
    """There is no such editor."""

    code = "usage"


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
def edit_text(
    text: str, name: str, editor: str | None, folder: Path | None = None
) -> Iterator[EditedText]:
    """Let the person edit `text` in a file called `name.md`, and yield what it became.

    `editor` is the configured command; without it $VISUAL, $EDITOR, then vi. Line ends are kept
    as they are. The file is in `folder`, or in one made for it, and both go in the end. Raises
    `NoEditorError`, and `EditorError` when the editor did not end well.
    """
    command = editor_command(editor)
    # A folder of its own: only its owner may look into it, whatever the editor writes beside.
    folder = folder or Path(tempfile.mkdtemp(prefix="memtui-"))
    path = folder / f"{name}.md"
    edited = EditedText(path, text)
    try:
        path.touch(mode=0o600)
        path.write_bytes(text.encode())
        _run([*command, str(path)])
        edited.text = _without_added_end(_read(path), text)
        yield edited
    finally:
        if not edited.kept:
            shutil.rmtree(folder, ignore_errors=True)


def editor_command(editor: str | None) -> list[str]:
    """The words of the command that edits. Raises `NoEditorError` when it cannot be run."""
    words = editor or os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    try:
        command = shlex.split(words)
    except ValueError as error:
        raise NoEditorError(f"the editor {words!r} cannot be understood: {error}") from error
    if not command or shutil.which(command[0]) is None:
        raise NoEditorError(f"there is no editor {words!r}", "Set EDITOR to one that is installed.")
    return command


def _run(command: list[str]) -> None:
    try:
        with _interrupts_are_the_editors():
            code = subprocess.run(command, check=False).returncode
    except OSError as error:
        raise EditorError(f"{command[0]} could not be started: {error.strerror}") from error
    if code != 0:
        raise EditorError(f"{command[0]} ended with {code}; nothing was changed")


@contextmanager
def _interrupts_are_the_editors() -> Iterator[None]:
    """Ctrl-C reaches all programs of the terminal; here it is meant for the editor alone."""
    if current_thread() is not main_thread():
        yield
        return
    # A handler, unlike "ignore", is not inherited by the editor.
    before = signal.signal(signal.SIGINT, lambda _number, _frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _read(path: Path) -> str:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise EditorError(f"the editor took the file away: {error.strerror}") from error
    try:
        return data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise EditorError(
            f"what the editor left is not UTF-8 in line {line}; nothing was changed"
        ) from error


def _without_added_end(edited: str, original: str) -> str:
    """Editors end the last line; where the original did not, that is no edit."""
    if original.endswith("\n") or not edited.endswith("\n"):
        return edited
    return edited.removesuffix("\n").removesuffix("\r")
