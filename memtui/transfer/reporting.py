"""What an import did, or would do, in sentences; texts of the source in them are as they are."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.interchange import Fate, ImportReport

_NAMED = 20
FATES = {
    Fate.NEW: "new",
    Fate.SAME: "here already",
    Fate.CHANGED: "changed at the source, left as they are here",
    Fate.UPDATED: "updated",
    Fate.DELETED_HERE: "deleted here, left deleted",
    Fate.REPEATED: "repeated in the source",
    Fate.DUPLICATE: "left out: the text is here already",
    Fate.SECRET: "left out: seems to hold a credential",
}


def counts(report: ImportReport) -> str:
    """Return how many records have which fate, or would have."""
    said = [
        f"{report.fates[fate]:,} {words}" for fate, words in FATES.items() if report.fates[fate]
    ]
    return ", ".join(said) or "nothing to import"


def remarks(report: ImportReport) -> Iterator[str]:
    """Yield what else there is to know, one sentence or place each."""
    if report.restored:
        yield "an exact copy, with versions, times and history"
    if report.invalid_here:
        yield f"{report.invalid_here:,} are invalid here and stay so"
    if report.duplicates:
        many = report.duplicates != 1
        ones = f"{report.duplicates:,} new ones have" if many else "1 new one has"
        yield f"{ones} a text that is here already"
    tally = report.tally
    if tally.skipped:
        yield f"{tally.skipped:,} skipped:"
        yield from (f"  {skip}" for skip in tally.skips[:_NAMED])
        if tally.skipped > _NAMED:
            yield f"  and {tally.skipped - _NAMED:,} more"
    for what, note in tally.notes.items():
        source, line = note.places[0]
        where = f"{source}, line {line}" if line else source
        yield f"note: {what} ({note.count:,}; first in {where})"
    for what, count in tally.left_out.items():
        yield f"left out: {what} ({count:,})"
