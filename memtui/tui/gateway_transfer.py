"""The requests about files: imports, exports, backups. Their libraries are loaded when asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message_pump import MessagePump

from memtui.tui import messages, messages_transfer
from memtui.tui.gateway_base import GatewayBase, Progress

if TYPE_CHECKING:
    from memtui.models import Selection
    from memtui.service import MemoryService


@dataclass(frozen=True, slots=True)
class ImportWishes:
    """What is imported and how; see `memtui.interchange.ImportOptions` and `ReadingOptions`."""

    path: str
    format: str | None = None
    split: bool = False
    tags: tuple[str, ...] = ()
    memory_type: str | None = None
    status: str | None = None
    secrets: str = "stop"
    update: bool = False
    skip_duplicates: bool = False


class TransferRequests(GatewayBase):
    """All of it takes long: it tells how far it is and can be cancelled, leaving nothing."""

    def preview_import(self, reply_to: MessagePump, wishes: ImportWishes) -> int:
        """Ask what an import would do. Answered by `Progressed` and `ImportRead`."""

        def call(service: MemoryService, number: int, progress: Progress) -> messages.Answer:
            return _import(service, number, wishes, progress, dry_run=True)

        return self._read_long("import", reply_to, "read it", call)

    def import_(self, reply_to: MessagePump, wishes: ImportWishes) -> int:
        """Import as one batch. Answered by `Progressed` and `ImportRead`."""

        def call(service: MemoryService, number: int, progress: Progress) -> messages.Answer:
            return _import(service, number, wishes, progress, dry_run=False)

        return self._write_long(reply_to, "import", call)

    def export(
        self, reply_to: MessagePump, path: Path, format_: str, selection: Selection | None
    ) -> int:
        """Write memories, without a selection all, to a file: a peek. Answered by `Written`."""

        def call(service: MemoryService, number: int, progress: Progress) -> messages.Answer:
            from memtui.transfer.exporting import ExportOptions, export_to_file

            options = ExportOptions(format_, selection)
            count = export_to_file(service, path, options, progress=progress)
            return messages_transfer.Written(number, path, count)

        return self._read_long("export", reply_to, "export", call)

    def backup(self, reply_to: MessagePump, path: Path) -> int:
        """Copy the database to a file. Answered by `Written`."""
        return self._read(
            "backup",
            reply_to,
            "back the database up",
            lambda service, number: messages_transfer.Written(number, service.backup(path), None),
        )


def _import(
    service: MemoryService, number: int, wishes: ImportWishes, progress: Progress, *, dry_run: bool
) -> messages.Answer:
    from memtui.interchange import ImportOptions, SecretPolicy
    from memtui.models import MemoryCreate
    from memtui.transfer.importing import ReadingOptions, open_plan
    from memtui.transfer.secrets import detect

    options = ImportOptions(
        tags=MemoryCreate.parse({"content": "any", "tags": list(wishes.tags)}).tags,
        memory_type=wishes.memory_type,
        status=wishes.status,
        update=wishes.update,
        skip_duplicates=wishes.skip_duplicates,
        secrets=SecretPolicy(wishes.secrets),
        detect=detect,
    )
    reading = ReadingOptions(wishes.format, split=wishes.split)
    with open_plan([wishes.path], reading, in_use=Path(service.location)) as plan:
        formats: Sequence[str] = list(dict.fromkeys(part.importer.title for part in plan.parts))
        work = plan.preview if dry_run else plan.apply
        report = work(service, options, progress=progress)
    return messages_transfer.ImportRead(number, formats, report)
