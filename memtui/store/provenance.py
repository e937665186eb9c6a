"""Where memories come from and which texts are equal: what an import asks of the database."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from sqlalchemy import Connection

from memtui.interchange import Known, Provenance
from memtui.store.raw import Which, raw_rows, raw_stream
from memtui.text import fingerprint

_KNOWN = """
SELECT p."key", p.memory_id, p.digest, p.version, p.batch_id,
       m.version, m.status,
       (SELECT u.is_undo AND u.undoes = p.batch_id
        FROM revision r JOIN batch u ON u.id = r.batch_id
        WHERE r.memory_id = p.memory_id ORDER BY r.seq DESC LIMIT 1)
FROM provenance p JOIN memory m ON m.id = p.memory_id
WHERE p."key" IN (SELECT value FROM json_each(?))
"""
_MARK = """
UPDATE provenance SET digest = ?, version = ?, batch_id = ? WHERE memory_id = ? AND "key" = ?
"""
_EQUAL = """
SELECT f.hash, min(f.memory_id) FROM fingerprint f JOIN memory m ON m.id = f.memory_id
WHERE f.hash IN (SELECT value FROM json_each(?)) AND m.status <> 'deleted'
GROUP BY f.hash
"""
_STALE = """
SELECT x.id, x.folded FROM memory_text x
WHERE x.id IN (
    SELECT memory_id FROM revision WHERE seq > (SELECT max(until) FROM fingerprinted)
)
"""
_ALL_TEXTS = """
SELECT x.id, x.folded FROM memory_text x JOIN memory m ON m.id = x.id
WHERE m.status <> 'deleted' ORDER BY x.id
"""
_REMEMBER = "INSERT OR REPLACE INTO fingerprint (memory_id, hash) VALUES (?, ?)"
_UNTIL = "UPDATE fingerprinted SET until = (SELECT coalesce(max(seq), 0) FROM revision)"
_ORIGINS = "SELECT id, format, source FROM origin"
_OF_MEMORIES = """
SELECT memory_id, origin_id, source_id, "key", digest, version, batch_id
FROM provenance WHERE memory_id {which} ORDER BY memory_id, "key"
"""
_CHUNK = 5_000


def known(connection: Connection, keys: Sequence[int]) -> dict[int, Known]:
    """The memories that came from sources before, by the key of what they came from."""
    rows = raw_rows(connection, _KNOWN, (json.dumps(keys),))
    return {row[0]: Known._make((*row[1:7], bool(row[7]))) for row in rows}


def mark(connection: Connection, marks: Sequence[tuple[Provenance, int]]) -> None:
    """Renew what is kept of memories (given by id) that a source has given again."""
    if marks:
        rows: list[tuple[object, ...]] = [
            (origin.digest, origin.version, origin.batch, memory_id, origin.key)
            for origin, memory_id in marks
        ]
        connection.exec_driver_sql(_MARK, rows)


def of_memories(connection: Connection, which: Which) -> dict[int, list[Provenance]]:
    """Where each of these memories comes from; those that were written here have no entry."""
    origins = {id_: place for id_, *place in raw_rows(connection, _ORIGINS)}
    found: dict[int, list[Provenance]] = {}
    query = _OF_MEMORIES.format(which=which.sql)
    for memory_id, origin_id, source_id, *rest in raw_rows(connection, query, which.values):
        format_, source = origins[origin_id]
        origin = Provenance(format_, source, source_id, *rest)
        found.setdefault(memory_id, []).append(origin)
    return found


# --- equal texts -----------------------------------------------------------------------------


def equal_texts(connection: Connection, hashes: Iterable[int]) -> dict[int, int]:
    """The first memory that is not deleted with each fingerprint, as far as they are renewed."""
    wanted = json.dumps(list(hashes))
    return dict(raw_rows(connection, _EQUAL, (wanted,)))


def stale_fingerprints(connection: Connection) -> Iterator[tuple[int, int]]:
    """The memories changed since the fingerprints were last renewed, each with its true one."""
    for memory_id, folded in raw_stream(connection, _STALE):
        yield memory_id, fingerprint(folded)


def renew_fingerprints(connection: Connection) -> None:
    """Bring the fingerprints up to date with what was written since the last time."""
    stale = iter(stale_fingerprints(connection))
    while chunk := [row for row, _ in zip(stale, range(_CHUNK), strict=False)]:
        connection.exec_driver_sql(_REMEMBER, chunk)
    fingerprints_are_new(connection)


def fingerprints_are_new(connection: Connection) -> None:
    """Note that every fingerprint is written that belongs to the journal as it is now."""
    connection.exec_driver_sql(_UNTIL)


def duplicates(connection: Connection) -> list[tuple[int, ...]]:
    """Groups of memories, not deleted, whose texts differ in case and white space at most."""
    first: dict[int, int] = {}
    groups: dict[int, list[int]] = {}
    for memory_id, folded in raw_stream(connection, _ALL_TEXTS):
        hash_ = fingerprint(folded)
        if hash_ in first:
            groups.setdefault(hash_, [first[hash_]]).append(memory_id)
        else:
            first[hash_] = memory_id
    return [tuple(group) for group in groups.values()]
