"""The objects of the memory contract (CONTRACT §§1-3), as frozen Pydantic models.

Every surface speaks these; none of them knows a database or a screen. Values that come from a
caller are validated strictly (no coercion, no unknown field, no explicit null); values that come
from the store are shown as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, NamedTuple, Self, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    Strict,
    StringConstraints,
    ValidationError,
    model_validator,
)

from memtui.errors import InvalidError, Problem
from memtui.text import storable_problem

MAX_CONTENT = 8_000
MAX_TAGS = 20
MAX_TAG = 64
MAX_NEEDLE = 256
DEFAULT_LIMIT = 10
MAX_LIMIT = 100
MAX_OFFSET = 2**63 - 1


class MemoryType(StrEnum):
    """What kind of thing a memory says."""

    PREFERENCE = "preference"
    FACT = "fact"
    IDENTITY = "identity"
    EVENT = "event"


class MemoryStatus(StrEnum):
    """Whether a memory is used (`active`), kept for review (`invalid`) or soft-deleted."""

    ACTIVE = "active"
    INVALID = "invalid"
    DELETED = "deleted"


class WritableStatus(StrEnum):
    """The statuses a caller may write; only delete makes a memory `deleted`."""

    ACTIVE = "active"
    INVALID = "invalid"


class SortKey(StrEnum):
    """`id` ascends; the times descend, ties by id descending, never-accessed rows last."""

    ID = "id"
    CREATED_AT = "created_at"
    UPDATED_AT = "updated_at"
    LAST_ACCESSED_AT = "last_accessed_at"


def format_timestamp(moment: datetime) -> str:
    """Write a UTC moment as the contract does: `2026-04-06T14:12:00.000000Z`."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _storable(text: str) -> str:
    if problem := storable_problem(text):
        raise ValueError(problem)
    return text


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be only white space")
    return text


def _distinct_tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    distinct = tuple(dict.fromkeys(tags))
    if len(distinct) > MAX_TAGS:
        raise ValueError(f"must be at most {MAX_TAGS} tags, got {len(distinct)}")
    return distinct


def _from_list(tags: object) -> object:
    return tuple(tags) if isinstance(tags, list) else tags


Timestamp = Annotated[
    datetime, PlainSerializer(format_timestamp, return_type=str, when_used="json")
]
Content = Annotated[
    str,
    StringConstraints(min_length=1, max_length=MAX_CONTENT),
    AfterValidator(_storable),
    AfterValidator(_not_blank),
]
Tag = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_TAG),
    AfterValidator(_storable),
]
Tags = Annotated[tuple[Tag, ...], BeforeValidator(_from_list), AfterValidator(_distinct_tags)]
Needle = Annotated[
    str, StringConstraints(min_length=1, max_length=MAX_NEEDLE), AfterValidator(_storable)
]
Version = Annotated[int, Field(ge=1, le=MAX_OFFSET)]


_E = TypeVar("_E", bound=StrEnum)
OneOf = Annotated[_E, Strict(False)]
"""An enumeration that its plain string value stands for as well."""


