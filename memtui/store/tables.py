"""The tables, as SQLModel classes.

They describe the schema that `migrations` arrives at (a test compares the two); reads and writes
use their Core tables. Times are whole microseconds since 1970 in UTC.
"""

from __future__ import annotations

from typing import ClassVar

from sqlalchemy import Column, Index, Integer, MetaData, Text, UniqueConstraint, desc
from sqlmodel import Field, SQLModel

metadata = MetaData()


class _Base(SQLModel):
    metadata: ClassVar[MetaData] = metadata


class MemoryRow(_Base, table=True):
    """The nine fields of a memory; `tags` is a JSON array in the order of the record."""

    __tablename__ = "memory"
    __table_args__ = (
        Index("memory_by_created", desc("created_at"), desc("id"), "status", "memory_type"),
        Index("memory_by_updated", desc("updated_at"), desc("id"), "status", "memory_type"),
        Index("memory_by_accessed", desc("last_accessed_at"), desc("id"), "status", "memory_type"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True)
    content: str = Field(sa_type=Text)
    tags: str = Field(sa_type=Text)
    created_at: int
    updated_at: int
    last_accessed_at: int | None = None
    memory_type: str = Field(sa_type=Text)
    status: str = Field(sa_type=Text)
    version: int


class TagRow(_Base, table=True):
    """A tag's name, exactly as stored."""

    __tablename__ = "tag"

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(sa_type=Text, unique=True)


class MemoryTagRow(_Base, table=True):
    """Which memory carries which tag."""

    __tablename__ = "memory_tag"
    __table_args__ = ({"sqlite_with_rowid": False},)

    tag_id: int = Field(primary_key=True)
    memory_id: int = Field(primary_key=True)


class FacetRow(_Base, table=True):
    """How many memories carry a tag, by status and type; tag 0 stands for all memories."""

    __tablename__ = "facet"
    __table_args__ = ({"sqlite_with_rowid": False},)

    tag_id: int = Field(primary_key=True)
    status: str = Field(sa_type=Text, primary_key=True)
    memory_type: str = Field(sa_type=Text, primary_key=True)
    count: int


class TextRow(_Base, table=True):
    """What a memory can be found by (`memtui.text.folded_row`), apart so that a touch skips it.

    `tokens` tells status, type and tags to the search index (`memtui.store.index_terms`).
    """

    __tablename__ = "memory_text"

    id: int = Field(primary_key=True)
    folded: str = Field(sa_type=Text)
    tokens: str = Field(default="", sa_type=Text)


class IndexStateRow(_Base, table=True):
    """One row: what the search index was last built with, and for."""

    __tablename__ = "index_state"

    version: str = Field(sa_type=Text, primary_key=True)


class BatchRow(_Base, table=True):
    """One writing call."""

    __tablename__ = "batch"
    __table_args__ = ({"sqlite_autoincrement": True},)

    id: int | None = Field(default=None, primary_key=True)
    at: int
    actor: str = Field(sa_type=Text)
    label: str = Field(sa_type=Text)
    size: int
    undoes: int | None = Field(default=None, sa_column=Column(Integer, index=True))
    is_undo: bool = False


class RevisionRow(_Base, table=True):
    """One entry of the journal; `content` is null when it is the same as in the entry before."""

    __tablename__ = "revision"
    __table_args__ = (
        Index("revision_of_memory", "memory_id", "seq"),
        Index("revision_of_batch", "batch_id", "memory_id", "seq"),
        {"sqlite_autoincrement": True},
    )

    seq: int | None = Field(default=None, primary_key=True)
    memory_id: int
    version: int
    action: str = Field(sa_type=Text)
    content: str | None = Field(default=None, sa_type=Text)
    tags: str = Field(sa_type=Text)
    memory_type: str = Field(sa_type=Text)
    status: str = Field(sa_type=Text)
    at: int
    actor: str = Field(sa_type=Text)
    batch_id: int


class IdempotencyKeyRow(_Base, table=True):
    """What a request was answered, by the key that came with it."""

    __tablename__ = "idempotency_key"

    key: str = Field(sa_type=Text, primary_key=True)
    request: str = Field(sa_type=Text)
    answer: bytes
    at: int = Field(index=True)


class OriginRow(_Base, table=True):
    """A source that memories were imported from, and the format that it was read as."""

    __tablename__ = "origin"
    __table_args__ = (UniqueConstraint("format", "source"),)

    id: int | None = Field(default=None, primary_key=True)
    format: str = Field(sa_type=Text)
    source: str = Field(sa_type=Text)


class ProvenanceRow(_Base, table=True):
    """What a memory is to its source (`memtui.interchange.Provenance`); deleted with the memory."""

    __tablename__ = "provenance"
    __table_args__ = (
        Index("provenance_by_key", "key", unique=True),
        {"sqlite_with_rowid": False},
    )

    memory_id: int = Field(primary_key=True)
    key: int = Field(primary_key=True)
    origin_id: int
    source_id: str | None = Field(default=None, sa_type=Text)
    digest: int
    version: int
    batch_id: int


class FingerprintRow(_Base, table=True):
    """`memtui.text.fingerprint` of a memory, to find equal texts; deleted with the memory."""

    __tablename__ = "fingerprint"
    __table_args__ = (Index("fingerprint_by_hash", "hash"),)

    memory_id: int = Field(primary_key=True)
    hash: int


class FingerprintedRow(_Base, table=True):
    """One row: the newest revision that the fingerprints know of."""

    __tablename__ = "fingerprinted"

    until: int = Field(primary_key=True)


class SavedViewRow(_Base, table=True):
    """A query under a name, as JSON without what is left at its default."""

    __tablename__ = "saved_view"

    name: str = Field(sa_type=Text, primary_key=True)
    query: str = Field(sa_type=Text)


class ReviewMarkRow(_Base, table=True):
    """A decision to leave a memory in a review queue as it is; deleted with the memory."""

    __tablename__ = "review_mark"
    __table_args__ = ({"sqlite_with_rowid": False},)

    queue: str = Field(sa_type=Text, primary_key=True)
    memory_id: int = Field(primary_key=True)
    version: int
    at: int
    until: int | None = None


class AttachmentRow(_Base, table=True):
    """What a memory's record can't hold (`memtui.agents.Attachment`); deleted with the memory."""

    __tablename__ = "attachment"

    memory_id: int = Field(primary_key=True)
    media_type: str = Field(sa_type=Text)
    details: str = Field(sa_type=Text)
    data: bytes | None = None


class ActivityRow(_Base, table=True):
    """What an agent did that changed no memory; `memory_ids` is a JSON array."""

    __tablename__ = "activity"
    __table_args__ = ({"sqlite_autoincrement": True},)

    seq: int | None = Field(default=None, primary_key=True)
    at: int
    actor: str = Field(sa_type=Text)
    kind: str = Field(sa_type=Text)
    memory_ids: str = Field(sa_type=Text)
    detail: str = Field(sa_type=Text)


MEMORY = metadata.tables["memory"]
SAVED_VIEW = metadata.tables["saved_view"]
REVIEW_MARK = metadata.tables["review_mark"]
TAG = metadata.tables["tag"]
MEMORY_TAG = metadata.tables["memory_tag"]
FACET = metadata.tables["facet"]
TEXT = metadata.tables["memory_text"]
BATCH = metadata.tables["batch"]
REVISION = metadata.tables["revision"]
ORIGIN = metadata.tables["origin"]
PROVENANCE = metadata.tables["provenance"]
FINGERPRINT = metadata.tables["fingerprint"]
FINGERPRINTED = metadata.tables["fingerprinted"]
IDEMPOTENCY_KEY = metadata.tables["idempotency_key"]
ATTACHMENT = metadata.tables["attachment"]
ACTIVITY = metadata.tables["activity"]
