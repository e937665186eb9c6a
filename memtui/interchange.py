"""What passes between importers, exporters and the service: plain, typed, cheap to make.

Times are whole microseconds since 1970 in UTC. A *source* is what the person named (a path, or
`-`); a *line* counts from 1, and 0 stands for the source as a whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import NamedTuple

KEPT_SKIPS = 1_000
"""Refused records that are named one by one; beyond, they are only counted by reason."""

KEPT_PLACES = 5
"""Places that a note remembers."""

MAX_ATTACHMENT = 8 * 1024 * 1024
"""Bytes of data that may be kept beside one memory."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_micros(moment: datetime) -> int:
    """Whole microseconds since 1970 in UTC."""
    return (moment - _EPOCH) // _MICROSECOND


@dataclass(frozen=True, slots=True)
class Origin:
    """Where records come from: the format's name, and the source as the person named it."""

    format: str
    source: str


class PastRevision(NamedTuple):
    """One journal entry that comes with a record; see `memtui.models.Revision`."""

    seq: int
    version: int
    action: str
    content: str
    tags: tuple[str, ...]
    memory_type: str
    status: str
    at: int
    actor: str
    batch: int


class Provenance(NamedTuple):
    """What is kept beside an imported memory, so that its source can be met again.

    `key` stands for the format and what the source calls the record, `digest` for the values that
    the source gave; both are 64-bit hashes. `source_id` is the source's own name for it, if any.
    """

    format: str
    source: str
    source_id: str | None
    key: int
    digest: int
    version: int
    batch: int


@dataclass(frozen=True, slots=True)
class Attachment:
    """What a memory's record can't hold, kept beside it and removed when it is purged.

    `media_type` is a MIME type, or what the writer uses for one; `details` is JSON text whose
    meaning is the writer's; `data` are the bytes that the memory's text stands for, if any.
    """

    media_type: str
    details: str
    data: bytes | None = None


class Past(NamedTuple):
    """A record's life in another memtui store."""

    id: int
    version: int
    revisions: tuple[PastRevision, ...]
    provenance: tuple[Provenance, ...]
    attachment: Attachment | None = None


class PastBatch(NamedTuple):
    """One batch of another memtui store; see `memtui.models.Batch`."""

    id: int
    at: int
    actor: str
    label: str
    size: int
    undoes: int | None
    is_undo: bool


class ImportRecord(NamedTuple):
    """One memory as a source gives it, mapped but not yet checked against the contract.

    `identity` is what stays the same when the same source is read again: its own id, or text that
    is derived from the content. A time that is not given, or not understood, is None.
    """

    content: str
    tags: tuple[str, ...]
    memory_type: str
    status: str
    created_at: int | None
    updated_at: int | None
    last_accessed_at: int | None
    identity: str
    source_id: str | None
    origin: Origin
    line: int
    past: Past | None = None


@dataclass(frozen=True, slots=True)
class Whole:
    """What a complete export says about its store before the first memory.

    `last_id` is the highest memory id that the store ever gave out.
    """

    last_id: int
    batches: tuple[PastBatch, ...]


class Skip(NamedTuple):
    """A record that was not taken in, and why."""

    source: str
    line: int
    reason: str

    def __str__(self) -> str:
        where = f"{self.source}, line {self.line}" if self.line else self.source
        return f"{where}: {self.reason}"


@dataclass(slots=True)
class Note:
    """Something the person should know, how often it happened, and where first."""

    count: int = 0
    places: list[tuple[str, int]] = field(default_factory=list)


@dataclass(slots=True)
class Tally:
    """What an import refused, noticed and left out; filled while its sources are read."""

    skipped: int = 0
    skips: list[Skip] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)
    notes: dict[str, Note] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)

    def skip(self, source: str, line: int, reason: str) -> None:
        """Name a record that is not taken in."""
        self.skipped += 1
        self.reasons[reason] += 1
        if len(self.skips) < KEPT_SKIPS:
            self.skips.append(Skip(source, line, reason))

    def in_order(self) -> None:
        """Order the named records by their place, sources as they were first met."""
        met = {source: n for n, source in enumerate(dict.fromkeys(s.source for s in self.skips))}
        self.skips.sort(key=lambda skip: (met[skip.source], skip.line))

    def note(self, what: str, source: str, line: int) -> None:
        """Count something that the person should know."""
        note = self.notes.setdefault(what, Note())
        note.count += 1
        if len(note.places) < KEPT_PLACES:
            note.places.append((source, line))

    def leave_out(self, what: str, count: int = 1) -> None:
        """Count what the source holds and a memory has no place for."""
        self.left_out[what] += count


