"""Taking in records from elsewhere: one transaction, one batch, each record met before it is new.

A record is known by where it comes from (format and the source's own identity for it), so the same
source again adds nothing, and a source that grew adds what is new. What is here stays as the person
left it: an import never revives a deleted or invalid memory, and takes over changed values only
when it is asked to and nobody edited them here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from memtui.errors import CancelledError, SecretsError
from memtui.interchange import (
    Duplicate,
    Fate,
    ImportOptions,
    ImportRecord,
    ImportReport,
    LoadedMemory,
    Measure,
    PreviewRow,
    Provenance,
    Records,
    SecretFound,
    SecretPolicy,
    Tally,
    Whole,
    to_micros,
)
from memtui.service.checking import RecordChecker
from memtui.service.context import Context, Progress
from memtui.service.import_meeting import Meeting, Met
from memtui.service.import_rows import DELETED, Shaper, copied
from memtui.service.uncollected import uncollected
from memtui.service.writing import patched, restored, statuses_before_deletion
from memtui.store import Change, NewBatch, ReadTransaction, WriteTransaction
from memtui.text import fingerprint, folded_row

CHUNK = 1_000
"""Records that are looked up and written at a time; progress is told between chunks."""

CHUNK_CHARACTERS = 1_000_000
"""Fewer than `CHUNK`, when their texts together reach this length."""

FIRST = 20
"""Duplicates, credentials and preview rows that are named one by one."""


@dataclass(frozen=True, slots=True)
class Intake:
    """What is taken in, under which options; see `MemoryService.import_records`."""

    records: Records
    label: str
    options: ImportOptions
    whole: Whole | None
    tally: Tally
    measure: Measure | None
    progress: Progress | None

    def tell(self) -> None:
        """Tell how far it is. Raises `CancelledError` when the answer is to stop."""
        if self.progress is None:
            return
        done, total = self.measure() if self.measure else (0, 0)
        if self.progress(done, total) is False:
            raise CancelledError("Cancelled; nothing was imported")


def import_records(context: Context, intake: Intake, *, dry_run: bool) -> ImportReport:
    """Take everything in as one batch, or only say what would become of it."""
    if dry_run:
        with context.store.read() as peek:
            return _Run(context, intake, peek, None).take_all(restores=_restores(peek, intake))
    with uncollected(), context.store.write() as transaction:
        restores = _restores(transaction, intake)
        if restores and intake.whole is not None:
            transaction.load_whole(intake.whole)
        else:
            transaction.renew_fingerprints()
        report = _Run(context, intake, transaction, transaction).take_all(restores=restores)
        if report.secrets and intake.options.secrets is SecretPolicy.STOP:
            raise SecretsError(report)
        transaction.fingerprints_are_new()
    return report


def _restores(transaction: ReadTransaction, intake: Intake) -> bool:
    """Whether a complete export comes into a store that never held anything: then it is copied."""
    options = intake.options
    plain = not (options.tags or options.memory_type or options.status)
    return intake.whole is not None and plain and transaction.is_new()


def _chunks(records: Records) -> Iterator[list[ImportRecord]]:
    chunk: list[ImportRecord] = []
    characters = 0
    for record in records:
        chunk.append(record)
        characters += len(record.content)
        if record.past is not None:
            characters += sum(len(revision.content) for revision in record.past.revisions)
            if record.past.attachment is not None:
                characters += len(record.past.attachment.data or b"")
        if len(chunk) == CHUNK or characters >= CHUNK_CHARACTERS:
            yield chunk
            chunk, characters = [], 0
    if chunk:
        yield chunk


class _Run:
    """One import: reads chunk by chunk, counts fates, writes what is new or taken over."""

    def __init__(
        self,
        context: Context,
        intake: Intake,
        transaction: ReadTransaction,
        writer: WriteTransaction | None,
    ) -> None:
        self._actor = context.actor
        self._now = context.clock()
        self._intake = intake
        self._options = intake.options
        self._transaction = transaction
        self._writer = writer
        self._shaper = Shaper(intake.options, intake.tally, context.actor, self._now)
        self._meeting = Meeting(transaction, intake.options, remembers=writer is None)
        self._batch_id: int | None = None
        self._fates: Counter[Fate] = Counter()
        self._preview: list[PreviewRow] = []
        self._duplicates: list[Duplicate] = []
        self._duplicate_count = 0
        self._secrets: list[SecretFound] = []
        self._secret_count = 0
        self._seen_texts: dict[int, int] = {}
        batches = intake.whole.batches if intake.whole else ()
        self._past_batches = frozenset(batch.id for batch in batches)

    def take_all(self, *, restores: bool) -> ImportReport:
        """Read every record. With `restores` they are copied as they are."""
        checker = RecordChecker(self._intake.tally)
        if self._writer is None and not restores:
            stale = self._transaction.stale_fingerprints()
            self._seen_texts = {hash_: memory_id for memory_id, hash_ in stale}
        self._intake.tell()
        for chunk in _chunks(self._intake.records):
            sound = [record for record in chunk if checker.accepts(record)]
            if restores:
                self._copy(sound)
            else:
                self._take(sound)
            self._intake.tell()
        self._intake.tally.in_order()
        return ImportReport(
            fates=self._fates,
            tally=self._intake.tally,
            preview=tuple(self._preview),
            duplicates=self._duplicate_count,
            first_duplicates=tuple(self._duplicates),
            secrets=self._secret_count,
            first_secrets=tuple(self._secrets),
            invalid_here=self._meeting.invalid_here,
            batch=self._batch_id,
            dry_run=self._writer is None,
            restored=restores,
        )

    def _take(self, records: Sequence[ImportRecord]) -> None:
        met = self._meeting.meet(records, self._batch_id)
        self._mark_secrets(met)
        loaded = self._new(met)
        self._count(met)
        if self._writer is None or self._is_stopped:
            return
        if loaded:
            self._writer.load(loaded, self._batch())
        again = [one for one in met if one.known and one.fate in {Fate.NEW, Fate.UPDATED}]
        if again:
            self._change(again)

    @property
    def _is_stopped(self) -> bool:
        return self._secret_count > 0 and self._options.secrets is SecretPolicy.STOP

    def _mark_secrets(self, met: list[Met]) -> None:
        detect = self._options.detect
        if detect is None or self._options.secrets is SecretPolicy.ALLOW:
            return
        asked = [n for n, one in enumerate(met) if one.fate in {Fate.NEW, Fate.UPDATED}]
        found = detect([met[n].record.content for n in asked])
        for n, what in zip(asked, found, strict=True):
            if what is None:
                continue
            record = met[n].record
            self._secret_count += 1
            if len(self._secrets) < FIRST:
                self._secrets.append(SecretFound(record.origin.source, record.line, what))
            met[n] = met[n]._replace(fate=Fate.SECRET)

    def _new(self, met: list[Met]) -> list[LoadedMemory]:
        """The rows of what is new; texts that are here already are told, or left out."""
        fresh = [n for n, one in enumerate(met) if one.fate is Fate.NEW and one.known is None]
        records = [self._shaper.adjusted(met[n].record) for n in fresh]
        folded = [folded_row(record.content, record.tags) for record in records]
        hashes = [fingerprint(row) for row in folded]
        equal = self._transaction.equal_texts(hashes) if hashes else {}
        writes = self._writer is not None and not self._is_stopped and bool(fresh)
        batch = self._batch() if writes else 0
        ids = iter(self._writer.new_ids(len(fresh)) if self._writer and writes else ())
        loaded = []
        for n, record, row, hash_ in zip(fresh, records, folded, hashes, strict=True):
            twin = equal.get(hash_, self._seen_texts.get(hash_))
            if twin is not None:
                self._tell_duplicate(record, twin)
                if self._options.skip_duplicates:
                    met[n] = met[n]._replace(fate=Fate.DUPLICATE)
                    continue
            self._shaper.tell_lost_tags(met[n].record)
            memory_id = next(ids, 0)
            equal.setdefault(hash_, memory_id)
            if writes:
                one = met[n]
                loaded.append(
                    self._shaper.loaded(
                        record, memory_id, row, hash_, key=one.key, digest=one.digest, batch=batch
                    )
                )
            elif self._writer is None:
                self._seen_texts.setdefault(hash_, 0)
        return loaded

    def _tell_duplicate(self, record: ImportRecord, memory_id: int) -> None:
        self._duplicate_count += 1
        if len(self._duplicates) < FIRST:
            self._duplicates.append(Duplicate(record.origin.source, record.line, memory_id))

    def _count(self, met: Sequence[Met]) -> None:
        self._fates.update(one.fate for one in met)
        for one in met[: FIRST - len(self._preview)]:
            record = self._shaper.adjusted(one.record)
            self._preview.append(
                PreviewRow(
                    one.fate,
                    record.origin.source,
                    record.line,
                    record.content,
                    record.tags,
                    record.memory_type,
                    record.status,
                    one.known.memory_id if one.known else None,
                )
            )

    def _batch(self) -> int:
        if self._batch_id is None and self._writer is not None:
            batch = NewBatch(self._actor, self._now, self._intake.label)
            self._batch_id = self._writer.open_batch(batch)
        return self._batch_id or 0

    def _change(self, again: Sequence[Met]) -> None:
        """Bring memories that are here to what the source says now; bring back what undo took."""
        if self._writer is None:
            return
        known = {one.known.memory_id: one for one in again if one.known}
        memories = self._writer.find(list(known))
        gone = [memory.id for memory in memories if memory.status == DELETED]
        statuses = statuses_before_deletion(self._writer, gone)
        changes: list[Change] = []
        marks: list[tuple[Provenance, int]] = []
        for memory in memories:
            one = known[memory.id]
            if memory.id in statuses:
                changes.append(restored(memory, statuses[memory.id]))
                memory = changes[-1].after  # noqa: PLW2901
            patch = self._shaper.patch(self._shaper.adjusted(one.record), memory.status)
            if change := patched(memory, patch, self._now):
                changes.append(change)
                memory = change.after  # noqa: PLW2901
            origin = self._shaper.provenance(
                one.record, one.key, one.digest, memory.version, self._batch()
            )
            marks.append((origin, memory.id))
        self._writer.apply(self._batch(), changes)
        self._writer.mark_imported(marks)

    def _copy(self, records: Sequence[ImportRecord]) -> None:
        """Write records of a complete export exactly as they are."""
        sound = self._meeting.copyable(records, self._past_batches, self._intake.tally)
        self._count([Met(record, 0, 0, Fate.NEW, None) for record in sound])
        if self._writer is not None:
            now = to_micros(self._now)
            self._writer.load([copied(record, now) for record in sound], None)