def problems_of(error: ValidationError, allowed: Iterable[str] = ()) -> tuple[Problem, ...]:
    """Translate Pydantic's findings, one `Problem` per refused value.

    `allowed` names the fields there are, for the message about one that there is not.
    """
    fields = ", ".join(allowed)
    words = {
        "extra_forbidden": f"is not a field here; allowed: {fields}"
        if fields
        else "is not a field",
        "string_unicode": "must not contain a lone surrogate",
        "tuple_type": "Input should be a list of strings",
    }
    return tuple(
        Problem(
            found["loc"],
            words.get(found["type"], found["msg"].removeprefix("Value error, ")),
            found["type"],
        )
        for found in error.errors(include_url=False, include_context=False, include_input=False)
    )


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class _Input(BaseModel):
    """What a caller passes: no coercion, no unknown field, no explicit null."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    @classmethod
    def parse(cls, values: object) -> Self:
        """Validate plain values: strings for enumerations, lists for tags.

        Raises `InvalidError` with one `Problem` per refused value, each saying what is allowed.
        """
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise InvalidError(problems_of(error, cls.model_fields)) from error

    @classmethod
    def parse_strings(cls, values: object) -> Self:
        """Validate values that arrive as text, as in a URL: `{"limit": "5"}`."""
        try:
            return cls.model_validate_strings(values)
        except ValidationError as error:
            raise InvalidError(problems_of(error, cls.model_fields)) from error


class Memory(_Frozen):
    """One memory: exactly the nine fields of CONTRACT §1, in this order.

    `version` starts at 1 and grows by one with every effective PATCH; `last_accessed_at` is None
    until the first read. All times are aware and in UTC. A `memory_type` or `status` that another
    program wrote into the database and that is none of ours is kept as that plain string.
    """

    id: int
    content: str
    tags: tuple[str, ...]
    created_at: Timestamp
    updated_at: Timestamp
    last_accessed_at: Timestamp | None
    memory_type: MemoryType
    status: MemoryStatus
    version: int

    @classmethod
    def stored(  # noqa: PLR0917 - a row of the database, column by column
        cls,
        id_: int,
        content: str,
        tags: tuple[str, ...],
        created_at: datetime,
        updated_at: datetime,
        last_accessed_at: datetime | None,
        memory_type: MemoryType,
        status: MemoryStatus,
        version: int,
    ) -> Self:
        """A memory of values that come from the store: not validated, and made fast."""
        memory = cls.__new__(cls)
        # What `model_construct` comes to when every field is given, at a fifth of its time.
        _set(
            memory,
            "__dict__",
            {
                "id": id_,
                "content": content,
                "tags": tags,
                "created_at": created_at,
                "updated_at": updated_at,
                "last_accessed_at": last_accessed_at,
                "memory_type": memory_type,
                "status": status,
                "version": version,
            },
        )
        _set(memory, "__pydantic_fields_set__", set(_MEMORY_FIELDS))
        _set(memory, "__pydantic_extra__", None)
        _set(memory, "__pydantic_private__", None)
        return memory

    def accessed(self, at: datetime) -> Self:
        """The same memory with this `last_accessed_at`."""
        return self.stored(
            self.id,
            self.content,
            self.tags,
            self.created_at,
            self.updated_at,
            at,
            self.memory_type,
            self.status,
            self.version,
        )


_set = object.__setattr__
_MEMORY_FIELDS = frozenset(Memory.model_fields)


class MemoryCreate(_Input):
    """A new memory (CONTRACT §2, create)."""

    content: Content
    tags: Tags = ()
    memory_type: OneOf[MemoryType] = MemoryType.FACT
    status: OneOf[WritableStatus] = WritableStatus.ACTIVE


class MemoryPatch(_Input):
    """The fields to change (CONTRACT §2, PATCH); a field that is not given stays as it is.

    Read it through `applied_to`: the class defaults only stand for "not given".
    """

    content: Content = Field(default="")
    tags: Tags = ()
    memory_type: OneOf[MemoryType] = MemoryType.FACT
    status: OneOf[WritableStatus] = WritableStatus.ACTIVE

    @classmethod
    def trusted(cls, fields: Mapping[str, object]) -> Self:
        """A patch of values that were validated once already, or were stored before."""
        patch = cls.model_construct(set(fields))
        for name, value in fields.items():
            patch.__dict__[name] = value
        return patch

    def applied_to(self, memory: Memory) -> Memory:
        """Return `memory` with the given fields replaced; version and times are the service's."""
        given = {name: getattr(self, name) for name in self.model_fields_set}
        if isinstance(given.get("status"), WritableStatus):
            given["status"] = MemoryStatus(given["status"].value)
        return memory.model_copy(update=given)


class MemoryQuery(_Input):
    """The one query of every surface (CONTRACT §3); None leaves a filter out."""

    status: OneOf[MemoryStatus] | None = None
    memory_type: OneOf[MemoryType] | None = None
    tag: Needle | None = None
    q: Needle | None = None
    sort: OneOf[SortKey] = SortKey.ID
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT)] = DEFAULT_LIMIT
    offset: Annotated[int, Field(ge=0, le=MAX_OFFSET)] = 0


class MemoryPage(_Frozen):
    """One page of memories; `total` counts the matches before pagination (CONTRACT §3)."""

    items: tuple[Memory, ...]
    total: int
    limit: int
    offset: int
    has_more: bool


class StaleQuery(_Input):
    """What to review as unused (CONTRACT §5): least recently used first, never-read before all.

    `unused_since` keeps memories whose last access, or creation when never read, is before it.
    """

    status: OneOf[WritableStatus] = WritableStatus.ACTIVE
    unused_since: datetime | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT)] = DEFAULT_LIMIT
    offset: Annotated[int, Field(ge=0, le=MAX_OFFSET)] = 0


# --- the journal -----------------------------------------------------------------------------


class RevisionAction(StrEnum):
    """What a revision records."""

    CREATE = "create"
    PATCH = "patch"
    DELETE = "delete"
    RESTORE = "restore"


class Revision(_Frozen):
    """One entry of the journal: a memory's values after an action (CONTRACT §2, revisions).

    `seq` orders the whole journal; `batch` groups what one call changed and is what undo takes.
    """

    seq: int
    memory_id: int
    version: int
    action: RevisionAction
    content: str
    tags: tuple[str, ...]
    memory_type: MemoryType
    status: MemoryStatus
    at: Timestamp
    actor: str
    batch: int


