"""What agents leave beside the memories in SQLite: attachments and activities."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection, func, select
from sqlalchemy.dialects.sqlite import insert as upsert

from memtui.agents import Activity, ActivityKind
from memtui.interchange import Attachment
from memtui.models import ActorCount, Memory, MemoryStatus
from memtui.store import index_terms, matching, sqlite_search
from memtui.store.base import Filter
from memtui.store.raw import raw_execute, raw_insert, raw_rows
from memtui.store.rows import to_micros, to_moment
from memtui.store.tables import ACTIVITY, ATTACHMENT
from memtui.text import SEPARATOR, fold

KEPT_ACTIVITIES = 10_000

_LIVE = (MemoryStatus.ACTIVE.value, MemoryStatus.INVALID.value)
_EQUAL = """
SELECT m.id FROM memory_index CROSS JOIN memory m ON m.id = memory_index.rowid
WHERE memory_index MATCH ? AND m.content = ? ORDER BY m.id
"""
_ADD_ACTIVITY = "INSERT INTO activity (at, actor, kind, memory_ids, detail) VALUES (?, ?, ?, ?, ?)"
_FORGET_ACTIVITIES = "DELETE FROM activity WHERE seq <= ?"


class SqliteAgentsRead:
    """The part of `ReadTransaction` for what agents leave."""

    _connection: Connection

    def attachments(self, ids: Sequence[int]) -> dict[int, Attachment]:
        """What is kept beside each of these memories; those without have no entry."""
        found: dict[int, Attachment] = {}
        for start in range(0, len(ids), sqlite_search.CHUNK):
            chunk = ids[start : start + sqlite_search.CHUNK]
            rows = self._connection.execute(
                select(ATTACHMENT).where(ATTACHMENT.c.memory_id.in_(chunk))
            )
            for memory_id, media_type, details, data in rows:
                found[memory_id] = Attachment(media_type, details, data)
        return found

    def activities(self, *, limit: int, before: int | None, actor: str | None) -> list[Activity]:
        """The newest activities first, those with a smaller `seq` than `before`."""
        newest = select(ACTIVITY).order_by(ACTIVITY.c.seq.desc()).limit(limit)
        if before is not None:
            newest = newest.where(ACTIVITY.c.seq < before)
        if actor is not None:
            newest = newest.where(ACTIVITY.c.actor == actor)
        return [
            Activity(
                seq, to_moment(at), who, ActivityKind(kind), tuple(json.loads(memory_ids)), detail
            )
            for seq, at, who, kind, memory_ids, detail in self._connection.execute(newest)
        ]

    def activity_actors(self) -> list[ActorCount]:
        """Everyone with an activity, the busiest first."""
        number = func.count().label("number")
        everyone = select(ACTIVITY.c.actor, number).group_by(ACTIVITY.c.actor)
        ordered = everyone.order_by(number.desc(), ACTIVITY.c.actor)
        return [ActorCount(actor, count) for actor, count in self._connection.execute(ordered)]

    def equal_memories(self, content: str, tag: str | None) -> list[Memory]:
        """The memories that are not deleted and have exactly this text, oldest first."""
        among = matching.match(self._connection, Filter(statuses=_LIVE, tag=tag))
        if not among.possible:
            return []
        whole_piece = f"{SEPARATOR}{fold(content)}{SEPARATOR}"
        question = among.question.and_grams(*index_terms.needle_terms(whole_piece).grams)
        rows = raw_rows(self._connection, _EQUAL, (question.expression, content))
        return sqlite_search.find(self._connection, [row[0] for row in rows])


class SqliteAgentsWrite:
    """The part of `WriteTransaction` for what agents leave."""

    _connection: Connection

    def attach(self, attachments: Mapping[int, Attachment]) -> None:
        """Keep something beside memories (by id), in place of what was kept there."""
        if not attachments:
            return
        rows = [
            {
                "memory_id": memory_id,
                "media_type": attachment.media_type,
                "details": attachment.details,
                "data": attachment.data,
            }
            for memory_id, attachment in attachments.items()
        ]
        new = upsert(ATTACHMENT)
        replaced = {name: new.excluded[name] for name in ("media_type", "details", "data")}
        self._connection.execute(
            new.on_conflict_do_update(index_elements=[ATTACHMENT.c.memory_id], set_=replaced), rows
        )

    def add_activity(
        self, at: datetime, actor: str, kind: ActivityKind, memory_ids: Sequence[int], detail: str
    ) -> None:
        """Append an activity, and forget the oldest beyond `KEPT_ACTIVITIES`."""
        values = (to_micros(at), actor, kind.value, json.dumps(list(memory_ids)), detail)
        seq = raw_insert(self._connection, _ADD_ACTIVITY, values)
        raw_execute(self._connection, _FORGET_ACTIVITIES, (seq - KEPT_ACTIVITIES,))
