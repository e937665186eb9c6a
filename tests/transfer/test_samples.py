"""Real memories of real agents: counts, twice, and back; and the nasty ones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memtui.errors import InvalidError
from memtui.interchange import Fate, ImportOptions
from memtui.models import MemoryQuery, SortKey
from memtui.service import MemoryService
from memtui.transfer.exporting import ExportOptions, export_to_file
from memtui.transfer.secrets import detect

from .conftest import Bring, contents, everything, fates, new

ROOT = Path(
    os.environ.get("MEMTUI_SAMPLE_DATA")
    or Path(__file__).resolve().parents[2].parent / "shared" / "data"
)
pytestmark = pytest.mark.skipif(
    not ROOT.is_dir(), reason="no sample memories; MEMTUI_SAMPLE_DATA names their folder"
)

SAMPLES = {
    "mcp_memory_jsonl/maithanhduyan_memory-graph.jsonl": ("mcp", 619),
    "mcp_memory_jsonl/jasonpaulso_mcp-think-tank.jsonl": ("mcp", 313),
    "mcp_memory_jsonl/lumusitech_AI.jsonl": ("mcp", 158),
    "mcp_memory_jsonl/sengac_mindstrike.jsonl": ("mcp", 135),
    "mcp_memory_jsonl/Damon3000s_SingleAppInstance.jsonl": ("mcp", 28),
    "claude_md/ActorForth_MEMORY.md": ("claude-code", 124),
    # 26 contents each, of which one is empty
    "autogen/list_memory.json": ("autogen", 25),
    "autogen/agent_with_memory.json": ("autogen", 25),
    "autogen/query_result.json": ("autogen", 25),
    "autogen/list_memory_empty.json": ("autogen", 0),
    "mem0_openmemory/mem0_get_all.json": ("mem0", 30),
    # ten memories, each answered twice
    "mem0_openmemory/mem0_locomo_results.json": ("mem0", 10),
    "mem0_openmemory/memories.json": ("openmemory", 30),
    "mem0_openmemory/memories.jsonl": ("openmemory", 30),
    "mem0_openmemory/memories_export_someone.zip": ("openmemory", 30),
    "doobidoo/export_devbench.json": ("mcp-memory-service", 30),
    "doobidoo/export_template.json": ("mcp-memory-service", 3),
    "other_json/lancedb_pro_shape.json": ("json", 30),
    "other_json/v-sekai_fabric.jsonl": ("json", 15),
}


@pytest.mark.parametrize(("name", "expected"), SAMPLES.items(), ids=list(SAMPLES))
def test_a_sample_comes_in_once_and_goes_back(
    bring: Bring, service: MemoryService, name: str, expected: tuple[str, int]
) -> None:
    format_, count = expected
    path = ROOT / name
    bytes_before = path.read_bytes()
    bring([{"content": "was here before", "tags": ["storage"]}])
    before = everything(service)
    facets = service.facets(MemoryQuery())
    options = ImportOptions(detect=detect)
    report = bring(path, options)
    assert new(report) == count
    assert report.secrets == 0
    assert {row.source for row in report.preview} <= {str(path), f"{path}/memories.json"}
    with service.snapshot() as snapshot:
        formats = {origin.format for past in snapshot.with_past() for origin in past.provenance}
    assert formats == ({"json", format_} if count else {"json"})
    again = bring(path, options)
    assert new(again) == 0
    assert again.fates[Fate.SAME] == count
    if report.batch:
        service.undo(report.batch)
    assert everything(service) == before
    now = service.facets(MemoryQuery())
    assert now.model_copy(update={"statuses": facets.statuses}) == facets
    assert new(bring(path, options)) + again.fates[Fate.SAME] >= count
    assert service.check() == ()
    assert path.read_bytes() == bytes_before


NASTY = {
    "bom_crlf.jsonl": (2, 0),
    "concatenated_objects.jsonl": (2, 0),
    "cp1252.jsonl": (1, 0),
    "duplicates.jsonl": (11, 8),
    "huge_line.jsonl": (0, 1),
    "literal_backslash_n.jsonl": (2, 0),
    "lone_surrogate.json": (0, 1),
    "markup.jsonl": (7, 0),
    "nan_inf_dupkeys.json": (0, 1),
    "nul_and_esc.jsonl": (0, 1),
    "timestamps.jsonl": (25, 0),
    "torn_last_line.jsonl": (1, 1),
    "u2028.jsonl": (3, 0),
    "utf16le.jsonl": (1, 0),
    "wide.jsonl": (11, 0),
}


@pytest.mark.parametrize(("name", "expected"), NASTY.items(), ids=list(NASTY))
def test_of_a_nasty_file_the_good_comes_in_and_the_bad_is_named_case_21(
    bring: Bring, service: MemoryService, tmp_path: Path, name: str, expected: tuple[int, int]
) -> None:
    report = bring(ROOT / "nasty" / name)
    assert (new(report), report.tally.skipped) == expected
    assert all(skip.line > 0 and skip.reason for skip in report.tally.skips)
    for sort in SortKey:
        assert service.search(MemoryQuery(sort=sort)).total == expected[0]
    for format_ in ("jsonl", "json", "csv", "markdown"):
        assert export_to_file(service, tmp_path / "out", ExportOptions(format_)) == expected[0]


@pytest.mark.parametrize("name", ["deep_nest.json", "trailing_comma_array.json"])
def test_a_nasty_file_without_anything_good_is_refused(bring: Bring, name: str) -> None:
    with pytest.raises(InvalidError, match="damaged JSON: line"):
        bring(ROOT / "nasty" / name)


def test_markup_and_wide_text_come_in_as_they_are(bring: Bring, service: MemoryService) -> None:
    bring(ROOT / "nasty" / "markup.jsonl")
    assert contents(service)[0] == "[bold]x[/bold]"
    assert everything(service)[5].tags == ("%", "_", "\\")


def test_all_real_samples_together(bring: Bring, service: MemoryService) -> None:
    names = [name for name in SAMPLES if name.startswith(("mcp", "claude"))]
    total = sum(SAMPLES[name][1] for name in names)
    assert sum(new(bring(ROOT / name)) for name in names) == total
    assert {tuple(fates(bring(ROOT / name))) for name in names} == {("same",)}
    assert len(everything(service)) == total
