"""`MemtuiMemory` by itself: modes, scopes, duplicates, marks, clearing, closing, waiting."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from pathlib import Path

import pytest
from autogen_core import CancellationToken
from autogen_core.memory import MemoryContent
from autogen_core.model_context import UnboundedChatCompletionContext
from autogen_core.models import UserMessage

from memtui.errors import InvalidError, LockedError
from memtui.integrations.autogen import MemtuiContext, MemtuiMemory
from memtui.models import Memory, MemoryPatch, MemoryQuery
from memtui.service import MemoryService

from .talk import Talk, contents, new, text


def everything(person: MemoryService, **filters: object) -> tuple[Memory, ...]:
    return person.search(MemoryQuery.parse({"limit": 100, **filters}), touch=False).items


def marked(person: MemoryService) -> set[int]:
    return {one.id for one in everything(person) if one.last_accessed_at is not None}


# --- finding ---------------------------------------------------------------------------------


async def test_lexical_finds_the_literal_text_newest_change_first(memory, person) -> None:
    person.create_many([new("50% Café"), new("50 CAFÉ"), new("over 50% CAFÉ")])
    assert contents(await memory.query("50% café", mode="lexical")) == ["over 50% CAFÉ", "50% Café"]
    with pytest.raises(InvalidError):
        await memory.query("", mode="lexical")
    with pytest.raises(InvalidError):
        await memory.query("x" * 257, mode="lexical")


async def test_ranked_finds_any_of_the_words_best_first(memory, person) -> None:
    person.create_many([new("Likes tea"), new("Likes tea with milk"), new("Likes wine")])
    result = await memory.query("Milk in the tea?")
    assert contents(result) == ["Likes tea with milk", "Likes tea"]
    scores = [item.metadata["score"] for item in result.results]
    assert 1 >= scores[0] > scores[1] > 0
    assert contents(await memory.query("tea milk", score_threshold=0.9)) == ["Likes tea with milk"]


async def test_recent_and_all_ignore_the_text(memory, person) -> None:
    person.create_many([new(f"one {number}") for number in range(120)])
    person.patch(3, MemoryPatch.parse({"content": "changed"}))
    assert contents(await memory.query("x", mode="recent", limit=2)) == ["changed", "one 119"]
    found = contents(await memory.query("x", mode="all"))
    assert found == ["one 0", "one 1", "changed", *(f"one {number}" for number in range(3, 120))]


async def test_a_question_without_words_is_answered_with_what_is_recent(memory, person) -> None:
    person.create_many([new("older"), new("newer")])
    assert contents(await memory.query()) == ["newer", "older"]


@pytest.mark.parametrize("mode", ["ranked", "lexical", "recent", "all"])
async def test_only_active_memories_of_the_scope_are_found_and_only_they_are_marked(
    mode, make, person
) -> None:
    person.create_many(
        [new("tea one"), new("tea two"), new("tea three"), new("coffee"), new("tea four")]
    )
    await make(scope="other").add(text("tea of another"))
    person.patch(2, MemoryPatch.parse({"status": "invalid"}))
    person.delete(3)
    result = await make().query("tea", mode=mode, limit=1)
    ids = {item.metadata["id"] for item in result.results}
    assert ids <= ({1, 4, 5} if mode in {"recent", "all"} else {1, 5})
    assert len(ids) == (3 if mode == "all" else 1)
    assert marked(person) == ids


async def test_a_content_can_be_the_question(memory, person) -> None:
    person.create(new("tea"))
    assert contents(await memory.query(text("tea?"))) == ["tea"]
    question = MemoryContent(content={"drink": "tea"}, mime_type="application/json")
    assert contents(await memory.query(question)) == ["tea"]
    with pytest.raises(ValueError, match="can't be searched"):
        await memory.query(MemoryContent(content=b"tea", mime_type="image/png"))


@pytest.mark.parametrize("options", [{"limit": 0}, {"mode": "odd"}, {"score_threshold": 2}])
async def test_wrong_options_are_refused(options, memory) -> None:
    with pytest.raises(InvalidError):
        await memory.query("tea", **options)
    with pytest.raises(TypeError, match="n_results"):
        await memory.query("tea", n_results=3)


# --- adding ----------------------------------------------------------------------------------


async def test_what_is_there_already_is_returned(memory, person, events) -> None:
    first = await memory.remember(text("Likes tea", tags=["a"]))
    again = await memory.remember(text("Likes tea", tags=["b"]))
    assert again.metadata == first.metadata
    await memory.add(text("Likes tea"))
    assert len(everything(person)) == 1
    assert [event.kind.value for event in events] == ["added", "duplicate", "duplicate"]


async def test_case_white_space_scope_mime_type_and_data_make_a_difference(make, person) -> None:
    memory = make()
    for content in (
        text("tea"),
        text("Tea"),
        text("tea "),
        MemoryContent(content="tea", mime_type="text/markdown"),
        MemoryContent(content=b"1", mime_type="image/x"),
        MemoryContent(content=b"2", mime_type="image/x"),
    ):
        await memory.add(content)
    await make(scope="other").add(text("tea"))
    assert len(everything(person)) == 7


async def test_one_call_adds_a_content_once_and_as_one_batch(memory, person) -> None:
    items = await memory.remember_many([text("a"), text("b"), text("a")])
    assert [item.metadata["id"] for item in items] == [1, 2, 1]
    (batch,) = person.batches()
    assert (batch.size, batch.actor) == (2, "autogen:memory")


async def test_what_a_person_invalidated_stays_so_and_what_was_deleted_can_come_again(
    memory, person
) -> None:
    await memory.add(text("tea"))
    person.patch(1, MemoryPatch.parse({"status": "invalid"}))
    await memory.add(text("tea"))
    assert [one.status for one in everything(person)] == ["invalid"]
    person.delete(1)
    await memory.add(text("tea"))
    assert [(one.id, one.status) for one in everything(person)] == [(2, "active")]


async def test_many_tasks_that_add_the_same_leave_one(make, person) -> None:
    memories = [make() for _ in range(3)]
    await asyncio.gather(*(one.add(text("tea")) for one in memories for _ in range(5)))
    assert len(everything(person)) == 1


# --- clearing and closing --------------------------------------------------------------------


async def test_clear_deletes_its_own_scope_softly_as_one_batch(make, person) -> None:
    mine, other = make(scope="mine"), make(scope="other")
    await mine.remember_many([text("one"), text("two")])
    person.patch(2, MemoryPatch.parse({"status": "invalid"}))
    await other.add(text("three"))
    await mine.clear()
    assert [one.content for one in everything(person)] == ["three"]
    assert len(everything(person, status="deleted")) == 2
    batch = person.batches()[0]
    assert (batch.label, batch.size) == ("delete", 2)
    person.undo(batch.id)
    assert [one.status for one in everything(person)] == ["active", "invalid", "active"]
    await mine.clear()
    await mine.clear()


async def test_the_whole_store_can_be_seen_but_not_cleared(make, person) -> None:
    person.create_many([new("tea", "a"), new("more tea", "b")])
    memory = make(scope="")
    assert len((await memory.query("tea")).results) == 2
    await memory.add(text("untagged"))
    assert everything(person)[-1].tags == ()
    with pytest.raises(InvalidError, match="every memory"):
        await memory.clear()


async def test_close_deletes_nothing_twice_and_can_be_used_again(memory, person) -> None:
    await memory.close()
    await memory.add(text("tea"))
    await memory.close()
    await memory.close()
    assert contents(await memory.query("tea")) == ["tea"]


async def test_a_given_service_stays_open(person) -> None:
    memory = MemtuiMemory(service=person)
    await memory.add(text("tea"))
    await memory.close()
    assert everything(person)[0].content == "tea"


async def test_without_a_path_it_is_the_database_that_memtui_opens(
    make, monkeypatch, tmp_path
) -> None:
    monkeypatch.setenv("MEMTUI_DB", str(tmp_path / "default.db"))
    await make(None).add(text("tea"))
    assert (tmp_path / "default.db").is_file()


# --- waiting ---------------------------------------------------------------------------------


@pytest.fixture
def locked(path: Path, person):
    """Another process that holds the write lock."""
    raw = sqlite3.connect(path, isolation_level=None)
    raw.execute("BEGIN IMMEDIATE")
    yield raw
    if raw.in_transaction:
        raw.execute("ROLLBACK")
    raw.close()


@pytest.mark.parametrize("is_wrapped", [False, True])
async def test_a_turn_goes_on_with_its_memories_while_another_process_writes(
    is_wrapped, make, person, events, request
) -> None:
    """Choosing reads only; what can't be marked now is told, and shown all the same."""
    person.create(new("Prefers tea"))
    request.getfixturevalue("locked")
    memory = make(patience=0.2)
    options = {"model_context": MemtuiContext(memory)} if is_wrapped else {}
    talk = Talk(memory, **options)
    for turn in range(3):
        assert await talk.say("tea?") == ([] if turn else ["Prefers tea"])
        assert len(talk.blocks) == 1
        assert "Prefers tea" in talk.prompt
    assert [event.kind.value for event in events] == ["injected", "error"]
    assert person.get(1, touch=False).last_accessed_at is None


