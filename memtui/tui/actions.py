"""The registry of everything a key, the palette or a click can do.

Bindings, footer, help, palette and key remapping all read `ACTIONS`, so they cannot disagree.
Nothing here imports Textual: the command line checks key overrides through `key_problems`.

An action `id` names the method that does it: `edit` is `action_edit` of the screen, or of the
widget, that `scope` names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from memtui.errors import Problem


class Place(StrEnum):
    """Where the focus is."""

    TABLE = "table"
    DETAIL = "detail"
    FILTERS = "filters"
    TAGS = "tags"
    SEARCH = "search"
    REVIEW = "review"
    EDIT = "edit"
    CONFLICT = "conflict"
    DIALOG = "dialog"
    HELP = "help"


class Scope(StrEnum):
    """Which node binds an action and has its method."""

    APP = "app"
    BROWSE = "browse"
    LIST = "list"
    DETAIL = "detail"
    SEARCH = "search"
    REVIEW = "review"
    EDIT = "edit"
    CONFLICT = "conflict"
    DIALOG = "dialog"
    HELP = "help"


class Group(StrEnum):
    """The headings of the help."""

    MOVE = "Move"
    FIND = "Find"
    CHANGE = "Change"
    REVIEW = "Review"
    VIEW = "View"
    SESSION = "Session"


_LISTS = frozenset({Place.TABLE, Place.FILTERS, Place.TAGS})
_PANES = _LISTS | {Place.DETAIL}
_MEMORY = frozenset({Place.TABLE, Place.DETAIL})
_BROWSE = _PANES | {Place.SEARCH}


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that can be done.

    `keys` are Textual key names. `label` is a word or two for footer and palette, `help` a
    sentence. `where` says for which focus the keys work; `footer` ranks it in the key line of
    those places (1 first; 0 leaves it out); `palette` says whether it is offered there.
    """

    id: str
    keys: tuple[str, ...]
    label: str
    help: str
    group: Group
    scope: Scope
    where: frozenset[Place]
    footer: int = 0
    palette: bool = True


def _move(id_: str, keys: tuple[str, ...], label: str, text: str, footer: int = 0) -> Action:
    return Action(id_, keys, label, text, Group.MOVE, Scope.LIST, _LISTS, footer, palette=False)


def _in(  # noqa: PLR0917 - a row of the table below
    place: Place,
    id_: str,
    keys: tuple[str, ...],
    label: str,
    text: str,
    group: Group,
    footer: int = 0,
) -> Action:
    """An action of a screen of its own, whose scope has the name of its place."""
    return Action(
        id_, keys, label, text, group, Scope(place.value), frozenset({place}), footer, palette=False
    )


