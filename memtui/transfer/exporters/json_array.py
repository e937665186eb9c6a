"""JSON: one array of memories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memtui.transfer.exporter import Exporter, Rows, chosen, dumps


def pieces(rows: Rows, fields: Sequence[str] | None) -> Iterator[str]:
    """An array with one memory a line."""
    before = "[\n"
    for memory in rows.memories():
        yield f"{before}{dumps(chosen(memory, fields))}"
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


EXPORTER = Exporter("json", "JSON, one array of memories", ".json", pieces)
