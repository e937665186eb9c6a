"""What a source looks like: enough of it to recognise its format by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import islice

from memtui.errors import InvalidError
from memtui.interchange import Tally
from memtui.transfer.json_values import DECODER, Json, document, elements, json_lines
from memtui.transfer.sources import HEAD, Source
from memtui.transfer.texts import DOCUMENT_LIMIT, LINE_LIMIT, encoding_of, lines

SAMPLES = 50
"""Values that are looked at."""

_SQLITE = b"SQLite format 3\x00"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
_GZIP = b"\x1f\x8b"
_PICKLES = tuple(b"\x80" + bytes([protocol]) for protocol in range(2, 6))


class Kind(StrEnum):
    """What a source is made of."""

    SQLITE = "sqlite"
    ZIP = "zip"
    GZIP = "gzip"
    PICKLE = "pickle"
    BINARY = "binary"
    JSON_LINES = "json_lines"
    JSON_ARRAY = "json_array"
    JSON_OBJECT = "json_object"
    DAMAGED_JSON = "damaged_json"
    TEXT = "text"
    EMPTY = "empty"


@dataclass(slots=True)
class _Json:
    kind: Kind
    samples: list[tuple[str, dict[str, Json]]]
    members: frozenset[str] = frozenset()
    problem: str = ""


class Head:
    """The beginning of a source, read when it is asked for."""

    def __init__(self, source: Source) -> None:
        self.source = source

    @cached_property
    def kind(self) -> Kind:
        """What the source is made of, by its bytes."""
        data = self._bytes
        if not data.strip():
            return Kind.EMPTY
        if data.startswith(_SQLITE):
            return Kind.SQLITE
        if data.startswith(_ZIP):
            return Kind.ZIP
        if data.startswith(_GZIP):
            return Kind.GZIP
        if data.startswith(_PICKLES):
            return Kind.PICKLE
        if encoding_of(data) is None:
            return Kind.BINARY
        return self._json.kind

    @property
    def samples(self) -> Sequence[dict[str, Json]]:
        """The first objects: lines, elements of the array, or elements of the document's lists."""
        return [value for _, value in self._json.samples]

    def samples_in(self, member: str) -> Sequence[dict[str, Json]]:
        """The first objects of one list of a document."""
        return [value for name, value in self._json.samples if name == member]

    @property
    def members(self) -> frozenset[str]:
        """The names at the top of a document that is one object."""
        return self._json.members

    def objects(self, tally: Tally, lists: Sequence[str] = ()) -> Iterator[tuple[int, Json]]:
        """Each value with its line: of lines, of an array, or of the named lists of a document.

        A document that has none of them is one value itself.
        """
        present = self.members.intersection(lists)
        if self.kind is Kind.JSON_LINES:
            yield from json_lines(self.source, tally)
        elif self.kind is Kind.JSON_OBJECT and not present:
            yield 1, document(self.source, tally)
        else:
            for line, name, value in elements(self.source, tally):
                if name in present or self.kind is Kind.JSON_ARRAY:
                    yield line, value

    @property
    def problem(self) -> str:
        """Why damaged JSON can't be read."""
        return self._json.problem

    @cached_property
    def document(self) -> Json:
        """The whole document, or None when it is too large or damaged."""
        try:
            return document(self.source, Tally())
        except InvalidError:
            return None

    @cached_property
    def text(self) -> str:
        """The first lines."""
        got, size = [], 0
        for _, line in lines(self.source, Tally()):
            got.append(line)
            size += len(line)
            if size > HEAD:
                break
        self.source.meter.done = 0
        return "\n".join(got)

    @cached_property
    def _bytes(self) -> bytes:
        return self.source.head()

    @cached_property
    def _json(self) -> _Json:
        found = self._sniffed()
        self.source.meter.done = 0
        return found

    def _sniffed(self) -> _Json:
        first = self.text.lstrip()[:1]
        if first not in {"{", "["}:
            return self._as_lines() if self._some_lines_are_json() else _Json(Kind.TEXT, [])
        whole = self._first_line_value()
        if whole is not None and self._is_only_line():
            kind = Kind.JSON_ARRAY if isinstance(whole, list) else Kind.JSON_OBJECT
            return self._as_document(kind)
        if whole is not None:
            return self._as_lines()
        found = self._as_document(Kind.JSON_ARRAY if first == "[" else Kind.JSON_OBJECT)
        is_array = first == "[" and found.samples
        if found.problem and not is_array and self._some_lines_are_json():
            return self._as_lines()
        return found

    def _first_line_value(self) -> Json:
        line = next((text for _, text in lines(self.source, Tally()) if text.strip()), "")
        if len(line) >= LINE_LIMIT:
            return None
        try:
            value: Json = DECODER.decode(line)
        except (ValueError, RecursionError):
            return None
        return value

    def _is_only_line(self) -> bool:
        tally = Tally()
        texts = (text for _, text in lines(self.source, tally) if text.strip())
        return len(list(islice(texts, 2))) == 1 and not tally.skipped

    def _some_lines_are_json(self) -> bool:
        return any(self._objects(islice(json_lines(self.source, Tally()), SAMPLES)))

    def _as_lines(self) -> _Json:
        values = islice(json_lines(self.source, Tally()), SAMPLES)
        return _Json(Kind.JSON_LINES, [("", value) for value in self._objects(values)])

    def _as_document(self, kind: Kind) -> _Json:
        tally = Tally()
        names: dict[str, None] = {}
        samples: list[tuple[str, dict[str, Json]]] = []
        for _, name, value in elements(self.source, tally):
            names[name] = None
            if isinstance(value, dict) and len(samples) < SAMPLES:
                samples.append((name, value))
            if len(samples) >= SAMPLES and (kind is Kind.JSON_ARRAY or self._is_large):
                break
        problem = ""
        if tally.skips:
            where = f"line {tally.skips[0].line}: " if tally.skips[0].line else ""
            problem = where + tally.skips[0].reason
        if kind is Kind.JSON_OBJECT and not problem and isinstance(self.document, dict):
            samples.insert(0, ("", self.document))
        return _Json(
            kind if names or not problem else Kind.DAMAGED_JSON, samples, frozenset(names), problem
        )

    @property
    def _is_large(self) -> bool:
        return self.source.size > DOCUMENT_LIMIT

    @staticmethod
    def _objects(values: Iterator[tuple[int, Json]]) -> Iterator[dict[str, Json]]:
        return (value for _, value in values if isinstance(value, dict))
