"""The actions of the browse screen, its panes and the app."""

from __future__ import annotations

from memtui.tui.actions.kinds import Action, Group, Place, Scope

_LISTS = frozenset({Place.TABLE, Place.FILTERS, Place.TAGS})
_PANES = _LISTS | {Place.DETAIL}
_MEMORY = frozenset({Place.TABLE, Place.DETAIL})
_BROWSE = _PANES | {Place.SEARCH}


_ROWS = _LISTS | {
    Place.HISTORY, Place.ACTIVITY, Place.AGENTS, Place.UNDO_LIST, Place.TAG_MANAGER, Place.VIEWS,
}  # fmt: skip


def _move(id_: str, keys: tuple[str, ...], label: str, text: str, footer: int = 0) -> Action:
    return Action(id_, keys, label, text, Group.MOVE, Scope.LIST, _ROWS, footer, palette=False)


BROWSE: tuple[Action, ...] = (
    # --- Move
    _move("cursor_down", ("j", "down"), "down", "Move to the next row"),
    _move("cursor_up", ("k", "up"), "up", "Move to the row above"),
    _move("cursor_top", ("g", "home"), "first", "Move to the first row"),
    _move("cursor_bottom", ("G", "end"), "last", "Move to the last row"),
    _move("page_down", ("pagedown", "ctrl+f"), "screen down", "Move down by a screenful"),
    _move("page_up", ("pageup", "ctrl+b"), "screen up", "Move up by a screenful"),
    Action(
        "choose", ("enter", "space"), "choose",
        "Filter by the row under the cursor, or stop doing so",
        Group.FIND, Scope.LIST, frozenset({Place.FILTERS, Place.TAGS}), 1, palette=False,
    ),
    Action(
        "open_detail", ("enter", "l", "right"), "read", "Read the whole memory",
        Group.MOVE, Scope.BROWSE, frozenset({Place.TABLE}), 2,
    ),
    Action(
        "detail_down", ("j", "down"), "scroll", "Scroll the memory down",
        Group.MOVE, Scope.DETAIL, frozenset({Place.DETAIL}), palette=False,
    ),
    Action(
        "detail_up", ("k", "up"), "scroll up", "Scroll the memory up",
        Group.MOVE, Scope.DETAIL, frozenset({Place.DETAIL}), palette=False,
    ),
    Action(
        "detail_top", ("g", "home"), "top", "Scroll the memory to its beginning",
        Group.MOVE, Scope.DETAIL, frozenset({Place.DETAIL}), palette=False,
    ),
    Action(
        "detail_bottom", ("G", "end"), "end", "Scroll the memory to its end",
        Group.MOVE, Scope.DETAIL, frozenset({Place.DETAIL}), palette=False,
    ),
    Action(
        "next_memory", ("J", "ctrl+n"), "next", "Show the next memory",
        Group.MOVE, Scope.BROWSE, frozenset({Place.DETAIL}), 2, palette=False,
    ),
    Action(
        "previous_memory", ("K",), "previous", "Show the memory before",
        Group.MOVE, Scope.BROWSE, frozenset({Place.DETAIL}), 2, palette=False,
    ),
    Action(
        "next_page", ("right_square_bracket",), "next page", "Go to the next page of memories",
        Group.MOVE, Scope.BROWSE, _PANES, 12,
    ),
    Action(
        "previous_page", ("left_square_bracket",), "previous page", "Go to the page before",
        Group.MOVE, Scope.BROWSE, _PANES, 12,
    ),
    Action(
        "first_page", ("left_curly_bracket",), "first page", "Go to the first page",
        Group.MOVE, Scope.BROWSE, _PANES,
    ),
    Action(
        "last_page", ("right_curly_bracket",), "last page", "Go to the last page",
        Group.MOVE, Scope.BROWSE, _PANES,
    ),
    # --- Find
    Action(
        "search", ("slash",), "search", "Search in the text and the tags of all memories",
        Group.FIND, Scope.BROWSE, _PANES, 9,
    ),
    Action(
        "find_tag", ("number_sign",), "find tag", "Look for a tag in the list of tags",
        Group.FIND, Scope.BROWSE, _PANES, 0,
    ),
    Action(
        "leave_search", ("enter", "down"), "to the results",
        "Keep the search and go to its results",
        Group.FIND, Scope.SEARCH, frozenset({Place.SEARCH, Place.QUICK_FILTER}), 1, palette=False,
    ),
    Action(
        "back", ("escape",), "back",
        "Step back: leave a box, close a pane, take the marks away, clear the search, the filters",
        Group.FIND, Scope.BROWSE, _BROWSE, 20, palette=False,
    ),
    Action(
        "clear_filters", ("backspace",), "clear filters", "Clear the search and all filters",
        Group.FIND, Scope.BROWSE, _PANES, 13,
    ),
    Action(
        "sort", ("s",), "sort", "Sort by the next key: last change, creation, last read, id",
        Group.FIND, Scope.BROWSE, _PANES, 11,
    ),
    Action(
        "filter_type", ("m",), "type",
        "Filter by the next type: preference, fact, identity, event, any",
        Group.FIND, Scope.BROWSE, _PANES,
    ),
    Action(
        "filter_status", ("o",), "status",
        "Filter by the next status: active, invalid, deleted, any",
        Group.FIND, Scope.BROWSE, _PANES,
    ),
    Action(
        "views", ("V",), "saved views", "Show a saved view, or keep the present one under a name",
        Group.FIND, Scope.BROWSE, _PANES,
    ),
    # --- Change
    Action(
        "new", ("n",), "new", "Write a new memory",
        Group.CHANGE, Scope.BROWSE, _PANES, 10,
    ),
    Action(
        "edit", ("e",), "edit", "Edit the memory's text, tags, type and status",
        Group.CHANGE, Scope.BROWSE, _MEMORY, 3,
    ),
    Action(
        "add_tags", ("t",), "tag", "Add tags to the memory, or to all marked",
        Group.CHANGE, Scope.BROWSE, _MEMORY, 4,
    ),
    Action(
        "remove_tags", ("T",), "untag", "Take tags off the memory, or off all marked",
        Group.CHANGE, Scope.BROWSE, _MEMORY, 14,
    ),
    Action(
        "toggle_invalid", ("x",), "invalidate", "Make this memory, or all marked, invalid or not",
        Group.CHANGE, Scope.BROWSE, _MEMORY, 5,
    ),
    Action(
        "delete", ("d",), "delete", "Delete this memory, or all marked; undo takes it back",
        Group.CHANGE, Scope.BROWSE, _MEMORY, 6,
    ),
    Action(
        "restore", ("R",), "restore", "Bring a deleted memory, or all marked, back",
        Group.CHANGE, Scope.BROWSE, _MEMORY, 3,
    ),
    Action(
        "undo", ("u",), "undo", "Take the last change of yours back",
        Group.CHANGE, Scope.BROWSE, _PANES, 7,
    ),
    Action(
        "copy", ("y",), "copy", "Copy the memory's exact text",
        Group.CHANGE, Scope.BROWSE, _MEMORY, 15,
    ),
    Action(
        "undo_list", ("U",), "undo list", "Show what can be taken back, newest first",
        Group.CHANGE, Scope.BROWSE, _PANES,
    ),
    Action(
        "tag_manager", ("M",), "manage tags", "Rename, merge and remove tags everywhere",
        Group.CHANGE, Scope.BROWSE, _PANES,
    ),
    # --- Review
    Action(
        "history", ("h",), "history", "Show every version of the memory, and go back to one",
        Group.REVIEW, Scope.BROWSE, _MEMORY, 15,
    ),
    Action(
        "activity", ("H",), "activity", "Show who changed what, newest first",
        Group.REVIEW, Scope.BROWSE, _PANES,
    ),
    Action(
        "agents", ("w",), "what agents read",
        "Show what agents read and were given, newest first", Group.REVIEW, Scope.BROWSE, _PANES,
    ),
    Action(
        "review", ("r",), "review", "Go through the invalid memories one at a time",
        Group.REVIEW, Scope.BROWSE, _PANES, 16,
    ),
    Action(
        "stale", ("z",), "stale", "Go through the memories that no one has used for long",
        Group.REVIEW, Scope.BROWSE, _PANES,
    ),
    # --- View
    Action(
        "toggle_sidebar", ("f",), "filters", "Show or hide the filters",
        Group.VIEW, Scope.BROWSE, _PANES, 8,
    ),
    Action(
        "zoom_in", ("plus",), "zoom", "Give the focused pane the whole screen",
        Group.VIEW, Scope.BROWSE, _PANES,
    ),
    Action(
        "zoom_out", ("underscore",), "zoom out", "Show all panes again",
        Group.VIEW, Scope.BROWSE, _PANES,
    ),
    Action(
        "pane_filters", ("1",), "filters", "Go to the filters",
        Group.VIEW, Scope.BROWSE, _PANES,
    ),
    Action("pane_tags", ("2",), "tags", "Go to the list of tags", Group.VIEW, Scope.BROWSE, _PANES),
    Action("pane_table", ("3",), "memories", "Go to the table", Group.VIEW, Scope.BROWSE, _PANES),
    Action(
        "pane_detail", ("4",), "detail", "Go to the memory's detail",
        Group.VIEW, Scope.BROWSE, _PANES,
    ),
    Action(
        "refresh", ("f5",), "refresh", "Look at the database again",
        Group.VIEW, Scope.BROWSE, _BROWSE,
    ),
    Action(
        "stats", ("S",), "figures", "Show the figures of the store",
        Group.VIEW, Scope.BROWSE, _PANES,
    ),
    # --- Session
    Action(
        "toggle_peek", ("p",), "peek", "Stop or start marking what is shown as read",
        Group.SESSION, Scope.BROWSE, _PANES,
    ),
    Action(
        "toggle_theme", ("D",), "dark/light", "Switch between the dark and the light theme",
        Group.SESSION, Scope.APP, _PANES,
    ),
    Action(
        "help", ("question_mark", "f1"), "help", "Show what every key does",
        Group.SESSION, Scope.BROWSE, _PANES, 17,
    ),
    Action(
        "palette", ("colon", "ctrl+p"), "commands", "Choose a command by its name",
        Group.SESSION, Scope.BROWSE, _PANES, 18, palette=False,
    ),
    Action("quit", ("q", "ctrl+q"), "quit", "Leave memtui", Group.SESSION, Scope.APP, _PANES, 19),
)  # fmt: skip
