"""What an action is, where it works and which node has it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


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
    HISTORY = "history"
    ACTIVITY = "activity"
    AGENTS = "agents"
    UNDO_LIST = "undo list"
    TAG_MANAGER = "tag manager"
    VIEWS = "views"
    STATS = "stats"
    STALE = "stale"
    QUICK_FILTER = "quick filter"
    DRAFT = "draft"
    FILE_PICKER = "file picker"
    IMPORT = "import"


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
    HISTORY = "history"
    ACTIVITY = "activity"
    AGENTS = "agents"
    UNDO_LIST = "undo list"
    TAG_MANAGER = "tag manager"
    VIEWS = "views"
    STATS = "stats"
    STALE = "stale"
    SCREEN = "screen"
    DRAFT = "draft"
    FILE_PICKER = "file picker"
    IMPORT = "import"


class Group(StrEnum):
    """The headings of the help."""

    MOVE = "Move"
    FIND = "Find"
    MARK = "Mark"
    CHANGE = "Change"
    REVIEW = "Review"
    FILES = "Files"
    VIEW = "View"
    SESSION = "Session"


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


def own(  # noqa: PLR0917 - a row of the table below
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
