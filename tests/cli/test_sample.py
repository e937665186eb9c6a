"""The sample memories of `memtui demo`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from memtui.models import MAX_LIMIT, MemoryQuery, MemoryStatus, MemoryType, RevisionQuery
from memtui.sample import SPAN, fill
from memtui.service import MemoryService

from .conftest import Run

NOW = datetime(2026, 4, 6, 14, 12, tzinfo=UTC)


def everything(path: Path) -> tuple[object, ...]:
    with MemoryService.open(path, read_only=True) as service:
        return (
            service.search(MemoryQuery(limit=MAX_LIMIT), touch=False),
            service.search(MemoryQuery(limit=MAX_LIMIT, offset=MAX_LIMIT), touch=False),
            service.search(MemoryQuery(status=MemoryStatus.DELETED), touch=False),
            service.history(RevisionQuery(limit=MAX_LIMIT)),
        )


def test_the_same_moment_and_seed_give_the_same_sample(tmp_path: Path) -> None:
    for name in ("a.db", "b.db"):
        fill(tmp_path / name, now=NOW)
    fill(tmp_path / "c.db", now=NOW, seed=8)
    assert everything(tmp_path / "a.db") == everything(tmp_path / "b.db")
    assert everything(tmp_path / "a.db") != everything(tmp_path / "c.db")


def test_it_shows_what_there_is_to_see(tmp_path: Path) -> None:
    count = fill(tmp_path / "a.db", now=NOW)
    with MemoryService.open(tmp_path / "a.db", read_only=True) as service:
        stats = service.stats()
        assert sum(stats.statuses.values()) == count
        assert min(stats.statuses[status] for status in MemoryStatus) >= 4
        assert min(stats.types[kind] for kind in MemoryType) >= 10
        assert 0 < stats.never_accessed < count
        actors = {batch.actor for batch in service.batches(limit=1000)}
        assert {"mcp:claude", "mcp:cursor", "http:notes-bot", "tui", "cli"} <= actors
        assert service.proposed_merges()
        assert stats.first_created_at is not None
        assert stats.last_updated_at is not None
        assert stats.first_created_at > NOW - SPAN * 1.1
        assert NOW - timedelta(days=1) < stats.last_updated_at <= NOW
        assert service.check() == ()


def test_demo_keeps_the_sample_only_in_a_new_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "kept.db"
    assert run.ok("demo", "--keep", path, "--no-ui") == str(path)
    assert run("--db", path, "list", "--json").json["total"] > 100
    before = path.read_bytes()
    answer = run("demo", "--keep", path, "--no-ui")
    assert (answer.code, "is there already" in answer.err) == (2, True)
    assert path.read_bytes() == before
    assert run("demo").code == 2, "nobody could see it"
