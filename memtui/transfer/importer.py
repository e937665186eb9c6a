"""What an importer is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from memtui.interchange import ImportRecord, Origin, Tally, Whole
from memtui.transfer.head import Head
from memtui.transfer.mapping import Mapper, storable


@dataclass(frozen=True, slots=True)
class Choices:
    """What the person said about reading: which column or key becomes which field."""

    columns: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """One source being read by one importer."""

    head: Head
    tally: Tally
    choices: Choices
    format: str

    @property
    def mapper(self) -> Mapper:
        """The mapping rules for this source."""
        return Mapper(Origin(self.format, storable(self.head.source.label)), self.tally)


@dataclass(frozen=True, slots=True)
class Importer:
    """One format: how it is recognised, what becomes what, and how it is read.

    `looks_for` completes "it looked for …"; `mapping` is the help text. A `general` format is taken
    only when no other one recognises the source. `whole` reads what a complete export of a memtui
    store says before its memories; other formats have none.
    """

    name: str
    title: str
    looks_for: str
    mapping: str
    recognises: Callable[[Head], bool]
    read: Callable[[Reading], Iterator[ImportRecord]]
    general: bool = False
    whole: Callable[[Head], Whole | None] | None = None
