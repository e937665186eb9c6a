"""The only caller of the memory service: requests go to worker threads, answers come as messages.

Every request has a number, returned at once and carried by its answer (`memtui.tui.messages`), so
that the asker can tell an old answer from the one it waits for. No error ends the app: whatever a
worker raises becomes a `Failed`. The service, and with it the SQL libraries, is imported by the
first worker, after the first frame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, Any

from textual.message_pump import MessagePump

from memtui.errors import MemtuiError
from memtui.tui import messages
from memtui.tui.lanes import Lane

if TYPE_CHECKING:
    from textual.app import App

    from memtui.models import BulkChange, Memory, MemoryCreate, MemoryPatch
    from memtui.service import MemoryService
    from memtui.tui.options import UiOptions
    from memtui.tui.view import View

Opener = Callable[[], "MemoryService"]
_RELATED = 3
WATCH = "watch the database"
"""What a failed `poll` says that it was doing."""


def opener(options: UiOptions) -> Opener:
    """Return what opens the database of `options`; calling it imports the service."""

    def open_service() -> MemoryService:
        from memtui.service import MemoryService

        return MemoryService.open(options.db, actor=options.actor, read_only=options.read_only)

    return open_service


class Gateway:
    """One session's way to the memories.

    Each request names the node that gets the answer. Reads of one kind are answered newest first:
    one that waits is dropped when a newer one is made. Writes are all done, in order.
    """

    def __init__(self, app: App[Any], open_service: Opener) -> None:
        self._app = app
        self._open_service = open_service
        self._service: MemoryService | None = None
        self._numbers = count(1)
        self._seen_token: int | None = None
        self._own_changes = Lock()
        self._writes = Lane("write", newest_only=False)
        self._reads: dict[str, Lane] = {}

    # --- the session -------------------------------------------------------------------------

    def open(self, reply_to: MessagePump) -> int:
        """Open the database, also again after a failure. Answered by `Opened` or `OpenFailed`."""
        number = next(self._numbers)

        def job() -> None:
            try:
                service = self._service or self._open_service()
                self._seen_token = service.change_token()
                self._service = service
            except Exception as error:
                _post(reply_to, messages.OpenFailed(number, _explained(error)))
            else:
                _post(reply_to, messages.Opened(number, service.location, service.read_only))

        self._start(self._writes, job)
        return number

    def close(self) -> None:
        """Release the database. Nothing may be asked afterwards."""
        if self._service is not None:
            self._service.close()

    def poll(self, reply_to: MessagePump) -> None:
        """Look whether someone else changed the database: `StoreChanged` if so, else no answer."""
        if self._service is not None:
            self._read("poll", reply_to, WATCH, lambda service, number: None, writes=True)

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

    def undo(self, reply_to: MessagePump, batch: int | None = None) -> int:
        """Take a batch back, without one this session's last change. Answered by `Undone`."""
        return self._write(
            reply_to, "undo", lambda service, number: messages.Undone(number, service.undo(batch))
        )

    # --- how -----------------------------------------------------------------------------------

    def _read(
        self, kind: str, reply_to: MessagePump, doing: str, call: _Call, *, writes: bool = False
    ) -> int:
        """Ask on the lane of one asker's questions of one kind; the newest question wins."""
        lane = self._reads.setdefault(f"{kind}:{id(reply_to)}", Lane(kind, newest_only=True))
        return self._ask(lane, reply_to, doing, call, writes)

    def _write(self, reply_to: MessagePump, doing: str, call: _Call) -> int:
        return self._ask(self._writes, reply_to, doing, call, writes=True)

    def _ask(self, lane: Lane, reply_to: MessagePump, doing: str, call: _Call, writes: bool) -> int:
        number = next(self._numbers)

        def job() -> None:
            try:
                service = self._opened()
                if writes:
                    with self._own_changes:
                        answer = self._watched(service, reply_to, number, call)
                else:
                    answer = call(service, number)
            except Exception as error:
                _post(reply_to, messages.Failed(number, doing, _explained(error)))
            else:
                if answer is not None:
                    _post(reply_to, answer)

        self._start(lane, job)
        return number

    def _opened(self) -> MemoryService:
        if self._service is None:
            raise MemtuiError("The database is not open yet", "Wait a moment and try again.")
        return self._service

    def _watched(
        self, service: MemoryService, reply_to: MessagePump, number: int, call: _Call
    ) -> messages.Answer | None:
        """Make a call that may write, telling its own change from those that others made before."""
        before = service.change_token()
        if before != self._seen_token:
            self._seen_token = before
            _post(reply_to, messages.StoreChanged(number))
        answer = call(service, number)
        self._seen_token = service.change_token()
        return answer

    def _start(self, lane: Lane, job: Callable[[], None]) -> None:
        if lane.put(job):
            self._app.run_worker(
                lane.drain, name=lane.name, group="gateway", thread=True, exit_on_error=False
            )


_Call = Callable[["MemoryService", int], "messages.Answer | None"]


def _post(reply_to: MessagePump, answer: messages.Answer) -> None:
    try:
        reply_to.post_message(answer)
    except RuntimeError:
        return  # the app, and with it the loop, has ended meanwhile: no one waits for the answer


def _explained(error: Exception) -> MemtuiError:
    if isinstance(error, MemtuiError):
        return error
    return MemtuiError(
        f"Something went wrong inside memtui: {type(error).__name__}: {error}",
        "What was saved before is kept. Try again; if it stays, run: memtui doctor",
    )
