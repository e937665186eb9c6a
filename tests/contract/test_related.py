"""The memories that are offered beside one under review."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.errors import NotFoundError
from memtui.models import Memory, MemoryCreate
from memtui.service import MemoryService


@pytest.fixture
def service(tmp_path: Path) -> Iterator[MemoryService]:
    with MemoryService.open(tmp_path / "memories.db") as opened:
        yield opened


def add(service: MemoryService, content: str, status: str = "active") -> Memory:
    return service.create(MemoryCreate.parse({"content": content, "status": status}))


def test_the_most_words_in_common_come_first(service: MemoryService) -> None:
    old = add(service, "The launch of Project Falcon is planned for May in Lisbon", "invalid")
    add(service, "The user likes Lisbon")
    replacement = add(service, "Project Falcon: the launch was moved to June")
    add(service, "Nothing of the kind")
    assert service.related(old.id)[0].id == replacement.id


def test_one_word_in_common_is_no_relation_unless_there_is_but_one(service: MemoryService) -> None:
    old = add(service, "Falcon launches tomorrow", "invalid")
    add(service, "A falcon is a bird")
    assert service.related(old.id) == ()
    single = add(service, "falcon", "invalid")
    assert len(service.related(single.id)) == 1


def test_only_active_memories_and_never_itself(service: MemoryService) -> None:
    text = "Project Falcon launch date"
    old = add(service, text, "active")
    add(service, text, "invalid")
    deleted = add(service, text)
    service.delete(deleted.id)
    kept = add(service, text)
    assert [memory.id for memory in service.related(old.id)] == [kept.id]


def test_ideographs_need_no_spaces(service: MemoryService) -> None:
    old = add(service, "記憶は日本語で書く", "invalid")
    close = add(service, "これは日本語の記憶だ")
    assert [memory.id for memory in service.related(old.id)] == [close.id]


def test_looking_marks_nothing(service: MemoryService) -> None:
    old = add(service, "Project Falcon launch date", "invalid")
    other = add(service, "Launch date of Project Falcon")
    service.related(old.id)
    assert service.get(old.id, touch=False).last_accessed_at is None
    assert service.get(other.id, touch=False).last_accessed_at is None


def test_at_most_limit_and_text_without_words(service: MemoryService) -> None:
    old = add(service, "Project Falcon launch date", "invalid")
    for number in range(6):
        add(service, f"Project Falcon launch date {number}")
    assert len(service.related(old.id, limit=3)) == 3
    assert service.related(add(service, "!!! ??", "invalid").id) == ()


def test_a_deleted_memory_has_none(service: MemoryService) -> None:
    memory = add(service, "Project Falcon launch date")
    service.delete(memory.id)
    with pytest.raises(NotFoundError):
        service.related(memory.id)
