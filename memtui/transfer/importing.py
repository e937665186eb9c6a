"""An import from beginning to end: recognise the sources, preview, apply.

    with open_plan(["memory.jsonl"]) as plan:
        report = plan.preview(service)
        report = plan.apply(service, progress=...)

Each step reads the sources anew, so a preview costs no memory and an import sees what is there now.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from memtui.errors import InvalidError
from memtui.interchange import ImportOptions, ImportRecord, ImportReport, Tally, Whole
from memtui.service import MemoryService
from memtui.service.context import Progress
from memtui.transfer.head import Head, Kind
from memtui.transfer.importer import Choices, Importer, Reading
from memtui.transfer.mapping import storable
from memtui.transfer.registry import importer_named, recognised, unknown
from memtui.transfer.sources import Meter, Source, files_under, members, source_of, unpacked
from memtui.transfer.splitting import split_long

_NOTES = frozenset({".md", ".markdown"})
_LABEL_LENGTH = 120


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How sources are read. Without `format` each is recognised by its content.

    `columns` names the source's own word for a field of a memory, as `{"content": "note"}`; with
    `split`, texts that are too long become several memories.
    """

    format: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    split: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """One source and the format that it is read as."""

    head: Head
    importer: Importer

    @property
    def label(self) -> str:
        """The source as the person named it."""
        return storable(self.head.source.label)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is going to be imported; good until `open_plan` ends."""

    parts: Sequence[Part]
    options: ReadingOptions
    label: str
    found: Tally
    meter: Meter

    def preview(
        self,
        service: MemoryService,
        options: ImportOptions | None = None,
        *,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Read everything and say what would become of it. Nothing is written."""
        return self._run(service, options, progress, dry_run=True)

    def apply(
        self,
        service: MemoryService,
        options: ImportOptions | None = None,
        *,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Import everything; see `MemoryService.import_records` for what it raises."""
        return self._run(service, options, progress, dry_run=False)

    def _run(
        self,
        service: MemoryService,
        options: ImportOptions | None,
        progress: Progress | None,
        *,
        dry_run: bool,
    ) -> ImportReport:
        tally = Tally(
            skipped=self.found.skipped,
            skips=list(self.found.skips),
            reasons=self.found.reasons.copy(),
            left_out=self.found.left_out.copy(),
        )
        self.meter.done = 0
        return service.import_records(
            self._records(tally),
            label=self.label,
            options=options,
            whole=self._whole(),
            tally=tally,
            measure=self.meter.measure,
            dry_run=dry_run,
            progress=progress,
        )

    def _records(self, tally: Tally) -> Iterator[ImportRecord]:
        choices = Choices(self.options.columns)
        for part in self.parts:
            reading = Reading(part.head, tally, choices, part.importer.name)
            records = part.importer.read(reading)
            yield from split_long(records, tally) if self.options.split else records

    def _whole(self) -> Whole | None:
        if len(self.parts) != 1:
            return None
        part = self.parts[0]
        return part.importer.whole(part.head) if part.importer.whole else None


@contextmanager
def open_plan(
    labels: Sequence[str], options: ReadingOptions | None = None, *, in_use: Path | None = None
) -> Iterator[Plan]:
    """Recognise sources: paths of files, folders and archives, or `-` for standard input.

    Raises `InvalidError` when one can't be read, is in no format that memtui knows, or is the
    database that this process has open, `in_use`: to close its file once more would take this
    process's locks on it away. In folders and archives, files that hold no memories are left out
    and counted.
    """
    if in_use is not None:
        _require_others(labels, in_use)
    chosen = options or ReadingOptions()
    tally, meter = Tally(), Meter()
    with ExitStack() as resources:
        finder = _Finder(chosen, tally, resources)
        parts = [part for label in labels for part in finder.parts(label)]
        for part in parts:
            part.head.source.meter = meter
        meter.total = sum(part.head.source.size for part in parts)
        yield Plan(parts, chosen, _label(labels), tally, meter)


def _require_others(labels: Sequence[str], in_use: Path) -> None:
    own = [path for ending in ("", "-wal", "-shm") if (path := Path(f"{in_use}{ending}")).exists()]
    for label in labels:
        named = Path(label).expanduser()
        if named.exists() and any(named.samefile(path) for path in own):
            raise InvalidError(
                f"{label} is the database that is open",
                "Its memories are here already. Name another file.",
            )


def _label(labels: Sequence[str]) -> str:
    first = storable(labels[0] if labels else "")
    name = Path(first).name or first
    label = f"import {name if len(labels) == 1 else f'{name} and {len(labels) - 1} more'}"
    return label if len(label) <= _LABEL_LENGTH else f"{label[: _LABEL_LENGTH - 1]}…"


@dataclass(frozen=True, slots=True)
class _Finder:
    """Finds the parts of what the person named."""

    options: ReadingOptions
    tally: Tally
    resources: ExitStack

    def parts(self, label: str) -> Iterator[Part]:
        path = Path(label).expanduser()
        if label != "-" and path.is_dir():
            yield from self._in_folder(label, path)
            return
        yield from self._in_source(source_of(label, self.resources))

    def _in_source(self, source: Source) -> Iterator[Part]:
        head = Head(source)
        if head.kind is Kind.GZIP:
            source = unpacked(source, self.resources)
            head = Head(source)
        if head.kind is Kind.ZIP:
            yield from self._in_archive(source)
            return
        importer = self._importer(head)
        if importer is None:
            raise unknown(head)
        yield Part(head, importer)

    def _importer(self, head: Head) -> Importer | None:
        if self.options.format is None:
            found = recognised(head)
            if found is None and "content" in self.options.columns:
                return self._mapped(head)
            return found
        importer = importer_named(self.options.format)
        if head.kind in {Kind.PICKLE, Kind.BINARY, Kind.EMPTY, Kind.DAMAGED_JSON}:
            raise unknown(head)
        return importer

    @staticmethod
    def _mapped(head: Head) -> Importer | None:
        """What the person described with column names, though none is a common one."""
        if head.kind in {Kind.JSON_LINES, Kind.JSON_ARRAY, Kind.JSON_OBJECT}:
            return importer_named("json")
        return importer_named("csv") if head.kind is Kind.TEXT else None

    def _in_archive(self, source: Source) -> Iterator[Part]:
        found: list[Part] = []
        for member in members(source, self.resources, self.tally):
            head = Head(member)
            if head.kind is Kind.GZIP:
                head = Head(unpacked(member, self.resources))
            importer = None if head.kind is Kind.ZIP else recognised(head)
            if importer is None:
                self.tally.leave_out("files that hold no memories")
            else:
                found.append(Part(head, importer))
        if all(part.importer.general for part in found):
            yield from self._some(found, source.label)
            return
        # Beside a format's own file, the same memories may lie once more in a second form.
        taken: set[tuple[str, str]] = set()
        for part in found:
            name = PurePosixPath(part.head.source.label)
            place = (part.importer.name, f"{name.parent}/{name.name.split('.')[0]}")
            if part.importer.general or place in taken:
                self.tally.leave_out("files that hold no memories of their own")
            else:
                taken.add(place)
                yield part

    def _in_folder(self, label: str, folder: Path) -> Iterator[Part]:
        found: list[Part] = []
        for path in files_under(folder, _NOTES):
            name = str(PurePosixPath(label, path.relative_to(folder).as_posix()))
            head = Head(source_of(name if name.startswith("~") else str(path), self.resources))
            importer = self._importer(head) if head.kind is not Kind.EMPTY else None
            if importer is None:
                self.tally.leave_out("files that hold no memories")
            else:
                found.append(Part(head, importer))
        yield from self._some(found, label)

    @staticmethod
    def _some(found: list[Part], label: str) -> Iterator[Part]:
        if not found:
            raise InvalidError(
                f"{label} holds no file with memories that memtui knows",
                "Of a folder, Markdown notes are read; name other files one by one.",
            )
        yield from found
