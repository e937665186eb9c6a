"""The actions about many memories at once, and those of drafts."""

from __future__ import annotations

from memtui.tui.actions.kinds import Action, Group, Place, Scope, own

_TABLE = frozenset({Place.TABLE})
_MEMORY = frozenset({Place.TABLE, Place.DETAIL})
_PANES = _MEMORY | {Place.FILTERS, Place.TAGS}

BULK: tuple[Action, ...] = (
    # --- Find
    Action(
        "pick_sort", ("O",), "sort by", "Choose a column to sort by",
        Group.FIND, Scope.BROWSE, _PANES,
    ),
    # --- Mark
    Action(
        "mark", ("space",), "mark", "Mark the memory, or unmark it, and go to the next",
        Group.MARK, Scope.BROWSE, _MEMORY, 3, palette=False,
    ),
    Action(
        "mark_range", ("v",), "range",
        "Mark all from here to where you move; again or enter ends, esc takes it back",
        Group.MARK, Scope.BROWSE, _TABLE,
    ),
    Action(
        "mark_page", ("a",), "mark page", "Mark all memories of this page, or unmark them",
        Group.MARK, Scope.BROWSE, _MEMORY,
    ),
    Action(
        "mark_all", ("A",), "mark all", "Mark all memories that match, on every page",
        Group.MARK, Scope.BROWSE, _PANES,
    ),
    Action(
        "mark_others", ("i",), "invert", "Mark those of this page that are not, unmark the others",
        Group.MARK, Scope.BROWSE, _MEMORY,
    ),
    Action(
        "unmark", ("ctrl+u",), "unmark", "Take all marks away",
        Group.MARK, Scope.BROWSE, _PANES,
    ),
    # --- Change
    Action(
        "edit_outside", ("E",), "editor", "Edit in your own editor: this memory, or all marked",
        Group.CHANGE, Scope.BROWSE, _MEMORY,
    ),
    Action(
        "set_type", ("c",), "set type", "Give this memory, or all marked, another type",
        Group.CHANGE, Scope.BROWSE, _MEMORY,
    ),
    Action(
        "set_status", ("X",), "set status", "Choose the status of this memory, or of all marked",
        Group.CHANGE, Scope.BROWSE, _MEMORY,
    ),
    Action(
        "redo", ("ctrl+r",), "redo", "Make the change again that you took back last",
        Group.CHANGE, Scope.BROWSE, _PANES,
    ),
    Action(
        "copy_as", ("Y",), "copy as", "Copy the text, the JSON or the id; of all marked as well",
        Group.CHANGE, Scope.BROWSE, _MEMORY,
    ),
    # --- drafts
    own(
        Place.DRAFT, "restore_draft", ("y", "r"), "restore", "Go on writing where it ended",
        Group.CHANGE, 1,
    ),
    own(
        Place.DRAFT, "discard_draft", ("d",), "discard", "Throw the unsaved text away",
        Group.CHANGE, 2,
    ),
    own(
        Place.DRAFT, "keep_draft", ("n", "escape"), "later", "Keep it and ask at the next start",
        Group.CHANGE, 3,
    ),
)  # fmt: skip
