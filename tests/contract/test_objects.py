"""Contract §1: the object, and what is refused."""

from __future__ import annotations

import json

import pytest

from memtui.errors import InvalidError
from memtui.models import MemoryCreate, MemoryPatch, MemoryQuery
from memtui.service import MemoryService

FIELDS = [
    "id", "content", "tags", "created_at", "updated_at", "last_accessed_at",
    "memory_type", "status", "version",
]  # fmt: skip


def test_a_memory_has_exactly_the_nine_fields_in_order(service: MemoryService) -> None:
    created = service.create(MemoryCreate(content="Prefers tea", tags=("b", "a", "b")))
    assert json.loads(created.model_dump_json()) == {
        "id": 1,
        "content": "Prefers tea",
        "tags": ["b", "a"],
        "created_at": "2026-04-06T14:12:00.000000Z",
        "updated_at": "2026-04-06T14:12:00.000000Z",
        "last_accessed_at": None,
        "memory_type": "fact",
        "status": "active",
        "version": 1,
    }
    assert list(json.loads(created.model_dump_json())) == FIELDS


@pytest.mark.parametrize(
    "text",
    ["\r\n x\ty \x1b[31m", "👩‍💻 \u202eabc\u202c", "\ufdd0\ufdd1", "a\u2028b", "x" * 8000, " x "],
)
def test_what_can_be_stored_is_stored_exactly(service: MemoryService, text: str) -> None:
    created = service.create(MemoryCreate(content=text))
    assert service.get(created.id).content == text


@pytest.mark.parametrize(
    ("values", "where", "says"),
    [
        ({"content": ""}, ("content",), "at least 1 character"),
        ({"content": " \n\t"}, ("content",), "white space"),
        ({"content": "x" * 8001}, ("content",), "at most 8000 characters"),
        ({"content": "a\0b"}, ("content",), "NUL"),
        ({"content": "a\ud800"}, ("content",), "lone surrogate"),
        ({"content": 5}, ("content",), "valid string"),
        ({"content": None}, ("content",), "valid string"),
        ({}, ("content",), "required"),
        ({"content": "x", "tags": "style"}, ("tags",), "list of strings"),
        ({"content": "x", "tags": None}, ("tags",), "list of strings"),
        ({"content": "x", "tags": [" "]}, ("tags", 0), "at least 1 character"),
        ({"content": "x", "tags": ["a", "y" * 65]}, ("tags", 1), "at most 64 characters"),
        ({"content": "x", "tags": ["\ud800"]}, ("tags", 0), "lone surrogate"),
        ({"content": "x", "tags": [str(n) for n in range(21)]}, ("tags",), "at most 20 tags"),
        ({"content": "x", "memory_type": "goal"}, ("memory_type",), "'preference', 'fact'"),
        ({"content": "x", "status": "deleted"}, ("status",), "'active' or 'invalid'"),
        ({"content": "x", "id": 7}, ("id",), "allowed: content, tags, memory_type, status"),
    ],
)
def test_what_is_refused_names_the_field_and_what_is_allowed(
    values: dict[str, object], where: tuple[str | int, ...], says: str
) -> None:
    with pytest.raises(InvalidError) as refused:
        MemoryCreate.parse(values)
    assert [problem.loc for problem in refused.value.problems] == [where]
    assert says in str(refused.value)


def test_a_tag_is_trimmed_and_may_be_64_characters_long() -> None:
    assert MemoryCreate.parse({"content": "x", "tags": [" é\t", "t" * 64]}).tags == ("é", "t" * 64)


@pytest.mark.parametrize("field", ["content", "tags", "memory_type", "status"])
def test_a_patch_refuses_explicit_nulls(field: str) -> None:
    with pytest.raises(InvalidError):
        MemoryPatch.parse({field: None})


@pytest.mark.parametrize(
    "field", ["id", "created_at", "updated_at", "last_accessed_at", "version", "x"]
)
def test_a_patch_refuses_fields_that_the_service_manages(field: str) -> None:
    with pytest.raises(InvalidError, match="allowed: content, tags, memory_type, status"):
        MemoryPatch.parse({field: 1})


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"limit": 0}, "greater than or equal to 1"),
        ({"limit": 101}, "less than or equal to 100"),
        ({"limit": "5"}, "valid integer"),
        ({"limit": True}, "valid integer"),
        ({"offset": -1}, "greater than or equal to 0"),
        ({"offset": 2**63}, "less than or equal to"),
        ({"q": ""}, "at least 1 character"),
        ({"tag": ""}, "at least 1 character"),
        ({"q": "x" * 257}, "at most 256 characters"),
        ({"tag": "x" * 257}, "at most 256 characters"),
        ({"sort": "version"}, "'id', 'created_at', 'updated_at' or 'last_accessed_at'"),
        ({"status": "gone"}, "'active', 'invalid' or 'deleted'"),
        ({"memory_type": "goal"}, "'preference', 'fact', 'identity' or 'event'"),
        ({"query": "x"}, "allowed: status, memory_type, tag, q, sort, limit, offset"),
    ],
)
def test_a_query_refuses_and_says_what_is_allowed(values: dict[str, object], says: str) -> None:
    with pytest.raises(InvalidError, match=says):
        MemoryQuery.parse(values)


def test_a_query_has_the_contract_s_defaults() -> None:
    query = MemoryQuery()
    assert (query.sort, query.limit, query.offset) == ("id", 10, 0)
    assert MemoryQuery.parse_strings({"limit": "100", "offset": str(2**63 - 1)}).limit == 100
