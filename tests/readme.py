"""The README's tables, made from the code; `python -m tests.readme` writes them anew."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from memtui.cli.exits import MEANINGS
from memtui.cli.parser import VERBS
from memtui.cli.verbs.config import in_words
from memtui.config import SETTINGS, Settings
from memtui.transfer.registry import EXPORTERS, IMPORTERS
from memtui.tui.actions import ACTIONS, Action, Group, Place, key_label

README = Path(__file__).parent.parent / "README.md"
_PANES = {Place.TABLE, Place.DETAIL, Place.FILTERS, Place.TAGS, Place.SEARCH}


def text() -> str:
    return README.read_text(encoding="utf-8")


def code(value: str) -> str:
    """Inline code in a table cell, whatever the text holds."""
    fence = "``" if "`" in value else "`"
    pad = " " if "`" in value else ""
    return f"{fence}{pad}{value}{pad}{fence}".replace("|", "\\|")


def table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    headings = list(headings)
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def keys() -> str:
    """What the keys do in the main screen, by group, and in the review."""
    rows: dict[tuple[str, str], str] = {}
    for group in Group:
        for action in ACTIONS:
            if action.group is group and action.where & _PANES:
                rows.setdefault((group.value, _keys_of(action)), action.help)
    for action in ACTIONS:
        if action.where == {Place.REVIEW}:
            rows.setdefault(("In the review", _keys_of(action)), action.help)
    lines: list[list[str]] = []
    shown = ""
    for (heading, bound), does in rows.items():
        lines.append([f"**{heading}**" if heading != shown else "", bound, does])
        shown = heading
    return table(["", "key", "does"], lines)


def _keys_of(action: Action) -> str:
    return " ".join(code(key_label(key)) for key in action.keys) or "–"


def actions() -> str:
    return table(
        ["action", "key", "where"],
        [
            [code(action.id), _keys_of(action), ", ".join(sorted(action.where))]
            for action in ACTIONS
        ],
    )


def verbs() -> str:
    return table(["verb", "does"], [[code(verb.name), verb.summary] for verb in VERBS])


def exits() -> str:
    rows = [[str(int(number)), meaning] for number, meaning in MEANINGS.items()]
    return table(["exit code", "means"], rows)


def settings() -> str:
    plain = Settings()
    rows = []
    for info in SETTINGS:
        default = "see below" if info.name == "db" else in_words(getattr(plain, info.attribute))
        variable = code(info.variable) if info.variable else ""
        rows.append([code(info.name), variable, info.kind.words, default, info.doc])
    return table(["setting", "variable", "takes", "default", "means"], rows)


def formats() -> str:
    rows = [[code(importer.name), importer.title] for importer in IMPORTERS]
    return table(["import format", "what it is"], rows)


def mappings() -> str:
    """The help of each import format, as `memtui import --help FORMAT` shows it."""
    parts = [f"**{one.name}**\n\n```text\n{one.mapping.strip()}\n```" for one in IMPORTERS]
    return "\n\n".join(parts)


def exports() -> str:
    rows = [[code(one.name), code(one.ending), one.title] for one in EXPORTERS]
    return table(["export format", "ending", "what it is"], rows)


def clients() -> str:
    """Where each MCP client keeps what `memtui mcp --print-config` prints."""
    from memtui.server.clients import CLIENTS

    rows = [[code(name), one.file] for name, one in CLIENTS.items()]
    return table(["client", "paste into"], rows)


def tools() -> str:
    from memtui.server.tools import TOOLS

    rows = []
    for tool in TOOLS:
        properties = tool.input_schema["properties"]
        assert isinstance(properties, dict)
        rows.append([code(tool.name), " ".join(code(name) for name in properties)])
    return table(["tool", "arguments"], rows)


def routes() -> str:
    from memtui.server.openapi import OPERATIONS

    rows = []
    for one in OPERATIONS:
        path = re.sub(r"{.*?}", "{id}", one.path)
        rows.append([code(f"{one.method.upper()} {path}"), one.summary])
    return table(["route", "does"], rows)


SECTIONS: dict[str, Callable[[], str]] = {
    "keys": keys,
    "actions": actions,
    "verbs": verbs,
    "exits": exits,
    "settings": settings,
    "formats": formats,
    "mappings": mappings,
    "exports": exports,
    "clients": clients,
    "tools": tools,
    "routes": routes,
}


def section(name: str, readme: str) -> str:
    """What the README has between a section's marks."""
    found = re.search(rf"<!-- {name} -->\n(.*?)\n?<!-- /{name} -->", readme, re.DOTALL)
    if found is None:
        raise AssertionError(f"the README has no section {name}")
    return found[1]


def renewed(readme: str) -> str:
    """The README with every table as the code has it."""
    for name, make in SECTIONS.items():
        marks = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        before, _, rest = readme.partition(marks[0])
        _, _, after = rest.partition(marks[1])
        readme = f"{before}{marks[0]}{make()}\n{marks[1]}{after}"
    return readme


def fenced(readme: str, language: str) -> list[str]:
    """The README's blocks of code in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)


if __name__ == "__main__":
    README.write_text(renewed(text()), encoding="utf-8")
