"""The requests about many memories at once: all that match, previews, bulk changes, undo."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from textual.message_pump import MessagePump

from memtui.tui import messages, messages_bulk, messages_curation
from memtui.tui.gateway_base import GatewayBase, Progress

if TYPE_CHECKING:
    from memtui.models import BulkChange, MemoryPatch
    from memtui.service import MemoryService
    from memtui.tui.view import View


class BulkRequests(GatewayBase):
    """What is not written in one go tells how far it is, and can be cancelled."""

    # --- reading: all peeks -------------------------------------------------------------------

    def matches(self, reply_to: MessagePump, view: View) -> int:
        """Read which memories match the filters of `view`. Answered by `MatchesRead`."""
        return self._read(
            "matches",
            reply_to,
            "mark all that match",
            lambda service, number: messages_bulk.MatchesRead(
                number, service.versions(view.query())
            ),
        )

    def count_hidden(self, reply_to: MessagePump, view: View, ids: Collection[int]) -> int:
        """Count which of the memories the filters of `view` hide. Answered by `MarksCounted`."""
        wanted = frozenset(ids)

        def call(service: MemoryService, number: int) -> messages.Answer:
            shown = service.versions(view.query()).keys()
            return messages_bulk.MarksCounted(number, len(wanted) - len(wanted & shown))

        return self._read("hidden", reply_to, "count the marked memories", call)

    def memories(self, reply_to: MessagePump, ids: Sequence[int]) -> int:
        """Look at memories without marking them as read. Answered by `MemoriesRead`."""
        return self._read(
            "memories",
            reply_to,
            "read the memories",
            lambda service, number: messages_bulk.MemoriesRead(
                number, service.get_many(ids, touch=False)
            ),
        )

    # --- one change for all --------------------------------------------------------------------

    def preview_change(
        self, reply_to: MessagePump, versions: Mapping[int, int], change: BulkChange
    ) -> int:
        """Ask what a change of memories (id → version that was seen) would do.

        Answered by `Progressed` along the way, then by `Previewed`.
        """
        from memtui.models import Selection

        selection = Selection.of_seen(versions)

        def call(service: MemoryService, number: int, progress: Progress) -> messages.Answer:
            result = service.bulk(selection, change, dry_run=True, progress=progress)
            return messages_curation.Previewed(number, result)

        return self._read_long("preview", reply_to, "preview the change", call)

    def change_many(
        self, reply_to: MessagePump, doing: str, versions: Mapping[int, int], change: BulkChange
    ) -> int:
        """Make one change to memories; what was changed meanwhile is left alone.

        Answered by `Progressed` along the way, then by `BulkDone`.
        """
        from memtui.models import Selection

        selection = Selection.of_seen(versions)

        def call(service: MemoryService, number: int, progress: Progress) -> messages.Answer:
            result = service.bulk(selection, change, progress=progress)
            return messages.BulkDone(number, doing, result)

        return self._write_long(reply_to, doing, call)

    # --- a change for each ---------------------------------------------------------------------

    def preview_patches(
        self, reply_to: MessagePump, patches: Mapping[int, tuple[MemoryPatch, int | None]]
    ) -> int:
        """As `preview_change`, with a patch and a version for each memory."""

        def call(service: MemoryService, number: int, progress: Progress) -> messages.Answer:
            result = service.patch_many(patches, dry_run=True, progress=progress)
            return messages_curation.Previewed(number, result)

        return self._read_long("preview", reply_to, "preview the changes", call)

    def patch_many(
        self,
        reply_to: MessagePump,
        doing: str,
        patches: Mapping[int, tuple[MemoryPatch, int | None]],
    ) -> int:
        """As `change_many`, with a patch and a version for each memory."""

        def call(service: MemoryService, number: int, progress: Progress) -> messages.Answer:
            result = service.patch_many(patches, label=doing, progress=progress)
            return messages.BulkDone(number, doing, result)

        return self._write_long(reply_to, doing, call)

    # --- taking back ---------------------------------------------------------------------------

    def undo(self, reply_to: MessagePump, batch: int | None = None) -> int:
        """Take a batch back, without one this session's last change.

        Answered by `Progressed` along the way, then by `Undone`.
        """
        return self._write_long(
            reply_to,
            "undo",
            lambda service, number, progress: messages.Undone(
                number, service.undo(batch, progress=progress)
            ),
        )

    def redo(self, reply_to: MessagePump) -> int:
        """Take this session's last undo back, if no change came after it.

        Answered by `Progressed` along the way, then by `Redone`.
        """
        return self._write_long(
            reply_to,
            "redo",
            lambda service, number, progress: messages_bulk.Redone(
                number, service.redo(progress=progress)
            ),
        )
