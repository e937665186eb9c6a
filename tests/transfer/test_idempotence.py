"""The same source again, a grown one, a changed one; and what a person did here in between."""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.errors import CancelledError
from memtui.interchange import Fate, ImportOptions
from memtui.models import MemoryPatch, MemoryQuery, RevisionQuery
from memtui.service import MemoryService
from memtui.transfer.importing import ReadingOptions, open_plan

from .conftest import Bring, contents, everything, fates, source

RECORDS = [
    {"id": f"00000000-0000-0000-0000-00000000000{n}", "content": f"memory {n}", "tags": ["t"]}
    for n in range(5)
]


def changed(number: int, **values: object) -> list[dict[str, object]]:
    return [{**record, **(values if n == number else {})} for n, record in enumerate(RECORDS)]


def test_the_same_source_again_adds_and_writes_nothing(
    bring: Bring, service: MemoryService
) -> None:
    assert fates(bring(RECORDS)) == {"new": 5}
    again = bring(RECORDS)
    assert fates(again) == {"same": 5}
    assert again.batch is None
    assert len(service.batches()) == 1


def test_it_is_the_same_source_under_another_name_and_with_other_options(
    bring: Bring, service: MemoryService, tmp_path: Path
) -> None:
    bring(RECORDS)
    moved = source(tmp_path, RECORDS, "moved.json")
    assert fates(bring(moved, ImportOptions(tags=("extra",), status="invalid"))) == {"same": 5}
    assert {memory.tags for memory in everything(service)} == {("t",)}


def test_a_grown_source_adds_what_is_new(bring: Bring, service: MemoryService) -> None:
    bring(RECORDS[:3])
    assert fates(bring(RECORDS)) == {"same": 3, "new": 2}
    assert contents(service) == [f"memory {n}" for n in range(5)]


def test_records_without_ids_are_known_by_their_text(bring: Bring) -> None:
    text = ReadingOptions(format="text")
    bring("one\ntwo\n", reading=text)
    assert fates(bring("zero\none\ntwo\n", reading=text)) == {"new": 1, "same": 2}


def test_short_ids_of_different_files_are_not_confused(
    bring: Bring, service: MemoryService
) -> None:
    bring([{"id": 1, "content": "of one file"}])
    assert fates(bring([{"id": 1, "content": "of another file"}])) == {"new": 1}
    at = "2026-04-06T10:00:00.123Z"
    bring([{"id": 2, "content": "dated", "created_at": at}])
    assert fates(bring([{"id": 2, "content": "dated, edited", "created_at": at}])) == {"changed": 1}


def test_what_a_source_gives_twice_comes_in_once(bring: Bring, service: MemoryService) -> None:
    twice = [RECORDS[0], *RECORDS, *RECORDS]
    assert fates(bring(twice, dry=True)) == {"new": 5, "repeated": 6}
    assert fates(bring(twice)) == {"new": 5, "repeated": 6}
    assert fates(bring(twice)) == {"same": 5, "repeated": 6}


def test_a_change_at_the_source_is_told_and_left_alone(
    bring: Bring, service: MemoryService
) -> None:
    bring(RECORDS)
    assert fates(bring(changed(2, content="edited there"))) == {"same": 4, "changed": 1}
    assert "edited there" not in contents(service)


def test_with_update_it_is_one_new_version_that_undo_takes_back(
    bring: Bring, service: MemoryService
) -> None:
    bring(RECORDS)
    there = changed(2, content="edited there", tags=["t", "u"])
    update = ImportOptions(update=True)
    assert fates(bring(there, update)) == {"same": 4, "updated": 1}
    memory = everything(service)[2]
    assert (memory.content, memory.tags, memory.version) == ("edited there", ("t", "u"), 2)
    assert fates(bring(there, update)) == {"same": 5}
    service.undo()
    assert everything(service)[2].content == "memory 2"
    assert fates(bring(there)) == {"same": 4, "changed": 1}
    assert fates(bring(there, update)) == {"same": 4, "updated": 1}
    assert everything(service)[2].content == "edited there"


