"""What an import did, for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.cli import output
from memtui.cli.call import Call
from memtui.cli.table import Column, write_table
from memtui.interchange import Fate, ImportReport
from memtui.text import safe_line
from memtui.transfer.reporting import counts, remarks


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
    yield f"would be: {counts(report)}" if report.dry_run else counts(report)
    yield from remarks(report)
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
