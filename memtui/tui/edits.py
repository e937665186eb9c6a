"""What a form holds, what it would write, and how that is told: pure, for the form to show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from textual.content import Content

from memtui.errors import InvalidError, Problem
from memtui.models import MAX_CONTENT, Memory, MemoryCreate, MemoryPatch
from memtui.tui.cells import line
from memtui.tui.merge import Edited


@dataclass(frozen=True, slots=True)
class EditResult:
    """What the person wants written: exactly one of `create` and `patch`.

    `memory_id` and `expected_version` go with a patch: the memory, and its version as it was seen.
    """

    memory_id: int | None = None
    create: MemoryCreate | None = None
    patch: MemoryPatch | None = None
    expected_version: int | None = None


def changed_fields(base: Memory, mine: Edited) -> dict[str, object]:
    """Return the fields of `mine` that differ from `base`, as `MemoryPatch.parse` takes them."""
    before = Edited.of(base)
    fields: dict[str, object] = {}
    if mine.content != before.content:
        fields["content"] = mine.content
    if mine.tags != before.tags:
        fields["tags"] = list(mine.tags)
    if mine.memory_type != before.memory_type:
        fields["memory_type"] = mine.memory_type
    if mine.status != before.status:
        fields["status"] = mine.status
    return fields


def checked(base: Memory | None, mine: Edited) -> EditResult:
    """Return what saving `mine` would write. Raises `InvalidError` as the contract's models do."""
    if base is None:
        return EditResult(
            create=MemoryCreate.parse(
                {
                    "content": mine.content,
                    "tags": list(mine.tags),
                    "memory_type": mine.memory_type,
                    "status": mine.status,
                }
            )
        )
    patch = MemoryPatch.parse(changed_fields(base, mine))
    return EditResult(memory_id=base.id, patch=patch, expected_version=base.version)


def problem_in(error: InvalidError, field: str, mine: Edited) -> str:
    """Return what is wrong with one field, in words for the form; empty when nothing is."""
    for problem in error.problems:
        if problem.loc[:1] == (field,):
            return _in_words(problem, mine)
    return ""


def _in_words(problem: Problem, mine: Edited) -> str:
    if problem.loc == ("content",) and problem.kind == "string_too_long":
        over = len(mine.content) - MAX_CONTENT
        return f"too long by {over:,} {'character' if over == 1 else 'characters'}"
    if problem.loc == ("content",) and problem.kind == "string_too_short":
        return "write something first"
    if len(problem.loc) == 2 and isinstance(problem.loc[1], int):
        return f"{mine.tags[problem.loc[1]]}: {problem.message}"
    return problem.message


def will_change(base: Memory | None, mine: Edited) -> Content:
    """Return one line that says what saving would do."""
    parts = list(_creation(mine) if base is None else _changes(base, mine))
    return Content(" · ").join(parts) if parts else Content.styled("nothing changed", "$muted")


def _creation(mine: Edited) -> Iterator[Content]:
    yield Content.assemble("a new ", line(mine.memory_type), ", ", line(mine.status))
    if mine.tags:
        yield Content(f"{len(mine.tags)} {'tag' if len(mine.tags) == 1 else 'tags'}")


def _changes(base: Memory, mine: Edited) -> Iterator[Content]:
    before = Edited.of(base)
    if mine.content != before.content:
        yield Content("text edited")
    for tag in mine.tags:
        if tag not in before.tags:
            yield Content.assemble(("+", "$success"), line(tag, "$success"))
    for tag in before.tags:
        if tag not in mine.tags:
            yield Content.assemble(("−", "$error"), line(tag, "$error"))
    if mine.tags != before.tags and set(mine.tags) == set(before.tags):
        yield Content("tags reordered")
    for old, new in (
        (before.memory_type, mine.memory_type),
        (before.status, mine.status),
    ):
        if old != new:
            yield Content.assemble(line(old), " → ", line(new))
