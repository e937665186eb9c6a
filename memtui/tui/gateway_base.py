"""What every request to the memory service has in common: threads, numbers, lanes, failures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from threading import Lock
from typing import TYPE_CHECKING, Any

from textual.message_pump import MessagePump

from memtui.errors import MemtuiError
from memtui.tui import messages
from memtui.tui.lanes import Lane

if TYPE_CHECKING:
    from textual.app import App

    from memtui.models import Revision
    from memtui.service import MemoryService

Opener = Callable[[], "MemoryService"]
Call = Callable[["MemoryService", int], "messages.Answer | None"]
"""What a request does on its thread: the service and the request's number in, the answer out."""
Progress = Callable[[int, int], bool]
"""Takes how much is done and of how much; whether to go on."""
LongCall = Callable[["MemoryService", int, Progress], "messages.Answer | None"]
WATCH = "watch the database"
"""What a failed `poll` says that it was doing."""


class GatewayBase:
    """Opens and closes the service, and runs calls of it on worker threads.

    Reads of one kind are answered newest first: one that waits is dropped when a newer one is made.
    Writes are all done, in order.
    """

    def __init__(self, app: App[Any], open_service: Opener) -> None:
        self._app = app
        self._open_service = open_service
        self._service: MemoryService | None = None
        self._numbers = count(1)
        self._seen_token: int | None = None
        self._seen_seq = 0
        self._own_changes = Lock()
        self._writes = Lane("write", newest_only=False)
        self._reads: dict[str, Lane] = {}
        self._followers: tuple[MessagePump, ...] = ()
        self._cancelled: set[int] = set()

    # --- the session -------------------------------------------------------------------------

    def open(self, reply_to: MessagePump) -> int:
        """Open the database, also again after a failure. Answered by `Opened` or `OpenFailed`."""
        number = next(self._numbers)

        def job() -> None:
            try:
                service = self._service or self._open_service()
                self._seen_token = service.change_token()
                self._seen_seq = _newest_seq(service, 0)
                self._service = service
            except Exception as error:
                _post(reply_to, messages.OpenFailed(number, _explained(error)))
            else:
                _post(reply_to, messages.Opened(number, service.location, service.read_only))

        self._start(self._writes, job)
        return number

    @property
    def location(self) -> str:
        """Where the database is, a path or a URL; empty until it is open."""
        return self._service.location if self._service is not None else ""

    def close(self) -> None:
        """Release the database. Nothing may be asked afterwards."""
        if self._service is not None:
            self._service.close()

    def poll(self, reply_to: MessagePump) -> None:
        """Look whether someone else changed the database; `reply_to` follows from now on."""
        self.follow(reply_to)
        if self._service is not None:
            self._read("poll", reply_to, WATCH, lambda service, number: None, writes=True)

    def follow(self, node: MessagePump) -> None:
        """Tell `node` from now on, by `StoreChanged`, when someone else changed the database."""
        if node not in self._followers:
            self._followers = (*self._followers, node)

    def unfollow(self, node: MessagePump) -> None:
        """Tell `node` no more."""
        self._followers = tuple(one for one in self._followers if one is not node)

    def cancel(self, number: int) -> None:
        """Ask long work to stop; it then fails with `CancelledError` and has written nothing."""
        self._cancelled.add(number)

    # --- how -----------------------------------------------------------------------------------

    def _read(
        self, kind: str, reply_to: MessagePump, doing: str, call: Call, *, writes: bool = False
    ) -> int:
        """Ask on the lane of one asker's questions of one kind; the newest question wins."""
        lane = self._reads.setdefault(f"{kind}:{id(reply_to)}", Lane(kind, newest_only=True))
        return self._ask(lane, reply_to, doing, call, writes)

    def _write(self, reply_to: MessagePump, doing: str, call: Call) -> int:
        return self._ask(self._writes, reply_to, doing, call, writes=True)

    def _read_long(self, kind: str, reply_to: MessagePump, doing: str, call: LongCall) -> int:
        """As `_read`, for what takes long: `Progressed` tells how far it is, `cancel` ends it."""
        return self._read(kind, reply_to, doing, self._with_progress(reply_to, call))

    def _write_long(self, reply_to: MessagePump, doing: str, call: LongCall) -> int:
        """As `_write`, for what takes long."""
        return self._write(reply_to, doing, self._with_progress(reply_to, call))

    def _with_progress(self, reply_to: MessagePump, call: LongCall) -> Call:
        def with_progress(service: MemoryService, number: int) -> messages.Answer | None:
            def progress(done: int, total: int) -> bool:
                _post(reply_to, messages.Progressed(number, done, total))
                return number not in self._cancelled

            try:
                return call(service, number, progress)
            finally:
                self._cancelled.discard(number)

        return with_progress

    def _ask(self, lane: Lane, reply_to: MessagePump, doing: str, call: Call, writes: bool) -> int:
        number = next(self._numbers)

        def job() -> None:
            try:
                service = self._opened()
                if writes:
                    with self._own_changes:
                        answer = self._watched(service, number, call)
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

    def _watched(self, service: MemoryService, number: int, call: Call) -> messages.Answer | None:
        """Make a call that may write, telling its own change from those that others made."""
        before = service.change_token()
        if before != self._seen_token:
            self._seen_token = before
            news = service.news(self._seen_seq, limit=messages.MOST_NEWS)
            self._seen_seq = max(self._seen_seq, *(one.seq for one in news), 0)
            self._tell(number, news)
        answer = call(service, number)
        # What others wrote while this call waited for its turn came before its own change. What
        # they write from here on is left for the next look, which the token tells.
        self._seen_token = service.change_token()
        newest = _newest_seq(service, self._seen_seq)
        others = service.news(self._seen_seq, limit=messages.MOST_NEWS, other_than=service.actor)
        self._seen_seq = newest
        if told := [one for one in others if one.seq <= newest]:
            self._tell(number, told)
        return answer

    def _tell(self, number: int, news: Sequence[Revision]) -> None:
        for node in self._followers:
            _post(node, messages.StoreChanged(number, news))

    def _start(self, lane: Lane, job: Callable[[], None]) -> None:
        if lane.put(job):
            self._app.run_worker(
                lane.drain, name=lane.name, group="gateway", thread=True, exit_on_error=False
            )


def _newest_seq(service: MemoryService, before: int) -> int:
    newest = service.news(before, limit=1)
    return newest[0].seq if newest else before


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
