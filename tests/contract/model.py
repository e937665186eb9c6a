"""A tiny model of the contract: a dictionary, and the rules written as plainly as possible."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from datetime import datetime

from memtui.models import (
    Memory,
    MemoryCreate,
    MemoryPatch,
    MemoryQuery,
    MemoryStatus,
    SortKey,
)


def same_text(text: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())


@dataclass
class Model:
    memories: dict[int, Memory] = field(default_factory=dict)
    before_deletion: dict[int, MemoryStatus] = field(default_factory=dict)

    def create(self, id_: int, new: MemoryCreate, now: datetime) -> Memory:
        self.memories[id_] = Memory(
            id=id_,
            content=new.content,
            tags=new.tags,
            created_at=now,
            updated_at=now,
            last_accessed_at=None,
            memory_type=new.memory_type,
            status=MemoryStatus(new.status.value),
            version=1,
        )
        return self.memories[id_]

    def live(self, id_: int) -> Memory | None:
        memory = self.memories.get(id_)
        return None if memory is None or memory.status is MemoryStatus.DELETED else memory

    def patch(self, id_: int, patch: MemoryPatch, now: datetime) -> Memory:
        old = self.memories[id_]
        new = old.model_copy(
            update={
                name: MemoryStatus(value.value) if name == "status" else value
                for name in patch.model_fields_set
                for value in [getattr(patch, name)]
            }
        )
        if new != old:
            new = new.model_copy(
                update={"version": old.version + 1, "updated_at": max(now, old.updated_at)}
            )
        self.memories[id_] = new
        return new

    def delete(self, id_: int) -> Memory:
        self.before_deletion[id_] = self.memories[id_].status
        return self._with_status(id_, MemoryStatus.DELETED)

    def restore(self, id_: int) -> Memory:
        return self._with_status(id_, self.before_deletion[id_])

    def _with_status(self, id_: int, status: MemoryStatus) -> Memory:
        self.memories[id_] = self.memories[id_].model_copy(update={"status": status})
        return self.memories[id_]

    def matches(self, query: MemoryQuery) -> list[Memory]:
        found = [memory for memory in self.memories.values() if _matches(memory, query)]
        if query.sort is SortKey.ID:
            return sorted(found, key=lambda memory: memory.id)
        never = datetime.min.replace(tzinfo=found[0].created_at.tzinfo) if found else None
        return sorted(
            found,
            key=lambda memory: (getattr(memory, query.sort.value) or never, memory.id),
            reverse=True,
        )

    def search(self, query: MemoryQuery, now: datetime, *, touch: bool) -> list[Memory]:
        page = self.matches(query)[query.offset : query.offset + query.limit]
        return self.touch(page, now) if touch else page

    def touch(self, memories: list[Memory], now: datetime) -> list[Memory]:
        accesses = [memory.last_accessed_at for memory in self.memories.values()]
        at = max([now, *(access for access in accesses if access)])
        touched = [memory.model_copy(update={"last_accessed_at": at}) for memory in memories]
        self.memories |= {memory.id: memory for memory in touched}
        return touched


def _matches(memory: Memory, query: MemoryQuery) -> bool:
    if query.status is None:
        status = memory.status is not MemoryStatus.DELETED
    else:
        status = memory.status is query.status
    return (
        status
        and query.memory_type in (None, memory.memory_type)
        and (query.tag is None or query.tag in memory.tags)
        and (
            query.q is None
            or any(same_text(query.q) in same_text(text) for text in (memory.content, *memory.tags))
        )
    )
