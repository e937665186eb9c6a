"""What the README says is so: its tables come from the code, its commands run."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from memtui.cli.parser import GLOBALS, VERBS, build_complete, parse
from memtui.cli.ui import check_keys
from memtui.config import load

from . import readme

README = readme.text()
ROOT = readme.README.parent


@pytest.mark.parametrize("name", readme.SECTIONS)
def test_its_tables_are_as_the_code_has_them(name: str) -> None:
    assert readme.section(name, README) == readme.SECTIONS[name](), "run: python -m tests.readme"


def test_the_first_block_ends_in_the_demo_and_the_second_in_the_tests() -> None:
    first, second = readme.fenced(README, "sh")[:2]
    assert first.count("\n") == second.count("\n") == 1
    assert first.rstrip().endswith("memtui demo")
    assert "pytest" in second
    for line in (first, second):
        assert line.startswith("python3 -m venv .venv && .venv/bin/pip install -q ")


def test_it_starts_with_a_picture_that_is_there() -> None:
    found = re.match(r"!\[[^\]]+\]\(([^)]+)\)", README)
    assert found is not None
    assert (ROOT / found[1]).is_file()


def test_its_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_its_configuration_can_be_used(tmp_path: Path) -> None:
    blocks = readme.fenced(README, "toml")
    assert len(blocks) >= 2
    for number, block in enumerate(blocks):
        tomllib.loads(block)
        file = tmp_path / f"{number}.toml"
        file.write_text(block, encoding="utf-8")
        assert load(file=str(file), environ={}, check_keys=check_keys).findings == ()


def commands() -> list[list[str]]:
    """Every memtui command in the README's blocks, without the notes behind them."""
    lines = [line for block in readme.fenced(README, "sh") for line in block.splitlines()]
    words = [shlex.split(line, comments=True) for line in lines]
    return [line[1:] for line in words if line and line[0] in {"memtui", ".venv/bin/memtui"}]


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_its_commands_are_understood(words: list[str]) -> None:
    parse(words)


def test_its_examples_run_one_after_the_other(tmp_path: Path) -> None:
    (block,) = [block for block in readme.fenced(README, "sh") if block.startswith("memtui add")]
    env = {**os.environ, "MEMTUI_DB": str(tmp_path / "m.db"), "HOME": str(tmp_path)}
    outputs = []
    for line in block.splitlines():
        words = [sys.executable, "-m", *shlex.split(line)]
        ended = subprocess.run(words, capture_output=True, text=True, env=env, check=False)
        assert ended.returncode == 0, (line, ended.stderr)
        outputs.append(ended.stdout)
    assert outputs[0] == "1\n"
    assert '"total":1' in outputs[1]
    assert "status: active → invalid" in outputs[3]


@pytest.mark.skipif(shutil.which("curl") is None, reason="needs curl")
def test_its_calls_over_http_work(tmp_path: Path) -> None:
    http = pytest.importorskip("memtui.server.http", reason="needs the extra server")
    from memtui.server.options import ServeOptions

    (block,) = [block for block in readme.fenced(README, "sh") if block.startswith("curl")]
    with http.BackgroundServer(ServeOptions(db=tmp_path / "m.db", port=0)) as server:
        answers = []
        for line in block.splitlines():
            words = shlex.split(line.replace("localhost:8765", server.url.removeprefix("http://")))
            answers.append(json.loads(subprocess.check_output(words)))
    created, listed, patched, deleted = answers
    assert created["id"] == 1
    assert [item["id"] for item in listed["items"]] == [1]
    assert (patched["content"], patched["version"]) == ("Likes old maps", 2)
    assert deleted["status"] == "deleted"


def test_its_example_in_python_runs(tmp_path: Path) -> None:
    (block,) = [one for one in readme.fenced(README, "python") if "MemoryService.open" in one]
    code = f"{block}\nprint(found.total, made.version)"
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stdout) == (0, "1 1\n"), ended.stderr
    assert (tmp_path / "work.db").is_file()


def test_it_names_every_global_flag_and_mentions_every_verb() -> None:
    for name in GLOBALS:
        assert f"`--{name.replace('_', '-')}" in README
    for verb in VERBS:
        assert f"`{verb.name}`" in README or f"memtui {verb.name}" in README


def test_the_flags_that_it_names_exist() -> None:
    known = {
        flag for parser in parsers() for action in parser._actions for flag in action.option_strings
    }
    installing = {"--help"}
    for flag in set(re.findall(r"`(?:memtui [a-z ]*)?(--[a-z-]+)", README)) - installing:
        assert flag in known or flag == "--flag", flag


def parsers() -> list[object]:
    import argparse

    found: list[argparse.ArgumentParser] = [build_complete()]
    for parser in found:
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                found.extend(action.choices.values())
    return found  # type: ignore[return-value]


def test_the_variables_that_it_names_are_read() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("memtui/**/*.py"))
    from memtui.config import SETTINGS

    settings = {info.variable for info in SETTINGS}
    for name in set(re.findall(r"\bMEMTUI_[A-Z_]+", README)):
        assert name in settings or f'"{name}"' in source, name


def test_nothing_else_lies_at_the_top() -> None:
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if tracked.returncode != 0:
        pytest.skip("not a git clone")
    top = {path.partition("/")[0] for path in tracked.stdout.splitlines()}
    allowed = {"pyproject.toml", "README.md", "LICENSE", "memtui", "tests", "screenshots"}
    assert {name for name in top if not name.startswith(".")} <= allowed
