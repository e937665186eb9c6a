"""What was typed outlives a crash: kept privately, offered at the next start, gone when saved."""

from __future__ import annotations

import json
import os
import signal
import stat
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.models import Memory, MemoryCreate, MemoryPatch, MemoryQuery
from memtui.service import MemoryService
from memtui.tui.drafts import Draft, DraftFile, left_behind
from memtui.tui.merge import Edited
from memtui.tui.screens.conflict import ConflictScreen
from memtui.tui.screens.draft_offer import DraftOffer
from memtui.tui.screens.edit import EditScreen
from tests.clock import Clock
from tests.terminal import Terminal
from tests.tui.conftest import Session, Start

texts = st.text(st.characters())


@pytest.fixture(autouse=True)
def state_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "state"
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    return folder


def drafts_of(path: Path) -> list[Path]:
    return sorted(path.parent.glob("*.draft"))


def memory(service: MemoryService, memory_id: int) -> Memory:
    return service.get(memory_id, touch=False)


# --- the file ------------------------------------------------------------------------------------


@given(content=texts, tags=st.lists(texts))
def test_a_draft_reads_back_exactly_whatever_it_holds(content, tags):
    draft = Draft(None, Edited(content, tuple(tags), "fact", "active"), Clock().now)
    assert Draft.from_json(draft.to_json()) == draft


def test_the_memory_that_it_began_with_reads_back(seeded, clock: Clock):
    read = seeded.get(5)
    draft = Draft(read, Edited.of(read), clock.now)
    assert Draft.from_json(draft.to_json()) == draft
    odd = read.model_copy(update={"memory_type": "goal", "status": "new"})
    again = Draft.from_json(Draft(odd, Edited.of(odd), clock.now).to_json())
    assert again is not None
    assert again.base == odd


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "null", '{"format": 2}', '{"format": 1, "base": 3}', "[" * 10_000]
)
def test_what_is_no_draft_is_left_alone(path: Path, seeded, text: str):
    file = path.parent / f"{path.name}-123.draft"
    file.write_text(text)
    assert left_behind(str(path)) == []
    assert file.read_text() == text


def test_a_draft_is_private_and_belongs_to_one_program_at_a_time(path: Path, seeded, clock: Clock):
    place = DraftFile(str(path))
    assert place.path is None
    place.write(Draft(None, Edited("a", (), "fact", "active"), clock.now))
    place.write(Draft(None, Edited("b", (), "fact", "active"), clock.now))
    assert drafts_of(path) == [place.path]
    assert stat.S_IMODE(place.path.stat().st_mode) == 0o600
    assert left_behind(str(path)) == [], "its program lives"
    place.release()
    ((found, draft),) = left_behind(str(path))
    assert draft.values.content == "b"
    assert left_behind(str(path)) == [], "it was found already"
    found.remove()
    found.write(draft)
    assert [file.name for file in path.parent.iterdir() if "draft" in file.name] == []


def test_where_the_database_is_no_place_to_write_the_state_folder_is(
    tmp_path: Path, clock: Clock, state_home: Path
):
    location = "postgresql://host/memories"
    place = DraftFile(location)
    place.write(Draft(None, Edited("a", (), "fact", "active"), clock.now))
    assert place.path.is_relative_to(state_home)
    assert stat.S_IMODE(place.path.parent.stat().st_mode) == 0o700
    place.release()
    assert left_behind("postgresql://host/other") == []
    assert len(left_behind(location)) == 1


def test_names_that_look_like_patterns_find_their_own_drafts(tmp_path: Path, clock: Clock):
    for name in ("a[1]*?.db", "a1x.db"):
        path = tmp_path / name
        MemoryService.open(path).close()
        place = DraftFile(str(path))
        place.write(Draft(None, Edited(name, (), "fact", "active"), clock.now))
        place.release()
    ((_, draft),) = left_behind(str(tmp_path / "a[1]*?.db"))
    assert draft.values.content == "a[1]*?.db"


# --- the form ------------------------------------------------------------------------------------


async def typed(session: Session, *keys: str, path: Path) -> EditScreen:
    """Type into the form that is opened, and wait until that is kept."""
    await session.until(lambda: isinstance(session.app.screen, EditScreen))
    form = session.app.screen
    await session.press(*keys)
    wanted = form.values.content
    await session.until(lambda: any(content_of(file) == wanted for file in drafts_of(path)))
    return form


def content_of(file: Path) -> str:
    return json.loads(file.read_text())["values"]["content"]


async def offered(session: Session) -> None:
    await session.until(lambda: isinstance(session.app.screen, DraftOffer))


async def test_what_is_typed_is_kept_and_gone_when_it_is_saved(seeded, start: Start, path: Path):
    async with start() as session:
        await session.press("e")
        await typed(session, *" more", path=path)
        await session.press("ctrl+s")
        await session.until(lambda: not drafts_of(path))
        assert memory(seeded, 6).content.endswith(" more")


async def test_it_is_gone_when_it_is_thrown_away_or_typed_back(seeded, start: Start, path: Path):
    async with start() as session:
        await session.press("e")
        await typed(session, *"xy", path=path)
        await session.press("backspace", "backspace")
        await session.until(lambda: not drafts_of(path))
        await typed(session, "z", path=path)
        await session.press("escape", "y")
        await session.until(lambda: not drafts_of(path))


