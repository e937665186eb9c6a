"""AutoGen's own tests, fetched from its source distributions, run against `MemtuiMemory`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import NamedTuple

import pytest

VERSION = "0.7.5"
ROOT = Path(__file__).parents[2]
FETCHING = 60
RUNNING = 100


class Suite(NamedTuple):
    distribution: str
    file: str
    shim: str
    passes: int
    select: str = ""


SUITES = (
    Suite("autogen-core", "tests/test_memory.py", "core", 10),
    Suite(
        "autogen-agentchat",
        "tests/test_assistant_agent.py",
        "agentchat",
        8,
        "memory or Memory or all_features",
    ),
    Suite("autogen-ext", "tests/memory/test_chroma_memory.py", "chroma", 15),
)


@pytest.fixture
def cache(pytestconfig: pytest.Config) -> Path:
    """Where what was fetched stays for the next run, outside what is committed."""
    assert pytestconfig.cache is not None
    return pytestconfig.cache.mkdir("autogen-sdists")


def fetched(distribution: str, cache: Path, tmp_path: Path) -> Path:
    """The source distribution of one of AutoGen's packages; skips when it can't be had."""
    archive = cache / f"{distribution.replace('-', '_')}-{VERSION}.tar.gz"
    if archive.is_file():
        return archive
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-binary", ":all:"]
    command += ["--no-deps", "--dest", str(tmp_path), f"{distribution}=={VERSION}"]
    try:
        ended = subprocess.run(
            command, capture_output=True, text=True, timeout=FETCHING, check=False
        )
    except subprocess.TimeoutExpired:
        pytest.skip(f"{distribution} was not fetched within {FETCHING} s")
    if ended.returncode:
        reason = ended.stderr.strip().splitlines() or ["pip said nothing"]
        pytest.skip(f"{distribution} could not be fetched: {reason[-1]}")
    (tmp_path / archive.name).replace(archive)
    return archive


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.distribution)
def test_autogens_own_tests_pass(suite: Suite, cache: Path, tmp_path: Path) -> None:
    with tarfile.open(fetched(suite.distribution, cache, tmp_path)) as archive:
        (name,) = [name for name in archive.getnames() if name.endswith(f"/{suite.file}")]
        archive.extract(name, tmp_path, filter="data")
    (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    command = [sys.executable, "-m", "pytest", "-q", "-c", str(tmp_path / "pytest.ini")]
    command += ["-p", f"tests.integrations.shims.{suite.shim}", "-p", "no:cacheprovider"]
    command += ["-k", suite.select] if suite.select else []
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    environment |= {"PYTHONPATH": str(ROOT), "TMPDIR": str(scratch)}
    ended = subprocess.run(
        [*command, str(tmp_path / name)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=RUNNING,
        check=False,
    )
    told = ended.stdout + ended.stderr
    summary = re.search(r"^(\d+) passed(.*)$", ended.stdout, re.MULTILINE)
    assert ended.returncode == 0, told
    assert summary is not None, told
    assert int(summary[1]) == suite.passes, told
    assert "skipped" not in summary[2], told
