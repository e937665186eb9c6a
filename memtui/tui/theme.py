"""The two themes: calm backgrounds, one accent, four steady colours for the types."""

from __future__ import annotations

from textual.theme import Theme

DARK = "memtui-dark"
LIGHT = "memtui-light"

_DARK_COLOURS = {
    "muted": "#8b94a5",
    "faint": "#5f6878",
    "cursor-row": "#2b3342",
    "cursor-row-blurred": "#20252f",
    "hover-row": "#1d222b",
    "marked-row": "#2a2317",
    "changed-row": "#17251d",
    "match-background": "#4a3b1c",
    "match-foreground": "#ffd48a",
    "chip": "#272d38",
    "type-preference": "#e88fa8",
    "type-fact": "#7fb2dc",
    "type-identity": "#b9a0ea",
    "type-event": "#8cc792",
    "input-cursor-background": "#f0b35a",
    "input-cursor-foreground": "#14161b",
    "input-selection-background": "#f0b35a 30%",
    "scrollbar": "#2c3340",
    "scrollbar-hover": "#3b4454",
    "scrollbar-active": "#f0b35a",
    "scrollbar-background": "#14161b",
    "scrollbar-background-hover": "#14161b",
    "scrollbar-background-active": "#14161b",
    "scrollbar-corner-color": "#14161b",
    "border": "#f0b35a",
    "border-blurred": "#2c3340",
    "block-cursor-background": "#2b3342",
    "block-cursor-foreground": "#e6e9ef",
    "block-cursor-text-style": "bold",
    "block-cursor-blurred-background": "#20252f",
    "block-cursor-blurred-foreground": "#d7dbe3",
    "block-hover-background": "#1d222b",
}

_LIGHT_COLOURS = {
    "muted": "#5d6675",
    "faint": "#8a92a0",
    "cursor-row": "#f3dfbd",
    "cursor-row-blurred": "#e9e7e1",
    "hover-row": "#f1efea",
    "marked-row": "#fbf0d9",
    "changed-row": "#e6f2e4",
    "match-background": "#ffe2a6",
    "match-foreground": "#5c3a00",
    "chip": "#e6e3dc",
    "type-preference": "#ad2a55",
    "type-fact": "#1c629c",
    "type-identity": "#6a3db0",
    "type-event": "#2c7534",
    "input-cursor-background": "#a35c00",
    "input-cursor-foreground": "#ffffff",
    "input-selection-background": "#a35c00 25%",
    "scrollbar": "#d6d2c8",
    "scrollbar-hover": "#c3beb2",
    "scrollbar-active": "#a35c00",
    "scrollbar-background": "#faf9f6",
    "scrollbar-background-hover": "#faf9f6",
    "scrollbar-background-active": "#faf9f6",
    "scrollbar-corner-color": "#faf9f6",
    "border": "#a35c00",
    "border-blurred": "#d6d2c8",
    "block-cursor-background": "#f3dfbd",
    "block-cursor-foreground": "#20242c",
    "block-cursor-text-style": "bold",
    "block-cursor-blurred-background": "#e9e7e1",
    "block-cursor-blurred-foreground": "#20242c",
    "block-hover-background": "#f1efea",
}

THEMES = (
    Theme(
        name=DARK,
        primary="#f0b35a",
        secondary="#8b94a5",
        accent="#f0b35a",
        warning="#f0b35a",
        error="#f07f7f",
        success="#8cc792",
        foreground="#d7dbe3",
        background="#14161b",
        surface="#1a1d24",
        panel="#20242d",
        boost="#1f232c",
        dark=True,
        variables=_DARK_COLOURS,
    ),
    Theme(
        name=LIGHT,
        primary="#a35c00",
        secondary="#5d6675",
        accent="#a35c00",
        warning="#a35c00",
        error="#b3261e",
        success="#2c7534",
        foreground="#20242c",
        background="#faf9f6",
        surface="#f2f0eb",
        panel="#ebe8e1",
        boost="#efece6",
        dark=False,
        variables=_LIGHT_COLOURS,
    ),
)


def theme_name(setting: str) -> str:
    """Return the Textual theme that a setting means: `dark` and `light` are ours."""
    return {"dark": DARK, "light": LIGHT}.get(setting, setting)


def fallback_variables(dark: bool) -> dict[str, str]:
    """Return our own colours, for a Textual theme that does not know them."""
    ours = _DARK_COLOURS if dark else _LIGHT_COLOURS
    return {name: ours[name] for name in _OURS}


_OURS = (
    "muted",
    "faint",
    "cursor-row",
    "cursor-row-blurred",
    "hover-row",
    "marked-row",
    "changed-row",
    "match-background",
    "match-foreground",
    "chip",
    "type-preference",
    "type-fact",
    "type-identity",
    "type-event",
)
