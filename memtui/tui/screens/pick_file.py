"""Choosing a file or a folder: by typing its path, or in a tree."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalGroup
from textual.suggester import Suggester
from textual.widgets import Input, Static, Tree
from textual.widgets.directory_tree import DirEntry

from memtui.tui.actions import Place, Scope
from memtui.tui.cells import line
from memtui.tui.keys import bindings
from memtui.tui.screens.modal import Modal
from memtui.tui.widgets.file_tree import FileTree
from memtui.tui.widgets.form_keys import KeyLine
from memtui.tui.widgets.form_text import LineInput

_PASTE_LIMIT = 4096


def _path(typed: str) -> Path:
    """The path that is meant: one that is typed behind another begins anew, as shells have it."""
    for begin in ("//", "/~/"):
        at = typed.rfind(begin)
        if at >= 0:
            typed = typed[at + 1 :]
    return Path(typed).expanduser()


class _Paths(Suggester):
    """Completes the last part of a path."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)

    async def get_suggestion(self, value: str) -> str | None:
        """Return the path of the first file or folder that begins like this."""
        typed = _path(value)
        folder, begun = (typed, "") if value.endswith("/") else (typed.parent, typed.name)
        if not begun:
            return None
        try:
            names = sorted(path.name for path in folder.iterdir() if path.name.startswith(begun))
        except OSError:
            return None
        return f"{value}{names[0][len(begun) :]}" if names else None


class PickFileDialog(Modal[Path]):
    """Asks for a file or folder that is there; the result is None when nothing was chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.FILE_PICKER)]
    AUTO_FOCUS = "#pick-path"

    def __init__(self, title: str, folder: Path) -> None:
        super().__init__()
        self._question = title
        self._box = LineInput(
            paste_limit=_PASTE_LIMIT,
            placeholder="the path of a file or folder",
            widget_id="pick-path",
        )
        self._box.suggester = _Paths()
        self._box.value = f"{folder}/"
        self._tree = FileTree(folder, widget_id="pick-tree")

    def compose(self) -> ComposeResult:
        """The box, what is wrong with what is in it, the tree, the keys."""
        with VerticalGroup(classes="dialog dialog-file"):
            yield Static(line(self._question), classes="dialog-title")
            yield self._box
            yield Static(id="pick-problem", classes="problem")
            yield self._tree
            yield KeyLine(Place.FILE_PICKER)

    def on_mount(self) -> None:
        """Begin at the end of the folder's name."""
        self._box.cursor_position = len(self._box.value)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._say("")

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_pick_path()

    @on(Tree.NodeHighlighted)
    def _highlighted(self, event: Tree.NodeHighlighted[DirEntry]) -> None:
        event.stop()
        if self._tree.has_focus and event.node.data is not None:
            self._box.value = str(event.node.data.path)
            self._box.cursor_position = len(self._box.value)

    @on(FileTree.FileSelected)
    def _file_selected(self, event: FileTree.FileSelected) -> None:
        event.stop()
        self.finish(event.path)

    def action_pick_path(self) -> None:
        """Choose what is in the box."""
        typed = self._box.value.strip()
        path = _path(typed)
        try:
            there = bool(typed) and path.exists()
        except OSError:
            there = False
        if there:
            self.finish(path)
        else:
            self._say("There is no such file or folder.")

    def action_switch_box(self) -> None:
        """Complete the path; else go to the tree, or back to the box.

        The tree follows the folder that was typed.
        """
        if not self._box.has_focus:
            self._box.focus()
            return
        if self._completes():
            return
        typed = _path(self._box.value.strip() or "/")
        folder = typed if typed.is_dir() else typed.parent
        if folder.is_dir() and folder != self._tree.path:
            self._tree.path = folder
        self._tree.focus()

    def _completes(self) -> bool:
        """Take what the box suggests; False when that is nothing."""
        box, before = self._box, self._box.value
        if box.cursor_position == len(before):
            box.action_cursor_right()
        return box.value != before

    async def action_show_hidden(self) -> None:
        """Show hidden files in the tree, or hide them again."""
        self._tree.hidden_too = not self._tree.hidden_too
        await self._tree.reload()

    def action_leave_picker(self) -> None:
        """Choose nothing."""
        self.finish(None)

    def _say(self, problem: str) -> None:
        self.query_one("#pick-problem", Static).update(line(problem))
