"""Contract §2, revisions: history, revert, undo, redo, and who did it."""

from __future__ import annotations

import pytest

from memtui.errors import NotFoundError
from memtui.models import (
    BulkChange,
    MemoryCreate,
    MemoryPatch,
    MemoryQuery,
    MemoryStatus,
    MemoryType,
    Outcome,
    RevisionAction,
    RevisionQuery,
    Selection,
    WritableStatus,
)
from memtui.service import MemoryService
from tests.clock import Clock


def test_every_change_is_one_revision_with_the_values_after_it(
    service: MemoryService, clock: Clock
) -> None:
    service.create(MemoryCreate(content="first", tags=("a",)))
    agent = service.as_actor("mcp:claude")
    at = clock.tick()
    agent.patch(1, MemoryPatch(content="second"))
    agent.patch(1, MemoryPatch(tags=("b",)))
    service.delete(1)
    service.restore(1)
    service.get(1)
    page = service.history(RevisionQuery(memory_id=1))
    assert [(r.action, r.version, r.content, r.tags, r.status, r.actor) for r in page.items] == [
        ("restore", 3, "second", ("b",), "active", "python"),
        ("delete", 3, "second", ("b",), "deleted", "python"),
        ("patch", 3, "second", ("b",), "active", "mcp:claude"),
        ("patch", 2, "second", ("a",), "active", "mcp:claude"),
        ("create", 1, "first", ("a",), "active", "python"),
    ]
    assert page.items[2].at == at
    assert len({revision.batch for revision in page.items}) == 5


def test_the_journal_of_all_memories_is_filtered_and_paged(service: MemoryService) -> None:
    service.create_many([MemoryCreate(content=text) for text in "abc"])
    service.as_actor("http:bot").patch(2, MemoryPatch(content="B"))
    by_bot = service.history(RevisionQuery(actor="http:bot"))
    assert [revision.memory_id for revision in by_bot.items] == [2]
    creates = service.history(RevisionQuery(action=RevisionAction.CREATE, limit=2, offset=1))
    assert [revision.memory_id for revision in creates.items] == [2, 1]
    assert (creates.total, creates.has_more) == (3, False)


def test_the_history_of_nothing_is_not_found(service: MemoryService) -> None:
    with pytest.raises(NotFoundError):
        service.history(RevisionQuery(memory_id=1))


def test_reverting_is_a_new_version_with_the_values_of_the_old_one(service: MemoryService) -> None:
    service.create(MemoryCreate(content="one", tags=("a",)))
    service.patch(1, MemoryPatch(content="two", tags=(), status=WritableStatus.INVALID))
    reverted = service.revert(1, 1, expected_version=2)
    assert (reverted.content, reverted.tags, reverted.status) == ("one", ("a",), "active")
    assert reverted.version == 3
    assert service.revert(1, 1) == reverted
    with pytest.raises(NotFoundError, match="no version 9"):
        service.revert(1, 9)


@pytest.mark.parametrize("act", ["create", "patch", "delete", "restore", "bulk"])
def test_undo_and_redo_take_any_change_back_and_forth(service: MemoryService, act: str) -> None:
    service.create(MemoryCreate(content="one", tags=("a",), status=WritableStatus.INVALID))
    if act == "restore":
        service.delete(1)
    before = _values(service)
    {
        "create": lambda: service.create(MemoryCreate(content="two")),
        "patch": lambda: service.patch(1, MemoryPatch(content="uno", tags=("b", "c"))),
        "delete": lambda: service.delete(1),
        "restore": lambda: service.restore(1),
        "bulk": lambda: service.bulk(Selection.of([1]), BulkChange(add_tags=("z",))),
    }[act]()
    after = _values(service)
    undone = service.undo()
    assert _live(_values(service)) == _live(before)
    service.undo(undone.batch)
    assert _values(service) == after
    service.undo()
    assert _live(_values(service)) == _live(before)
    assert service.check() == ()


def _values(service: MemoryService) -> dict[int, tuple[object, ...]]:
    return {
        memory.id: (memory.content, memory.tags, memory.memory_type, memory.status)
        for status in MemoryStatus
        for memory in service.search(MemoryQuery(status=status), touch=False).items
    }


def _live(values: dict[int, tuple[object, ...]]) -> dict[int, tuple[object, ...]]:
    return {id_: value for id_, value in values.items() if value[3] != MemoryStatus.DELETED}


def test_undo_leaves_alone_what_was_changed_since_and_says_so(service: MemoryService) -> None:
    service.create_many([MemoryCreate(content=text) for text in "abcd"])
    batch = service.bulk(Selection.of([1, 2, 3, 4]), BulkChange(add_tags=("t",))).batch
    service.as_actor("mcp:claude").patch(2, MemoryPatch(content="newer"))
    service.delete(3)
    service.purge()
    result = service.undo(batch)
    assert [(item.memory_id, item.outcome, item.reason) for item in result.outcomes] == [
        (1, Outcome.CHANGED, ""),
        (2, Outcome.CONFLICT, "was changed since by mcp:claude (version 3)"),
        (4, Outcome.CHANGED, ""),
    ]
    assert service.get(2).tags == ("t",)


