"""Rows and models: how a memory and a revision are written down, and read back as they are.

Reading does not validate: a value that another program put there is shown, not refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TypeVar, cast

from sqlalchemy import Row

from memtui import interchange
from memtui.models import Batch, Memory, MemoryStatus, MemoryType, Revision, RevisionAction

to_micros = interchange.to_micros
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST = datetime.min.replace(tzinfo=UTC)
_LAST = datetime.max.replace(tzinfo=UTC)
_Member = TypeVar("_Member", bound=StrEnum)


def to_moment(micros: int) -> datetime:
    """The moment of `to_micros`; what lies outside the calendar becomes its first or last day."""
    try:
        return _EPOCH + timedelta(microseconds=micros)
    except OverflowError:
        return _FIRST if micros < 0 else _LAST


def tags_to_text(tags: Sequence[str]) -> str:
    """Tags as the column keeps them."""
    return json.dumps(tags, ensure_ascii=False, separators=(",", ":"))


def tags_from_text(text: str) -> tuple[str, ...]:
    """Tags from their column; what is not a list of strings is one tag, as it stands."""
    if text == "[]":
        return ()
    try:
        tags = json.loads(text)
    except ValueError:
        return (text,)
    if isinstance(tags, list) and all(isinstance(tag, str) for tag in tags):
        return tuple(tags)
    return (text,)


_TYPES = {member.value: member for member in MemoryType}
_STATUSES = {member.value: member for member in MemoryStatus}
_ACTIONS = {member.value: member for member in RevisionAction}


def _known(members: Mapping[str, _Member], value: str) -> _Member:
    # A member of these enumerations is a string; a value of another program stays the plain one.
    return members.get(value) or cast(_Member, value)


MemoryColumns = tuple[int, str, str, int, int, int | None, str, str, int]


def to_memory(row: MemoryColumns) -> Memory:
    """A row of the memory table, its columns in the order of the object."""
    id_, content, tags, created_at, updated_at, accessed_at, memory_type, status, version = row
    return Memory.stored(
        id_,
        content,
        tags_from_text(tags),
        to_moment(created_at),
        to_moment(updated_at),
        None if accessed_at is None else to_moment(accessed_at),
        _known(_TYPES, memory_type),
        _known(_STATUSES, status),
        version,
    )


def memory_columns(memory: Memory) -> MemoryColumns:
    """The columns of a memory, in the order of the object."""
    accessed_at = memory.last_accessed_at
    return (
        memory.id,
        memory.content,
        tags_to_text(memory.tags),
        to_micros(memory.created_at),
        to_micros(memory.updated_at),
        None if accessed_at is None else to_micros(accessed_at),
        str(memory.memory_type),
        str(memory.status),
        memory.version,
    )


RevisionColumns = Row[int, int, int, str, str, str, str, str, int, str, int]


def to_revision(row: RevisionColumns) -> Revision:
    """A row of the journal with its content filled in, columns in the order of the object."""
    seq, memory_id, version, action, content, tags, memory_type, status, at, actor, batch = row
    return Revision.model_construct(
        seq=seq,
        memory_id=memory_id,
        version=version,
        action=_known(_ACTIONS, action),
        content=content,
        tags=tags_from_text(tags),
        memory_type=_known(_TYPES, memory_type),
        status=_known(_STATUSES, status),
        at=to_moment(at),
        actor=actor,
        batch=batch,
    )


def to_batch(row: Row[int, int, str, str, int, int | None, bool, int | None]) -> Batch:
    """A row of the batch table, with the batch that took it back."""
    id_, at, actor, label, size, undoes, is_undo, undone_by = row
    return Batch.model_construct(
        id=id_,
        at=to_moment(at),
        actor=actor,
        label=label,
        size=size,
        undoes=undoes,
        is_undo=is_undo,
        undone_by=undone_by,
    )
