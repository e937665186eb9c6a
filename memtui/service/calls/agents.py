"""What agents need (CONTRACT §6 and beside it)."""

from __future__ import annotations

from collections.abc import Sequence

from memtui.agents import (
    Activity,
    ActivityKind,
    NewMemory,
    Ranked,
    RankedQuery,
    Remembered,
)
from memtui.interchange import Attachment
from memtui.models import ActorCount, Memory
from memtui.service import ranking, remembering
from memtui.service.calls.base import Calls


class AgentCalls(Calls):
    """Ranked retrieval, remembering, attachments and activities."""

    def ranked(self, query: RankedQuery, *, touch: bool = True) -> tuple[Ranked, ...]:
        """The active memories with the most to do with a text, best first, marked unless a peek.

        BM25 over the words of the text: any of them, in any order; rare ones say more. Of equal
        ones the one used last comes first. The work is bounded: in a big store the thousand
        memories with the most and the rarest of the words are scored. No words, no memories.
        """
        return ranking.ranked(self._context, query, touch=touch)

    def get_many(self, ids: Sequence[int], *, touch: bool = True) -> tuple[Memory, ...]:
        """Those that exist and are not deleted, in the order given, marked unless a peek."""
        return remembering.get_many(self._context, ids, touch=touch)

    def remember(
        self, new: Sequence[NewMemory], *, tag: str | None = None, label: str = "remember"
    ) -> tuple[Remembered, ...]:
        """Store what is not there yet, as one batch, all or none; answers are in the order given.

        There already is a memory, active or invalid, with exactly that text, media type and data
        (and with `tag`, when it is given): it is returned as it is. An invalid one stays invalid.
        Raises `InvalidError` when the data beside a memory are too large.
        """
        return remembering.remember(self._writing(), new, tag=tag, label=label)

    def attachments(self, ids: Sequence[int]) -> dict[int, Attachment]:
        """What is kept beside memories, by id; those without have no entry. A peek."""
        return remembering.attachments(self._context, ids)

    def note_activity(
        self, kind: ActivityKind, memory_ids: Sequence[int] = (), detail: str = ""
    ) -> None:
        """Keep what this actor did that changed no memory; nothing happens when read-only.

        `detail` says in a few words how; it is kept, so it holds no text of users or memories.
        """
        remembering.note_activity(self._context, kind, memory_ids, detail)

    def activities(
        self, *, limit: int = 50, before: int | None = None, actor: str | None = None
    ) -> tuple[Activity, ...]:
        """What agents did that the journal does not tell, newest first; a peek.

        `before` is the `seq` of the last one seen, for the next page; `actor` keeps one actor's.
        """
        return remembering.activities(self._context, limit=limit, before=before, actor=actor)

    def activity_actors(self) -> tuple[ActorCount, ...]:
        """Everyone with an activity and how many, the busiest first; a peek."""
        return remembering.activity_actors(self._context)
