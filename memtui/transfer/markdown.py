"""Markdown as memories are kept in it: front matter, headings, and what each bullet says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

FrontMatter = dict[str, str | list[str]]
_FENCE = "---"
_MARKER = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)")
_TASK = re.compile(r"^\[(?:[ xX]|[^\w\s])\](?:\s|$)")
_TIME = re.compile(r"^\[\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?(?:\s+-\s+[\d:.,]+)?\]")
_LINK_ONLY = re.compile(r"^(?:\[\[[^\]]*\]\]|\[[^\]]*\]\([^)]*\)|<https?://[^>]*>|https?://\S+)$")
_LINK_TO_NOTE = re.compile(r"^\[[^\]]*\]\([^)]*\.md(?:#[^)]*)?\)")


@dataclass(frozen=True, slots=True)
class Bullet:
    """One list item: its source text without the marker, its line, and what it stands under.

    `place` holds the headings above it, outermost first, and labels: parent items that end with a
    colon. `is_label` tells that it is such a parent itself.
    """

    text: str
    line: int
    place: tuple[str, ...]
    is_label: bool = False


@dataclass(frozen=True, slots=True)
class Note:
    """A Markdown file: its front matter, its body and where the body begins (a line from 1)."""

    front: FrontMatter
    body: str
    first_line: int
    problem: str = ""


def parse_note(text: str) -> Note:
    """Split a file into front matter and body. Broken front matter is named in `problem`."""
    lines = text.split("\n")
    if lines[0].strip() != _FENCE:
        return Note({}, text, 1)
    end = next((n for n, line in enumerate(lines[1:], 1) if line.strip() in {_FENCE, "..."}), None)
    if end is None:
        return Note({}, text, 1)
    front, problem = _front_matter("\n".join(lines[1:end]))
    return Note(front, "\n".join(lines[end + 1 :]), end + 2, problem)


def _front_matter(text: str) -> tuple[FrontMatter, str]:
    """Every scalar as the text that stands there: no dates, booleans or numbers are made of it."""
    try:
        loaded = yaml.load(text, Loader=yaml.BaseLoader)
    except (yaml.YAMLError, RecursionError, ValueError):
        return {}, "the front matter is not valid YAML"
    if not isinstance(loaded, dict):
        return {}, "" if loaded in (None, "") else "the front matter holds no fields"
    front: FrontMatter = {}
    for name, value in loaded.items():
        if isinstance(value, dict):
            # Claude Code nests its own fields under `metadata`.
            front |= {str(key): inner for key, inner in value.items() if isinstance(inner, str)}
        elif isinstance(value, list):
            front[str(name)] = [item for item in value if isinstance(item, str)]
        elif isinstance(value, str):
            front[str(name)] = value
    return front, ""


def bullets(body: str, first_line: int = 1) -> Iterator[Bullet]:
    """Each list item outside code and quotes, with the lists inside it unless it is a label."""
    # The parser counts a lone carriage return as the end of a line too.
    lines = body.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    headings: list[tuple[int, str]] = []
    labels: list[tuple[int, str]] = []
    tokens = MarkdownIt("commonmark").parse(body)
    quoted, skip_until = 0, 0
    for place, token in enumerate(tokens):
        if token.type == "blockquote_open":
            quoted += 1
        elif token.type == "blockquote_close":
            quoted -= 1
        elif token.type == "heading_open":
            level = int(token.tag[1])
            text = tokens[place + 1].content.strip()
            headings = [*(found for found in headings if found[0] < level), (level, text)]
        elif token.type == "list_item_open" and token.map and not quoted:
            begin, end = token.map
            if begin < skip_until:
                continue
            labels = [found for found in labels if found[0] < token.level]
            under = tuple(text for _, text in (*headings, *labels) if text)
            if label := _label(tokens, place):
                labels.append((token.level, label))
                yield Bullet(label, first_line + begin, under, is_label=True)
                continue
            skip_until = end
            text = _item_text(lines[begin:end])
            if text:
                yield Bullet(text, first_line + begin, under)


def lines_beside(note: Note, found: Iterable[Bullet]) -> int:
    """How many lines of a note are neither blank, nor headings, nor in its bullets."""
    lines = [line for line in note.body.split("\n") if line.strip()]
    headings = sum(1 for line in lines if line.lstrip().startswith("#"))
    told = sum(bullet.text.count("\n") + 1 for bullet in found)
    return max(0, len(lines) - headings - told)


def _label(tokens: list[Token], place: int) -> str | None:
    """The text of an item that only introduces the list inside it."""
    if tokens[place + 1].type != "paragraph_open" or len(tokens) <= place + 4:
        return None
    text = tokens[place + 2].content.strip()
    following = tokens[place + 4].type
    if following not in {"bullet_list_open", "ordered_list_open"} or "\n" in text:
        return None
    plain = text.strip("*_ ")
    return plain.rstrip(":").strip("*_ ") if plain.endswith(":") else None


def _item_text(lines: list[str]) -> str:
    """The source of an item without its marker, its other lines moved left as far as its text."""
    found = _MARKER.match(lines[0])
    indent = found.end() if found else 0
    rest = [line[min(indent, len(line) - len(line.lstrip())) :] for line in lines[1:]]
    return "\n".join((lines[0][indent:], *rest)).strip()


def not_a_memory(text: str) -> str | None:
    """Why a bullet says nothing to remember: a check box, a time code, only a link; else None."""
    if _TASK.match(text):
        return "check boxes"
    if _TIME.match(text):
        return "time codes"
    if _LINK_ONLY.match(text):
        return "bullets that are only a link"
    if _LINK_TO_NOTE.match(text):
        return "links to other notes"
    return None


def text_of(front: FrontMatter, name: str) -> str:
    """A field of the front matter as text; of a list its first item."""
    value = front.get(name, "")
    return value if isinstance(value, str) else next(iter(value), "")


def list_of(front: FrontMatter, name: str) -> list[str]:
    """A field of the front matter as a list; text is split at commas."""
    value = front.get(name, [])
    return value if isinstance(value, list) else [part.strip() for part in value.split(",")]
