"""A memory before and after a change, in a few lines."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content

from memtui.models import Memory
from memtui.tui.cells import line
from memtui.tui.widgets.form_diff import changed_places, tag_line

_LONGEST = 160


def sample_text(before: Memory, after: Memory) -> Content:
    """Return which memory it is, and what a change makes of it."""
    if before.content != after.content:
        about = changed_places(before.content, after.content)
    else:
        text = after.content if len(after.content) <= _LONGEST else f"{after.content[:_LONGEST]}…"
        about = line(text, "$muted")
    head = Content.assemble((f"#{after.id}  ", "$accent"), about)
    return Content("\n").join([head, *_changes(before, after)])


def _changes(before: Memory, after: Memory) -> Iterator[Content]:
    if before.tags != after.tags:
        yield tag_line("", after.tags, before.tags)
    for old, new in ((before.memory_type, after.memory_type), (before.status, after.status)):
        if old != new:
            yield Content.assemble(
                ("−", "$error"), line(old, "$error strike"), "  ", ("+", "$success"),
                line(new, "$success"),
            )  # fmt: skip
