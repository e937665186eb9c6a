"""Folders and files as a tree, with names that may be anything drawn safely."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from rich.style import Style
from rich.text import Text, TextType
from textual.binding import Binding, BindingType
from textual.widgets import DirectoryTree
from textual.widgets.directory_tree import DirEntry
from textual.widgets.tree import TreeNode

from memtui.tui.cells import line_text


class FileTree(DirectoryTree):
    """The library's tree without its pictures; hidden files are left out at first."""

    ICON_NODE_EXPANDED = "▾ "
    ICON_NODE = "▸ "
    ICON_FILE = "  "
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "cursor_down", show=False),
        Binding("k", "cursor_up", show=False),
        Binding("g,home", "scroll_home", show=False),
        Binding("G,end", "scroll_end", show=False),
    ]

    def __init__(self, path: Path, *, widget_id: str) -> None:
        super().__init__(path, id=widget_id)
        self.hidden_too = False
        self.guide_depth = 2
        self.show_guides = False

    def filter_paths(self, paths: Iterable[Path]) -> Iterable[Path]:
        """Leave hidden ones out, unless they are wanted."""
        return [path for path in paths if self.hidden_too or not path.name.startswith(".")]

    def process_label(self, label: TextType) -> Text:
        """Take a name for what it is: no markup, one line, nothing that moves the cursor."""
        name = label if isinstance(label, str) else label.plain
        return Text(line_text(name))

    def render_label(self, node: TreeNode[DirEntry], base_style: Style, style: Style) -> Text:
        """Draw a name; what is no folder stands out, for that is what is looked for."""
        icon = self.ICON_FILE
        if node.allow_expand:
            icon = self.ICON_NODE_EXPANDED if node.is_expanded else self.ICON_NODE
        name = node.label if isinstance(node.label, Text) else Text(line_text(str(node.label)))
        return Text.assemble((icon, base_style), (name.plain, style))
