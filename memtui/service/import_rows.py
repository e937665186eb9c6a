"""From a record to what is written for it: values under the options, times, journal, provenance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memtui.interchange import (
    ExportedMemory,
    ImportOptions,
    ImportRecord,
    LoadedMemory,
    PastRevision,
    Provenance,
    Tally,
    to_micros,
)
from memtui.models import MAX_TAGS, MemoryPatch, MemoryStatus, RevisionAction, WritableStatus
from memtui.text import fingerprint, folded_row, hash64

DELETED = MemoryStatus.DELETED.value
INVALID = MemoryStatus.INVALID.value
ACTIVE = MemoryStatus.ACTIVE.value

_CREATE = RevisionAction.CREATE.value
_PATCH = RevisionAction.PATCH.value
_DELETE = RevisionAction.DELETE.value


def key_of(record: ImportRecord) -> int:
    """What stands for a record's format and identity."""
    return hash64(f"{record.origin.format}\0{record.identity}")


def digest_of(content: str, tags: Sequence[str], memory_type: str, status: str) -> int:
    """What stands for the values that a source gave."""
    return hash64("\0".join((content, *tags, memory_type, status)))


def digest_of_record(record: ImportRecord) -> int:
    """`digest_of` a record's values as its source gives them, before any option."""
    return digest_of(record.content, record.tags, record.memory_type, record.status)


@dataclass(slots=True)
class Shaper:
    """Makes rows of records for one import: who takes them in, when, and under which options."""

    options: ImportOptions
    tally: Tally
    actor: str
    now: datetime
    _at: int = field(init=False)
    _plain: bool = field(init=False)

    def __post_init__(self) -> None:
        options = self.options
        self._at = to_micros(self.now)
        self._plain = not (options.tags or options.memory_type or options.status)

    def adjusted(self, record: ImportRecord) -> ImportRecord:
        """The record with the tags, type and status that the options say; deleted stays deleted."""
        if self._plain:
            return record
        options = self.options
        tags = self._all_tags(record)
        if len(tags) > MAX_TAGS:
            own = [tag for tag in record.tags if tag not in options.tags]
            tags = (*own[: max(0, MAX_TAGS - len(options.tags))], *options.tags)
        status = record.status
        if options.status is not None and status != DELETED:
            status = options.status
        return record._replace(
            tags=tags, memory_type=options.memory_type or record.memory_type, status=status
        )

    def tell_lost_tags(self, record: ImportRecord) -> None:
        """Count the tags that `adjusted` has no room for beside those of the options."""
        if self.options.tags and (lost := len(self._all_tags(record)) - MAX_TAGS) > 0:
            self.tally.leave_out(f"tags beyond the first {MAX_TAGS}", lost)

    def _all_tags(self, record: ImportRecord) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*record.tags, *self.options.tags)))

    def loaded(
        self,
        record: ImportRecord,
        memory_id: int,
        folded: str,
        hash_: int,
        *,
        key: int,
        digest: int,
        batch: int,
    ) -> LoadedMemory:
        """A new memory from an adjusted record; `folded` is its row of text, `hash_` that row's."""
        created = self._at if record.created_at is None else record.created_at
        updated = created if record.updated_at is None else max(created, record.updated_at)
        accessed = record.last_accessed_at
        if accessed is not None and accessed > self._at:
            # Accesses go forward only: one from the future would hold every later one there.
            accessed = self._at
        past: Sequence[PastRevision] = ()
        version = 1
        if record.past is not None or record.status == DELETED:
            past, version = self._past(record, batch)
            if record.past and version > record.past.version:
                updated = max(updated, self._at)
        memory = ExportedMemory(
            memory_id, record.content, record.tags, created, updated, accessed,
            record.memory_type, record.status, version,
        )  # fmt: skip
        origins = [self.provenance(record, key, digest, version, batch)]
        if record.past:
            origins += [origin._replace(batch=batch) for origin in record.past.provenance]
        attachment = record.past.attachment if record.past else None
        return LoadedMemory(memory, folded, hash_, past, origins, attachment)

    def provenance(
        self, record: ImportRecord, key: int, digest: int, version: int, batch: int
    ) -> Provenance:
        """What is kept beside the memory that a record became, now at `version`."""
        origin = record.origin
        return Provenance(
            origin.format, origin.source, record.source_id, key, digest, version, batch
        )

    def patch(self, record: ImportRecord, status_here: str) -> MemoryPatch:
        """The change that brings a memory to an adjusted record; an invalid one stays invalid."""
        fields: dict[str, object] = {
            "content": record.content,
            "tags": record.tags,
            "memory_type": record.memory_type,
        }
        if record.status != DELETED and not (status_here == INVALID and record.status == ACTIVE):
            fields["status"] = WritableStatus(record.status)
        return MemoryPatch.parse(fields)

    def _past(self, record: ImportRecord, batch: int) -> tuple[Sequence[PastRevision], int]:
        """The journal that a memory begins with when it is not simply created, and its version."""
        if record.past is None:
            created = self._revision(record, _CREATE, 1, batch)
            return [created._replace(status=ACTIVE), created._replace(action=_DELETE)], 1
        past = [revision._replace(seq=0, batch=batch) for revision in record.past.revisions]
        last, version = past[-1], record.past.version
        values = (record.content, record.tags, record.memory_type, record.status)
        if values != (last.content, last.tags, last.memory_type, last.status):
            version += 1
            past.append(self._revision(record, _PATCH, version, batch))
        return past, version

    def _revision(
        self, record: ImportRecord, action: str, version: int, batch: int
    ) -> PastRevision:
        return PastRevision(
            0, version, action, record.content, record.tags, record.memory_type, record.status,
            self._at, self.actor, batch,
        )  # fmt: skip


def copied(record: ImportRecord, now: int) -> LoadedMemory:
    """A memory exactly as another store had it. The record's `past` must be there."""
    past = record.past
    if past is None or record.created_at is None or record.updated_at is None:
        raise ValueError("only a complete record can be copied")
    accessed = record.last_accessed_at
    memory = ExportedMemory(
        past.id, record.content, record.tags, record.created_at, record.updated_at,
        None if accessed is None else min(accessed, now),
        record.memory_type, record.status, past.version,
    )  # fmt: skip
    folded = folded_row(record.content, record.tags)
    return LoadedMemory(
        memory, folded, fingerprint(folded), past.revisions, past.provenance, past.attachment
    )
