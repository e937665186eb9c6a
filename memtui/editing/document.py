"""Memories as one Markdown document to edit, and what an edited one says to change; pure.

Each memory is a part of the document: a line that begins it, a header between two `---` lines, and
its text, exactly, up to the line that begins the next part or ends the document. Those lines hold a
mark that occurs in no text, so nothing in a text (a fence, `---`, a copy of such a document) can
be taken for one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from memtui.errors import InvalidError, Problem
from memtui.models import Memory, MemoryPatch, MemoryType, WritableStatus

FENCE = "---"
_FIELDS = {"type": "memory_type", "status": "status", "tags": "tags"}
_HEADER = ("id", "version", *_FIELDS)
_INTRO = """\
<!--
{count} to edit. Each begins with the line "{begin}" and a header between two
lines "---". All that follows, up to the next such line, is its text, exactly as it is stored.

  tags    separated by commas; a tag that holds a comma is written ["like, this", "and this"]
  type    {types}
  status  {statuses}

Leave id, version and the lines with {mark} as they are. To leave a memory as it is, leave
its part alone or remove all of it. Nothing is stored before you have seen what would change.
-->
"""


@dataclass(frozen=True, slots=True)
class Edits:
    """What an edited document says.

    `patches` holds, by id, what is to change of each memory that differs; with `problems`, each of
    which names memory and field, there are none.
    `left_out` are the ids whose parts are gone: they stay as they are.
    """

    patches: Mapping[int, MemoryPatch]
    problems: tuple[Problem, ...] = ()
    left_out: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Part:
    header: Sequence[str]
    content: str


def write(memories: Sequence[Memory]) -> str:
    """Return the document for `memories`."""
    mark = _mark(memories)
    count = "1 memory" if len(memories) == 1 else f"{len(memories):,} memories"
    intro = _INTRO.format(
        count=count,
        begin=_begin(mark),
        mark=mark,
        types=", ".join(MemoryType),
        statuses=", ".join(WritableStatus),
    )
    parts = [f"{_begin(mark)}\n{_header(memory)}\n{memory.content}\n" for memory in memories]
    return "".join([intro, *parts, f"{_end(mark)}\n"])


def read(document: str, memories: Sequence[Memory]) -> Edits:
    """Return what an edited document, that was written for `memories`, says to change.

    A document without any text changes nothing.
    """
    if not document.strip():
        return Edits({}, left_out=tuple(memory.id for memory in memories))
    mark = _mark(memories)
    converted = f"{_begin(mark)}\r\n" in document  # by an editor that ends every line so
    lines = (document.replace("\r\n", "\n") if converted else document).split("\n")
    try:
        parts = list(_parts(lines, mark))
    except InvalidError as error:
        return Edits({}, error.problems)
    return _edits(parts, {memory.id: memory for memory in memories})


def _mark(memories: Sequence[Memory]) -> str:
    """Return letters and digits that occur in no text, the same ones for the same texts."""
    digest = blake2b(digest_size=4)
    for memory in memories:
        digest.update(memory.content.encode("utf-8", "surrogatepass"))
    mark = digest.hexdigest()
    while any(mark in memory.content for memory in memories):
        mark = blake2b(mark.encode(), digest_size=4).hexdigest()
    return mark


def _begin(mark: str) -> str:
    return f"<!-- memory {mark} -->"


def _end(mark: str) -> str:
    return f"<!-- end {mark} -->"


# --- the header --------------------------------------------------------------------------------


def _header(memory: Memory) -> str:
    values = _header_values(memory)
    lines = [f"{name}: {value}".rstrip() for name, value in values.items()]
    return "\n".join([FENCE, *lines, FENCE])


def _header_values(memory: Memory) -> dict[str, str]:
    return {
        "id": str(memory.id),
        "version": str(memory.version),
        "type": _one_line(str(memory.memory_type)),
        "status": _one_line(str(memory.status)),
        "tags": _tags_text(memory.tags),
    }


def _one_line(text: str) -> str:
    return text if text.isprintable() else json.dumps(text)


def _tags_text(tags: Sequence[str]) -> str:
    plain = ", ".join(tags)
    listed = plain.startswith("[") or not plain.isprintable()
    if not listed and _tags_of(plain) == list(tags):
        return plain
    return json.dumps(tags, ensure_ascii=not "".join(tags).isprintable())


def _tags_of(text: str) -> list[str]:
    """Read tags separated by commas, or as a JSON list. Raises `ValueError`."""
    if not text.startswith("["):
        return [tag.strip() for tag in text.split(",") if tag.strip()]
    tags = json.loads(text)
    if not (isinstance(tags, list) and all(isinstance(tag, str) for tag in tags)):
        raise ValueError("is no list of texts")
    return tags


# --- reading -----------------------------------------------------------------------------------


def _parts(lines: Sequence[str], mark: str) -> Iterator[_Part]:
    begins = [number for number, line in enumerate(lines) if line.rstrip() == _begin(mark)]
    ends = [number for number, line in enumerate(lines) if line.rstrip() == _end(mark)]
    if not begins:
        raise _refused("", f'the lines "{_begin(mark)}" are gone')
    if len(ends) != 1 or ends[0] < begins[-1]:
        raise _refused("", f'the last line must be "{_end(mark)}"')
    if _is_text(lines[: begins[0]]):
        raise _refused("", f'there is text before the first line "{_begin(mark)}"')
    if _is_text(lines[ends[0] + 1 :]):
        raise _refused("", f'there is text after the line "{_end(mark)}"')
    for number, stop in zip(begins, [*begins[1:], ends[0]], strict=True):
        yield _part(lines[number + 1 : stop], number + 1)


def _is_text(lines: Sequence[str]) -> bool:
    """Whether there is more than the comment that the document begins with."""
    said = [line.strip() for line in lines if line.strip()]
    is_comment = said[:1] == ["<!--"] and "-->" not in said[:-1] and said[-1] == "-->"
    return bool(said) and not is_comment


def _part(lines: Sequence[str], line_number: int) -> _Part:
    fences = [number for number, line in enumerate(lines) if line.rstrip() == FENCE][:2]
    if len(fences) < 2 or fences[0] != 0:
        raise _refused("", f'the part at line {line_number} has no header between two lines "---"')
    return _Part(lines[1 : fences[1]], "\n".join(lines[fences[1] + 1 :]))


def _edits(parts: Sequence[_Part], memories: Mapping[int, Memory]) -> Edits:
    patches: dict[int, MemoryPatch] = {}
    problems: list[Problem] = []
    found: set[int] = set()
    for number, part in enumerate(parts, 1):
        memory = _memory_of(part, memories)
        name = f"memory {memory.id}" if memory else f"part {number}"
        try:
            if memory is None:
                raise _refused("id", "is none of the memories that you are editing")
            if memory.id in found:
                raise _refused("id", "is there twice")
            found.add(memory.id)
            if changes := _changes(memory, _fields(part.header), part.content):
                patches[memory.id] = MemoryPatch.parse(changes)
        except InvalidError as error:
            problems += [
                Problem((name, *map(_named, one.loc)), one.message, one.kind)
                for one in error.problems
            ]
    left_out = tuple(id_ for id_ in memories if id_ not in found)
    problems += _swallowed(parts, [memories[id_] for id_ in left_out])
    return Edits({}, tuple(problems)) if problems else Edits(patches, (), left_out)


def _memory_of(part: _Part, memories: Mapping[int, Memory]) -> Memory | None:
    for line in part.header:
        name, _, value = line.partition(":")
        if name.strip() == "id" and value.strip().isdecimal():
            return memories.get(int(value))
    return None


def _fields(header: Sequence[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for line in header:
        if not line.strip():
            continue
        name, colon, value = line.partition(":")
        name = name.strip()
        if not colon or name not in _HEADER:
            raise _refused(name, f"is not a field here; there are: {', '.join(_HEADER)}")
        if name in fields:
            raise _refused(name, "is there twice")
        fields[name] = value.strip()
    return fields


def _changes(memory: Memory, fields: Mapping[str, str], content: str) -> dict[str, object]:
    """Return the fields that differ; what an editor does by itself is no difference."""
    if fields.get("version") != str(memory.version):
        raise _refused("version", f"must stay {memory.version}: it tells what you have seen")
    changes: dict[str, object] = {}
    written = _header_values(memory)
    for name, field in _FIELDS.items():
        if name in fields and fields[name] != written[name].strip():
            changes[field] = _value(name, fields[name])
    text = _with_line_ends_of(memory.content, content)
    if text != memory.content:
        changes["content"] = text
    if changes.get("tags") == list(memory.tags):
        del changes["tags"]
    return changes


def _value(name: str, text: str) -> object:
    if name != "tags":
        return text
    try:
        return _tags_of(text)
    except (ValueError, RecursionError) as error:
        words = 'must be tags separated by commas, or a list like ["one", "two"]'
        raise _refused("tags", words) from error


def _with_line_ends_of(before: str, after: str) -> str:
    r"""Return `after`, undoing an editor's choice of line ends where the text had another kind."""
    plain = after.replace("\r\n", "\n")
    if plain == before.replace("\r\n", "\n"):
        return before
    only_crlf = "\r\n" in before and "\n" not in before.replace("\r\n", "")
    return plain.replace("\n", "\r\n") if only_crlf else after


def _swallowed(parts: Sequence[_Part], missing: Sequence[Memory]) -> Iterator[Problem]:
    """Yield a problem for each part that lost its first line and became text of the one before."""
    for memory in missing:
        start = f"\n{FENCE}\nid: {memory.id}\nversion: {memory.version}\n"
        if any(start in f"\n{part.content}\n" for part in parts):
            yield Problem((f"memory {memory.id}",), "lost the line that begins its part")


def _refused(field: str, message: str) -> InvalidError:
    return InvalidError([Problem((field,) if field else (), message)])


def _named(place: str | int) -> str | int:
    """A field as the document calls it."""
    return "type" if place == "memory_type" else place


def in_words(problem: Problem) -> str:
    """Return a problem of `Edits` as a line: `memory 12, tags: must be …`; it may be untrusted."""
    where = ", ".join(str(place) for place in problem.loc if isinstance(place, str))
    return f"{where}: {problem.message}" if where else problem.message