class RevisionQuery(_Input):
    """Which revisions, newest first."""

    memory_id: int | None = None
    actor: Annotated[str, Field(max_length=MAX_NEEDLE)] | None = None
    action: OneOf[RevisionAction] | None = None
    batch: int | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT)] = DEFAULT_LIMIT
    offset: Annotated[int, Field(ge=0, le=MAX_OFFSET)] = 0


class RevisionPage(_Frozen):
    """One page of the journal."""

    items: tuple[Revision, ...]
    total: int
    limit: int
    offset: int
    has_more: bool


class Batch(_Frozen):
    """One writing call: everything it changed is undone together.

    `label` says in a few words what it was ("add tag style", "import notes.jsonl"); `size` counts
    its revisions; `undoes` names the batch that this one took back, `undone_by` the other way.
    An undo of an undo is a redo: it counts as a change again, with `is_undo` false.
    """

    id: int
    at: Timestamp
    actor: str
    label: str
    size: int
    undoes: int | None
    is_undo: bool
    undone_by: int | None


# --- bulk work -------------------------------------------------------------------------------


class Selection(_Frozen):
    """Which memories a bulk change is about: ids, ids as they were seen, or all that match.

    With `seen` each memory is only changed when its stored version equals the one given.
    `query` is resolved inside the transaction; its sort, limit and offset play no part.
    """

    ids: tuple[int, ...] = ()
    seen: dict[int, int] | None = None
    query: MemoryQuery | None = None

    @classmethod
    def of(cls, ids: Sequence[int]) -> Selection:
        """These memories, whatever their version."""
        return cls(ids=tuple(dict.fromkeys(ids)))

    @classmethod
    def of_seen(cls, versions: Mapping[int, int]) -> Selection:
        """These memories, each only if it still has the version (the value) that was seen."""
        return cls(ids=tuple(versions), seen=dict(versions))

    @classmethod
    def matching(cls, query: MemoryQuery) -> Selection:
        """Everything that matches the filters of `query`."""
        return cls(query=query)


class BulkChange(_Input):
    """One change for many memories. Deleting and restoring stand alone."""

    add_tags: Tags = ()
    remove_tags: Tags = ()
    memory_type: OneOf[MemoryType] | None = None
    status: OneOf[WritableStatus] | None = None
    delete: bool = False
    restore: bool = False

    @model_validator(mode="after")
    def _one_thing(self) -> Self:
        edits = bool(self.add_tags or self.remove_tags or self.memory_type or self.status)
        if edits + self.delete + self.restore != 1:
            raise ValueError(
                "give edits (add_tags, remove_tags, memory_type, status), or delete, or restore"
            )
        return self


class Outcome(StrEnum):
    """What became of one memory in a bulk change, an undo or an import."""

    CHANGED = "changed"
    UNCHANGED = "unchanged"
    NOT_FOUND = "not_found"
    CONFLICT = "conflict"
    REFUSED = "refused"


class ItemOutcome(NamedTuple):
    """One memory's outcome; `reason` says in words why it was not changed."""

    memory_id: int
    outcome: Outcome
    reason: str = ""


class Sample(NamedTuple):
    """One memory before and after a change, for a preview."""

    before: Memory
    after: Memory


class BulkResult(_Frozen):
    """What a bulk change, an undo or a tag rename did, memory by memory.

    `batch` is None when nothing was changed or the run was dry. `samples` holds the first few
    changed memories, before and after.
    """

    batch: int | None
    outcomes: tuple[ItemOutcome, ...]
    samples: tuple[Sample, ...] = ()
    dry_run: bool = False

    def count(self, outcome: Outcome) -> int:
        """How many memories had this outcome."""
        return sum(item.outcome is outcome for item in self.outcomes)


# --- curation --------------------------------------------------------------------------------


class SavedView(_Input):
    """A query under a name; its limit and offset play no part."""

    name: Annotated[
        str,
        StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_TAG),
        AfterValidator(_storable),
    ]
    query: MemoryQuery


class ReviewQueue(StrEnum):
    """What waits for a person: invalid memories, and active ones that nobody uses."""

    INVALID = "invalid"
    STALE = "stale"


class ReviewQuery(_Input):
    """What waits in a queue.

    `invalid`: newest change first, without those kept at their present version.
    `stale`: never-read first, then least recently used, without those snoozed or kept. With
    `unused_since` only what was last used (or kept, or made) before it.
    """

    queue: OneOf[ReviewQueue]
    unused_since: datetime | None = None
    limit: Annotated[int, Field(ge=1, le=MAX_LIMIT)] = DEFAULT_LIMIT
    offset: Annotated[int, Field(ge=0, le=MAX_OFFSET)] = 0


class ReviewMark(_Input):
    """A decision to leave a memory as it is: for good, or with `until` to ask again then."""

    queue: OneOf[ReviewQueue]
    memory_id: int
    until: datetime | None = None


# --- figures ---------------------------------------------------------------------------------


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


class Facets(_Frozen):
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


class Stats(_Frozen):
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
