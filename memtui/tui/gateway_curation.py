"""The requests of the curator's screens: journal, tags, views, queues and figures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message_pump import MessagePump

from memtui.tui import messages, messages_curation
from memtui.tui.gateway_base import GatewayBase, Progress

if TYPE_CHECKING:
    from memtui.models import (
        BulkResult,
        ReviewMark,
        ReviewQuery,
        ReviewQueue,
        RevisionQuery,
        SavedView,
    )
    from memtui.service import MemoryService

_TOP_TAGS = 12


@dataclass(frozen=True, slots=True)
class TagChange:
    """`new` takes the place of the tags `olds` everywhere; None only takes them off."""

    olds: tuple[str, ...]
    new: str | None

    def made_by(
        self, service: MemoryService, *, dry_run: bool = False, progress: Progress | None = None
    ) -> BulkResult:
        """Make the change, or with `dry_run` say what it would do."""
        if self.new is None:
            return service.remove_tags(self.olds, dry_run=dry_run, progress=progress)
        return service.merge_tags(self.olds, self.new, dry_run=dry_run, progress=progress)


class CurationRequests(GatewayBase):
    """Reads are peeks, all of them."""

    # --- the journal ---------------------------------------------------------------------------

    def revisions(self, reply_to: MessagePump, query: RevisionQuery) -> int:
        """Read a page of the journal, newest first. Answered by `RevisionsLoaded`."""

        def call(service: MemoryService, number: int) -> messages.Answer:
            page = service.history(query)
            return messages_curation.RevisionsLoaded(number, page, service.earlier(page.items))

        return self._read("revisions", reply_to, "read the journal", call)

    def actors(self, reply_to: MessagePump) -> int:
        """Ask who is in the journal. Answered by `ActorsLoaded`."""
        return self._read(
            "actors",
            reply_to,
            "read who is in the journal",
            lambda service, number: messages_curation.ActorsLoaded(number, service.actors()),
        )

    def activities(
        self, reply_to: MessagePump, *, limit: int, before: int | None, actor: str | None
    ) -> int:
        """Read what agents did, newest first. Answered by `ActivitiesLoaded`."""

        def call(service: MemoryService, number: int) -> messages.Answer:
            found = service.activities(limit=limit + 1, before=before, actor=actor)
            return messages_curation.ActivitiesLoaded(number, found[:limit], len(found) > limit)

        return self._read("activities", reply_to, "read what agents did", call)

    def activity_actors(self, reply_to: MessagePump) -> int:
        """Ask which agents did something. Answered by `ActorsLoaded`."""
        return self._read(
            "activity actors",
            reply_to,
            "read which agents there are",
            lambda service, number: messages_curation.ActorsLoaded(
                number, service.activity_actors()
            ),
        )

    def revert(
        self, reply_to: MessagePump, memory_id: int, version: int, expected_version: int
    ) -> int:
        """Bring a memory back to an earlier version, as a new one. Answered by `Saved`."""
        return self._write(
            reply_to,
            f"revert memory {memory_id}",
            lambda service, number: messages.Saved(
                number,
                service.revert(memory_id, version, expected_version=expected_version),
                created=False,
            ),
        )

    def locate(self, reply_to: MessagePump, memory_id: int, sort: str) -> int:
        """Find the page that shows a memory under `sort`. Answered by `Located`."""

        def call(service: MemoryService, number: int) -> messages.Answer:
            from memtui.errors import NotFoundError
            from memtui.models import SortKey
            from memtui.tui.view import PAGE_SIZE, View

            offset = service.position(memory_id, SortKey(sort))
            view = View(sort=sort).at_page(offset // PAGE_SIZE + 1)
            try:
                service.get(memory_id, touch=False)
            except NotFoundError:  # it is there, or it would have no position: so it is deleted
                view = View(sort=sort, status="deleted").at_page(offset // PAGE_SIZE + 1)
            return messages_curation.Located(number, memory_id, view)

        return self._read("locate", reply_to, f"find memory {memory_id}", call)

    def batches(self, reply_to: MessagePump, *, limit: int, actor: str | None = None) -> int:
        """Read the newest batches, of `actor` or of everyone. Answered by `BatchesLoaded`."""

        def call(service: MemoryService, number: int) -> messages.Answer:
            found = service.batches(limit=limit + 1, actor=actor)
            return messages_curation.BatchesLoaded(number, found[:limit], len(found) > limit)

        return self._read("batches", reply_to, "read what was done", call)

    def preview_undo(self, reply_to: MessagePump, batch: int) -> int:
        """Ask what undoing a batch would do. Answered by `Previewed`."""
        return self._read(
            "preview",
            reply_to,
            f"preview the undo of batch {batch}",
            lambda service, number: messages_curation.Previewed(
                number, service.undo(batch, dry_run=True)
            ),
        )

    # --- tags ----------------------------------------------------------------------------------

    def tag_table(self, reply_to: MessagePump) -> int:
        """Read every tag in use and those that look alike. Answered by `TagsLoaded`."""
        return self._read(
            "tags",
            reply_to,
            "read the tags",
            lambda service, number: messages_curation.TagsLoaded(
                number, service.tag_summaries(), service.proposed_merges()
            ),
        )

    def preview_tags(self, reply_to: MessagePump, change: TagChange) -> int:
        """Ask what a change of tags would do. Answered by `Previewed`."""
        return self._read(
            "preview",
            reply_to,
            "preview the change of tags",
            lambda service, number: messages_curation.Previewed(
                number, change.made_by(service, dry_run=True)
            ),
        )

    def change_tags(self, reply_to: MessagePump, doing: str, change: TagChange) -> int:
        """Change tags everywhere. Answered by `Progressed` along the way, then by `BulkDone`."""
        return self._write_long(
            reply_to,
            doing,
            lambda service, number, progress: messages.BulkDone(
                number, doing, change.made_by(service, progress=progress)
            ),
        )

    # --- views ---------------------------------------------------------------------------------

    def views(self, reply_to: MessagePump, *, count: bool) -> int:
        """Read the saved views, and with `count` how many memories each shows.

        Answered by `ViewsLoaded`.
        """

        def call(service: MemoryService, number: int) -> messages.Answer:
            saved = service.views()
            one = {"limit": 1, "offset": 0}
            totals = {
                view.name: service.search(view.query.model_copy(update=one), touch=False).total
                for view in (saved if count else ())
            }
            return messages_curation.ViewsLoaded(number, saved, totals)

        return self._read("views", reply_to, "read the saved views", call)

    def save_view(self, reply_to: MessagePump, view: SavedView) -> int:
        """Keep a view, in place of one of the same name. Answered by `ViewsChanged`."""

        def call(service: MemoryService, number: int) -> messages.Answer:
            service.save_view(view)
            return messages_curation.ViewsChanged(number)

        return self._write(reply_to, "save the view", call)

    def rename_view(self, reply_to: MessagePump, old: str, new: str) -> int:
        """Give a view another name. Answered by `ViewsChanged`."""

        def call(service: MemoryService, number: int) -> messages.Answer:
            service.rename_view(old, new)
            return messages_curation.ViewsChanged(number)

        return self._write(reply_to, "rename the view", call)

    def delete_view(self, reply_to: MessagePump, name: str) -> int:
        """Forget a view. Answered by `ViewsChanged`."""

        def call(service: MemoryService, number: int) -> messages.Answer:
            service.delete_view(name)
            return messages_curation.ViewsChanged(number)

        return self._write(reply_to, "delete the view", call)

    # --- review queues -------------------------------------------------------------------------

    def queue(self, reply_to: MessagePump, query: ReviewQuery) -> int:
        """Read a page of what waits for a person. Answered by `QueueLoaded`."""
        return self._read(
            "queue",
            reply_to,
            "read what waits for review",
            lambda service, number: messages_curation.QueueLoaded(number, service.review(query)),
        )

    def mark_reviewed(self, reply_to: MessagePump, mark: ReviewMark, expected_version: int) -> int:
        """Remember that a memory was left as it is. Answered by `Marked`."""

        def call(service: MemoryService, number: int) -> messages.Answer:
            service.mark_reviewed(mark, expected_version=expected_version)
            return messages_curation.Marked(number)

        return self._write(reply_to, f"remember the review of memory {mark.memory_id}", call)

    def unmark_reviewed(self, reply_to: MessagePump, queue: ReviewQueue, memory_id: int) -> int:
        """Put a memory back into its queue. Answered by `Marked`."""

        def call(service: MemoryService, number: int) -> messages.Answer:
            service.unmark_reviewed(queue, memory_id)
            return messages_curation.Marked(number)

        return self._write(reply_to, f"put memory {memory_id} back", call)

    # --- figures -------------------------------------------------------------------------------

    def figures(self, reply_to: MessagePump) -> int:
        """Read figures of the whole store. Answered by `FiguresLoaded`."""

        def call(service: MemoryService, number: int) -> messages.Answer:
            figures = messages_curation.Figures(
                service.stats(), service.months(), service.measures(), service.tags()[:_TOP_TAGS]
            )
            return messages_curation.FiguresLoaded(number, figures)

        return self._read("figures", reply_to, "read the figures", call)
