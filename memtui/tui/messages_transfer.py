"""What the gateway tells about imports, exports and backups; see `memtui.tui.messages`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.tui.messages import Answer

if TYPE_CHECKING:
    from memtui.interchange import ImportReport


class ImportRead(Answer):
    """What would come in, or came in (`report.dry_run` tells), and the formats it was read as."""

    def __init__(self, number: int, formats: Sequence[str], report: ImportReport) -> None:
        super().__init__(number)
        self.formats = formats
        self.report = report


class Written(Answer):
    """A file is complete; `count` memories are in it, None for a copy of the database."""

    def __init__(self, number: int, path: Path, count: int | None) -> None:
        super().__init__(number)
        self.path = path
        self.count = count