def test_update_leaves_alone_what_was_edited_here(bring: Bring, service: MemoryService) -> None:
    bring(RECORDS)
    edited = everything(service)[2]
    service.patch(edited.id, MemoryPatch(content="edited here"))
    report = bring(changed(2, content="edited there"), ImportOptions(update=True))
    assert fates(report) == {"same": 4, "changed": 1}
    assert service.get(edited.id, touch=False).content == "edited here"


@pytest.mark.parametrize("options", [ImportOptions(), ImportOptions(update=True)])
@pytest.mark.parametrize("there", [RECORDS, changed(2, content="edited there")])
def test_a_deleted_memory_is_met_and_stays_deleted_case_23(
    bring: Bring, service: MemoryService, options: ImportOptions, there: object
) -> None:
    bring(RECORDS)
    gone = everything(service)[2]
    service.delete(gone.id)
    report = bring(there, options)
    assert fates(report) == {"same": 4, "deleted_here": 1}
    assert [row.memory_id for row in report.preview if row.fate is Fate.DELETED_HERE] == [gone.id]
    assert contents(service, "deleted") == ["memory 2"]
    assert len(contents(service)) == 4


def test_an_invalid_memory_stays_invalid_even_when_its_text_is_taken_over(
    bring: Bring, service: MemoryService
) -> None:
    bring(RECORDS, ImportOptions(status="invalid"))
    report = bring(changed(2, content="edited there"), ImportOptions(update=True))
    assert fates(report) == {"same": 4, "updated": 1}
    assert report.invalid_here == 5
    assert {memory.status for memory in everything(service)} == {"invalid"}
    assert everything(service)[2].content == "edited there"


def test_undo_takes_the_import_back_and_importing_again_brings_it_back(
    bring: Bring, service: MemoryService
) -> None:
    service_first = bring([{"content": "was here before"}])
    before = service.facets(MemoryQuery())
    batch = bring(RECORDS).batch
    assert batch != service_first.batch
    service.undo(batch)
    assert service.facets(MemoryQuery()).model_copy(update={"statuses": before.statuses}) == before
    assert contents(service) == ["was here before"]
    assert fates(bring(changed(1, content="edited meanwhile"))) == {"new": 5}
    assert contents(service)[1:3] == ["memory 0", "edited meanwhile"]
    assert service.check() == ()


def test_what_a_person_deleted_after_the_undo_of_the_undo_stays_deleted(
    bring: Bring, service: MemoryService
) -> None:
    batch = bring(RECORDS).batch
    undone = service.undo(batch).batch
    service.undo(undone)
    service.delete(everything(service)[0].id)
    assert fates(bring(RECORDS)) == {"deleted_here": 1, "same": 4}


def test_a_purged_memory_has_left_nothing_to_be_known_by(
    bring: Bring, service: MemoryService
) -> None:
    bring(RECORDS[:1])
    service.delete(everything(service)[0].id)
    service.purge()
    assert fates(bring(RECORDS[:1])) == {"new": 1}


def test_a_dry_run_says_the_same_and_writes_nothing(bring: Bring, service: MemoryService) -> None:
    bring(RECORDS[:2])
    service.delete(everything(service)[1].id)
    token = service.change_token()
    dry = bring(changed(0, content="other"), dry=True)
    assert (dry.dry_run, dry.batch) == (True, None)
    assert service.change_token() == token
    wet = bring(changed(0, content="other"))
    assert fates(dry) == fates(wet) == {"changed": 1, "deleted_here": 1, "new": 3}
    assert dry.preview[2].content == "memory 2"


def test_options_reach_every_record_and_respect_the_limit_of_tags(
    bring: Bring, service: MemoryService
) -> None:
    many = [{"content": "many", "tags": [f"t{n}" for n in range(20)], "memory_type": "fact"}]
    report = bring(many, ImportOptions(tags=("mine",), memory_type="event", status="invalid"))
    (memory,) = everything(service)
    assert memory.tags == (*(f"t{n}" for n in range(19)), "mine")
    assert (memory.memory_type, memory.status) == ("event", "invalid")
    assert report.tally.left_out == {"tags beyond the first 20": 1}


