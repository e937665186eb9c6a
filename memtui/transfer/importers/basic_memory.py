"""basic-memory: Markdown notes whose list items are observations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memtui.interchange import ImportRecord
from memtui.transfer.head import Head, Kind
from memtui.transfer.importer import Importer, Reading
from memtui.transfer.mapping import TYPES
from memtui.transfer.markdown import (
    Bullet,
    Note,
    bullets,
    lines_beside,
    list_of,
    not_a_memory,
    parse_note,
    text_of,
)
from memtui.transfer.texts import whole_text

_OBSERVATION = re.compile(r"^\[(?P<category>[^\[\]()\n]+)\]\s+(?P<text>\S.*)$", re.DOTALL)
_RELATION = re.compile(r"^(?:[^\[\n]*\s)?\[\[[^\]]+\]\](?:\s*\([^)]*\))?$")
_HASHTAG = re.compile(r"(?:^|\s)#([^\s#]+)")
_KNOWN = frozenset({"title", "tags", "permalink", "created", "modified", "type", "date"})


def recognises(head: Head) -> bool:
    """A note with a permalink, or with at least one observation."""
    if head.kind is not Kind.TEXT or "- [" not in head.text:
        return False
    note = parse_note(head.text)
    if {"permalink", "title"} <= note.front.keys():
        return True
    return any(_OBSERVATION.match(b.text) and not not_a_memory(b.text) for b in _bullets(note))


def _bullets(note: Note) -> Iterator[Bullet]:
    return bullets(note.body, note.first_line)


def read(reading: Reading) -> Iterator[ImportRecord]:
    """One memory for each observation."""
    mapper = reading.mapper
    note = parse_note(whole_text(reading.head.source, reading.tally))
    if note.problem:
        mapper.note(f"notes of which {note.problem}", 1)
    for name in note.front.keys() - _KNOWN:
        mapper.leave_out(f"front matter {name}")
    title = text_of(note.front, "title")
    known_by = text_of(note.front, "permalink") or title
    since = text_of(note.front, "created") or text_of(note.front, "date")
    created = mapper.moment(since, 1)
    modified = mapper.moment(text_of(note.front, "modified"), 1)
    found = 0
    items = list(_bullets(note))
    for bullet in items:
        observation = None if bullet.is_label else _observation(bullet.text)
        if observation is None:
            mapper.leave_out(_left_out(bullet))
            continue
        found += 1
        category, text = observation
        memory_type = category.lower() if category.lower() in TYPES else "fact"
        tags = [category] if category and memory_type != category.lower() else []
        tags += [*_HASHTAG.findall(text), *list_of(note.front, "tags"), title]
        yield mapper.record(
            text,
            mapper.tags(tags, bullet.line),
            bullet.line,
            identity=f"{known_by}\x00{category}\x00{text}",
            source_id=known_by or None,
            memory_type=memory_type,
            times=(created, modified, None),
        )
    if not found:
        mapper.leave_out("notes without observations")
    if others := lines_beside(note, items):
        mapper.leave_out("lines of other text", others)


def _observation(text: str) -> tuple[str, str] | None:
    """The category and the text of an observation, or None when the item is none."""
    if not_a_memory(text) or _RELATION.match(text):
        return None
    if found := _OBSERVATION.match(text):
        return found["category"].strip(), found["text"]
    return ("", text) if _HASHTAG.search(text) else None


def _left_out(bullet: Bullet) -> str:
    if _RELATION.match(bullet.text):
        return "relations between notes"
    return not_a_memory(bullet.text) or "list items that are no observations"


IMPORTER = Importer(
    name="basic-memory",
    title="basic-memory (a Markdown note, or a folder of them)",
    looks_for="Markdown with list items like - [category] text, or front matter with a permalink",
    mapping="""\
content  the text of - [category] text #tag (context), as it stands
tags     the category, hashtags, the note's tags and its title
type     the category when it is one of ours, else fact
times    created (or date) and modified of the front matter
known by the note's permalink (or title), the category and the text
left out check boxes, time codes, links, relations, code, prose, other front matter""",
    recognises=recognises,
    read=read,
)
