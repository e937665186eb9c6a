"""Exports that come back: identical stores, stores that merge, and one's own export again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtui.agents import NewMemory
from memtui.errors import MemtuiError
from memtui.interchange import Attachment, ImportOptions
from memtui.models import (
    BulkChange,
    MemoryCreate,
    MemoryPatch,
    MemoryQuery,
    RevisionQuery,
    Selection,
)
from memtui.service import MemoryService
from memtui.transfer.exporting import ExportOptions, export_to_file
from tests.clock import Clock

from .conftest import Bring, contents, everything, fates

TEXTS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=30
).filter(str.strip)
TAGS = st.lists(TEXTS.map(str.strip), max_size=3, unique=True)
TYPES = st.sampled_from(["fact", "event", "identity", "preference"])
IDS = st.integers(1, 8)

CREATE = st.builds(
    lambda content, tags, kind, status: lambda s: s.create(
        MemoryCreate.parse(
            {"content": content, "tags": tags, "memory_type": kind, "status": status}
        )
    ),
    TEXTS, TAGS, TYPES, st.sampled_from(["active", "invalid"]),
)  # fmt: skip
PATCH = st.builds(
    lambda id_, values: lambda s: s.patch(id_, MemoryPatch.parse(values)),
    IDS,
    st.fixed_dictionaries(
        {}, optional={"content": TEXTS, "tags": TAGS, "memory_type": TYPES,
                      "status": st.sampled_from(["active", "invalid"])},
    ),
)  # fmt: skip
REMEMBER = st.builds(
    lambda content, attachment: lambda s: s.remember(
        [NewMemory(MemoryCreate.parse({"content": content}), attachment)]
    ),
    TEXTS,
    st.builds(
        Attachment, st.sampled_from(["image/png", "text/markdown"]), st.just('{"by": "an agent"}'),
        st.none() | st.binary(max_size=20),
    ),
)  # fmt: skip
READ = st.builds(lambda id_: lambda s: s.get(id_), IDS)
DELETE = st.builds(lambda id_: lambda s: s.delete(id_), IDS)
RESTORE = st.builds(lambda id_: lambda s: s.restore(id_), IDS)
PURGE = st.builds(lambda id_: lambda s: s.purge([id_]), IDS)
BULK = st.builds(
    lambda ids, tag: lambda s: s.bulk(Selection.of(ids), BulkChange(add_tags=(tag,))),
    st.lists(IDS, min_size=1, max_size=4), TEXTS.map(str.strip),
)  # fmt: skip
UNDO = st.just(lambda s: s.undo())
STEPS = st.lists(
    st.one_of(CREATE, CREATE, REMEMBER, PATCH, PATCH, READ, DELETE, RESTORE, PURGE, BULK, UNDO),
    max_size=25,
)  # fmt: skip

Step = Callable[[MemoryService], object]


def exported(service: MemoryService, folder: Path, name: str, **options: object) -> bytes:
    path = folder / name
    export_to_file(service, path, ExportOptions(**options))  # type: ignore[arg-type]
    return path.read_bytes()


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=STEPS, foreign=st.lists(TEXTS, max_size=3))
def test_a_store_exported_and_imported_is_the_same_store_case_23(
    tmp_path_factory: pytest.TempPathFactory, steps: list[Step], foreign: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("trip")
    clock = Clock()
    with MemoryService.open(folder / "a.db", actor="a", clock=clock) as a:
        if foreign:
            (folder / "notes").write_text(json.dumps([{"content": text} for text in foreign]))
            bring_file(a, folder / "notes")
        for step in steps:
            clock.tick(milliseconds=137)
            try:
                step(a)
            except MemtuiError:
                continue
        first = exported(a, folder, "a.jsonl")
        clock.tick(days=1)
        with MemoryService.open(folder / "b.db", actor="b", clock=clock) as b:
            report = bring_file(b, folder / "a.jsonl")
            assert report.tally.skipped == 0
            assert everything(b) == everything(a)
            assert everything(b, "deleted") == everything(a, "deleted")
            assert b.history(RevisionQuery(limit=100)) == a.history(RevisionQuery(limit=100))
            assert b.batches(limit=100) == a.batches(limit=100)
            ids = range(1, 30)
            assert b.attachments(ids) == a.attachments(ids)
            assert exported(b, folder, "b.jsonl") == first
            assert b.check() == ()
            assert bring_file(b, folder / "a.jsonl").batch is None
            assert exported(b, folder, "b.jsonl") == first
            newest = b.create(MemoryCreate(content="next"))
            assert newest.id == a.create(MemoryCreate(content="next")).id
        assert bring_file(a, folder / "b.jsonl").batch is None


def bring_file(service: MemoryService, path: Path):  # type: ignore[no-untyped-def]
    from memtui.transfer.importing import open_plan

    with open_plan([str(path)]) as plan:
        return plan.apply(service)


# --- by example ------------------------------------------------------------------------------


@pytest.fixture
def lived_in(service: MemoryService, clock: Clock) -> MemoryService:
    """Three memories: one edited, one deleted, one invalid and read."""
    for n in range(3):
        clock.tick()
        service.create(MemoryCreate(content=f"memory {n}", tags=("t", f"t{n}")))
    clock.tick()
    service.patch(1, MemoryPatch(content="memory 0, edited"))
    service.delete(2)
    service.patch(3, MemoryPatch.parse({"status": "invalid"}))
    service.get(3)
    clock.tick()
    return service


def test_the_copy_has_ids_versions_times_history_and_batches(
    lived_in: MemoryService, other: MemoryService, tmp_path: Path
) -> None:
    exported(lived_in, tmp_path, "a.jsonl")
    report = bring_file(other, tmp_path / "a.jsonl")
    assert report.restored
    assert report.batch is None
    assert everything(other) == everything(lived_in)
    assert everything(other, "deleted") == everything(lived_in, "deleted")
    every = RevisionQuery(limit=100)
    assert other.history(every) == lived_in.history(every)
    assert other.batches() == lived_in.batches()
    assert other.as_actor("test").undo().outcomes


def test_in_a_store_with_memories_they_get_new_ids_and_keep_their_history(
    lived_in: MemoryService, other: MemoryService, tmp_path: Path
) -> None:
    other.create(MemoryCreate(content="was here"))
    exported(lived_in, tmp_path, "a.jsonl")
    report = bring_file(other, tmp_path / "a.jsonl")
    assert fates(report) == {"new": 3}
    assert not report.restored
    assert contents(other) == ["was here", "memory 0, edited", "memory 2"]
    edited = everything(other)[1]
    assert (edited.id, edited.version) == (2, 2)
    history = other.history(RevisionQuery(memory_id=2)).items
    assert [(one.version, one.content, one.actor) for one in history] == [
        (2, "memory 0, edited", "test"),
        (1, "memory 0", "test"),
    ]
    assert fates(bring_file(other, tmp_path / "a.jsonl")) == {"same": 3}
    assert other.check() == ()
    other.undo()
    assert contents(other) == ["was here"]


def test_merged_memories_keep_where_they_came_from(
    bring: Bring, service: MemoryService, other: MemoryService, clock: Clock, tmp_path: Path
) -> None:
    records = [{"content": "from a file"}]
    bring(records)
    exported(service, tmp_path, "a.jsonl")
    clock.tick()
    other.create(MemoryCreate(content="was here"))
    bring_file(other, tmp_path / "a.jsonl")
    assert fates(bring(records, into=other)) == {"same": 1}


def test_merged_memories_keep_what_is_beside_them(
    service: MemoryService, other: MemoryService, clock: Clock, tmp_path: Path
) -> None:
    picture = Attachment("image/png", '{"alt": "a cat"}', b"\x89PNG\x00\xff")
    service.remember([NewMemory(MemoryCreate(content="a cat"), picture)])
    exported(service, tmp_path, "a.jsonl")
    clock.tick()
    other.create(MemoryCreate(content="was here"))
    bring_file(other, tmp_path / "a.jsonl")
    assert other.attachments([1, 2]) == {2: picture}
    line = (tmp_path / "a.jsonl").read_text().splitlines()[-1]
    for key, bad in (("data", "!"), ("data", 7), ("media_type", 7), ("details", None)):
        value = json.loads(line)
        value["attachment"][key] = bad
        (tmp_path / "b.jsonl").write_text(f'{{"memtui":1,"whole":false}}\n{json.dumps(value)}\n')
        assert bring_file(other, tmp_path / "b.jsonl").tally.skipped == 1


def test_a_memory_of_another_store_is_not_taken_for_one_here(
    service: MemoryService, other: MemoryService, clock: Clock, bring: Bring, tmp_path: Path
) -> None:
    at = "2026-04-06T00:00:00Z"
    bring([{"content": "of one store", "created_at": at}])
    exported(service, tmp_path, "a.jsonl")
    clock.tick()
    bring([{"content": "of the other", "created_at": at}], into=other)
    assert fates(bring_file(other, tmp_path / "a.jsonl")) == {"new": 1}


def test_ones_own_export_after_more_work_here_case_22(
    lived_in: MemoryService, tmp_path: Path
) -> None:
    exported(lived_in, tmp_path, "a.jsonl")
    lived_in.patch(1, MemoryPatch(content="edited again"))
    lived_in.restore(2)
    lived_in.delete(3)
    before = exported(lived_in, tmp_path, "now.jsonl")
    report = bring_file(lived_in, tmp_path / "a.jsonl")
    assert fates(report) == {"changed": 2, "deleted_here": 1}
    assert exported(lived_in, tmp_path, "then.jsonl") == before


def test_an_export_of_a_selection_is_merged_even_into_an_empty_store(
    lived_in: MemoryService, other: MemoryService, tmp_path: Path
) -> None:
    chosen = Selection.matching(MemoryQuery(tag="t2"))
    exported(lived_in, tmp_path, "a.jsonl", selection=chosen)
    report = bring_file(other, tmp_path / "a.jsonl")
    assert (report.restored, fates(report)) == (False, {"new": 1})
    assert contents(other) == ["memory 2"]
    other.undo()
    assert contents(other) == []


def test_options_make_a_merge_of_a_copy(
    lived_in: MemoryService, other: MemoryService, bring: Bring, tmp_path: Path
) -> None:
    exported(lived_in, tmp_path, "a.jsonl")
    report = bring(tmp_path / "a.jsonl", ImportOptions(tags=("copied",)), into=other)
    assert not report.restored
    assert {memory.tags[-1] for memory in everything(other)} == {"copied"}
    assert everything(other)[0].version == 3
    assert other.check() == ()


def test_an_access_from_the_future_is_taken_as_now(
    lived_in: MemoryService, other: MemoryService, clock: Clock, tmp_path: Path
) -> None:
    exported(lived_in, tmp_path, "a.jsonl")
    text = (tmp_path / "a.jsonl").read_text()
    read_at = everything(lived_in)[1].model_dump(mode="json")["last_accessed_at"]
    (tmp_path / "a.jsonl").write_text(text.replace(read_at, "2099-01-01T00:00:00.000000Z"))
    bring_file(other, tmp_path / "a.jsonl")
    assert everything(other)[1].last_accessed_at == clock.now
    assert other.get(1).last_accessed_at == clock.now


DAMAGE = [
    (lambda line: line.replace('"version":1', '"version":7', 1), "its last revision differs"),
    (lambda line: line.replace('"seq":1', '"seq":0', 1), "do not follow"),
    (lambda line: line.replace('"action":"create"', '"action":"hack"', 1), "do not follow"),
    (lambda line: line.replace('"batch":1', '"batch":99', 1), "names a batch"),
    (lambda line: line.replace('"id":1', f'"id":{2**62 - 1}', 1), "out of range"),
    (lambda line: line.replace('"id":1', '"id":"x"', 1), "id is no number"),
    (lambda line: line.replace('"content":"', '"content":7,"was":"', 1), "content is no text"),
    (lambda line: line.replace('"actor":"test"', '"actor":"\\ud800"', 1), "lone surrogate"),
    (lambda line: line.replace("2026-04-06", "9999-04-06", 1), "is no time"),
    (lambda line: line.replace('"revisions":[', '"revisions":7,"was":[', 1), "malformed"),
    (lambda line: line[:40], "is not valid JSON"),
]


@pytest.mark.parametrize(("damage", "reason"), DAMAGE)
def test_a_damaged_line_of_an_export_costs_only_its_memory(
    service: MemoryService,
    other: MemoryService,
    tmp_path: Path,
    damage: Callable[[str], str],
    reason: str,
) -> None:
    service.create(MemoryCreate(content="first"))
    service.create(MemoryCreate(content="second"))
    exported(service, tmp_path, "a.jsonl")
    lines = (tmp_path / "a.jsonl").read_text().splitlines()
    place = next(n for n, line in enumerate(lines) if '"content":"first"' in line)
    lines[place] = damage(lines[place])
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    report = bring_file(other, tmp_path / "a.jsonl")
    assert contents(other) == ["second"]
    (skip,) = report.tally.skips
    assert skip.line == place + 1
    assert reason in skip.reason
    assert other.check() == ()


def test_an_export_whose_ids_come_twice_writes_nothing(
    service: MemoryService, other: MemoryService, tmp_path: Path
) -> None:
    service.create(MemoryCreate(content="first"))
    service.create(MemoryCreate(content="second"))
    exported(service, tmp_path, "a.jsonl")
    text = (tmp_path / "a.jsonl").read_text().replace('"seq":2', '"seq":1')
    (tmp_path / "a.jsonl").write_text(text)
    with pytest.raises(MemtuiError, match="come twice"):
        bring_file(other, tmp_path / "a.jsonl")
    assert contents(other) == []
    assert other.batches() == ()


def test_an_export_of_a_newer_memtui_is_refused(
    service: MemoryService, other: MemoryService, tmp_path: Path
) -> None:
    exported(service, tmp_path, "a.jsonl")
    text = (tmp_path / "a.jsonl").read_text().replace('"memtui":1', '"memtui":2')
    (tmp_path / "a.jsonl").write_text(text)
    with pytest.raises(MemtuiError, match="newer memtui"):
        bring_file(other, tmp_path / "a.jsonl")
