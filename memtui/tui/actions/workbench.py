"""The actions of the curator's screens: history, activity, undo list, tags, views, stale, stats."""

from __future__ import annotations

from memtui.tui.actions.kinds import Action, Group, Place, Scope, own

_SCREENS = frozenset(
    {
        Place.HISTORY,
        Place.ACTIVITY,
        Place.AGENTS,
        Place.UNDO_LIST,
        Place.TAG_MANAGER,
        Place.VIEWS,
        Place.STATS,
        Place.IMPORT,
    }
)
_WITH_PANE = _SCREENS - {Place.VIEWS, Place.STATS}
_PAGED = frozenset({Place.HISTORY, Place.ACTIVITY, Place.AGENTS})


def _any(  # noqa: PLR0917 - a row of the table below
    where: frozenset[Place],
    id_: str,
    keys: tuple[str, ...],
    label: str,
    text: str,
    group: Group,
    footer: int = 0,
) -> Action:
    """An action that several of these screens have."""
    return Action(id_, keys, label, text, group, Scope.SCREEN, where, footer, palette=False)


WORKBENCH: tuple[Action, ...] = (
    # --- what these screens share
    _any(
        _WITH_PANE, "pane_down", ("J", "shift+down"), "scroll", "Scroll the text down", Group.MOVE
    ),
    _any(
        _WITH_PANE, "pane_up", ("K", "shift+up"), "scroll up", "Scroll the text up", Group.MOVE
    ),
    _any(
        _PAGED, "older", ("right_square_bracket",), "older", "Go to the page of older entries",
        Group.MOVE, 30,
    ),
    _any(
        _PAGED, "newer", ("left_square_bracket",), "newer", "Go to the page of newer entries",
        Group.MOVE, 31,
    ),
    _any(
        _SCREENS, "reload", ("f5",), "refresh", "Look at the database again", Group.VIEW,
    ),
    _any(
        _SCREENS, "screen_commands", ("colon", "ctrl+p"), "commands",
        "Choose a command by its name", Group.SESSION,
    ),
    _any(
        _SCREENS, "screen_help", ("question_mark", "f1"), "help", "Show the keys of this screen",
        Group.SESSION, 80,
    ),
    _any(
        _SCREENS | {Place.QUICK_FILTER}, "close_screen", ("escape",), "close",
        "Step back: leave the filter box, then go back to the table", Group.SESSION, 90,
    ),
    _any(
        _SCREENS, "leave_screen", ("q",), "close", "Go back to the table", Group.SESSION,
    ),
    # --- the history of one memory
    own(
        Place.HISTORY, "revert", ("R",), "revert to this",
        "Bring the memory back to this version, as a new version", Group.CHANGE, 1,
    ),
    own(
        Place.HISTORY, "compare", ("c", "enter"), "compare with now",
        "Show the difference to the present instead of to the version before, or back",
        Group.VIEW, 2,
    ),
    own(
        Place.HISTORY, "history_undo", ("u",), "undo", "Take the last revert made here back",
        Group.CHANGE, 3,
    ),
    # --- the activity
    own(
        Place.ACTIVITY, "show_memory", ("enter", "l", "right"), "go to it",
        "Show this memory in the table", Group.MOVE, 1,
    ),
    own(
        Place.ACTIVITY, "memory_history", ("h",), "its history",
        "Show every version of this memory", Group.REVIEW, 2,
    ),
    own(
        Place.ACTIVITY, "pick_actor", ("a",), "who", "Show only what one of them did",
        Group.FIND, 3,
    ),
    own(
        Place.ACTIVITY, "pick_action", ("c",), "what",
        "Show only what was created, changed, deleted or restored", Group.FIND, 4,
    ),
    own(
        Place.ACTIVITY, "show_everything", ("backspace",), "everything",
        "Show everything that was done by anyone", Group.FIND, 5,
    ),
    own(
        Place.ACTIVITY, "agents_too", ("w",), "what agents read",
        "Show what agents read and were given, which changed nothing", Group.REVIEW, 6,
    ),
    # --- what agents read
    own(
        Place.AGENTS, "show_read", ("enter", "l", "right"), "go to it",
        "Show a memory that this is about in the table", Group.MOVE, 1,
    ),
    own(
        Place.AGENTS, "pick_agent", ("a",), "who", "Show only what one of them did",
        Group.FIND, 2,
    ),
    own(
        Place.AGENTS, "every_agent", ("backspace",), "everyone", "Show what everyone did",
        Group.FIND, 3,
    ),
    # --- the undo list
    own(
        Place.UNDO_LIST, "undo_this", ("u", "enter"), "undo this",
        "Take this change back, where nothing was changed since", Group.CHANGE, 1,
    ),
    own(
        Place.UNDO_LIST, "redo_this", ("ctrl+r",), "redo",
        "Make this change, that was taken back, again", Group.CHANGE, 2,
    ),
    own(
        Place.UNDO_LIST, "only_mine", ("a",), "mine or all",
        "Show only what this session's name did, or what everyone did", Group.FIND, 3,
    ),
    # --- the tag manager
    own(
        Place.TAG_MANAGER, "accept_merge", ("a",), "accept",
        "Make the proposed merge", Group.CHANGE, 1,
    ),
    own(
        Place.TAG_MANAGER, "mark_tag", ("space",), "mark", "Mark the tag for a merge, or unmark it",
        Group.CHANGE, 2,
    ),
    own(
        Place.TAG_MANAGER, "rename_tag", ("r", "e"), "rename", "Rename the tag on every memory",
        Group.CHANGE, 3,
    ),
    own(
        Place.TAG_MANAGER, "merge_tags", ("m",), "merge", "Merge the marked tags into one",
        Group.CHANGE, 4,
    ),
    own(
        Place.TAG_MANAGER, "remove_tag", ("d",), "remove",
        "Take the tag, or all marked ones, off every memory", Group.CHANGE, 5,
    ),
    own(
        Place.TAG_MANAGER, "tags_undo", ("u",), "undo", "Take the last change made here back",
        Group.CHANGE, 6,
    ),
    own(
        Place.TAG_MANAGER, "show_tagged", ("enter",), "show", "Show the memories with this tag",
        Group.FIND, 7,
    ),
    own(
        Place.TAG_MANAGER, "narrow_tags", ("slash",), "filter", "Show only tags that hold a piece",
        Group.FIND, 8,
    ),
    own(
        Place.TAG_MANAGER, "sort_tags", ("s",), "sort", "Sort by number, by name, by last use",
        Group.FIND, 9,
    ),
    # --- the saved views
    own(
        Place.VIEWS, "apply_view", ("enter", "l", "right"), "show", "Show what this view finds",
        Group.FIND, 1,
    ),
    own(
        Place.VIEWS, "save_view", ("n", "s"), "save current",
        "Keep the filters and the sort in force under a name", Group.CHANGE, 2,
    ),
    own(
        Place.VIEWS, "rename_view", ("r", "e"), "rename", "Give the view another name",
        Group.CHANGE, 3,
    ),
    own(
        Place.VIEWS, "delete_view", ("d",), "delete", "Forget the view; no memory is touched",
        Group.CHANGE, 4,
    ),
    own(
        Place.VIEWS, "views_undo", ("u",), "undo", "Bring the view that was deleted last back",
        Group.CHANGE, 5,
    ),
    # --- the figures
    own(Place.STATS, "stats_down", ("j", "down"), "down", "Scroll down", Group.MOVE, 1),
    own(Place.STATS, "stats_up", ("k", "up"), "up", "Scroll up", Group.MOVE, 2),
    own(Place.STATS, "stats_top", ("g", "home"), "top", "Scroll to the beginning", Group.MOVE),
    own(Place.STATS, "stats_bottom", ("G", "end"), "end", "Scroll to the end", Group.MOVE),
    own(
        Place.STATS, "stats_page_down", ("pagedown", "ctrl+f", "space"), "screen down",
        "Scroll down by a screenful", Group.MOVE,
    ),
    own(
        Place.STATS, "stats_page_up", ("pageup", "ctrl+b"), "screen up",
        "Scroll up by a screenful", Group.MOVE,
    ),
    # --- the stale queue
    own(
        Place.STALE, "keep_active", ("a",), "keep", "Leave this memory as it is and go to the next",
        Group.REVIEW, 1,
    ),
    own(
        Place.STALE, "stale_invalidate", ("x",), "invalidate", "Mark this memory invalid",
        Group.REVIEW, 2,
    ),
    own(
        Place.STALE, "stale_delete", ("d",), "delete",
        "Delete this memory; it can be undone and restored", Group.REVIEW, 3,
    ),
    own(
        Place.STALE, "snooze_7", ("7",), "snooze 7 d", "Ask about this memory again in 7 days",
        Group.REVIEW, 7,
    ),
    own(
        Place.STALE, "snooze_30", ("3",), "30 d", "Ask about this memory again in 30 days",
        Group.REVIEW, 8,
    ),
    own(
        Place.STALE, "snooze_90", ("9",), "90 d", "Ask about this memory again in 90 days",
        Group.REVIEW, 9,
    ),
    own(Place.STALE, "stale_edit", ("e",), "edit", "Edit this memory", Group.REVIEW, 4),
    own(
        Place.STALE, "stale_skip", ("s", "right", "space"), "skip",
        "Go to the next memory; this one comes again at the end", Group.REVIEW, 5,
    ),
    own(
        Place.STALE, "stale_undo", ("u",), "undo",
        "Take the last decision back and show its memory again", Group.REVIEW, 10,
    ),
    own(
        Place.STALE, "pick_age", ("o",), "age", "Choose for how long memories were not used",
        Group.FIND, 11,
    ),
    own(Place.STALE, "stale_down", ("j", "down"), "down", "Scroll down", Group.MOVE),
    own(Place.STALE, "stale_up", ("k", "up"), "up", "Scroll up", Group.MOVE),
    own(
        Place.STALE, "stale_help", ("question_mark", "f1"), "help", "Show the keys of this screen",
        Group.SESSION, 6,
    ),
    own(
        Place.STALE, "close_stale", ("escape", "q"), "close", "Go back to the table",
        Group.SESSION, 12,
    ),
)  # fmt: skip