async def test_a_database_that_does_not_answer_costs_a_bounded_wait(
    make, person, events, monkeypatch
) -> None:
    person.create(new("Prefers tea"))
    ended = threading.Event()
    monkeypatch.setattr(MemoryService, "ranked", lambda *_, **__: ended.wait(30))
    talk = Talk(make(patience=0.2))
    loop = asyncio.get_running_loop()
    began = loop.time()
    assert await talk.say("tea?") == []
    assert loop.time() - began < 5
    ended.set()
    assert talk.blocks == []
    assert [event.kind.value for event in events] == ["error"]
    assert isinstance(events[0].error, TimeoutError)


async def test_a_damaged_database_is_no_dead_turn(make, tmp_path, events) -> None:
    broken = tmp_path / "broken.db"
    broken.write_text("this is no database " * 100, encoding="utf-8")
    memory = make(broken)
    talk = Talk(memory)
    await talk.say("tea?")
    assert talk.seen[-1].content == "tea?"
    assert events[-1].kind.value == "error"
    assert "not a memtui database" in events[-1].detail


async def test_the_event_loop_never_waits(memory, locked) -> None:
    adding = asyncio.create_task(memory.add(text("tea")))
    beats = 0
    while not adding.done() and beats < 20:
        await asyncio.sleep(0)
        beats += 1
    assert beats == 20
    locked.execute("ROLLBACK")
    await adding
    assert contents(await memory.query("tea")) == ["tea"]