class Fate(StrEnum):
    """What becomes of one record of a source.

    `same`: it is here as the source gave it before. `changed`: the source has other values now,
    and they were left alone. `updated`: they were taken over. `deleted_here`: it was met among the
    deleted memories and stays there. `repeated`: the source gives it more than once.
    """

    NEW = "new"
    SAME = "same"
    CHANGED = "changed"
    UPDATED = "updated"
    DELETED_HERE = "deleted_here"
    REPEATED = "repeated"
    DUPLICATE = "duplicate"
    SECRET = "secret"


class PreviewRow(NamedTuple):
    """One record in a preview; `memory_id` names the memory that is met, if any."""

    fate: Fate
    source: str
    line: int
    content: str
    tags: tuple[str, ...]
    memory_type: str
    status: str
    memory_id: int | None = None


class Duplicate(NamedTuple):
    """A new record whose text a memory has already, but for case and white space."""

    source: str
    line: int
    memory_id: int


class SecretFound(NamedTuple):
    """A record that seems to hold a live credential; `what` names the kind, never the value."""

    source: str
    line: int
    what: str


class SecretPolicy(StrEnum):
    """What to do when a record seems to hold a live credential."""

    STOP = "stop"
    ALLOW = "allow"
    SKIP = "skip"


Detector = Callable[[Sequence[str]], Sequence[str | None]]
"""Names, for each text, the kind of credential that it seems to hold, or None."""


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """How records are taken in.

    `tags` are added to each record; `memory_type` and `status` replace each record's own. With
    `update`, values that changed at the source replace those here, unless they were edited here.
    With `skip_duplicates`, new records whose text is here already are left out.
    """

    tags: tuple[str, ...] = ()
    memory_type: str | None = None
    status: str | None = None
    update: bool = False
    skip_duplicates: bool = False
    secrets: SecretPolicy = SecretPolicy.STOP
    detect: Detector | None = None


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did, or with a dry run would do.

    Each record has one fate and is counted once in `fates`. `invalid_here` counts records that the
    source calls active and that were met invalid; they stay invalid. `batch` is what undo takes;
    it is None when nothing was written, and for a whole copy (`restored`), which brings its own.
    """

    fates: Counter[Fate]
    tally: Tally
    preview: tuple[PreviewRow, ...]
    duplicates: int
    first_duplicates: tuple[Duplicate, ...]
    secrets: int
    first_secrets: tuple[SecretFound, ...]
    invalid_here: int
    batch: int | None
    dry_run: bool
    restored: bool = False

    @property
    def total(self) -> int:
        """How many records were read, refused ones left out."""
        return self.fates.total()


class ExportedMemory(NamedTuple):
    """The nine fields of a memory, in the contract's order."""

    id: int
    content: str
    tags: tuple[str, ...]
    created_at: int
    updated_at: int
    last_accessed_at: int | None
    memory_type: str
    status: str
    version: int


class ExportedPast(NamedTuple):
    """A memory with its journal, its provenance and what is kept beside it."""

    memory: ExportedMemory
    revisions: Sequence[PastRevision]
    provenance: Sequence[Provenance]
    attachment: Attachment | None


class LoadedMemory(NamedTuple):
    """A memory ready to be written: its nine fields, its journal and what is kept beside it.

    `folded` is its `memtui.text.folded_row` and `fingerprint` that row's. A revision with the `seq`
    0 gets the next one. Without revisions the memory is created by the batch that loads it.
    """

    memory: ExportedMemory
    folded: str
    fingerprint: int
    revisions: Sequence[PastRevision]
    provenance: Sequence[Provenance]
    attachment: Attachment | None


class Known(NamedTuple):
    """A memory that came from a source before.

    `imported_version` and `batch` are those of its last import, `version` and `status` are today's.
    `taken_back` tells that that import was undone, and the memory not changed since.
    """

    memory_id: int
    digest: int
    imported_version: int
    batch: int
    version: int
    status: str
    taken_back: bool


Records = Iterable[ImportRecord]
"""Records in the order of their source, made while they are read."""

Measure = Callable[[], tuple[int, int]]
"""How far a source is read: (done, total), in bytes."""
