"""The actions of the form, the conflict, the dialogs, the help and the review."""

from __future__ import annotations

from memtui.tui.actions.kinds import Action, Group, Place, own

FORMS: tuple[Action, ...] = (
    # --- the form
    own(Place.EDIT, "save", ("ctrl+s",), "save", "Save the memory", Group.CHANGE, 1),
    own(Place.EDIT, "next_field", ("tab",), "next field", "Go to the next field", Group.MOVE, 2),
    own(
        Place.EDIT, "previous_field", ("shift+tab",), "field before", "Go to the field before",
        Group.MOVE,
    ),
    own(
        Place.EDIT, "close_form", ("escape",), "close",
        "Close the form; asks when something was typed", Group.CHANGE, 3,
    ),
    own(Place.EDIT, "form_help", ("f1",), "help", "Show the keys of the form", Group.SESSION, 4),
    # --- a conflict
    own(
        Place.CONFLICT, "save_merge", ("s", "ctrl+s"), "save merge",
        "Save the merged text over the newer version", Group.CHANGE, 1,
    ),
    own(
        Place.CONFLICT, "keep_mine", ("m",), "keep mine", "Save your values over the newer version",
        Group.CHANGE, 4,
    ),
    own(
        Place.CONFLICT, "keep_theirs", ("t",), "keep theirs",
        "Leave the newer version as it is and drop yours", Group.CHANGE, 5,
    ),
    own(
        Place.CONFLICT, "edit_merge", ("e",), "edit merge", "Take the merged text into the form",
        Group.CHANGE, 6,
    ),
    own(
        Place.CONFLICT, "switch_side", ("space",), "other side",
        "Take the other side's text at the marked clash", Group.CHANGE, 2,
    ),
    own(Place.CONFLICT, "next_clash", ("n",), "next clash", "Go to the next clash", Group.MOVE, 3),
    own(
        Place.CONFLICT, "previous_clash", ("N",), "clash before", "Go to the clash before",
        Group.MOVE,
    ),
    own(Place.CONFLICT, "conflict_down", ("j", "down"), "down", "Scroll down", Group.MOVE),
    own(Place.CONFLICT, "conflict_up", ("k", "up"), "up", "Scroll up", Group.MOVE),
    own(
        Place.CONFLICT, "back_to_form", ("escape",), "back", "Go on editing your own text",
        Group.CHANGE, 7,
    ),
    # --- dialogs
    own(Place.DIALOG, "confirm", ("y", "ctrl+s"), "yes", "Do what is asked", Group.CHANGE, 1),
    own(Place.DIALOG, "cancel", ("n", "escape"), "no", "Change nothing", Group.CHANGE, 2),
    # --- the help
    own(Place.HELP, "find_key", ("slash",), "search", "Search the keys", Group.FIND, 1),
    own(Place.HELP, "help_down", ("j", "down"), "down", "Scroll down", Group.MOVE),
    own(Place.HELP, "help_up", ("k", "up"), "up", "Scroll up", Group.MOVE),
    own(
        Place.HELP, "close_help", ("escape", "q", "question_mark", "f1"), "close", "Close the help",
        Group.SESSION, 2,
    ),
    # --- the review
    own(
        Place.REVIEW, "keep_invalid", ("i",), "keep invalid",
        "Leave this memory invalid and go to the next", Group.REVIEW, 1,
    ),
    own(
        Place.REVIEW, "make_active", ("a",), "make active", "Make this memory active again",
        Group.REVIEW, 2,
    ),
    own(Place.REVIEW, "review_edit", ("e",), "edit", "Edit this memory", Group.REVIEW, 3),
    own(
        Place.REVIEW, "review_delete", ("d",), "delete",
        "Delete this memory; it can be undone and restored", Group.REVIEW, 4,
    ),
    own(
        Place.REVIEW, "review_skip", ("s", "right", "space"), "skip",
        "Go to the next memory; this one comes again at the end", Group.REVIEW, 5,
    ),
    own(
        Place.REVIEW, "review_undo", ("u",), "undo",
        "Take the last decision back and show its memory again", Group.REVIEW, 6,
    ),
    own(Place.REVIEW, "review_down", ("j", "down"), "down", "Scroll down", Group.MOVE),
    own(Place.REVIEW, "review_up", ("k", "up"), "up", "Scroll up", Group.MOVE),
    own(
        Place.REVIEW, "review_help", ("question_mark", "f1"), "help", "Show the keys of the review",
        Group.SESSION, 7,
    ),
    own(
        Place.REVIEW, "close_review", ("escape", "q"), "close", "Go back to the table",
        Group.SESSION, 8,
    ),
)  # fmt: skip
