"""Answers kept under an idempotency key, so that a retried request is done once."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from memtui.store.base import KeptAnswer
from memtui.store.rows import to_micros, to_moment
from memtui.store.tables import IDEMPOTENCY_KEY


def find(connection: Connection, key: str) -> KeptAnswer | None:
    """What was answered under `key`."""
    row = connection.execute(
        select(IDEMPOTENCY_KEY.c.request, IDEMPOTENCY_KEY.c.answer, IDEMPOTENCY_KEY.c.at).where(
            IDEMPOTENCY_KEY.c.key == key
        )
    ).first()
    return None if row is None else KeptAnswer(row.request, row.answer, to_moment(row.at))


def keep(connection: Connection, key: str, answer: KeptAnswer) -> None:
    """Keep an answer under a key that has none."""
    connection.execute(
        insert(IDEMPOTENCY_KEY).values(
            key=key, request=answer.request, answer=answer.answer, at=to_micros(answer.at)
        )
    )


def forget_before(connection: Connection, moment: datetime) -> None:
    """Remove what is as old as `moment` or older."""
    connection.execute(delete(IDEMPOTENCY_KEY).where(IDEMPOTENCY_KEY.c.at <= to_micros(moment)))


def forget_all(connection: Connection) -> None:
    """Remove every kept answer."""
    connection.execute(delete(IDEMPOTENCY_KEY))
