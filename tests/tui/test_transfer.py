"""Bringing memories in from files and writing them out, in the terminal UI."""

from __future__ import annotations

import csv
import json
import os
import sqlite3
from pathlib import Path

import pytest
from textual.message_pump import MessagePump

from memtui.models import MemoryCreate, MemoryQuery
from memtui.service import MemoryService
from memtui.tui.screens.confirm import ConfirmDialog
from memtui.tui.screens.import_screen import ImportScreen
from memtui.tui.screens.pick import PickDialog
from memtui.tui.screens.pick_file import PickFileDialog
from memtui.tui.screens.prompt import PromptDialog
from memtui.tui.screens.working import WorkingDialog
from memtui.tui.widgets.file_tree import FileTree
from tests.tui.conftest import Session, Start
from tests.tui.curating import accesses, back_at_table, column, memories, opened, shown


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a file of three memories and one that is broken."""
    folder = tmp_path / "notes"
    folder.mkdir()
    rows = [{"content": f"Imported note {n}", "tags": ["old"]} for n in range(1, 4)]
    lines = [json.dumps(row) for row in rows]
    (folder / "notes.jsonl").write_text("\n".join([*lines[:2], "{broken", lines[2]]) + "\n")
    monkeypatch.chdir(folder)
    return folder


def type_in(text: str) -> list[str]:
    names = {"/": "slash", ".": "full_stop", "-": "minus", "_": "underscore", " ": "space"}
    return [names.get(char, char) for char in text]


async def open_import(session: Session, path: Path) -> ImportScreen:
    dialog = await opened(session, "I", PickFileDialog)
    dialog._box.value = str(path)
    await session.press("enter")
    return await shown(session, ImportScreen)


async def previewed(session: Session, screen: ImportScreen) -> None:
    await session.until(lambda: screen.report is not None)


# --- importing -----------------------------------------------------------------------------------


async def test_previews_then_imports_as_one_change_that_undo_takes_back(
    seeded, notes, start: Start
):
    async with start() as session:
        screen = await open_import(session, notes / "notes.jsonl")
        await previewed(session, screen)
        assert column(screen, "Memory") == [f"Imported note {n}" for n in range(1, 4)]
        assert column(screen, "Fate") == ["new"] * 3
        assert "3 new" in screen.pane.shown
        assert "line 3" in screen.pane.shown
        assert len(memories(seeded)) == 6
        await session.press("y")
        await back_at_table(session)
        await session.until(lambda: len(session.ids) == 9)
        assert any("3 memories imported · 1 were skipped" in said for said in session.toasts)
        await session.press("u")
        await session.until(lambda: len(session.ids) == 6)


async def test_again_adds_nothing_and_says_so(seeded, notes, start: Start):
    async with start() as session:
        for _ in range(2):
            screen = await open_import(session, notes / "notes.jsonl")
            await previewed(session, screen)
            await session.press("enter")
            await back_at_table(session)
        await session.until(lambda: "Nothing new was there · 1 were skipped" in session.toasts)
        assert len(session.ids) == 9


async def test_wishes_are_previewed_and_followed(seeded, notes, start: Start):
    async with start() as session:
        screen = await open_import(session, notes / "notes.jsonl")
        await previewed(session, screen)
        await session.press("t", *"new", "enter")
        await session.until(lambda: screen.wishes.tags == ("new",) and screen.report is not None)
        assert column(screen, "Tags") == ["old, new"] * 3
        await session.press("c")
        await shown(session, PickDialog)
        await session.press("5")
        await session.until(lambda: screen.wishes.memory_type and screen.report is not None)
        await session.press("x")
        await shown(session, PickDialog)
        await session.press("3")
        await session.until(lambda: screen.wishes.status and screen.report is not None)
        await session.press("p", "o", "d")
        await session.until(lambda: screen.report is not None)
        assert "split at paragraph ends" in screen.pane.shown
        await session.press("y")
        await back_at_table(session)
        page = seeded.search(MemoryQuery(tag="new"), touch=False)
        assert [(one.memory_type, one.status) for one in page.items] == [("event", "invalid")] * 3


async def test_a_bad_tag_is_refused_where_it_is_typed(seeded, notes, start: Start):
    async with start() as session:
        screen = await open_import(session, notes / "notes.jsonl")
        await previewed(session, screen)
        await session.press("t", *("x" * 65), "enter")
        dialog = await shown(session, PromptDialog)
        await session.until(lambda: dialog.query_one("#prompt-problem").content.plain != "")
        assert screen.wishes.tags == ()


async def test_escape_leaves_without_importing(seeded, notes, start: Start):
    async with start() as session:
        await open_import(session, notes / "notes.jsonl")
        await session.press("escape")
        await back_at_table(session)
        assert len(memories(seeded)) == 6


async def test_another_format_can_be_chosen(seeded, notes, start: Start):
    (notes / "plain.txt").write_text("One memory\nAnother memory\n")
    async with start() as session:
        screen = await open_import(session, notes / "plain.txt")
        await session.until(lambda: screen.report is not None or screen.error is not None)
        await session.press("f")
        dialog = await shown(session, PickDialog)
        names = [line.cells[1].text.split(":")[0] for line in dialog._grid.lines]
        dialog._grid.move_to(names.index("text"))
        await session.press("enter")
        await session.until(lambda: screen.wishes.format == "text" and screen.report is not None)
        assert column(screen, "Memory") == ["One memory", "Another memory"]


async def test_credentials_stop_it_until_one_says_what_to_do(seeded, notes, start: Start):
    token = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
    rows = [{"content": f"The token is {token}"}, {"content": "Harmless"}]
    (notes / "secret.jsonl").write_text("\n".join(map(json.dumps, rows)))
    async with start() as session:
        screen = await open_import(session, notes / "secret.jsonl")
        await previewed(session, screen)
        assert "1 seem to hold a credential" in screen.pane.shown
        await session.press("y")
        await session.until(lambda: any("credential" in said for said in session.toasts))
        assert session.app.screen is screen
        await session.press("s")
        await shown(session, PickDialog)
        await session.press("2")
        await session.until(lambda: screen.wishes.secrets == "skip" and screen.report is not None)
        await session.press("y")
        await back_at_table(session)
        await session.until(lambda: len(session.ids) == 7)


async def test_what_is_no_memory_file_is_said_in_the_place_of_the_list(seeded, notes, start: Start):
    (notes / "x.bin").write_bytes(b"\x00\x01\x02" * 100)
    async with start() as session:
        screen = await open_import(session, notes / "x.bin")
        await session.until(lambda: screen.error is not None)
        assert "x.bin" in session.screen_text()
        await session.press("y")
        assert session.app.screen is screen
        await session.press("escape")
        await back_at_table(session)


@pytest.mark.parametrize("ending", ["", "-wal", "linked"])
async def test_the_open_database_is_not_opened_a_second_time(
    seeded, notes, path: Path, start: Start, ending: str
):
    source = Path(f"{path}{ending}")
    if ending == "linked":
        source = notes / "linked.db"
        os.link(path, source)
    async with start() as session:
        screen = await open_import(session, source)
        await session.until(lambda: screen.error is not None)
        assert "is the database that is open" in screen.error.message


async def test_a_folder_is_imported_whole(seeded, notes, start: Start):
    for name in ("a", "b"):
        text = f"---\ntitle: {name}\ntype: note\n---\n\n- [fact] Remember {name}\n"
        (notes / f"{name}.md").write_text(text)
    async with start() as session:
        screen = await open_import(session, notes)
        await previewed(session, screen)
        assert sorted(column(screen, "Memory")) == ["Remember a", "Remember b"]


async def test_texts_of_a_file_are_drawn_safely(seeded, notes, start: Start):
    rows = [{"content": "[red]x[/red]\x1b[2J\u202e", "tags": ["[@click=app.quit]q[/]"]}]
    (notes / "evil.jsonl").write_text("\n".join(map(json.dumps, rows)))
    async with start() as session:
        screen = await open_import(session, notes / "evil.jsonl")
        await previewed(session, screen)
        text = session.screen_text()
        assert "[red]x[/red]" in text
        assert "\x1b" not in text
        assert "\u202e" not in text


async def test_read_only_imports_nothing(seeded, notes, start: Start):
    async with start(read_only=True) as session:
        await session.press("I")
        await session.until(lambda: session.toasts)
        assert len(session.app.screen_stack) == 1


# --- choosing a file -----------------------------------------------------------------------------


async def test_the_tree_leads_to_a_file(seeded, notes, start: Start):
    async with start() as session:
        dialog = await opened(session, "I", PickFileDialog)
        assert dialog._box.value == f"{notes}/"
        await session.press("tab")
        tree = dialog.query_one(FileTree)
        await session.until(lambda: tree.has_focus and len(tree.root.children) == 1)
        await session.press("j")
        await session.until(lambda: dialog._box.value.endswith("notes.jsonl"))
        await session.press("enter")
        screen = await shown(session, ImportScreen)
        assert screen.wishes.path == str(notes / "notes.jsonl")


async def test_a_path_is_completed_and_a_wrong_one_refused(seeded, notes, start: Start):
    async with start() as session:
        dialog = await opened(session, "I", PickFileDialog)
        await session.press("n", "o")
        await session.until(lambda: dialog._box._suggestion.endswith("/notes.jsonl"))
        await session.press("x", "enter")
        await session.until(
            lambda: "no such file" in dialog.query_one("#pick-problem").content.plain
        )
        await session.press("backspace", "right", "enter")
        await shown(session, ImportScreen)


async def test_hidden_files_are_shown_when_asked_for(seeded, notes, start: Start):
    (notes / ".hidden.jsonl").write_text("")
    async with start() as session:
        dialog = await opened(session, "I", PickFileDialog)
        tree = dialog.query_one(FileTree)
        await session.press("tab")
        await session.until(lambda: len(tree.root.children) == 1)
        await session.press("full_stop")
        await session.until(lambda: len(tree.root.children) == 2)
        await session.press("full_stop")
        await session.until(lambda: len(tree.root.children) == 1)
        await session.press("escape")
        await back_at_table(session)


async def test_file_names_are_drawn_safely(seeded, notes, start: Start):
    (notes / "[red]evil\x1b[2J\u202e.jsonl").write_text("")
    async with start() as session:
        dialog = await opened(session, "I", PickFileDialog)
        tree = dialog.query_one(FileTree)
        await session.until(lambda: len(tree.root.children) == 2)
        await session.pilot.pause()
        text = session.screen_text()
        assert "[red]evil" in text
        assert "\x1b" not in text
        assert "\u202e" not in text


# --- exporting -----------------------------------------------------------------------------------


async def export(session: Session, number: str, path: Path) -> None:
    await session.press("W")
    await shown(session, PickDialog)
    await session.press(number)
    dialog = await shown(session, PromptDialog)
    dialog._box.value = str(path)
    await session.press("enter")


async def test_marked_memories_are_written_and_none_is_marked_as_read(seeded, notes, start: Start):
    async with start(peek=True) as session:
        await session.press("space", "space")
        await export(session, "3", notes / "out.csv")
        await session.until(lambda: any("2 memories written" in said for said in session.toasts))
        with (notes / "out.csv").open(newline="") as file:
            assert {row["id"] for row in csv.DictReader(file)} == {"5", "6"}
        assert accesses(seeded) == [None] * 6


async def test_what_matches_is_written_when_nothing_is_marked(seeded, notes, start: Start):
    async with start() as session:
        await session.press("slash", *"falcon", "enter")
        await session.until(lambda: len(session.ids) == 3)
        await export(session, "2", notes / "out.json")
        await session.until(lambda: any("3 memories written" in said for said in session.toasts))
        assert len(json.loads((notes / "out.json").read_text())) == 3


async def test_everything_is_written_with_its_history_and_comes_back(
    seeded, notes, tmp_path: Path, start: Start
):
    seeded.delete(1)
    async with start() as session:
        await export(session, "1", notes / "out.jsonl")
        await session.until(lambda: any("6 memories written" in said for said in session.toasts))
    with MemoryService.open(tmp_path / "copy.db") as copy:
        from memtui.transfer.importing import open_plan

        with open_plan([str(notes / "out.jsonl")]) as plan:
            assert plan.apply(copy).restored
        assert memories(copy) == memories(seeded)
        assert copy.stats().revisions == seeded.stats().revisions


async def test_a_file_that_is_there_is_replaced_only_when_one_agrees(seeded, notes, start: Start):
    target = notes / "out.md"
    target.write_text("mine")
    async with start() as session:
        await export(session, "4", target)
        await shown(session, ConfirmDialog)
        await session.press("n")
        await back_at_table(session)
        assert target.read_text() == "mine"
        await export(session, "4", target)
        await shown(session, ConfirmDialog)
        await session.press("y")
        await session.until(lambda: any("6 memories written" in said for said in session.toasts))
        assert "Falcon" in target.read_text()


async def test_a_place_that_cannot_be_written_is_said_and_can_be_left(seeded, notes, start: Start):
    async with start() as session:
        await export(session, "1", notes / "no such folder" / "out.jsonl")
        await shown(session, WorkingDialog)
        await session.until(lambda: "can't be written" in session.screen_text())
        await session.press("escape")
        await back_at_table(session)


async def test_stopping_an_export_leaves_no_file(service, notes, start: Start):
    service.create_many([MemoryCreate(content=f"memory {n} " + "x" * 3000) for n in range(500)])
    async with start() as session:
        gateway, results = session.app.gateway, []

        def ask(node: MessagePump) -> int:
            number = gateway.export(node, notes / "out.jsonl", "jsonl", None)
            gateway.cancel(number)
            return number

        dialog = WorkingDialog(gateway, "Writing", notes / "out.jsonl", ask)
        session.app.push_screen(dialog, results.append)
        await session.until(lambda: results)
        assert results == [None]
        assert [path.name for path in notes.iterdir()] == ["notes.jsonl"]


# --- backup --------------------------------------------------------------------------------------


async def test_a_backup_is_a_database_of_its_own(seeded, path: Path, notes, start: Start):
    async with start() as session:
        await session.press("B")
        dialog = await shown(session, PromptDialog)
        assert Path(dialog._box.value).parent == path.parent
        dialog._box.value = str(notes / "copy.db")
        await session.press("enter")
        await session.until(lambda: any(said.startswith("Copied") for said in session.toasts))
    assert sqlite3.connect(notes / "copy.db").execute("SELECT count(*) FROM memory").fetchone() == (
        6,
    )


async def test_the_database_is_not_overwritten_by_its_own_copy(
    seeded, path: Path, notes, start: Start
):
    async with start() as session:
        await session.press("B")
        dialog = await shown(session, PromptDialog)
        dialog._box.value = str(path)
        await session.press("enter")
        await shown(session, ConfirmDialog)
        await session.press("y")
        await session.until(lambda: "is the database itself" in session.screen_text())
    assert len(memories(seeded)) == 6
