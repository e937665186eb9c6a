"""The actions about files: import, export, backup, and those of their screens."""

from __future__ import annotations

from memtui.tui.actions.kinds import Action, Group, Place, Scope, own

_PANES = frozenset({Place.TABLE, Place.DETAIL, Place.FILTERS, Place.TAGS})


def _browse(id_: str, key: str, label: str, text: str) -> Action:
    return Action(id_, (key,), label, text, Group.FILES, Scope.BROWSE, _PANES)


FILES: tuple[Action, ...] = (
    # --- from the table
    _browse("import_file", "I", "import", "Bring memories in from a file or a folder"),
    _browse(
        "export", "W", "export", "Write the marked memories, or all that match, to a file"
    ),
    _browse("backup", "B", "backup", "Write a copy of the database while it is in use"),
    # --- choosing a file
    own(
        Place.FILE_PICKER, "pick_path", ("ctrl+s",), "take this",
        "Take the file or folder that is in the box", Group.FILES, 1,
    ),
    own(
        Place.FILE_PICKER, "switch_box", ("tab", "shift+tab"), "complete, tree",
        "Complete the path; else go from the box to the tree, or back", Group.MOVE, 2,
    ),
    own(
        Place.FILE_PICKER, "show_hidden", ("full_stop",), "hidden files",
        "Show hidden files in the tree, or hide them again", Group.VIEW, 3,
    ),
    own(
        Place.FILE_PICKER, "leave_picker", ("escape",), "cancel", "Take nothing",
        Group.SESSION, 4,
    ),
    # --- an import
    own(
        Place.IMPORT, "import_now", ("y", "enter"), "import", "Bring in what is shown",
        Group.FILES, 1,
    ),
    own(
        Place.IMPORT, "import_format", ("f",), "format", "Read it as another format",
        Group.CHANGE, 2,
    ),
    own(
        Place.IMPORT, "import_tag", ("t",), "tag", "Give each these tags as well",
        Group.CHANGE, 3,
    ),
    own(Place.IMPORT, "import_type", ("c",), "type", "Make each of this type", Group.CHANGE, 4),
    own(Place.IMPORT, "import_status", ("x",), "status", "Give each this status", Group.CHANGE, 5),
    own(
        Place.IMPORT, "import_secrets", ("s",), "credentials",
        "Stop at, leave out or take in what seems to hold a credential", Group.CHANGE, 6,
    ),
    own(
        Place.IMPORT, "import_split", ("p",), "split",
        "Split texts that are too long at paragraph ends, or refuse them", Group.CHANGE, 7,
    ),
    own(
        Place.IMPORT, "import_update", ("o",), "take over",
        "Take over what changed at the source, where it was not edited here, or leave it",
        Group.CHANGE, 8,
    ),
    own(
        Place.IMPORT, "import_twins", ("d",), "duplicates",
        "Leave out texts that are here already, or take them in", Group.CHANGE, 9,
    ),
)  # fmt: skip
