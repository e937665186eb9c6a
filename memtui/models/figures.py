"""Counts and figures, of a filter and of the whole store."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memtui.models.base import Frozen, MemoryStatus, MemoryType, Timestamp


@dataclass(frozen=True, slots=True)
class TagCount:
    """A tag, exactly as stored, and how many memories carry it."""

    tag: str
    count: int


@dataclass(frozen=True, slots=True)
class TagSummary:
    """A tag in use, how many memories carry it, when one of them was last read or changed."""

    tag: str
    count: int
    last_used_at: datetime


@dataclass(frozen=True, slots=True)
class TagMerge:
    """A proposal: `others` seem to mean the same as `keep`."""

    keep: str
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Month:
    """One calendar month (UTC, `2026-04`): memories of a type made, and last read, in it."""

    month: str
    memory_type: str
    created: int
    accessed: int


@dataclass(frozen=True, slots=True)
class Age:
    """How many memories were made, and last read, less than `days` days ago.

    Each counts under the first age that it fits; `days` is None for all that are older.
    """

    days: int | None
    created: int
    read: int


@dataclass(frozen=True, slots=True)
class Measures:
    """How old the memories are, youngest first, and how many texts have `long_from` characters."""

    ages: tuple[Age, ...]
    long_from: int
    long: int


@dataclass(frozen=True, slots=True)
class ActorCount:
    """Who is in the journal, and with how many revisions."""

    actor: str
    count: int


class Facets(Frozen):
    """Counts beside the current filters: each dimension under all the *other* filters.

    Tags are most frequent first, ties by name. Deleted memories count only under
    `statuses["deleted"]`, or when the query asks for them. When `q` is found in tens of thousands
    of memories, `tags_complete` is false and only the most frequent tags are there, with their
    exact counts.
    """

    total: int
    statuses: dict[MemoryStatus, int]
    types: dict[MemoryType, int]
    tags: tuple[TagCount, ...]
    tags_complete: bool = True


class Stats(Frozen):
    """Figures of the whole store; a peek. Everything but `statuses` leaves deleted memories out."""

    statuses: dict[MemoryStatus, int]
    types: dict[MemoryType, int]
    tags: int
    untagged: int
    never_accessed: int
    revisions: int
    first_created_at: Timestamp | None
    last_updated_at: Timestamp | None
    database_bytes: int
