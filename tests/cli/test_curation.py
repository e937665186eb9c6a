"""Saved views, the review queues and tags that look alike, from the command line."""

from __future__ import annotations

import pytest

from memtui.service import MemoryService

from .conftest import Run


@pytest.fixture
def filled(run: Run) -> Run:
    for number in range(4):
        run.ok("add", f"note {number}", f"--tag=t{number % 2}")
    run.ok("bulk", "1", "2", "--status", "invalid")
    return run


def test_a_view_is_a_query_under_a_name(filled: Run) -> None:
    run = filled
    run.ok("views", "save", "mine", "--tag", "t0", "--sort", "updated_at")
    assert run("list", "--view", "mine", "--peek", "--json").json["total"] == 2
    assert run("list", "--view", "mine", "--status", "invalid", "--json").json["total"] == 1
    assert run("list", "--view", "mine", "--tag", "t1", "--json").json["total"] == 2
    first = run("list", "--view", "mine", "--limit", "1", "--json").json
    assert (first["limit"], first["items"][0]["id"]) == (1, 1)
    assert (
        run("list", "--view", "mine", "--sort", "id", "--offset", "1", "--json").json["items"][0][
            "id"
        ]
        == 3
    )
    assert run("bulk", "--view", "mine", "--add-tag", "x", "--json").json["counts"]["changed"] == 2


def test_views_are_listed_renamed_and_forgotten(run: Run) -> None:
    run.ok("views", "save", "mine", "--q", "a")
    run.ok("views", "save", "mine", "--q", "b")
    assert [view["query"]["q"] for view in run("views", "--json").json] == ["b"]
    assert "text b" in run.ok("views")
    run.ok("views", "rename", "mine", "yours")
    assert run("list", "--view", "mine").code == 3
    run.ok("views", "delete", "yours")
    assert run("views", "delete", "yours").code == 3
    assert run("views", "save", " ").code == 2
    assert run("views", "--json").json == []


def test_keeping_takes_a_memory_out_of_its_queue(filled: Run, service: MemoryService) -> None:
    run = filled
    before = run("get", "1", "--peek", "--json").json
    assert [item["id"] for item in run("review", "--json").json["items"]] == [2, 1]
    run.ok("review", "keep", "1")
    assert [item["id"] for item in run("review", "--json").json["items"]] == [2]
    run.ok("review", "again", "1")
    assert run("review", "--json").json["total"] == 2
    assert run("get", "1", "--peek", "--json").json == before
    assert service.stats().never_accessed == 4


def test_the_stale_queue(filled: Run) -> None:
    run = filled
    assert [item["id"] for item in run("review", "--queue", "stale", "--json").json["items"]] == [
        3,
        4,
    ]
    run.ok("review", "keep", "3", "--queue", "stale", "--for", "30d")
    assert run("review", "--queue", "stale", "--json").json["total"] == 1
    assert run("review", "--queue", "stale", "--older-than", "1d", "--json").json["total"] == 0
    assert run("review", "--older-than", "1d").code == 2
    assert run("review", "keep", "9").code == 3
    assert run("review", "keep", "1", "9").code == 7


def test_tags_that_look_alike(run: Run) -> None:
    run.ok("add", "one", "--tag", "pytest")
    run.ok("add", "two", "--tag", "pytest", "--tag", "other")
    run.ok("add", "three", "--tag", "py-test")
    assert run("tags", "--similar", "--json").json == [{"keep": "pytest", "others": ["py-test"]}]
    assert "py-test" in run.ok("tags", "--similar")
    assert list(run("tags", "--json").json[0]) == ["tag", "count", "last_used_at"]
