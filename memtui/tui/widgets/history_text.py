"""One revision in full: who, when, and what it changed, word by word."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from textual.content import Content

from memtui.models import Revision
from memtui.tui.cells import block, line
from memtui.tui.changes import deed
from memtui.tui.times import ago, exact
from memtui.tui.widgets.form_diff import changed_text, tag_line

_KNOWN_TYPES = {"preference", "fact", "identity", "event"}


def revision_text(revision: Revision, before: Revision | None, now: datetime) -> Content:
    """Return a revision with what it changed since `before`, which is None for the first one."""
    head = [
        Content.assemble(
            (f"#{revision.memory_id}", "bold $accent"),
            f"  version {revision.version}  ",
            (deed(revision), "bold"),
            " by ",
            line(revision.actor),
        ),
        _when(revision.at, now),
    ]
    return _joined([*head, Content(""), *difference(before, revision)])


def comparison(revision: Revision, newest: Revision, now: datetime) -> Content:
    """Return what would change if the memory went back from `newest` to `revision`."""
    head = [
        Content.assemble(
            (f"#{revision.memory_id}", "bold $accent"),
            f"  from now, version {newest.version}, ",
            ("back to", "bold"),
            f" version {revision.version}",
        ),
        _when(revision.at, now),
    ]
    return _joined([*head, Content(""), *difference(newest, revision)])


def difference(before: Revision | None, after: Revision) -> Iterator[Content]:
    """Yield the lines that tell how `before` became `after`: text, tags, type, status."""
    if before is None:
        yield block(after.content)
        yield Content("")
        yield tag_line("Tags", after.tags, after.tags)
        yield _value("Type", after.memory_type, None)
        yield _value("Status", after.status, None)
        return
    if before.content == after.content:
        yield block(after.content, "$muted")
    else:
        yield changed_text(before.content, after.content)
    yield Content("")
    yield tag_line("Tags", after.tags, before.tags)
    yield _value("Type", after.memory_type, before.memory_type)
    yield _value("Status", after.status, before.status)


def _when(at: datetime, now: datetime) -> Content:
    return Content.assemble((exact(at), "$muted"), (f"  {ago(at, now)}", "$muted"))


def _value(label: str, value: str, before: str | None) -> Content:
    head = Content.styled(f"{label:<8}", "$muted")
    if before is None or before == value:
        return head + line(value, "" if before is None else "$muted")
    return Content.assemble(
        head, ("−", "$error"), line(before, "$error strike"), "  ", ("+", "$success"),
        line(value, "$success"),
    )  # fmt: skip


def _joined(lines: list[Content]) -> Content:
    return Content("\n").join(lines)
