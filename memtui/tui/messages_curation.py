"""What the gateway tells the curator's screens; see `memtui.tui.messages`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memtui.tui.messages import Answer

if TYPE_CHECKING:
    from memtui.agents import Activity
    from memtui.models import (
        ActorCount,
        Batch,
        BulkResult,
        Measures,
        MemoryPage,
        Month,
        Revision,
        RevisionPage,
        SavedView,
        Stats,
        TagCount,
        TagMerge,
        TagSummary,
    )
    from memtui.tui.view import View


class RevisionsLoaded(Answer):
    """A page of the journal; `earlier` holds, by `seq`, what each revision's memory was before."""

    def __init__(self, number: int, page: RevisionPage, earlier: Mapping[int, Revision]) -> None:
        super().__init__(number)
        self.page = page
        self.earlier = earlier


class ActorsLoaded(Answer):
    """Everyone in the journal, the busiest first."""

    def __init__(self, number: int, actors: Sequence[ActorCount]) -> None:
        super().__init__(number)
        self.actors = actors


class ActivitiesLoaded(Answer):
    """What agents did, newest first; `more` says whether there is something older."""

    def __init__(self, number: int, activities: Sequence[Activity], more: bool) -> None:
        super().__init__(number)
        self.activities = activities
        self.more = more


class Located(Answer):
    """Memory `memory_id` is on the page that `view` shows."""

    def __init__(self, number: int, memory_id: int, view: View) -> None:
        super().__init__(number)
        self.memory_id = memory_id
        self.view = view


class BatchesLoaded(Answer):
    """The newest batches, newest first; `more` says whether there are older ones."""

    def __init__(self, number: int, batches: Sequence[Batch], more: bool) -> None:
        super().__init__(number)
        self.batches = batches
        self.more = more


class Previewed(Answer):
    """What a change would do; nothing was written."""

    def __init__(self, number: int, result: BulkResult) -> None:
        super().__init__(number)
        self.result = result


class TagsLoaded(Answer):
    """Every tag in use, and those that seem to mean the same."""

    def __init__(self, number: int, tags: Sequence[TagSummary], merges: Sequence[TagMerge]) -> None:
        super().__init__(number)
        self.tags = tags
        self.merges = merges


class ViewsLoaded(Answer):
    """The saved views by name, and how many memories each shows."""

    def __init__(self, number: int, views: Sequence[SavedView], totals: Mapping[str, int]) -> None:
        super().__init__(number)
        self.views = views
        self.totals = totals


class ViewsChanged(Answer):
    """A view was saved, renamed or forgotten."""


class QueueLoaded(Answer):
    """A page of what waits in a review queue."""

    def __init__(self, number: int, page: MemoryPage) -> None:
        super().__init__(number)
        self.page = page


class Marked(Answer):
    """A decision to leave a memory as it is was remembered, or taken back."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What the stats screen shows; `tags` are the most frequent ones."""

    stats: Stats
    months: tuple[Month, ...]
    measures: Measures
    tags: tuple[TagCount, ...]


class FiguresLoaded(Answer):
    """Figures of the whole store."""

    def __init__(self, number: int, figures: Figures) -> None:
        super().__init__(number)
        self.figures = figures
