"""How the panes share the terminal: a pure function of its size and of what the person opened."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

LEAST = (40, 10)
"""Columns and rows below which only a note is shown."""
_COLUMN_FROM = 100
_DETAIL_FROM = 120
_RIGHT_FROM = 160
_BELOW_FROM = 30


def is_too_small(width: int, height: int) -> bool:
    """Whether nothing fits into a terminal of that size."""
    return width < LEAST[0] or height < LEAST[1]


class Pane(StrEnum):
    """What can have the focus and be given the whole screen."""

    FILTERS = "filters"
    TABLE = "table"
    DETAIL = "detail"


class Sidebar(StrEnum):
    """How the filters are shown."""

    COLUMN = "column"
    STRIP = "strip"
    OVER = "over"
    FULL = "full"


class DetailPlace(StrEnum):
    """Where the detail is."""

    RIGHT = "right"
    BELOW = "below"
    FULL = "full"
    HIDDEN = "hidden"

    @property
    def hidden(self) -> bool:
        """Whether the detail is out of sight."""
        return self is DetailPlace.HIDDEN


@dataclass(frozen=True, slots=True)
class Wishes:
    """What the person opened or closed; None leaves it to the size of the terminal."""

    sidebar: bool | None = None
    detail: bool = False
    zoom: Pane | None = None


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What is shown where."""

    sidebar: Sidebar
    detail: DetailPlace
    dense: bool = False
    too_small: bool = False

    @property
    def table(self) -> bool:
        """Whether the table is in sight."""
        return self.detail is not DetailPlace.FULL and self.sidebar is not Sidebar.FULL

    def classes(self) -> set[str]:
        """The names that the style sheet knows these places by."""
        names = {f"-sidebar-{self.sidebar}", f"-detail-{self.detail}"}
        names |= {"-dense"} if self.dense else set()
        return names | ({"-too-small"} if self.too_small else set())


def arrange(width: int, height: int, wishes: Wishes) -> Arrangement:
    """Return the arrangement for a terminal of `width` columns and `height` rows.

    From 120 columns on all three panes are in sight; narrower terminals fold the detail, then the
    sidebar, which becomes one line and can be opened over the table.
    """
    return Arrangement(
        _sidebar(width, wishes),
        _detail(width, height, wishes),
        dense=height < _BELOW_FROM,
        too_small=is_too_small(width, height),
    )


def has_column(width: int) -> bool:
    """Whether the terminal is wide enough to keep the filters beside the table."""
    return width >= _COLUMN_FROM


def _sidebar(width: int, wishes: Wishes) -> Sidebar:
    if wishes.zoom is Pane.FILTERS:
        return Sidebar.FULL
    if wishes.zoom is not None:
        return Sidebar.STRIP
    if has_column(width):
        return Sidebar.STRIP if wishes.sidebar is False else Sidebar.COLUMN
    return Sidebar.OVER if wishes.sidebar else Sidebar.STRIP


def _detail(width: int, height: int, wishes: Wishes) -> DetailPlace:
    if wishes.zoom is Pane.DETAIL:
        return DetailPlace.FULL
    if wishes.zoom is not None:
        return DetailPlace.HIDDEN
    if width >= _RIGHT_FROM or (width >= _DETAIL_FROM and height < _BELOW_FROM):
        return DetailPlace.RIGHT
    if height >= _BELOW_FROM:
        return DetailPlace.BELOW
    return DetailPlace.FULL if wishes.detail else DetailPlace.HIDDEN