async def test_a_draft_of_a_memory_is_restored_with_its_version(
    seeded, start: Start, path: Path, clock: Clock
):
    async with start() as session:
        await session.press("e")
        await typed(session, *" more", path=path)
    clock.tick(minutes=5)
    async with start() as session:
        await offered(session)
        shown = session.screen_text()
        assert "An unsaved text of memory #6" in shown
        assert "5 min ago" in shown
        assert "Falcon uses PostgreSQL 16. more" in shown
        await session.press("enter")
        await session.until(lambda: isinstance(session.app.screen, EditScreen))
        assert "Edit memory #6" in session.screen_text()
        await session.press("ctrl+s")
        await session.until(lambda: memory(seeded, 6).version == 2)
        assert memory(seeded, 6).content == "Falcon uses PostgreSQL 16. more"
        await session.until(lambda: not drafts_of(path))


async def test_a_draft_of_a_memory_that_changed_meanwhile_meets_a_conflict(
    seeded, start: Start, path: Path
):
    async with start() as session:
        await session.press("e")
        await typed(session, *" more", path=path)
    seeded.patch(6, MemoryPatch(tags=("theirs",)))
    async with start() as session:
        await offered(session)
        await session.press("y")
        await session.until(lambda: "Changed elsewhere: now version 2" in session.screen_text())
        await session.press("ctrl+s")
        await session.until(lambda: isinstance(session.app.screen, ConflictScreen))
        await session.press("s")
        await session.until(lambda: memory(seeded, 6).version == 3)
        assert memory(seeded, 6).tags == ("theirs",)
        assert memory(seeded, 6).content.endswith(" more")


async def test_a_draft_of_a_memory_that_is_gone_becomes_a_new_one(seeded, start: Start, path: Path):
    async with start() as session:
        await session.press("e")
        await typed(session, *" more", path=path)
    seeded.delete(6)
    async with start() as session:
        await offered(session)
        await session.press("y")
        await session.until(lambda: isinstance(session.app.screen, EditScreen))
        await session.press("ctrl+s")
        await session.until(lambda: "was deleted meanwhile" in session.screen_text())
        await session.press("ctrl+s")
        await session.until(lambda: len(session.app.screen_stack) == 1)
        assert memory(seeded, 7).content == "Falcon uses PostgreSQL 16. more"


async def test_several_are_offered_one_after_the_other(
    seeded, start: Start, path: Path, clock: Clock
):
    for number in range(3):
        place = DraftFile(str(path))
        values = Edited(f"draft {number}", (), "fact", "active")
        place.write(Draft(None, values, clock.now + timedelta(minutes=number)))
        place.release()
    async with start() as session:
        for number, key in ((2, "n"), (1, "d"), (0, "escape")):
            await session.until(lambda number=number: f"draft {number}" in session.screen_text())
            await session.press(key)
        await session.until(lambda: len(session.app.screen_stack) == 1)
    assert sorted(map(content_of, drafts_of(path))) == ["draft 0", "draft 2"]


async def test_a_read_only_session_offers_none(seeded, start: Start, path: Path, clock: Clock):
    place = DraftFile(str(path))
    place.write(Draft(None, Edited("a", (), "fact", "active"), clock.now))
    place.release()
    async with start(read_only=True) as session:
        await session.idle()
        assert len(session.app.screen_stack) == 1
    assert drafts_of(path)


async def test_a_draft_is_shown_safely_case_27(seeded, start: Start, path: Path, clock: Clock):
    place = DraftFile(str(path))
    nasty = "\x1b[2J[@click=app.quit]x[/]\u202e"
    place.write(Draft(None, Edited(nasty, (nasty,), "fact", "active"), clock.now))
    place.release()
    async with start(size=(80, 24)) as session:
        await offered(session)
        assert "[@click=app.quit]x[/]" in session.screen_text()
        assert "\x1b" not in session.screen_text()


async def test_no_place_for_a_draft_is_said_and_typing_goes_on(
    seeded, start: Start, monkeypatch: pytest.MonkeyPatch
):
    def full(self: DraftFile, draft: Draft) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(DraftFile, "write", full)
    async with start() as session:
        await session.press("e")
        await session.until(lambda: isinstance(session.app.screen, EditScreen))
        await session.press(*"xyz")
        await session.until(lambda: any("No space left" in toast for toast in session.toasts))
        await session.press(*" go", "ctrl+s")
        await session.until(lambda: memory(seeded, 6).version == 2)
        assert memory(seeded, 6).content.endswith("xyz go")


# --- a crash -------------------------------------------------------------------------------------


def test_typed_text_outlives_the_program_that_is_killed(tmp_path: Path):
    path = tmp_path / "memories.db"
    with MemoryService.open(path) as service:
        service.create(MemoryCreate(content="Before the crash."))
    command = [sys.executable, "-m", "memtui", "--db", str(path)]
    env = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path / "config")}
    first = Terminal(command, env)
    assert first.shows("Before the crash.")
    first.child.send("e")
    assert first.shows("Edit memory #1")
    first.child.send(" And typed.")
    assert first.shows("Before the crash. And typed.")
    while not (drafts_of(path) and "And typed." in content_of(drafts_of(path)[0])):
        assert first.child.isalive()
        first.shows("nothing that is there", seconds=0.1)
    first.child.kill(signal.SIGKILL)
    assert first.ends() == -signal.SIGKILL

    second = Terminal(command, env)
    assert second.shows("An unsaved text of memory #1", "Before the crash. And typed.")
    second.child.send("y")
    assert second.shows("Edit memory #1")
    second.child.send("\x13")
    assert second.shows("#1 saved")
    second.child.send("q")
    assert second.ends() == 0
    with MemoryService.open(path) as service:
        (stored,) = service.search(MemoryQuery(), touch=False).items
    assert stored.content == "Before the crash. And typed."
    assert not drafts_of(path)
