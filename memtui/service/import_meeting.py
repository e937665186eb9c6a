"""Whether a record was here before, and what that means for it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from memtui.interchange import Fate, ImportOptions, ImportRecord, Known, PastRevision, Tally
from memtui.service.import_rows import (
    ACTIVE,
    DELETED,
    INVALID,
    digest_of,
    digest_of_record,
    key_of,
)
from memtui.store import ReadTransaction

_REMEMBERED = 2_000_000
"""Records whose repetition a dry run notices; when writing, the database knows them all."""


class Met(NamedTuple):
    """A record on its way through a chunk: what becomes of it, and the memory that it met."""

    record: ImportRecord
    key: int
    digest: int
    fate: Fate
    known: Known | None


class Meeting:
    """Meets the records of one import. One that `remembers` does not write, and so has to."""

    def __init__(
        self, transaction: ReadTransaction, options: ImportOptions, *, remembers: bool
    ) -> None:
        self.invalid_here = 0
        self._transaction = transaction
        self._options = options
        self._remembers = remembers
        self._seen: set[int] = set()
        self._last_id = 0

    def meet(self, records: Sequence[ImportRecord], batch: int | None) -> list[Met]:
        """Each record with its fate; `batch` is this import's own, once it has one."""
        keys = [key_of(record) for record in records]
        asked = keys + [origin.key for r in records if r.past for origin in r.past.provenance]
        known = self._transaction.known(asked) if asked else {}
        known |= self._own(records)
        here: set[int] = set()
        met = []
        for record, key in zip(records, keys, strict=True):
            digest = digest_of_record(record)
            found = known.get(key) or _carried(record, known)
            if key in here or key in self._seen or (found and found.batch == batch):
                met.append(Met(record, key, digest, Fate.REPEATED, None))
                continue
            fate = Fate.NEW if found is None else self._fate(record, digest, found)
            here.add(key)
            met.append(Met(record, key, digest, fate, found))
        if self._remembers and len(self._seen) < _REMEMBERED:
            self._seen |= here
        return met

    def copyable(
        self, records: Sequence[ImportRecord], batches: Collection[int], tally: Tally
    ) -> list[ImportRecord]:
        """Records that can be written as they are: in the order of ids, with batches that exist."""
        sound = []
        for record in records:
            past = record.past
            if past is None or past.id <= self._last_id:
                reason = "its id does not follow the one before"
            elif not all(revision.batch in batches for revision in past.revisions):
                reason = "a revision names a batch that the file does not hold"
            else:
                self._last_id = past.id
                sound.append(record)
                continue
            tally.skip(record.origin.source, record.line, reason)
        return sound

    def _fate(self, record: ImportRecord, digest: int, known: Known) -> Fate:
        if known.status == DELETED and record.status != DELETED:
            return Fate.NEW if known.taken_back else Fate.DELETED_HERE
        if known.status == INVALID and record.status == ACTIVE:
            self.invalid_here += 1
        if known.digest == digest and not known.taken_back:
            return Fate.SAME
        edited_here = known.version != known.imported_version and not known.taken_back
        if edited_here or not self._options.update or DELETED in {record.status, known.status}:
            return Fate.CHANGED
        return Fate.UPDATED

    def _own(self, records: Sequence[ImportRecord]) -> dict[int, Known]:
        """By key, the memories that records of this very store's export are about.

        They have the same id, and their journals begin at the same moment. One whose present values
        are in the record's journal was not edited here since.
        """
        mine = {record.past.id: record for record in records if record.past}
        own = {}
        here = self._transaction.exported(list(mine)) if mine else ()
        for row, journal, *_ in self._transaction.with_past(here):
            record = mine[row.id]
            if record.past is None or not journal:
                continue
            if record.past.revisions[0].at != journal[0].at:
                continue
            values = (row.content, row.tags, row.memory_type, row.status)
            passed = any(_state(then) == (*values, row.version) for then in record.past.revisions)
            own[key_of(record)] = Known(
                memory_id=row.id,
                digest=digest_of(*values),
                imported_version=row.version if passed else 0,
                batch=0,
                version=row.version,
                status=row.status,
                taken_back=False,
            )
        return own


def _carried(record: ImportRecord, known: dict[int, Known]) -> Known | None:
    """The memory that came from where the record's own memory came from."""
    if record.past is None:
        return None
    return next((known[o.key] for o in record.past.provenance if o.key in known), None)


def _state(revision: PastRevision) -> tuple[str, tuple[str, ...], str, str, int]:
    return (
        revision.content,
        revision.tags,
        revision.memory_type,
        revision.status,
        revision.version,
    )
