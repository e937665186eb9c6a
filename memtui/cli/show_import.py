"""What an import did, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.cli import output
from memtui.cli.call import Call
from memtui.cli.table import Column, write_table
from memtui.interchange import Fate, ImportReport
from memtui.text import safe_line

_NAMED = 20
_WORDS = {
    Fate.NEW: "new",
    Fate.SAME: "here already",
    Fate.CHANGED: "changed at the source, left as they are here",
    Fate.UPDATED: "updated",
    Fate.DELETED_HERE: "deleted here, left deleted",
    Fate.REPEATED: "repeated in the source",
    Fate.DUPLICATE: "left out: the text is here already",
    Fate.SECRET: "left out: seems to hold a credential",
}


def write(call: Call, report: ImportReport) -> None:
    """Write the report to standard output."""
    if call.json:
        output.write_json(_object(report))
        return
    if report.dry_run and report.preview:
        _preview(report)
    for line in _lines(report):
        output.write(safe_line(line))


def _preview(report: ImportReport) -> None:
    columns = (
        Column("Line", right=True),
        Column("Fate"),
        Column("Type"),
        Column("Memory", flexible=True),
        Column("Tags", most=max(10, output.width() // 5)),
    )
    write_table(
        columns,
        [
            [str(row.line or ""), row.fate, row.memory_type, row.content, ", ".join(row.tags)]
            for row in report.preview
        ],
    )


def _lines(report: ImportReport) -> Iterator[str]:
    counts = [
        f"{report.fates[fate]:,} {words}" for fate, words in _WORDS.items() if report.fates[fate]
    ]
    start = "would be: " if report.dry_run else ""
    yield start + (", ".join(counts) or "nothing to import")
    if report.restored:
        yield "an exact copy, with versions, times and history"
    if report.invalid_here:
        yield f"{report.invalid_here:,} are invalid here and stay so"
    if report.duplicates:
        yield f"{report.duplicates:,} new ones have a text that is here already"
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
    if report.batch is not None:
        yield f"batch {report.batch} (memtui undo {report.batch} takes it back)"


def _object(report: ImportReport) -> dict[str, object]:
    tally = report.tally
    return {
        "dry_run": report.dry_run,
        "restored": report.restored,
        "batch": report.batch,
        "counts": {fate.value: report.fates[fate] for fate in Fate},
        "invalid_here": report.invalid_here,
        "duplicates": report.duplicates,
        "secrets": report.secrets,
        "skipped": tally.skipped,
        "skips": tally.skips,
        "notes": {what: note.count for what, note in tally.notes.items()},
        "left_out": dict(tally.left_out),
        "preview": report.preview if report.dry_run else (),
    }
