"""What the gateway tells about drafts; see `memtui.tui.messages`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.tui.messages import Answer

if TYPE_CHECKING:
    from pathlib import Path

    from memtui.tui.drafts import Draft, DraftFile


class DraftsFound(Answer):
    """These drafts were left behind by programs that ended; they are this program's now.

    `in_editors` are the files that editors outside had open then.
    """

    def __init__(
        self,
        number: int,
        drafts: Sequence[tuple[DraftFile, Draft]],
        in_editors: Sequence[Path] = (),
    ) -> None:
        super().__init__(number)
        self.drafts = drafts
        self.in_editors = in_editors
