"""What is understood, wherever it stands, and what the help says."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memtui import __version__
from memtui.cli.parser import VERBS, build_complete, parse

from .conftest import Run


@pytest.mark.parametrize(
    "words",
    [
        ["--db", "x", "--actor", "me", "--peek", "--json", "get", "5"],
        ["get", "5", "--json", "--peek", "--actor", "me", "--db=x"],
        ["--db", "x", "get", "--json", "5", "--actor", "me", "--peek"],
        ["--db", "wrong", "--json", "get", "--db", "x", "--peek", "5", "--actor=me"],
    ],
)
def test_global_flags_stand_before_or_after_the_verb(words: list[str]) -> None:
    args = parse(words)
    assert (args.db, args.actor, args.peek, args.json, args.ids) == ("x", "me", True, True, [5])


def test_what_was_not_typed_is_not_there() -> None:
    args = parse(["get", "5"])
    assert not {"db", "actor", "peek", "read_only", "json", "config"} & set(vars(args))


def test_flags_may_stand_between_ids() -> None:
    assert parse(["get", "5", "--json", "6"]).ids == [5, 6]
    assert parse(["bulk", "--add-tag", "x", "1", "2"]).ids == [1, 2]
    assert parse(["bulk", "1", "--add-tag", "x", "2"]).ids == [1, 2]
    assert parse(["tags", "rename", "--json", "--", "-a", "--b"]).new == "--b"


def test_flags_are_not_abbreviated(run: Run) -> None:
    assert run("list", "--lim", "5").code == 2


def test_a_likely_verb_is_offered(run: Run) -> None:
    assert "Did you mean list?" in run("lst").err
    assert "memtui list --help" in run("list", "--frob").err


def test_version(run: Run) -> None:
    assert run.ok("--version") == f"memtui {__version__}"
    assert run.ok("list", "--version") == f"memtui {__version__}"


def test_the_overview_names_every_verb(run: Run) -> None:
    shown = run.ok("--help")
    for verb in VERBS:
        assert verb.summary in shown


@pytest.mark.parametrize("verb", [verb.name for verb in VERBS])
def test_every_verb_has_help_with_examples(run: Run, verb: str) -> None:
    shown = run.ok(verb, "--help")
    assert f"usage: memtui {verb}" in shown
    assert f"memtui {verb}" in shown.partition("examples:")[2]
    assert "--read-only" in shown


@pytest.mark.parametrize("verb", [verb.name for verb in VERBS])
def test_the_examples_in_the_help_are_understood(verb: str) -> None:
    import shlex

    module = next(one for one in VERBS if one.name == verb).module()
    commands: list[list[str]] = []
    for line in module.EXAMPLES.partition("examples:")[2].splitlines():
        for part in line_without_note(line).split(" | "):
            words = shlex.split(part)
            if words[:1] == ["memtui"]:
                commands.append(words)
    assert commands
    for words in commands:
        # Help ends at once; anything that is not understood raises.
        with contextlib.suppress(SystemExit):
            parse(words[1 : words.index(">")] if ">" in words else words[1:])


def line_without_note(line: str) -> str:
    """An example without the remark behind it."""
    return line.strip().partition("   ")[0]


@pytest.mark.parametrize("shell", ["bash", "zsh"])
def test_completion_knows_verbs_and_flags(run: Run, shell: str) -> None:
    script = run.ok("completion", shell)
    for word in ("history", "--older-than", "preference"):
        assert word in script
    if shutil.which(shell):
        assert subprocess.run([shell, "-n"], input=script.encode(), check=False).returncode == 0


def test_every_verb_can_be_filled_in_at_once() -> None:
    assert "purge" in build_complete().format_help()


@pytest.mark.parametrize(
    "words", [["--help"], ["--version"], ["config"], ["list", "--help"]],
    ids=" ".join,
)  # fmt: skip
def test_talk_imports_no_sql_and_no_textual_and_makes_no_file(home: Path, words: list[str]) -> None:
    check = (
        "import sys\n"
        "from memtui.__main__ import main\n"
        f"sys.argv[1:] = {words!r}\n"
        "code = main()\n"
        "heavy = {'sqlalchemy', 'sqlmodel', 'textual', 'sqlite3', 'starlette', 'mcp'}\n"
        "heavy &= set(sys.modules)\n"
        "sys.exit(f'imports {heavy}' if heavy else code)\n"
    )
    ended = subprocess.run([sys.executable, "-c", check], capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert list(home.rglob("*")) == []


def test_saying_the_version_imports_almost_nothing() -> None:
    check = (
        "import sys\n"
        "from memtui.__main__ import main\n"
        "sys.argv[1:] = ['--version']\n"
        "main()\n"
        "sys.exit(str({'pydantic', 'rich', 'platformdirs', 'asyncio'} & set(sys.modules) or 0))\n"
    )
    ended = subprocess.run([sys.executable, "-c", check], capture_output=True, check=False)
    assert ended.stderr == b"0\n", ended.stderr