async def test_a_lock_that_stays_is_told(memory, locked, monkeypatch, events) -> None:
    monkeypatch.setattr("memtui.store.engine.LOCK_WAIT", 0.2)
    with pytest.raises(LockedError):
        await memory.add(text("tea"))
    assert [event.kind.value for event in events] == ["error"]


async def test_a_cancelled_token_does_nothing(memory, person) -> None:
    token = CancellationToken()
    token.cancel()
    with pytest.raises(asyncio.CancelledError):
        await memory.add(text("tea"), token)
    with pytest.raises(asyncio.CancelledError):
        await memory.query("tea", token)
    await memory.close()
    assert everything(person) == ()


async def test_a_call_that_is_cancelled_midway_leaves_all_or_nothing(
    memory, person, locked
) -> None:
    token = CancellationToken()
    many = [text(f"one {number}") for number in range(50)]
    adding = asyncio.create_task(memory.remember_many(many, token))
    await asyncio.sleep(0)
    token.cancel()
    with pytest.raises(asyncio.CancelledError):
        await adding
    locked.execute("ROLLBACK")
    await memory.close()
    assert len(everything(person)) in {0, 50}


async def test_only_what_was_injected_is_marked(make, person) -> None:
    person.create_many([new("tea one"), new("tea two"), new("coffee")])
    context = UnboundedChatCompletionContext()
    await context.add_message(UserMessage(content="tea?", source="user"))
    memory = make(limit=1)
    (item,) = (await memory.update_context(context)).memories.results
    assert marked(person) == {item.metadata["id"]}
    before = everything(person)
    await memory.update_context(context)
    assert everything(person) == before