def test_equal_texts_are_pointed_out_and_left_out_on_demand(
    bring: Bring, service: MemoryService
) -> None:
    bring([{"content": "Likes  Tea"}])
    (memory,) = everything(service)
    text = ReadingOptions(format="text")
    dry = bring("likes tea \nlikes TEA\nlikes coffee\n", reading=text, dry=True)
    report = bring("likes tea \nlikes TEA\nlikes coffee\n", reading=text)
    assert dry.duplicates == report.duplicates == 2
    assert report.first_duplicates[0].memory_id == memory.id
    assert fates(report) == {"new": 3}
    assert service.duplicates() == ((1, 2, 3),)
    more = bring("LIKES COFFEE\n", ImportOptions(skip_duplicates=True), reading=text)
    assert fates(more) == {"duplicate": 1}
    service.delete(memory.id)
    assert service.duplicates() == ((2, 3),)


def test_equal_texts_are_found_whoever_wrote_them_and_when(
    bring: Bring, service: MemoryService
) -> None:
    bring([{"content": "first"}])
    (memory,) = everything(service)
    service.patch(memory.id, MemoryPatch(content="second"))
    report = bring([{"content": "First"}, {"content": "SECOND"}])
    assert [found.line for found in report.first_duplicates] == [2]


def test_where_it_comes_from_is_kept_beside_the_memory(
    bring: Bring, service: MemoryService, tmp_path: Path
) -> None:
    bring(RECORDS[:1])
    (memory,) = everything(service)
    assert memory.model_dump().keys() == {
        *("id", "content", "tags", "created_at", "updated_at", "last_accessed_at"),
        *("memory_type", "status", "version"),
    }
    with service.snapshot() as snapshot:
        ((_, _, (origin,), _),) = snapshot.with_past()
    assert (origin.format, origin.source) == ("json", str(tmp_path / "source"))
    assert origin.source_id == RECORDS[0]["id"]
    (revision,) = service.history(RevisionQuery(memory_id=memory.id)).items
    assert (revision.actor, revision.action) == ("test", "create")
    assert service.batches()[0].label == "import source"


def test_cancelling_leaves_nothing(service: MemoryService, tmp_path: Path) -> None:
    path = source(tmp_path, [{"content": f"memory {n}"} for n in range(2_500)])
    told: list[tuple[int, int]] = []

    def stop_at_the_second_chunk(done: int, total: int) -> bool:
        told.append((done, total))
        return len(told) < 3

    with open_plan([str(path)]) as plan:
        with pytest.raises(CancelledError):
            plan.apply(service, progress=stop_at_the_second_chunk)
        assert everything(service) == []
        assert service.batches() == ()
        plan.apply(service, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (path.stat().st_size, path.stat().st_size)
    assert service.search(MemoryQuery()).total == 2_500


def test_several_sources_are_one_batch(
    bring: Bring, service: MemoryService, tmp_path: Path
) -> None:
    first = source(tmp_path, RECORDS[:2], "first")
    second = source(tmp_path, RECORDS[1:], "second")
    with open_plan([str(first), str(second)]) as plan:
        report = plan.apply(service)
    assert fates(report) == {"new": 5, "repeated": 1}
    assert [batch.label for batch in service.batches()] == ["import first and 1 more"]


def test_an_import_that_is_killed_and_run_again_ends_as_one_clean_run_case_22(
    tmp_path: Path,
) -> None:
    path = source(
        tmp_path, [{"content": f"memory {n}", "tags": [f"t{n % 7}"]} for n in range(4_000)]
    )
    database = tmp_path / "killed.db"
    command = [sys.executable, "-c", _IMPORT, str(database), str(path)]
    random.seed(4)
    for _ in range(int(os.environ.get("MEMTUI_KILLS", "3"))):
        running = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert running.stdout is not None
        running.stdout.readline()
        with contextlib.suppress(subprocess.TimeoutExpired):
            running.wait(random.uniform(0, 0.25))
        running.kill()
        running.wait()
        with MemoryService.open(database) as service:
            assert service.search(MemoryQuery()).total in {0, 4_000}
            assert service.check() == ()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with MemoryService.open(database) as service:
        assert contents(service) == [f"memory {n}" for n in range(4_000)]
        assert service.check() == ()


_IMPORT = """
import sys
from memtui.service import MemoryService
from memtui.transfer.importing import open_plan
with MemoryService.open(sys.argv[1]) as service, open_plan([sys.argv[2]]) as plan:
    print("begins", flush=True)
    plan.apply(service)
"""
