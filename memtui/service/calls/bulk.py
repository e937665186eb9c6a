"""One change, or one each, for many memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memtui.models import (
    BulkChange,
    BulkResult,
    MemoryPatch,
    Selection,
)
from memtui.service import bulk
from memtui.service.calls.base import Calls
from memtui.service.context import Progress


class BulkCalls(Calls):
    """Bulk changes and tag housekeeping."""

    def bulk(
        self,
        selection: Selection,
        change: BulkChange,
        *,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> BulkResult:
        """Make one change to many memories in one transaction and one batch.

        Each memory has its own outcome; one that is gone, was changed meanwhile or may not be
        changed so is left alone and named. `progress(done, total)` is called between chunks; when
        it returns False everything is rolled back and `CancelledError` is raised.
        With `dry_run` nothing is written and the result says what would be.
        """
        return bulk.change(self._writing(), selection, change, dry_run=dry_run, progress=progress)

    def patch_many(
        self,
        patches: Mapping[int, tuple[MemoryPatch, int | None]],
        *,
        label: str = "edit many",
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> BulkResult:
        """PATCH memories, each in its own way, in one transaction and one batch.

        `patches` gives for each id its patch and the version that was seen, or None for whatever
        version there is. Each memory has its own outcome, as with `bulk`; so have `progress` and
        `dry_run` the same meaning.
        """
        return bulk.patch_many(
            self._writing(), patches, label=label, dry_run=dry_run, progress=progress
        )

    def rename_tag(
        self, old: str, new: str, *, dry_run: bool = False, progress: Progress | None = None
    ) -> BulkResult:
        """Rename a tag on every memory that is not deleted, merging where `new` is there already.

        Raises `NotFoundError` when nothing carries `old`, `InvalidError` when `new` is no tag.
        """
        return bulk.replace_tags(self._writing(), [old], new, dry_run=dry_run, progress=progress)

    def merge_tags(
        self,
        olds: Sequence[str],
        new: str,
        *,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> BulkResult:
        """Put one tag in the place of several, as one batch; otherwise as `rename_tag`."""
        return bulk.replace_tags(self._writing(), olds, new, dry_run=dry_run, progress=progress)

    def remove_tags(
        self, tags: Sequence[str], *, dry_run: bool = False, progress: Progress | None = None
    ) -> BulkResult:
        """Take tags off every memory that is not deleted, as one batch.

        Raises `NotFoundError` when nothing carries one of them.
        """
        return bulk.replace_tags(self._writing(), tags, None, dry_run=dry_run, progress=progress)
