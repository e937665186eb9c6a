"""The only caller of the memory service: requests go to worker threads, answers come as messages.

Every request has a number, returned at once and carried by its answer (`memtui.tui.messages`), so
that the asker can tell an old answer from the one it waits for. No error ends the app: whatever a
worker raises becomes a `Failed`. The service, and with it the SQL libraries, is imported by the
first worker, after the first frame.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from textual.message_pump import MessagePump

from memtui.tui import messages
from memtui.tui.gateway_base import WATCH, Opener
from memtui.tui.gateway_bulk import BulkRequests
from memtui.tui.gateway_curation import CurationRequests
from memtui.tui.gateway_drafts import DraftRequests
from memtui.tui.gateway_transfer import TransferRequests

if TYPE_CHECKING:
    from memtui.models import BulkChange, Memory, MemoryCreate, MemoryPatch
    from memtui.service import MemoryService
    from memtui.tui.options import UiOptions
    from memtui.tui.view import View

__all__ = ["WATCH", "Gateway", "Opener", "opener"]

_RELATED = 3


def opener(options: UiOptions) -> Opener:
    """Return what opens the database of `options`; calling it imports the service."""

    def open_service() -> MemoryService:
        from memtui.service import MemoryService

        return MemoryService.open(options.db, actor=options.actor, read_only=options.read_only)

    return open_service


class Gateway(BulkRequests, CurationRequests, DraftRequests, TransferRequests):
    """One session's way to the memories. Each request names the node that gets the answer."""

    # --- reading: all peeks but a touched page -------------------------------------------------

    def page(self, reply_to: MessagePump, view: View, *, touch: bool) -> int:
        """Retrieve the page of `view`; `touch` marks its rows as read. Answered by `PageLoaded`."""
        return self._read(
            "page",
            reply_to,
            "load the memories",
            lambda service, number: messages.PageLoaded(
                number,
                view,
                service.search(view.query(), touch=touch),
                touched=touch and not service.read_only,
            ),
            writes=touch,
        )

    def facets(self, reply_to: MessagePump, view: View) -> int:
        """Count beside the filters of `view` and in the whole store. Answered by `FacetsLoaded`."""

        def call(service: MemoryService, number: int) -> messages.Answer:
            whole = service.facets(view.cleared().query())
            facets = service.facets(view.query()) if view.filtered else whole
            return messages.FacetsLoaded(number, facets, whole)

        return self._read("facets", reply_to, "count the memories", call)

    def memory(self, reply_to: MessagePump, memory_id: int) -> int:
        """Look at one memory without marking it. Answered by `MemoryLoaded`."""
        return self._read(
            "memory",
            reply_to,
            f"read memory {memory_id}",
            lambda service, number: messages.MemoryLoaded(
                number, service.get(memory_id, touch=False)
            ),
        )

    def history(self, reply_to: MessagePump, memory_id: int, *, limit: int = 20) -> int:
        """Read the newest revisions of one memory. Answered by `HistoryLoaded`."""
        from memtui.models import RevisionQuery

        query = RevisionQuery(memory_id=memory_id, limit=limit)
        return self._read(
            "history",
            reply_to,
            f"read the history of memory {memory_id}",
            lambda service, number: messages.HistoryLoaded(
                number, memory_id, service.history(query)
            ),
        )

    def review(self, reply_to: MessagePump, memory: Memory) -> int:
        """Gather what helps to decide about one memory. Answered by `ReviewLoaded`."""

        def call(service: MemoryService, number: int) -> messages.Answer:
            from memtui.models import RevisionQuery

            return messages.ReviewLoaded(
                number,
                service.get(memory.id, touch=False),
                service.history(RevisionQuery(memory_id=memory.id)).items,
                service.related(memory.id, limit=_RELATED),
            )

        return self._read("review", reply_to, f"review memory {memory.id}", call)

    # --- writing -----------------------------------------------------------------------------

    def create(self, reply_to: MessagePump, memory: MemoryCreate) -> int:
        """Store a new memory. Answered by `Saved`."""
        return self._write(
            reply_to,
            "save the memory",
            lambda service, number: messages.Saved(number, service.create(memory), created=True),
        )

    def patch(
        self,
        reply_to: MessagePump,
        memory_id: int,
        patch: MemoryPatch,
        expected_version: int | None,
    ) -> int:
        """Change one memory, if it still has the version that was seen. Answered by `Saved`."""
        return self._write(
            reply_to,
            f"save memory {memory_id}",
            lambda service, number: messages.Saved(
                number,
                service.patch(memory_id, patch, expected_version=expected_version),
                created=False,
            ),
        )

    def change(
        self, reply_to: MessagePump, doing: str, versions: Mapping[int, int], change: BulkChange
    ) -> int:
        """Make one change to memories (id → version that was seen). Answered by `BulkDone`.

        A memory that was changed meanwhile is left alone and has the outcome `conflict`.
        """
        from memtui.models import Selection

        selection = Selection.of_seen(versions)
        return self._write(
            reply_to,
            doing,
            lambda service, number: messages.BulkDone(
                number, doing, service.bulk(selection, change)
            ),
        )

    def change_whatever_version(
        self, reply_to: MessagePump, doing: str, ids: Sequence[int], change: BulkChange
    ) -> int:
        """As `change`, for changes that are right whatever the version. Answered by `BulkDone`."""
        from memtui.models import Selection

        selection = Selection.of(ids)
        return self._write(
            reply_to,
            doing,
            lambda service, number: messages.BulkDone(
                number, doing, service.bulk(selection, change)
            ),
        )
