"""What happened, told to a callback, to Python's logging and to memtui's activities."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from memtui.agents import ActivityKind
from memtui.errors import MemtuiError
from memtui.service import MemoryService

logger = logging.getLogger("memtui.integrations.autogen")


class EventKind(StrEnum):
    """What an event tells.

    `added`, `revised` and `forgotten` are in memtui's journal as well; the others are kept among
    its activities.
    """

    ADDED = "added"
    DUPLICATE = "duplicate"
    QUERIED = "queried"
    INJECTED = "injected"
    RETRACTED = "retracted"
    REVISED = "revised"
    FORGOTTEN = "forgotten"
    ERROR = "error"

    @property
    def activity(self) -> ActivityKind | None:
        """The kind of activity that this is kept as, None for what the journal tells."""
        return _ACTIVITIES.get(self)


_ACTIVITIES = {
    EventKind.DUPLICATE: ActivityKind.DUPLICATE,
    EventKind.QUERIED: ActivityKind.QUERIED,
    EventKind.INJECTED: ActivityKind.INJECTED,
    EventKind.RETRACTED: ActivityKind.RETRACTED,
    EventKind.ERROR: ActivityKind.ERROR,
}


@dataclass(frozen=True, slots=True)
class MemoryEvent:
    """Something that a memory did, about the memories with these ids.

    `detail` says in a few words how, without the text of users or memories. `error` is what went
    wrong, for an `error`.
    """

    kind: EventKind
    memory_ids: tuple[int, ...]
    name: str
    scope: str
    detail: str = ""
    error: Exception | None = None


Listener = Callable[[MemoryEvent], None]


def is_expected(error: Exception | None) -> bool:
    """Whether a message says all about an error; of any other one the traceback is needed."""
    return error is None or isinstance(error, MemtuiError | TimeoutError)


def reason(error: Exception) -> str:
    """An error in words that hold nothing of what users or memories say."""
    return error.message if isinstance(error, MemtuiError) else type(error).__name__


def tell(event: MemoryEvent, listener: Listener | None) -> None:
    """Log an event and call the listener; what that raises is logged and goes no further."""
    logger.log(
        logging.WARNING if event.kind is EventKind.ERROR else logging.INFO,
        "%s %s %s %s",
        event.name,
        event.kind.value,
        list(event.memory_ids),
        event.detail,
        extra={"memory_event": event},
        exc_info=None if is_expected(event.error) else event.error,
    )
    if listener is None:
        return
    try:
        listener(event)
    except Exception:
        logger.exception("the listener of %s failed", event.name)


def keep(service: MemoryService, event: MemoryEvent) -> None:
    """Keep an event among memtui's activities, when the journal does not tell it already.

    Where that fails the work it tells of is done all the same: it is only logged.
    """
    if event.kind.activity is None:
        return
    try:
        service.note_activity(event.kind.activity, event.memory_ids, event.detail)
    except MemtuiError as error:
        logger.warning("%s: the activity was not kept: %s", event.name, error)