def test_changes_of_one_memory_are_undone_one_after_the_other(service: MemoryService) -> None:
    service.create(MemoryCreate(content="one"))
    service.patch(1, MemoryPatch(content="two"))
    service.patch(1, MemoryPatch(status=WritableStatus.INVALID))
    service.delete(1)
    states = []
    for _ in range(4):
        assert service.undo().count(Outcome.CHANGED) == 1
        (state,) = _values(service).values()
        states.append((state[0], state[3]))
    assert states == [
        ("two", "invalid"),
        ("two", "active"),
        ("one", "active"),
        ("one", "deleted"),
    ]


def test_undo_takes_the_actor_s_own_newest_change_and_never_twice(service: MemoryService) -> None:
    person = service.as_actor("tui")
    person.create(MemoryCreate(content="mine"))
    service.as_actor("mcp:claude").create(MemoryCreate(content="the agent's"))
    person.undo()
    assert [memory.content for memory in service.search(MemoryQuery()).items] == ["the agent's"]
    with pytest.raises(NotFoundError, match="nothing to undo"):
        person.undo()
    newest = service.batches(limit=1)[0]
    assert (newest.undoes, newest.is_undo, newest.label) == (1, True, "undo 1: create #1")
    assert service.batches()[-1].undone_by == newest.id


def test_undo_and_redo_walk_through_several_changes(service: MemoryService) -> None:
    service.create(MemoryCreate(content="0"))
    for text in "123":
        service.patch(1, MemoryPatch(content=text))
    walk: list[str] = []
    for step in (service.undo, service.undo, service.redo, service.undo, service.undo,
                 service.redo, service.redo, service.redo):  # fmt: skip
        step()
        walk.append(service.get(1, touch=False).content)
    assert "".join(walk) == "21210123"
    with pytest.raises(NotFoundError, match="nothing to redo"):
        service.redo()
    service.undo()
    service.patch(1, MemoryPatch(content="new"))
    with pytest.raises(NotFoundError):
        service.redo()


def test_an_undo_that_finds_nothing_to_take_back_does_not_stand_in_the_way(
    service: MemoryService,
) -> None:
    service.create(MemoryCreate(content="a"))
    service.create(MemoryCreate(content="b"))
    service.as_actor("mcp:claude").patch(2, MemoryPatch(content="newer"))
    assert service.undo().count(Outcome.CHANGED) == 0
    assert service.undo().outcomes[0].memory_id == 1
    assert service.redo().outcomes[0].memory_id == 1


def test_a_dry_undo_writes_nothing(service: MemoryService) -> None:
    service.create(MemoryCreate(content="x"))
    assert service.undo(dry_run=True).count(Outcome.CHANGED) == 1
    assert service.get(1, touch=False).status is MemoryStatus.ACTIVE
    with pytest.raises(NotFoundError, match="no batch 77"):
        service.undo(77)


def test_news_are_the_newest_revisions_of_others_first(service: MemoryService) -> None:
    agent = service.as_actor("agent")
    service.create(MemoryCreate(content="mine"))
    start = service.news(0)[0].seq
    assert service.news(start) == ()
    agent.create(MemoryCreate(content="theirs"))
    agent.patch(1, MemoryPatch(tags=("t",)))
    service.patch(2, MemoryPatch(content="again mine"))
    assert [revision.actor for revision in service.news(start)] == [service.actor, "agent", "agent"]
    others = service.news(start, other_than=service.actor)
    assert [(one.memory_id, one.action, one.content) for one in others] == [
        (1, RevisionAction.PATCH, "mine"), (2, RevisionAction.CREATE, "theirs")
    ]  # fmt: skip
    assert service.news(start, limit=1)[0].memory_id == 2


def test_labels_say_which_memory_and_what_of_it_but_not_its_text(service: MemoryService) -> None:
    service.create(MemoryCreate(content="a private text", tags=("one",)))
    service.patch(1, MemoryPatch(content="another private text", tags=("two",)))
    service.patch(1, MemoryPatch(memory_type=MemoryType.EVENT, status=MemoryStatus.INVALID))
    service.patch(1, MemoryPatch(tags=tuple(f"a-long-tag-{n}" for n in range(20))))
    service.revert(1, 2)
    service.delete(1)
    service.restore(1)
    created, text, fields, tags, *others = [batch.label for batch in reversed(service.batches())]
    assert created == "create #1"
    assert text == "edit #1: text, +two, -one"
    assert fields == "edit #1: event, invalid"
    assert tags.startswith("edit #1: +a-long-tag-0, ")
    assert tags.endswith("…")
    assert len(tags) == 80
    assert others == ["revert #1 to version 2", "delete #1", "restore #1"]
