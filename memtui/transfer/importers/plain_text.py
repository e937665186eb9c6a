"""Plain text, one memory a line; only when it is asked for, because any text looks like it."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.interchange import ImportRecord
from memtui.transfer.head import Head
from memtui.transfer.importer import Importer, Reading
from memtui.transfer.texts import lines


def recognises(_: Head) -> bool:
    """Never: any text could be this."""
    return False


def read(reading: Reading) -> Iterator[ImportRecord]:
    """One memory for each line that is not blank."""
    mapper = reading.mapper
    for line, text in lines(reading.head.source, reading.tally):
        if text and not text.isspace():
            yield mapper.record(text, (), line, identity=text)


IMPORTER = Importer(
    name="text",
    title="plain text, one memory a line (only with --format text)",
    looks_for="",
    mapping="""\
content  each line that is not blank
known by its text""",
    recognises=recognises,
    read=read,
    general=True,
)
