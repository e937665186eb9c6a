"""ChatGPT and Claude: memories as they are copied out of the chat, or from Claude's data export."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memtui.interchange import ImportRecord
from memtui.transfer.head import Head, Kind
from memtui.transfer.importer import Importer, Reading
from memtui.transfer.json_values import Json
from memtui.transfer.mapping import TYPES, Mapper
from memtui.transfer.texts import lines

_BANNER = re.compile(r"^=+\s*(?P<title>[^=]*?)\s*=+$")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_HEADING = re.compile(r"^#{1,6}\s+(?:\d+[.)]\s*)?(?P<title>.+?)\s*#*$")
_STRONG = re.compile(
    r"^(?:\*\*(?P<bold>[^*\n]+)\*\*|\*(?P<slant>[^*\n]+)\*|__(?P<under>[^_\n]+)__):?$"
)
_DATED = re.compile(
    r"^\s*(?:[-*•]\s+)?"
    r"(?:\[(?P<in>\d{4}-\d{2}(?:-\d{2})?[^\]]{0,20}|unknown[^\]]{0,40}|[Nn]o date)\]"
    r"|(?P<bare>\d{4}-\d{2}-\d{2}))\s*(?:[-–—:]\s*)?(?P<text>\S.*)$"
)  # fmt: skip
_NUMBERED = re.compile(r"^\s*\d{1,4}[.)]\s+(?P<text>\S.*)$")
_JSON_PARTS = ("conversations_memory", "project_memories")
_SHARE = 0.6


@dataclass(slots=True)
class _Entry:
    text: list[str]
    line: int
    section: str
    date: str = ""


def recognises(head: Head) -> bool:
    """A data export's memories, a banner, or mostly dated or numbered lines."""
    if head.kind is not Kind.TEXT:
        return any(name in sample for sample in head.samples for name in _JSON_PARTS)
    texts = [text for text in head.text.split("\n") if text.strip() and not _FENCE.match(text)]
    if any((found := _BANNER.match(text)) and "MEMORY" in found["title"].upper() for text in texts):
        return True
    said = [text for text in texts if not _title(text)]
    marked = sum(1 for text in said if _DATED.match(text) or _NUMBERED.match(text))
    return marked > 0 and marked >= _SHARE * len(said)


def read(reading: Reading) -> Iterator[ImportRecord]:
    """One memory for each line, or for each paragraph of prose."""
    mapper = reading.mapper
    if reading.head.kind is not Kind.TEXT:
        yield from _data_export(reading, mapper)
        return
    entries: list[_Entry] = []
    section, open_ = "", False
    for line, text in lines(reading.head.source, reading.tally):
        title = _title(text)
        if title is not None:
            section, open_ = title, False
        elif _FENCE.match(text) or not text.strip():
            open_ = False
        elif found := _DATED.match(text) or _NUMBERED.match(text):
            groups = found.groupdict()
            date = groups.get("in") or groups.get("bare") or ""
            entries.append(_Entry([found["text"]], line, section, date))
            open_ = True
        elif open_:
            entries[-1].text.append(text.strip())
        else:
            mapper.leave_out("lines of other text")
    for entry in entries:
        yield _record(entry, mapper)


def _title(text: str) -> str | None:
    """What a line heads when it is a heading or only emphasised; a banner heads nothing: ''."""
    if _BANNER.match(text):
        return ""
    if found := _HEADING.match(text):
        return found["title"].strip("*_ ")
    if found := _STRONG.match(text.strip()):
        return next(group for group in found.groups() if group).strip(": ")
    return None


def _record(entry: _Entry, mapper: Mapper) -> ImportRecord:
    content = "\n".join(entry.text).strip()
    dated = entry.date if entry.date[:1].isdigit() else ""
    created = mapper.moment(f"{dated}-01" if len(dated) == len("2026-04") else dated, entry.line)
    section = entry.section.lower()
    kind = next((name for name in (section, section.removesuffix("s")) if name in TYPES), "fact")
    return mapper.record(
        content,
        mapper.tags((entry.section,), entry.line),
        entry.line,
        identity=f"{entry.date}\x00{content}",
        memory_type=kind,
        times=(created, created, None),
    )


def _data_export(reading: Reading, mapper: Mapper) -> Iterator[ImportRecord]:
    for line, value in reading.head.objects(reading.tally):
        account = mapper.usable(value, line)
        if account is None:
            continue
        yield from _prose(account.get("conversations_memory"), (), line, mapper)
        projects = account.get("project_memories")
        for project, text in projects.items() if isinstance(projects, dict) else ():
            yield from _prose(text, (f"project:{project}",), line, mapper)
        mapper.leave_out_others(account, frozenset({*_JSON_PARTS, "account_uuid"}))


def _prose(text: Json, tags: tuple[str, ...], line: int, mapper: Mapper) -> Iterator[ImportRecord]:
    """One memory for each paragraph, tagged with the heading above it."""
    if not isinstance(text, str):
        if text:
            mapper.skip(line, "a memory is no text")
        return
    section = ""
    for paragraph in re.split(r"\n\s*\n", text):
        first, _, rest = paragraph.strip().partition("\n")
        title = _title(first)
        if title is not None:
            section, paragraph = title, rest  # noqa: PLW2901
        if paragraph.strip():
            content = paragraph.strip()
            yield mapper.record(
                content,
                mapper.tags((*tags, section), line),
                line,
                identity="\x00".join((*tags, content)),
            )


IMPORTER = Importer(
    name="chat-export",
    title="ChatGPT and Claude (copied memories, or memories.json of Claude's data export)",
    looks_for="lines like [2026-04-06] - text or 1. text, a MEMORY EXPORT banner, or "
    "conversations_memory",
    mapping="""\
content  each line that begins with a date, [unknown] or a number, with the lines that continue it;
         of a data export each paragraph
tags     the heading or section above it; project:… for a project's memory
type     preference, fact, identity or event when the section is called so, else fact
times    the date at its beginning
known by its date and text
left out other lines""",
    recognises=recognises,
    read=read,
)
