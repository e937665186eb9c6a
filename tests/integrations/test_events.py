"""What happened is told to a callback, to logging, and to memtui's journal and activities."""

from __future__ import annotations

import logging

import pytest
from autogen_core.model_context import UnboundedChatCompletionContext
from autogen_core.models import UserMessage

from memtui.agents import ActivityKind
from memtui.errors import NotFoundError
from memtui.integrations.autogen import EventKind, MemtuiMemory
from memtui.models import MemoryPatch, MemoryQuery, RevisionQuery
from memtui.service import MemoryService

from .talk import new, text


async def everything_once(memory: MemtuiMemory, person) -> None:
    await memory.add(text("Prefers tea"))
    await memory.add(text("Prefers tea"))
    await memory.query("tea")
    context = UnboundedChatCompletionContext()
    await context.add_message(UserMessage(content="tea?", source="user"))
    await memory.update_context(context)
    await memory.revise(1, "Prefers coffee, not tea", 1)
    person.patch(1, MemoryPatch.parse({"status": "invalid"}))
    await memory.update_context(context)
    await memory.forget(1)
    with pytest.raises(NotFoundError):
        await memory.forget(1)


async def test_each_kind_is_told_once(memory, person, events, caplog) -> None:
    caplog.set_level(logging.INFO, "memtui.integrations.autogen")
    await everything_once(memory, person)
    told = [
        "added",
        "duplicate",
        "queried",
        "injected",
        "revised",
        "retracted",
        "forgotten",
        "error",
    ]
    assert [event.kind.value for event in events] == told
    assert set(told) == {kind.value for kind in EventKind}
    assert all(event.memory_ids == (1,) for event in events[:-1])
    assert {(event.name, event.scope) for event in events} == {("memory", "autogen")}
    assert [record.memory_event for record in caplog.records] == events
    assert [record.levelname for record in caplog.records] == ["INFO"] * 7 + ["WARNING"]
    assert all("tea" not in record.getMessage() for record in caplog.records)


async def test_the_person_sees_writes_in_the_journal_and_the_rest_beside_it(make, person) -> None:
    memory = make(name="waiter")
    await everything_once(memory, person)
    await memory.close()
    journal = person.history(RevisionQuery(actor="autogen:waiter")).items
    assert [one.action.value for one in journal] == ["delete", "patch", "create"]
    beside = person.activities(actor="autogen:waiter")
    assert [one.kind.value for one in beside] == [
        "error", "retracted", "injected", "queried", "duplicate",
    ]  # fmt: skip
    assert beside[0].detail == "nothing was done: Memory 1 not found"
    assert all(one.memory_ids == (1,) for one in beside[1:])
    assert [one.seq for one in person.activities(limit=3, before=beside[1].seq)] == [
        one.seq for one in beside[2:]
    ]
    assert all("tea" not in one.detail for one in beside)


async def test_a_listener_that_fails_stops_nothing(path, person) -> None:
    def fail(_event: object) -> None:
        raise RuntimeError("the listener's own affair")

    memory = MemtuiMemory(path, on_event=fail)
    await memory.add(text("tea"))
    assert len((await memory.query("tea")).results) == 1
    await memory.close()


def test_the_oldest_activities_make_room(person, monkeypatch) -> None:
    monkeypatch.setattr("memtui.store.sqlite_agents.KEPT_ACTIVITIES", 2)
    for number in range(5):
        person.note_activity(ActivityKind.QUERIED, (number,), "ranked")
    kept = person.activities()
    assert [(one.memory_ids, one.detail, one.actor) for one in kept] == [
        ((4,), "ranked", "tui"),
        ((3,), "ranked", "tui"),
    ]


async def test_a_read_only_person_and_a_read_only_agent_write_nothing(path, person) -> None:
    person.create(new("Prefers tea"))
    with MemoryService.open(path, read_only=True) as service:
        memory = MemtuiMemory(service=service)
        assert [item.content for item in (await memory.query("tea")).results] == ["Prefers tea"]
        await memory.close()
    assert person.activities() == ()
    assert person.search(MemoryQuery(), touch=False).items[0].last_accessed_at is None