ACTIONS: tuple[Action, ...] = (
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
        Group.FIND, Scope.SEARCH, frozenset({Place.SEARCH}), 1, palette=False,
    ),
    Action(
        "back", ("escape",), "back",
        "Step back: leave a box, close a pane, clear the search, clear the filters",
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
        "add_tags", ("t",), "tag", "Add tags to the memory",
        Group.CHANGE, Scope.BROWSE, _MEMORY, 4,
    ),
    Action(
        "remove_tags", ("T",), "untag", "Take tags off the memory",
        Group.CHANGE, Scope.BROWSE, _MEMORY, 14,
    ),
    Action(
        "toggle_invalid", ("x",), "invalidate", "Mark the memory invalid, or make it active again",
        Group.CHANGE, Scope.BROWSE, _MEMORY, 5,
    ),
    Action(
        "delete", ("d",), "delete", "Delete the memory; it can be undone and restored",
        Group.CHANGE, Scope.BROWSE, _MEMORY, 6,
    ),
    Action(
        "restore", ("R",), "restore", "Bring a deleted memory back",
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
    # --- Review
    Action(
        "review", ("r",), "review", "Go through the invalid memories one at a time",
        Group.REVIEW, Scope.BROWSE, _PANES, 16,
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
    # --- the form
    _in(Place.EDIT, "save", ("ctrl+s",), "save", "Save the memory", Group.CHANGE, 1),
    _in(Place.EDIT, "next_field", ("tab",), "next field", "Go to the next field", Group.MOVE, 2),
    _in(
        Place.EDIT, "previous_field", ("shift+tab",), "field before", "Go to the field before",
        Group.MOVE,
    ),
    _in(
        Place.EDIT, "close_form", ("escape",), "close",
        "Close the form; asks when something was typed", Group.CHANGE, 3,
    ),
    _in(Place.EDIT, "form_help", ("f1",), "help", "Show the keys of the form", Group.SESSION, 4),
    # --- a conflict
    _in(
        Place.CONFLICT, "save_merge", ("s", "ctrl+s"), "save merge",
        "Save the merged text over the newer version", Group.CHANGE, 1,
    ),
    _in(
        Place.CONFLICT, "keep_mine", ("m",), "keep mine", "Save your values over the newer version",
        Group.CHANGE, 2,
    ),
    _in(
        Place.CONFLICT, "keep_theirs", ("t",), "keep theirs",
        "Leave the newer version as it is and drop yours", Group.CHANGE, 3,
    ),
    _in(
        Place.CONFLICT, "edit_merge", ("e",), "edit merge", "Take the merged text into the form",
        Group.CHANGE, 4,
    ),
    _in(
        Place.CONFLICT, "switch_side", ("space",), "other side",
        "Take the other side's text at the marked clash", Group.CHANGE, 5,
    ),
    _in(Place.CONFLICT, "next_clash", ("n",), "next clash", "Go to the next clash", Group.MOVE, 6),
    _in(
        Place.CONFLICT, "previous_clash", ("N",), "clash before", "Go to the clash before",
        Group.MOVE,
    ),
    _in(Place.CONFLICT, "conflict_down", ("j", "down"), "down", "Scroll down", Group.MOVE),
    _in(Place.CONFLICT, "conflict_up", ("k", "up"), "up", "Scroll up", Group.MOVE),
    _in(
        Place.CONFLICT, "back_to_form", ("escape",), "back", "Go on editing your own text",
        Group.CHANGE, 7,
    ),
    # --- dialogs
    _in(Place.DIALOG, "confirm", ("y", "ctrl+s"), "yes", "Do what is asked", Group.CHANGE, 1),
    _in(Place.DIALOG, "cancel", ("n", "escape"), "no", "Change nothing", Group.CHANGE, 2),
    # --- the help
    _in(Place.HELP, "find_key", ("slash",), "search", "Search the keys", Group.FIND, 1),
    _in(Place.HELP, "help_down", ("j", "down"), "down", "Scroll down", Group.MOVE),
    _in(Place.HELP, "help_up", ("k", "up"), "up", "Scroll up", Group.MOVE),
    _in(
        Place.HELP, "close_help", ("escape", "q", "question_mark", "f1"), "close", "Close the help",
        Group.SESSION, 2,
    ),
    # --- the review
    _in(
        Place.REVIEW, "keep_invalid", ("i",), "keep invalid",
        "Leave this memory invalid and go to the next", Group.REVIEW, 1,
    ),
    _in(
        Place.REVIEW, "make_active", ("a",), "make active", "Make this memory active again",
        Group.REVIEW, 2,
    ),
    _in(Place.REVIEW, "review_edit", ("e",), "edit", "Edit this memory", Group.REVIEW, 3),
    _in(
        Place.REVIEW, "review_delete", ("d",), "delete",
        "Delete this memory; it can be undone and restored", Group.REVIEW, 4,
    ),
    _in(
        Place.REVIEW, "review_skip", ("s", "right", "space"), "skip",
        "Go to the next memory; this one comes again at the end", Group.REVIEW, 5,
    ),
    _in(
        Place.REVIEW, "review_undo", ("u",), "undo",
        "Take the last decision back and show its memory again", Group.REVIEW, 6,
    ),
    _in(Place.REVIEW, "review_down", ("j", "down"), "down", "Scroll down", Group.MOVE),
    _in(Place.REVIEW, "review_up", ("k", "up"), "up", "Scroll up", Group.MOVE),
    _in(
        Place.REVIEW, "review_help", ("question_mark", "f1"), "help", "Show the keys of the review",
        Group.SESSION, 7,
    ),
    _in(
        Place.REVIEW, "close_review", ("escape", "q"), "close", "Go back to the table",
        Group.SESSION, 8,
    ),
)  # fmt: skip

BY_ID: Mapping[str, Action] = {action.id: action for action in ACTIONS}


def keys_of(action: Action, overrides: Mapping[str, str]) -> tuple[str, ...]:
    """Return the keys of `action` under the person's overrides, as Textual names them."""
    if (given := overrides.get(action.id)) is None:
        return action.keys
    return tuple(_split(given))


def at(place: Place) -> Iterator[Action]:
    """Yield the actions whose keys work while the focus is at `place`, in footer order."""
    found = [action for action in ACTIONS if place in action.where]
    return iter(sorted(found, key=lambda action: (action.footer == 0, action.footer)))


def key_problems(overrides: Mapping[str, str]) -> list[Problem]:
    """Check key overrides (action id → comma-separated keys): one `Problem` per mistake.

    Refused are an unknown action, an empty or repeated key, a key that is not one, and a key that
    two actions of one place would share.
    """
    problems = [
        Problem(
            ("keys", name), f"is not an action; there are: {', '.join(sorted(BY_ID))}", "unknown"
        )
        for name in overrides
        if name not in BY_ID
    ]
    for name, given in overrides.items():
        if name in BY_ID:
            problems += _bad_keys(name, given)
    return problems + _clashes(overrides)


def key_label(key: str) -> str:
    """Return a key as people write it: `slash` is `/`, `ctrl+p` is `^p`."""
    *modifiers, name = key.split("+")
    shown = _SHOWN.get(name, name)
    return "".join("^" if part == "ctrl" else f"{part}+" for part in modifiers) + shown


def canonical_key(key: str) -> str:
    """Return the name that Textual gives a key: `/` is `slash`, `Ctrl+P` is `ctrl+p`."""
    key = key.strip()
    if len(key) == 1:
        return _NAMED.get(key, key)
    *modifiers, name = key.split("+") if not key.endswith("++") else [*key[:-2].split("+"), "+"]
    name = _NAMED.get(name, name) if len(name) == 1 else name.lower()
    return "+".join([*(part.lower() for part in modifiers), name])


def _split(given: str) -> Iterable[str]:
    """Split "a, b" at its commas; a lone comma, or one between commas, is the key itself."""
    given = given.strip()
    if given == ",":
        return ["comma"]
    return [canonical_key(part) for part in given.split(",")]


def _bad_keys(name: str, given: str) -> Iterator[Problem]:
    seen: set[str] = set()
    for key in _split(given):
        where = ("keys", name)
        if not key:
            yield Problem(where, 'has an empty key; write for example "e" or "e, f2"', "empty")
        elif not _is_key(key):
            yield Problem(
                where, f"{key!r} is not a key; write for example e, E, ctrl+e, f2, enter", "key"
            )
        elif key in seen:
            yield Problem(where, f"names {key_label(key)} twice", "repeated")
        seen.add(key)


def _clashes(overrides: Mapping[str, str]) -> list[Problem]:
    problems: list[Problem] = []
    taken: dict[tuple[Place, str], str] = {}
    ordered = sorted(ACTIONS, key=lambda action: action.id in overrides)
    for action in ordered:
        told: set[str] = set()
        for key in dict.fromkeys(keys_of(action, overrides)):
            for place in sorted(action.where):
                holder = taken.setdefault((place, key), action.id)
                if holder != action.id and holder not in told:
                    told.add(holder)
                    problems.append(
                        Problem(
                            ("keys", action.id),
                            f"{key_label(key)} is bound twice: it is also the key of {holder}",
                            "clash",
                        )
                    )
    return problems


def _is_key(key: str) -> bool:
    *modifiers, name = key.split("+")
    known = len(name) == 1 or name in _SHOWN or name in _PLAIN
    return known and all(
        part in {"ctrl", "alt", "shift", "super", "meta", "hyper"} for part in modifiers
    )


_NAMED = {
    "/": "slash", "?": "question_mark", ":": "colon", "[": "left_square_bracket",
    "]": "right_square_bracket", "{": "left_curly_bracket", "}": "right_curly_bracket",
    "+": "plus", "_": "underscore", "#": "number_sign", " ": "space", ",": "comma",
    ".": "full_stop",
    ";": "semicolon", "-": "minus", "=": "equals_sign", "*": "asterisk", "!": "exclamation_mark",
    "'": "apostrophe", '"': "quotation_mark", "(": "left_parenthesis", ")": "right_parenthesis",
    "<": "less_than_sign", ">": "greater_than_sign", "@": "at", "$": "dollar_sign",
    "%": "percent_sign", "&": "ampersand", "^": "circumflex_accent", "`": "grave_accent",
    "|": "vertical_line", "~": "tilde", "\\": "backslash",
}  # fmt: skip
_SHOWN = {name: char for char, name in _NAMED.items()} | {
    "space": "space", "escape": "esc", "up": "↑", "down": "↓", "left": "←", "right": "→",
    "pageup": "PgUp", "pagedown": "PgDn", "enter": "enter", "backspace": "bksp",
}  # fmt: skip
_PLAIN = {
    "tab", "home", "end", "delete", "insert", *(f"f{number}" for number in range(1, 25)),
}  # fmt: skip
