"""What an exporter is, and how all of them write values."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final

from memtui.interchange import ExportedMemory, ExportedPast, Whole
from memtui.models import MemoryQuery, Selection
from memtui.service.exporting import Snapshot

FIELDS: Final = ExportedMemory._fields
"""The nine fields in the contract's order."""

Value = None | int | str | tuple[str, ...]
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND: Final = 1_000_000


class Rows:
    """The memories of one export, counted while they are read.

    Without a selection it is everything: for a complete export deleted memories too, else all that
    a retrieval without filters would find.
    """

    def __init__(self, snapshot: Snapshot, selection: Selection | None) -> None:
        self.selection = selection
        self.done = 0
        self._snapshot = snapshot

    def total(self) -> int:
        """How many memories a complete export holds."""
        if self.selection is None:
            return self._snapshot.total()
        return self._snapshot.count(self.selection)

    def memories(self) -> Iterator[ExportedMemory]:
        """The present values."""
        selection = self.selection or Selection.matching(MemoryQuery())
        for memory in self._snapshot.memories(selection):
            self.done += 1
            yield memory

    def with_past(self) -> Iterator[ExportedPast]:
        """The memories with journal and provenance."""
        for past in self._snapshot.with_past(self.selection):
            self.done += 1
            yield past

    def whole(self) -> Whole:
        """What belongs to the store and to no single memory."""
        return self._snapshot.whole()


@dataclass(frozen=True, slots=True)
class Exporter:
    """One format. `pieces` gives the text in parts, one for each memory at most.

    Its second argument are the fields that are wanted, in their order; None stands for all of them,
    and in JSON Lines for journal and provenance beside them.
    """

    name: str
    title: str
    ending: str
    pieces: Callable[[Rows, Sequence[str] | None], Iterator[str]]


def dumps(value: object) -> str:
    """Compact JSON, one line for every reader; else its characters are not escaped."""
    text = _ENCODER.encode(value)
    return text if text.isascii() else text.translate(_LINE_ENDS)


_LINE_ENDS: Final = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=4096)
def timestamp(micros: int) -> str:
    """A time as the contract writes it: `2026-04-06T14:12:00.000000Z`."""
    seconds, rest = divmod(micros, _SECOND)
    return f"{_whole_second(seconds)}.{rest:06d}Z"


@lru_cache(maxsize=4096)
def _whole_second(seconds: int) -> str:
    try:
        moment = _EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        # What another program put there lies outside the calendar; its nearest day stands for it.
        moment = datetime.min if seconds < 0 else datetime.max
    return moment.replace(tzinfo=None).isoformat(timespec="seconds")


def fields_of(memory: ExportedMemory) -> dict[str, Value]:
    """The nine fields as every surface writes them."""
    id_, content, tags, created, updated, accessed, memory_type, status, version = memory
    return {
        "id": id_,
        "content": content,
        "tags": tags,
        "created_at": timestamp(created),
        "updated_at": timestamp(updated),
        "last_accessed_at": None if accessed is None else timestamp(accessed),
        "memory_type": memory_type,
        "status": status,
        "version": version,
    }


def chosen(memory: ExportedMemory, fields: Sequence[str] | None) -> dict[str, Value]:
    """The fields that are wanted, in their order; all nine without a choice."""
    every = fields_of(memory)
    return every if fields is None else {name: every[name] for name in fields}
