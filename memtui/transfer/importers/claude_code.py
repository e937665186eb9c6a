"""Claude Code: `MEMORY.md`, `CLAUDE.md` and topic files with front matter."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.interchange import ImportRecord
from memtui.transfer.head import Head, Kind
from memtui.transfer.importer import Importer, Reading
from memtui.transfer.mapping import Mapper
from memtui.transfer.markdown import (
    Note,
    bullets,
    lines_beside,
    not_a_memory,
    parse_note,
    text_of,
)
from memtui.transfer.texts import whole_text

_TOPIC = frozenset({"name", "description"})


def recognises(head: Head) -> bool:
    """A topic file's front matter, or bullets under headings."""
    if head.kind is not Kind.TEXT:
        return False
    note = parse_note(head.text)
    if note.front.keys() >= _TOPIC:
        return True
    found = [bullet for bullet in bullets(note.body) if not not_a_memory(bullet.text)]
    return any(bullet.place for bullet in found)


def read(reading: Reading) -> Iterator[ImportRecord]:
    """One memory for each bullet, or for a topic file its whole text."""
    mapper = reading.mapper
    note = parse_note(whole_text(reading.head.source, reading.tally))
    if note.problem:
        mapper.note(f"notes of which {note.problem}", 1)
    if note.front.keys() >= _TOPIC:
        yield from _topic(note, mapper)
    else:
        yield from _bullets(note, mapper)


def _topic(note: Note, mapper: Mapper) -> Iterator[ImportRecord]:
    content = note.body.strip()
    name = text_of(note.front, "name")
    if not content:
        mapper.leave_out("topic files without text")
        return
    for field in note.front.keys() - {"name", "type"}:
        mapper.leave_out(f"front matter {field}")
    memory_type, type_tags = mapper.type_and_tags(text_of(note.front, "type"), 1)
    yield mapper.record(
        content,
        mapper.tags((name, *type_tags), 1),
        note.first_line,
        identity=f"{name}\x00{content}",
        source_id=name or None,
        memory_type=memory_type,
    )


def _bullets(note: Note, mapper: Mapper) -> Iterator[ImportRecord]:
    found = list(bullets(note.body, note.first_line))
    for bullet in found:
        if bullet.is_label:
            continue
        if reason := not_a_memory(bullet.text):
            mapper.leave_out(reason)
            continue
        place = "\x00".join(bullet.place)
        yield mapper.record(
            bullet.text,
            mapper.tags(bullet.place, bullet.line),
            bullet.line,
            identity=f"{place}\x00\x00{bullet.text}",
        )
    if others := lines_beside(note, found):
        mapper.leave_out("lines of other text", others)


IMPORTER = Importer(
    name="claude-code",
    title="Claude Code (MEMORY.md, CLAUDE.md, topic files, or a folder of them)",
    looks_for="Markdown with bullets under headings, or front matter with name and description",
    mapping="""\
content  each bullet with what is indented under it; of a topic file its whole text
tags     the headings above the bullet, and items ending with a colon that introduce it;
         of a topic file its name and type
type     a topic file's type when it is one of ours, else fact
known by the headings and the text
left out check boxes, bullets that are only links, prose between the bullets, code""",
    recognises=recognises,
    read=read,
    general=True,
)
