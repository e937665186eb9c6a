"""Reading the journal: revisions and batches, newest first."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, exists, func, select

from memtui.models import Batch, Revision, RevisionQuery
from memtui.store.rows import to_batch, to_revision
from memtui.store.sqlite_search import CHUNK
from memtui.store.tables import BATCH, REVISION

_EARLIER = REVISION.alias("earlier")
_CONTENT = (
    select(_EARLIER.c.content)
    .where(
        _EARLIER.c.memory_id == REVISION.c.memory_id,
        _EARLIER.c.seq <= REVISION.c.seq,
        _EARLIER.c.content.is_not(None),
    )
    .order_by(_EARLIER.c.seq.desc())
    .limit(1)
    .scalar_subquery()
)
_COLUMNS = (
    REVISION.c.seq,
    REVISION.c.memory_id,
    REVISION.c.version,
    REVISION.c.action,
    func.coalesce(REVISION.c.content, _CONTENT, ""),
    REVISION.c.tags,
    REVISION.c.memory_type,
    REVISION.c.status,
    REVISION.c.at,
    REVISION.c.actor,
    REVISION.c.batch_id,
)
_UNDO = BATCH.alias("undo")
_UNDONE_BY = select(func.max(_UNDO.c.id)).where(_UNDO.c.undoes == BATCH.c.id).scalar_subquery()
_BATCH_COLUMNS = (
    BATCH.c.id,
    BATCH.c.at,
    BATCH.c.actor,
    BATCH.c.label,
    BATCH.c.size,
    BATCH.c.undoes,
    BATCH.c.is_undo,
    _UNDONE_BY,
)


def revisions(connection: Connection, query: RevisionQuery) -> tuple[list[Revision], int]:
    """One page of the journal, newest first, and how many match."""
    wanted = {
        REVISION.c.memory_id: query.memory_id,
        REVISION.c.actor: query.actor,
        REVISION.c.action: query.action,
        REVISION.c.batch_id: query.batch,
    }
    conditions = [column == value for column, value in wanted.items() if value is not None]
    total = connection.execute(select(func.count()).select_from(REVISION).where(*conditions))
    rows = connection.execute(
        select(*_COLUMNS)
        .where(*conditions)
        .order_by(REVISION.c.seq.desc())
        .limit(query.limit)
        .offset(query.offset)
    )
    return [to_revision(row) for row in rows], total.scalar_one()


def revisions_after(
    connection: Connection, seq: int, *, limit: int, other_than: str | None
) -> list[Revision]:
    """The newest revisions after one, newest first."""
    query = select(*_COLUMNS).where(REVISION.c.seq > seq)
    if other_than is not None:
        query = query.where(REVISION.c.actor != other_than)
    rows = connection.execute(query.order_by(REVISION.c.seq.desc()).limit(limit))
    return [to_revision(row) for row in rows]


def earlier(connection: Connection, given: Sequence[Revision]) -> dict[int, Revision]:
    """For each revision's `seq`, the same memory's revision just before it."""
    before: dict[int, Revision] = {}
    for start in range(0, len(given), CHUNK):
        seqs = [revision.seq for revision in given[start : start + CHUNK]]
        later = REVISION.alias("later")
        previous = (
            select(func.max(_EARLIER.c.seq))
            .where(_EARLIER.c.memory_id == later.c.memory_id, _EARLIER.c.seq < later.c.seq)
            .scalar_subquery()
        )
        pairs = connection.execute(select(later.c.seq, previous).where(later.c.seq.in_(seqs)))
        later_of = {before_seq: seq for seq, before_seq in pairs if before_seq is not None}
        for revision in _by_seq(connection, list(later_of)):
            before[later_of[revision.seq]] = revision
    return before


def latest(connection: Connection, ids: Sequence[int]) -> dict[int, Revision]:
    """Each memory's newest revision."""
    newest: dict[int, Revision] = {}
    for start in range(0, len(ids), CHUNK):
        seqs = (
            select(func.max(REVISION.c.seq))
            .where(REVISION.c.memory_id.in_(ids[start : start + CHUNK]))
            .group_by(REVISION.c.memory_id)
        )
        found = _by_seq(connection, connection.execute(seqs).scalars().all())
        newest |= {revision.memory_id: revision for revision in found}
    return newest


def batch(connection: Connection, batch_id: int) -> Batch | None:
    """One batch."""
    row = connection.execute(select(*_BATCH_COLUMNS).where(BATCH.c.id == batch_id)).first()
    return to_batch(row) if row else None


def batches(connection: Connection, *, limit: int, actor: str | None) -> list[Batch]:
    """The newest batches first."""
    query = select(*_BATCH_COLUMNS).order_by(BATCH.c.id.desc()).limit(limit)
    if actor is not None:
        query = query.where(BATCH.c.actor == actor)
    return [to_batch(row) for row in connection.execute(query)]


def undoable(connection: Connection, actor: str) -> Batch | None:
    """The actor's newest batch that is in force and is no undo."""
    query = select(*_BATCH_COLUMNS).where(
        BATCH.c.actor == actor, BATCH.c.is_undo.is_(False), _UNDONE_BY.is_(None)
    )
    row = connection.execute(query.order_by(BATCH.c.id.desc()).limit(1)).first()
    return to_batch(row) if row else None


def redoable(connection: Connection, actor: str) -> Batch | None:
    """The actor's newest undo in force that took something back, unless a change came after it."""
    newest_change = (
        select(func.coalesce(func.max(_UNDO.c.id), 0))
        .where(_UNDO.c.actor == actor, _UNDO.c.undoes.is_(None))
        .scalar_subquery()
    )
    query = select(*_BATCH_COLUMNS).where(
        BATCH.c.actor == actor,
        BATCH.c.is_undo.is_(True),
        BATCH.c.size > 0,
        BATCH.c.id > newest_change,
        ~exists().where(_UNDO.c.undoes == BATCH.c.id),
    )
    row = connection.execute(query.order_by(BATCH.c.id.desc()).limit(1)).first()
    return to_batch(row) if row else None


def revision_at(connection: Connection, memory_id: int, version: int) -> Revision | None:
    """The revision that made a version: the first one that has it."""
    query = select(*_COLUMNS).where(
        REVISION.c.memory_id == memory_id, REVISION.c.version == version
    )
    row = connection.execute(query.order_by(REVISION.c.seq).limit(1)).first()
    return to_revision(row) if row else None


def batch_members(
    connection: Connection, batch_id: int, after: int, limit: int
) -> list[tuple[Revision, Revision]]:
    """The first and the last revision of each memory in a batch, by memory id."""
    spans = connection.execute(
        select(func.min(REVISION.c.seq), func.max(REVISION.c.seq))
        .where(REVISION.c.batch_id == batch_id, REVISION.c.memory_id > after)
        .group_by(REVISION.c.memory_id)
        .order_by(REVISION.c.memory_id)
        .limit(limit)
    ).all()
    seqs = list(dict.fromkeys(seq for span in spans for seq in span))
    found = {revision.seq: revision for revision in _by_seq(connection, seqs)}
    return [(found[first], found[last]) for first, last in spans]


def _by_seq(connection: Connection, seqs: Sequence[int]) -> list[Revision]:
    found: list[Revision] = []
    for start in range(0, len(seqs), CHUNK):
        query = select(*_COLUMNS).where(REVISION.c.seq.in_(seqs[start : start + CHUNK]))
        found += [to_revision(row) for row in connection.execute(query)]
    return found
