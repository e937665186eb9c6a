"""Which keys do what, as sections of rows; and the widget that draws them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import NamedTuple

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

from memtui.tui.actions import Action, Group, Place, at, key_label, keys_of

_KEYS_WIDTH = 16
_NAMES = {
    "tags": "list of tags",
    "search": "search box",
    "edit": "form",
    "views": "saved views",
    "stale": "stale queue",
}
"""Places that are called otherwise than their id; keyed by it, for places of other screens."""


class Row(NamedTuple):
    """An action: its keys as people write them, what it does, and where, if not here."""

    keys: str
    does: str
    where: str = ""


class Section(NamedTuple):
    """A heading and its rows."""

    title: str
    rows: tuple[Row, ...]


def place_name(place: Place) -> str:
    """Return what a place is called."""
    return _NAMES.get(place.value, place.value.replace("_", " "))


def sections(
    place: Place, actions: Iterable[Action], overrides: Mapping[str, str], wanted: str = ""
) -> list[Section]:
    """Return the keys of `place` first, then all others by group; only those that say `wanted`."""
    offered = {action.id: action for action in actions}
    here = [action for action in at(place) if action.id in offered]
    elsewhere = [action for action in offered.values() if place not in action.where]
    found = [_section(f"In the {place_name(place)}", here, overrides, wanted, here=True)]
    for group in Group:
        members = [action for action in elsewhere if action.group is group]
        found.append(_section(f"{group} elsewhere", members, overrides, wanted, here=False))
    return [section for section in found if section.rows]


def _section(
    title: str,
    actions: Sequence[Action],
    overrides: Mapping[str, str],
    wanted: str,
    *,
    here: bool,
) -> Section:
    rows = (_row(action, overrides, here=here) for action in actions)
    needle = wanted.casefold().strip()
    kept = tuple(
        row
        for row, action in zip(rows, actions, strict=True)
        if needle in f"{row.keys} {row.does} {row.where} {action.label}".casefold()
    )
    return Section(title, kept)


def _row(action: Action, overrides: Mapping[str, str], *, here: bool) -> Row:
    keys = "  ".join(key_label(key) for key in keys_of(action, overrides))
    where = "" if here else ", ".join(place_name(place) for place in Place if place in action.where)
    return Row(keys, action.help, where)


class HelpKeys(Widget):
    """Sections of keys, each action's words wrapped beside its keys."""

    DEFAULT_CSS = "HelpKeys { height: auto; width: 1fr; }"

    def __init__(self) -> None:
        super().__init__()
        self._sections: list[Section] = []

    def show(self, sections: list[Section]) -> None:
        """Show these sections."""
        self._sections = sections
        self.refresh(layout=True)

    def render(self) -> Content:
        """All lines."""
        return Content("\n").join(self._lines(self.content_size.width))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the rows wrap to."""
        return sum(1 for _line in self._lines(width))

    def _lines(self, width: int) -> Iterator[Content]:
        if not self._sections:
            yield Content.styled("No key does that.", "$muted")
        for number, section in enumerate(self._sections):
            if number:
                yield Content("")
            yield Content.styled(section.title, "bold $muted")
            for row in section.rows:
                yield from _row_lines(row, width)


def _row_lines(row: Row, width: int) -> Iterator[Content]:
    room = max(10, width - _KEYS_WIDTH)
    for number, words in enumerate(wrap(row.does, room) or [""]):
        keys = row.keys if number == 0 else ""
        yield Content.assemble((f"{keys:<{_KEYS_WIDTH}}", "bold $accent"), words)
    if row.where:
        for words in wrap(row.where, room):
            yield Content.assemble(" " * _KEYS_WIDTH, (words, "$faint"))
