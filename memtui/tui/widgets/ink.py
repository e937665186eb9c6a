"""The colours that lines are drawn with: names for roles, taken from the theme in force.

The library's component classes do the same through the style sheet, at the price of a hidden node
per class and widget in every restyling; a screen full of rows starts a third faster without them.
"""

from __future__ import annotations

from typing import NamedTuple

from rich.color import Color as RichColor
from rich.style import Style
from textual.color import Color
from textual.widget import Widget


class Ink(NamedTuple):
    """A role: the theme's variable for the text, and how it is set."""

    colour: str | None = "foreground"
    background: str | None = None
    bold: bool = False
    strike: bool = False


INKS: dict[str, Ink] = {
    "text": Ink(),
    "strong": Ink(bold=True),
    "muted": Ink("muted"),
    "faint": Ink("faint"),
    "heading": Ink("faint", bold=True),
    "accent": Ink("accent"),
    "key": Ink("accent", bold=True),
    "warning": Ink("warning", bold=True),
    "retired": Ink("muted", strike=True),
    "good": Ink("success"),
    "bad": Ink("error"),
    "match": Ink("match-foreground", "match-background"),
    "preference": Ink("type-preference"),
    "fact": Ink("type-fact"),
    "identity": Ink("type-identity"),
    "event": Ink("type-event"),
    "cursor": Ink(None, "cursor-row"),
    "cursor-blurred": Ink(None, "cursor-row-blurred"),
    "hover": Ink(None, "hover-row"),
    "marked": Ink(None, "marked-row"),
    "changed": Ink(None, "changed-row"),
}


class Inked(Widget):
    """A widget that draws its lines itself, with the inks of the theme in force."""

    _inks: dict[str, Style] | None = None
    _inks_of: dict[str, str] | None = None

    def ink(self, name: str) -> Style:
        """Return the style of a role; KeyError when there is no such role."""
        variables = self.app.theme_variables  # another object after every change of the theme
        if self._inks is None or self._inks_of is not variables:
            self._inks = {}
            self._inks_of = variables
        if name not in self._inks:
            self._inks[name] = _style(INKS[name], variables)
        return self._inks[name]


def _style(ink: Ink, variables: dict[str, str]) -> Style:
    return Style(
        color=_colour(ink.colour, variables),
        bgcolor=_colour(ink.background, variables),
        bold=ink.bold or None,
        strike=ink.strike or None,
    )


def _colour(name: str | None, variables: dict[str, str]) -> RichColor | None:
    return None if name is None else Color.parse(variables[name]).rich_color
