"""CSV with a header row: columns under common names or as `--map` says."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

from memtui.interchange import ImportRecord
from memtui.transfer.head import Head, Kind
from memtui.transfer.importer import Importer, Reading
from memtui.transfer.importers.plain_json import FIELDS, MAPPING, Columns, record_of
from memtui.transfer.json_values import Json
from memtui.transfer.texts import LINE_LIMIT, lines

_DELIMITERS = ",;\t"
_PLAIN = re.compile(r"[\w .#/()@-]{0,64}")
"""A column's name; a line of a text that holds commas has other marks as well."""


def recognises(head: Head) -> bool:
    """A first line of plain column names, each once, one of which usually holds the text."""
    columns = _columns(head)
    return (
        len(columns) > 1
        and len(set(columns)) == len(columns)
        and all(map(_PLAIN.fullmatch, columns))
        and not set(columns).isdisjoint(FIELDS["content"])
    )


def _columns(head: Head) -> list[str]:
    if head.kind is not Kind.TEXT:
        return []
    first = head.text.splitlines()[0] if head.text else ""
    try:
        names = next(csv.reader([first], delimiter=_delimiter(first)), [])
    except csv.Error:
        names = []
    return [name.strip().lower() for name in names]


def _delimiter(first: str) -> str:
    return max(_DELIMITERS, key=first.count)


def read(reading: Reading) -> Iterator[ImportRecord]:
    """One memory for each row; its line is where the row ends."""
    mapper = reading.mapper
    columns = Columns(reading.choices.columns)
    source = reading.head.source
    # The module's own limit is for all of Python; no cell comes here that is longer than this.
    csv.field_size_limit(LINE_LIMIT)
    texts = (text for _, text in lines(source, reading.tally, ends=True))
    rows = csv.reader(texts, delimiter=_delimiter(reading.head.text.split("\n")[0]))
    names: list[str] = []
    while True:
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error as error:
            mapper.skip(rows.line_num, f"is not valid CSV: {error}")
            continue
        if not row:
            continue
        if not names:
            names = [_named(name, reading.choices.columns.values()) for name in row]
            continue
        if len(row) > len(names):
            mapper.skip(rows.line_num, f"has {len(row)} cells, the header has {len(names)}")
            continue
        cells: dict[str, Json] = {
            name: cell for name, cell in zip(names, row, strict=False) if cell != ""
        }
        record = record_of(cells, rows.line_num, columns, mapper)
        if record is not None:
            yield record


def _named(name: str, meant: object) -> str:
    """A column's name: as it is when the person named it, else as the common names are written."""
    name = name.strip()
    return name if name in list(meant) else name.lower()  # type: ignore[call-overload]


IMPORTER = Importer(
    name="csv",
    title="CSV with a header row",
    looks_for="a first line of column names with content or text among them",
    mapping=MAPPING,
    recognises=recognises,
    read=read,
    general=True,
)
