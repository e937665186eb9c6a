"""One tag, or a proposal to merge some, in full."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from textual.content import Content

from memtui.models import BulkResult, Memory, Outcome, TagMerge
from memtui.tui.cells import line
from memtui.tui.outcomes import counted
from memtui.tui.tag_table import Tagged, TagTable
from memtui.tui.times import ago, exact
from memtui.tui.widgets.sample_text import sample_text

_LONGEST = 200


def tag_text(
    row: Tagged, memories: Sequence[Memory] | None, now: datetime, *, standard: bool
) -> Content:
    """Return a tag with its use and some memories that carry it; None where they are not known."""
    lines = [
        line(row.tag, "bold $accent"),
        Content.assemble(counted(row.count), ("  a standard tag" if standard else "", "$success")),
    ]
    if row.last_used_at is not None:
        lines.append(
            Content.assemble(
                (f"last used {ago(row.last_used_at, now)}", "$muted"),
                (f"  {exact(row.last_used_at)}", "$faint"),
            )
        )
    for memory in memories or ():
        text = memory.content
        shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
        lines += [Content(""), Content.assemble((f"#{memory.id}  ", "$muted"), line(shown))]
    more = row.count - len(memories) if memories is not None else 0
    if memories and more > 0:
        lines += [Content(""), Content.styled(f"… and {counted(more)} more", "$muted")]
    return Content("\n").join(lines)


def merge_text(merge: TagMerge, table: TagTable, preview: BulkResult | None) -> Content:
    """Return what accepting a proposal would do; `preview` is None where it is not known."""
    lines = [
        Content.assemble("Keep ", line(merge.keep, "bold $success"), _number(table, merge.keep)),
        *(
            Content.assemble("−", line(tag, "$error strike"), _number(table, tag))
            for tag in merge.others
        ),
    ]
    if preview is not None:
        changed = preview.count(Outcome.CHANGED)
        lines += [Content(""), Content.styled(f"{counted(changed)} would change", "bold")]
        for sample in preview.samples:
            lines += [Content(""), sample_text(sample.before, sample.after)]
    return Content("\n").join(lines)


def _number(table: TagTable, tag: str) -> Content:
    return Content.styled(f"  {counted(table.count_of(tag))}", "$muted")
