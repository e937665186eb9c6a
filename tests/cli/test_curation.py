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


def test_search_finds_by_words_and_marks_what_it_returns(run: Run, service: MemoryService) -> None:
    for text in ("the launch of project falcon moved", "a recipe for soup", "falcon is a bird"):
        run.ok("add", text)
    found = run("search", "When is the falcon launch?", "--peek", "--json").json
    assert found[0]["memory"]["id"] == 1
    assert 0 < found[0]["score"] <= 1
    assert service.stats().never_accessed == 3
    assert "recipe" in run.ok("search", "soup")
    assert service.stats().never_accessed == 2
    assert run("search", "nonsense", "--json").json == []
    for words in (["--min-score", "2"], ["--limit", "0"], ["--limit", "101"], ["--tag", ""]):
        assert run("search", "soup", *words).code == 2


def test_related_and_duplicates(run: Run, service: MemoryService) -> None:
    for text in ("falcon launch in May", "Falcon  launch in may", "falcon launch in June", "soup"):
        run.ok("add", text)
    assert {item["id"] for item in run("related", "1", "--json").json} == {2, 3}
    assert run("duplicates", "--json").json == [[1, 2]]
    assert run.ok("duplicates").count("\n") == 2
    assert service.stats().never_accessed == 4
    assert run("related", "9").code == 3
    assert run("related", "1", "--limit", "0").code == 2


def test_undo_and_redo(run: Run) -> None:
    run.ok("add", "one")
    run.ok("edit", "1", "--content", "two")
    run.ok("undo")
    assert run("get", "1", "--json").json["content"] == "one"
    run.ok("redo")
    assert run("get", "1", "--json").json["content"] == "two"
    assert run("redo").code == 3


def test_tags_are_merged_and_removed(run: Run) -> None:
    for tag in ("style", "styles", "writing", "other"):
        run.ok("add", f"about {tag}", "--tag", tag)
    assert (
        run("tags", "merge", "style", "styles", "writing", "--dry-run", "--json").json["batch"]
        is None
    )
    run.ok("tags", "merge", "style", "styles", "writing")
    assert run("list", "--tag", "style", "--json").json["total"] == 3
    run.ok("tags", "remove", "style")
    assert [tag["tag"] for tag in run("tags", "--json").json] == ["other"]
    assert run("tags", "remove", "style").code == 3
    run.ok("undo")
    assert run("list", "--tag", "style", "--json").json["total"] == 3


def test_activity_shows_what_changed_no_memory(run: Run, service: MemoryService) -> None:
    from memtui.agents import ActivityKind

    run.ok("add", "one")
    service.as_actor("autogen").note_activity(ActivityKind.INJECTED, [1], "2 of 3 fit")
    (entry,) = run("activity", "--json").json
    assert (entry["actor"], entry["kind"], entry["memory_ids"]) == ("autogen", "injected", [1])
    assert entry["at"].endswith("Z")
    assert len(entry["at"]) == len("2026-04-06T14:12:00.000000Z")
    assert "2 of 3 fit" in run.ok("activity", "--by", "autogen")
    assert run("activity", "--by", "nobody", "--json").json == []
    assert run("activity", "--limit", "0").code == 2
