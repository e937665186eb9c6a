"""Rows and models: how a memory and a revision are written down, and read back as they are.

Reading does not validate: a value that another program put there is shown, not refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TypeVar, cast

from pydantic_core import from_json
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
        return _EPOCH + timedelta(0, 0, micros)
    except OverflowError:
        return _FIRST if micros < 0 else _LAST


_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_escaped_in_json = re.compile(r'[\x00-\x1f\\"]').search


def tags_to_text(tags: Sequence[str]) -> str:
    """Tags as the column keeps them: a JSON array without white space."""
    if not tags or _escaped_in_json("".join(tags)):
        return _ENCODE(tags)
    return '["' + '","'.join(tags) + '"]'


def tags_from_text(text: str) -> tuple[str, ...]:
    """Tags from their column; what is not a list of strings is one tag, as it stands."""
    if text == "[]":
        return ()
    try:
        parsed = from_json(text)
        if isinstance(parsed, list):
            "".join(parsed)  # the quickest way to learn whether all of them are strings
            return tuple(parsed)
    except (ValueError, TypeError):
        pass
    return (text,)


class _Known(dict[str, _Member]):
    """Members by their values. A value of another program stays the plain string that it is."""

    def __missing__(self, value: str) -> _Member:
        return cast(_Member, value)


_TYPES = _Known({member.value: member for member in MemoryType})
_STATUSES = _Known({member.value: member for member in MemoryStatus})
_ACTIONS = _Known({member.value: member for member in RevisionAction})


MemoryColumns = tuple[int, str, str, int, int, int | None, str, str, int]


class _Moments(dict[int, datetime]):
    """Moments by their microseconds: the rows of a page share many."""

    def __missing__(self, micros: int) -> datetime:
        moment = self[micros] = to_moment(micros)
        return moment


def to_memories(rows: Iterable[MemoryColumns], accessed: datetime | None = None) -> list[Memory]:
    """Rows of the memory table, their columns in the order of the object.

    With `accessed` they are taken to have been accessed then.
    """
    moments = _Moments()
    made = []
    for id_, content, tags, created_at, updated_at, accessed_at, kind, status, version in rows:
        last = accessed
        if last is None and accessed_at is not None:
            last = moments[accessed_at]
        fields: dict[str, object] = {
            "id": id_,
            "content": content,
            "tags": tags_from_text(tags),
            "created_at": moments[created_at],
            "updated_at": moments[updated_at],
            "last_accessed_at": last,
            "memory_type": _TYPES[kind],
            "status": _STATUSES[status],
            "version": version,
        }
        made.append(Memory.stored(fields))
    return made


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
        action=_ACTIONS[action],
        content=content,
        tags=tags_from_text(tags),
        memory_type=_TYPES[memory_type],
        status=_STATUSES[status],
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
