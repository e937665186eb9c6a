"""Markdown to read: a section for each memory, its text as a quotation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memtui.transfer.exporter import Exporter, Rows, Value, chosen

_LABELS = {
    "memory_type": "type",
    "created_at": "created",
    "updated_at": "changed",
    "last_accessed_at": "last read",
}
_FIRST = ("id", "content")


def pieces(rows: Rows, fields: Sequence[str] | None) -> Iterator[str]:
    """A page with a title and a section for each memory."""
    yield "# Memories\n"
    for memory in rows.memories():
        yield _section(memory.id, chosen(memory, fields))


def _section(id_: int, values: dict[str, Value]) -> str:
    lines = ["", f"## Memory {id_}", ""]
    if "content" in values:
        # Inside a quotation no heading, list or fence of the text can break the page's own.
        lines += [f"> {line}" if line else ">" for line in str(values["content"]).split("\n")]
        lines.append("")
    for name, value in values.items():
        if name not in _FIRST and value not in (None, ()):
            lines.append(f"- {_LABELS.get(name, name)}: {_shown(value)}")
    return "\n".join(lines).rstrip("\n") + "\n"


def _shown(value: Value) -> str:
    if isinstance(value, tuple):
        return ", ".join(_code(tag) for tag in value)
    return str(value)


def _code(tag: str) -> str:
    """A tag as code, which keeps its characters: the fence is longer than any run inside."""
    text = " ".join(tag.split())
    fence = "`"
    while fence in text:
        fence += "`"
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"


EXPORTER = Exporter("markdown", "Markdown to read", ".md", pieces)
