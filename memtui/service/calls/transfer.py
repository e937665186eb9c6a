"""Memories in and out, copies, and the health of the database."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from memtui.interchange import ImportOptions, ImportReport, Measure, Records, Tally, Whole
from memtui.service import backing_up, exporting, importing
from memtui.service.calls.base import Calls
from memtui.service.context import Progress
from memtui.service.exporting import Snapshot


class TransferCalls(Calls):
    """Import, export, backup, check and repair."""

    def import_records(
        self,
        records: Records,
        *,
        label: str,
        options: ImportOptions | None = None,
        whole: Whole | None = None,
        tally: Tally | None = None,
        measure: Measure | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Take in records from elsewhere in one transaction and one batch that undo takes back.

        A record whose source gave it before is not new: see `Fate` for what it may be. Records
        that break the contract are named in `tally`, the others come in. With `whole`, what a
        complete export says of its store, an empty store becomes an exact copy, with the batches
        and revisions of the original instead of one batch of its own.
        `progress` is called with what `measure` tells between chunks; when it returns False
        everything is rolled back and `CancelledError` is raised. With `dry_run` nothing is written.
        Raises `SecretsError`, and writes nothing, when `options.detect` finds credentials and the
        policy is to stop.
        """
        intake = importing.Intake(
            records=records,
            label=label,
            options=options or ImportOptions(),
            whole=whole,
            tally=tally or Tally(),
            measure=measure,
            progress=progress,
        )
        context = self._context if dry_run else self._writing()
        return importing.import_records(context, intake, dry_run=dry_run)

    def snapshot(self) -> AbstractContextManager[Snapshot]:
        """One view of the whole store to export from, however long that takes; a peek."""
        return exporting.snapshot(self._context)

    def duplicates(self) -> tuple[tuple[int, ...], ...]:
        """Groups of memories, not deleted, whose texts are equal but for case and white space.

        Each group holds ids in ascending order. Reads every text; a peek.
        """
        return exporting.duplicates(self._context)

    def backup(self, path: str | Path) -> Path:
        """Write a consistent copy of the database while it is in use, and return its path.

        The copy is private to its owner and appears complete or not at all; an existing file is
        replaced. Raises `CannotOpenError` when the path can't be written, `NoSpaceError`.
        """
        return backing_up.backup(self._context, Path(path))

    def check(self) -> tuple[str, ...]:
        """One sentence per fault of the file or of what is kept beside the memories; a peek.

        Reads the whole database. Empty when all is well.
        """
        return tuple(self._context.store.check())

    def repair(self, *, progress: Progress | None = None) -> None:
        """Build tags, counts, search texts and the search index anew from the memories.

        The memories and the journal stay as they are: what is wrong in them only a backup can
        mend. All or nothing; keep a copy first (`backup`). Raises `CancelledError`.
        """
        self._writing().store.rebuild(progress)
