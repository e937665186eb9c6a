"""The examples and the README's say what they do, and do it offline."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.integrations.autogen.examples import keeper, repository, weather
from memtui.models import MemoryQuery
from memtui.service import MemoryService
from tests import readme

ROOT = Path(__file__).parents[2]


async def test_the_weather_comes_in_the_preferred_units(path) -> None:
    *known, said = await weather.main(path)
    assert "The weather should be in metric units" in known
    assert said == "The weather in New York is 23 °C and sunny."
    assert (await weather.main(path))[:-1] == known


async def test_an_agent_adds_and_revises(path, person) -> None:
    assert await keeper.main(path) == [
        "(added 1)",
        "(injected 1)",
        "Noted: you live in Lisbon.",
        "(revised 1)",
        "(injected 1)",
        "Corrected: you live in Porto.",
        "You live in Porto.",
    ]
    assert person.get(1).content == "The user lives in Porto"
    assert person.get(1).version == 2


def write(root: Path, name: str, text: str) -> None:
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


async def test_answers_about_a_repository_name_their_sources(path, tmp_path, monkeypatch) -> None:
    root = tmp_path / "repository"
    filler = "\n".join(f"line {number} about nothing in particular" for number in range(80))
    write(root, "docs/locks.md", f"{filler}\nThe write lock is waited for, five seconds at most.\n")
    write(root, "code/other.py", f"def other() -> None: ...\n{filler}\n")
    write(root, ".hidden/secret.md", "the write lock")
    write(root, "image.png", "the write lock")
    number, question, answer, first, *_ = await repository.main(path, root)
    assert int(number.split()[0]) > 4
    assert (question, answer) == (repository.QUESTION, repository.ANSWER)
    source, _, lines = first.partition(":")
    assert source == "docs/locks.md"
    begin, _, end = lines.partition("-")
    assert int(begin) <= 81 <= int(end)


async def test_indexing_again_keeps_up_with_the_files(path, tmp_path, person) -> None:
    root = tmp_path / "repository"
    write(root, "a.md", "kept")
    write(root, "b.md", "goes")
    first = await repository.main(path, root)
    assert await repository.main(path, root) == first
    (root / "b.md").unlink()
    write(root, "a.md", "kept, changed")
    await repository.main(path, root)
    live = person.search(MemoryQuery(), touch=False).items
    assert [(one.content, one.tags) for one in live] == [
        ("a.md\nkept, changed", ("source:a.md", "repository"))
    ]


def python_blocks() -> list[str]:
    blocks = readme.fenced(readme.text(), "python")
    return [block for block in blocks if "memtui.integrations.autogen" in block]


def test_the_readmes_example_has_ten_lines_and_runs(tmp_path: Path) -> None:
    (block,) = python_blocks()
    assert len([line for line in block.splitlines() if line.strip()]) == 10
    database = tmp_path / "m.db"
    ended = subprocess.run(
        [sys.executable, "-c", block],
        env={**os.environ, "MEMTUI_DB": str(database), "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == "It is 23 °C.\n"
    with MemoryService.open(database) as service:
        (memory,) = service.search(MemoryQuery()).items
        assert memory.tags == ("weather",)
        assert memory.last_accessed_at is not None


@pytest.mark.parametrize("name", ["weather", "keeper", "repository"])
def test_each_can_be_run_as_a_module(name: str, tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", f"memtui.integrations.autogen.examples.{name}", "m.db"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert "The memories are in m.db" in ended.stdout
