"""CSV: a header row and one row for each memory; tags are a JSON array in their cell."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from memtui.transfer.exporter import FIELDS, Exporter, Rows, Value, chosen, dumps


def pieces(rows: Rows, fields: Sequence[str] | None) -> Iterator[str]:
    """The rows of the table. Content keeps its line ends, inside quotes."""
    written = io.StringIO(newline="")
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(fields or FIELDS)
    for memory in rows.memories():
        writer.writerow([_cell(value) for value in chosen(memory, fields).values()])
        yield written.getvalue()
        written.seek(0)
        written.truncate()
    yield written.getvalue()


def _cell(value: Value) -> Value:
    return dumps(value) if isinstance(value, tuple) else value


EXPORTER = Exporter("csv", "CSV with a header row", ".csv", pieces)
