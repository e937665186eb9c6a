"""Editing in the person's own editor, on a real terminal that is given away and taken back."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memtui.models import MemoryCreate, MemoryPatch
from memtui.service import MemoryService
from tests.terminal import Terminal
from tests.tui.conftest import Start

UI = Callable[[str], Terminal]


@pytest.fixture
def three(path: Path) -> Iterator[MemoryService]:
    with MemoryService.open(path, actor="agent") as service:
        service.create_many(
            [
                MemoryCreate(content="one\n---\n```\nid: 9\n```", tags=("a", "b")),
                MemoryCreate(content="two"),
                MemoryCreate(content="three"),
            ]
        )
        yield service


@pytest.fixture
def editing(tmp_path: Path, path: Path, three: MemoryService):
    """Start the UI with a shell script as the editor; the script gets the file as $1."""

    @contextmanager
    def begin(script: str, *, left: bool = False) -> Iterator[Terminal]:
        editor = tmp_path / "editor.sh"
        editor.write_text(
            f'#!/bin/sh\ncp "$1" {tmp_path}/document\nls -l "$1" > {tmp_path}/listing\n{script}\n'
        )
        editor.chmod(0o755)
        env = {
            **os.environ, "VISUAL": str(editor), "TMPDIR": str(tmp_path),
            "XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_STATE_HOME": str(tmp_path / "state"),
        }  # fmt: skip
        terminal = Terminal([sys.executable, "-m", "memtui", "--db", str(path)], env)
        try:
            assert terminal.shows("1 of 3", "three")
            yield terminal
            if terminal.child.isalive():
                terminal.child.send("q")
                assert terminal.ends() == 0
        finally:
            terminal.child.close(force=True)
        assert bool(list(tmp_path.rglob("*.editing*"))) == left, "the private folder is gone"

    return begin


def content(service: MemoryService, memory_id: int) -> str:
    return service.get(memory_id, touch=False).content


def test_one_memory_is_edited_previewed_and_saved(editing, three, tmp_path: Path):
    with editing("sed -i 's/^three$/drei/' \"$1\"") as ui:
        ui.child.send("E")
        assert ui.shows("Save 1 memory?", "1 memory will change")
        assert (tmp_path / "listing").read_text().startswith("-rw-------")
        ui.child.send("y")
        assert ui.shows("#3 changed", "drei")
        assert content(three, 3) == "drei"
        ui.child.send("u")
        assert ui.shows("taken back")
        assert content(three, 3) == "three"


def test_all_marked_are_one_document_and_one_step_to_undo(editing, three, tmp_path: Path):
    script = "sed -i -e 's/^one$/eins/' -e 's/^two$/zwei/' -e 's/^tags: a, b/tags: c/' \"$1\""
    with editing(script) as ui:
        ui.child.send("aE")
        assert ui.shows("Save 2 memories?", "+c")
        ui.child.send("y")
        assert ui.shows("2 memories changed")
        assert (tmp_path / "document").read_text().startswith("<!--\n3 memories to edit.")
        assert content(three, 1) == "eins\n---\n```\nid: 9\n```"
        assert three.get(1, touch=False).tags == ("c",)
        assert content(three, 2) == "zwei"
        assert three.get(3, touch=False).version == 1
        ui.child.send("u")
        assert ui.shows("2 memories taken back")
        assert content(three, 2) == "two"


def test_nothing_changed_writes_nothing(editing, three):
    with editing("true") as ui:
        ui.child.send("aE")
        assert ui.shows("Nothing changed")
        assert [three.get(n, touch=False).version for n in (1, 2, 3)] == [1, 1, 1]


def test_mistakes_are_named_and_the_text_can_be_edited_again(editing, three, tmp_path: Path):
    # The first time the type is spoilt, the second time it is mended.
    script = (
        f'if [ -e {tmp_path}/again ]; then sed -i "s/^type: goal/type: event/" "$1"; '
        f'else touch {tmp_path}/again; sed -i -e "s/^type: fact/type: goal/" '
        '-e "s/^three/kept/" "$1"; fi'
    )
    with editing(script) as ui:
        ui.child.send("E")
        assert ui.shows("It cannot be saved like this", "memory 3, type: Input should be")
        ui.child.send("\r")
        assert ui.shows("Save 1 memory?", "event")
        ui.child.send("y")
        assert ui.shows("#3 changed")
        saved = three.get(3, touch=False)
        assert (saved.content, saved.memory_type, saved.version) == ("kept", "event", 2)


def test_a_preview_that_is_refused_asks_before_the_text_is_lost(editing, three):
    with editing("sed -i 's/^three$/drei/' \"$1\"") as ui:
        ui.child.send("E")
        assert ui.shows("Save 1 memory?", "will change")
        ui.child.send("n")
        assert ui.shows("Throw away what you wrote?", "It has not been saved.")
        ui.child.send("y")
        assert ui.shows("1 of 3")
        assert content(three, 3) == "three"


def test_what_changed_meanwhile_is_left_alone_and_both_texts_are_offered(editing, three):
    with editing("sed -i -e 's/^three$/drei/' -e 's/^two$/zwei/' \"$1\"") as ui:
        ui.child.send("aE")
        assert ui.shows("Save 2 memories?", "2 memories will change")
        three.patch(3, MemoryPatch(tags=("theirs",)))
        ui.child.send("y")
        assert ui.shows("Edit memory #3", "drei")
        assert content(three, 2) == "zwei"
        assert content(three, 3) == "three"
        ui.child.send("\x13")
        assert ui.shows("save merge")
        ui.child.send("s")
        assert ui.shows("#3 saved")
        merged = three.get(3, touch=False)
        assert (merged.content, merged.tags, merged.version) == ("drei", ("theirs",), 3)


def test_an_editor_that_fails_is_told(editing, three):
    with editing("exit 3") as ui:
        ui.child.send("E")
        assert ui.shows("ended with 3"), ui.text


def test_what_was_in_the_editor_of_a_program_that_was_killed_is_told(
    editing, three, tmp_path: Path
):
    with editing("echo typed >> $1; kill -9 $PPID", left=True) as killed:
        killed.child.send("E")
        assert killed.ends() == -9
    (text,) = tmp_path.rglob("*.editing/*.md")
    assert text.read_text().endswith("typed\n")
    assert text.parent.stat().st_mode & 0o777 == 0o700
    with editing("true", left=True) as ui:
        assert ui.shows("memtui ended while a text was in your editor")
    assert text.exists()


def test_an_interrupt_is_the_editors(editing, three):
    with editing("kill -INT 0; sleep 0.1; exit 0") as ui:
        ui.child.send("E")
        assert ui.shows("1 of 3")


def test_a_paste_with_escapes_presses_no_keys(editing, three):
    with editing("true") as ui:
        ui.child.send("\x1b[200~\x1b[31mdxdxdx\x1b[0m and so on, long enough \x1bd\x1bx\x1b[201~j")
        assert ui.shows("2 of 3")
        assert [three.get(n, touch=False).status for n in (1, 2, 3)] == ["active"] * 3


async def test_where_the_terminal_cannot_be_given_away_it_is_said(seeded, start: Start):
    async with start() as session:
        await session.press("E")
        await session.until(
            lambda: any("No editor can be opened" in toast for toast in session.toasts)
        )
