"""What the gateway tells a screen: typed, past tense, each with the number of its request.

A screen that asked twice compares `number` with the number of its last request and drops the
answer to the older one. Models are only named here, never imported: the first frame needs none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from memtui.errors import MemtuiError
    from memtui.models import (
        BulkResult,
        Facets,
        Memory,
        MemoryPage,
        Revision,
        RevisionPage,
    )
    from memtui.tui.view import View


MOST_NEWS = 100
"""Revisions that are told at once when someone else changed the database."""


class Answer(Message):
    """The base of all answers; `number` is that of the request."""

    bubble = False

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


class Opened(Answer):
    """The database is open. `location` is the path, or the URL without its password."""

    def __init__(self, number: int, location: str, read_only: bool) -> None:
        super().__init__(number)
        self.location = location
        self.read_only = read_only


class OpenFailed(Answer):
    """The database could not be opened; `error` says what to do."""

    def __init__(self, number: int, error: MemtuiError) -> None:
        super().__init__(number)
        self.error = error


class PageLoaded(Answer):
    """A page of `view` is here; `touched` says that its rows were marked as read."""

    def __init__(self, number: int, view: View, page: MemoryPage, touched: bool) -> None:
        super().__init__(number)
        self.view = view
        self.page = page
        self.touched = touched


class FacetsLoaded(Answer):
    """Counts beside the filters of a view (`facets`) and of the whole store (`whole`)."""

    def __init__(self, number: int, facets: Facets, whole: Facets) -> None:
        super().__init__(number)
        self.facets = facets
        self.whole = whole


class MemoryLoaded(Answer):
    """One memory, read as a peek."""

    def __init__(self, number: int, memory: Memory) -> None:
        super().__init__(number)
        self.memory = memory


class HistoryLoaded(Answer):
    """The newest revisions of one memory."""

    def __init__(self, number: int, memory_id: int, history: RevisionPage) -> None:
        super().__init__(number)
        self.memory_id = memory_id
        self.history = history


class ReviewLoaded(Answer):
    """What helps to decide about one memory.

    `memory` is as it is now, `revisions` are its newest, newest first; `related` the active
    memories with the most words in common, closest first.
    """

    def __init__(
        self,
        number: int,
        memory: Memory,
        revisions: tuple[Revision, ...],
        related: tuple[Memory, ...],
    ) -> None:
        super().__init__(number)
        self.memory = memory
        self.revisions = revisions
        self.related = related


class Saved(Answer):
    """A memory was created (`created`) or patched, and is now `memory`."""

    def __init__(self, number: int, memory: Memory, created: bool) -> None:
        super().__init__(number)
        self.memory = memory
        self.created = created


class BulkDone(Answer):
    """A change of one or more memories is done; `doing` is what it was ("delete")."""

    def __init__(self, number: int, doing: str, result: BulkResult) -> None:
        super().__init__(number)
        self.doing = doing
        self.result = result


class Progressed(Answer):
    """A long write has done `done` of `total` memories; its answer is still to come."""

    def __init__(self, number: int, done: int, total: int) -> None:
        super().__init__(number)
        self.done = done
        self.total = total


class Undone(Answer):
    """The last own change was taken back."""

    def __init__(self, number: int, result: BulkResult) -> None:
        super().__init__(number)
        self.result = result


class StoreChanged(Answer):
    """Someone else has changed the database since the last look.

    `news` are the newest revisions that they made, newest first, at most `MOST_NEWS`; none when
    memories were only read, or something beside them changed.
    """

    def __init__(self, number: int, news: Sequence[Revision] = ()) -> None:
        super().__init__(number)
        self.news = news


class Failed(Answer):
    """A request came to nothing; `doing` says what it was, `error` what to do next."""

    def __init__(self, number: int, doing: str, error: MemtuiError) -> None:
        super().__init__(number)
        self.doing = doing
        self.error = error
