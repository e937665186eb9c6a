"""The disk fills, the file is damaged, goes or is replaced under a running UI with unsaved text.

Each time: a message in words, the text still in the form, the app alive, the file as it was; and
when all is well again the same key saves it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from memtui.models import MemoryCreate, MemoryQuery
from memtui.service import MemoryService
from memtui.tui.screens.edit import EditScreen
from tests.faults.places import full, small_disk
from tests.tui.conftest import Session, Start


@contextmanager
def removed(path: Path) -> Iterator[None]:
    kept = path.with_name("kept.db")
    path.rename(kept)
    yield
    assert not path.exists(), "nothing was made in its place"
    kept.rename(path)


@contextmanager
def replaced(path: Path) -> Iterator[None]:
    kept, other = path.with_name("kept.db"), path.with_name("other.db")
    MemoryService.open(other).close()
    before = other.read_bytes()
    path.rename(kept)
    other.rename(path)
    yield
    assert path.read_bytes() == before, "another's file is left alone"
    kept.rename(path)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    blocker = sqlite3.connect(path, isolation_level=None)
    blocker.execute("begin immediate")
    yield
    blocker.execute("rollback")
    blocker.close()


@contextmanager
def damaged(path: Path) -> Iterator[None]:
    """A page of the memories is overwritten; the pages read so far are forgotten."""
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        [(root,)] = raw.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'revision'")
        raw.execute("PRAGMA user_version = 6")  # others read their pages anew
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw.close()
    with path.open("r+b") as file:
        file.seek((root - 1) * 4096)
        page = file.read(4096)
        file.seek((root - 1) * 4096)
        file.write(b"\xa5" * 4096)
    yield
    with path.open("r+b") as file:
        file.seek((root - 1) * 4096)
        file.write(page)


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "removed": (removed, "removed or replaced"),
    "replaced": (replaced, "removed or replaced"),
    "locked": (locked, "lock"),
    "damaged": (damaged, "damaged"),
}


async def typed(session: Session, text: str) -> EditScreen:
    await session.press("e")
    await session.until(lambda: isinstance(session.app.screen, EditScreen))
    await session.press("ctrl+end", *text)
    screen = session.app.screen
    assert isinstance(screen, EditScreen)
    return screen


def said(session: Session, words: str) -> bool:
    return words in " ".join([*session.toasts, session.screen_text()]).lower()


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_save_that_fails_says_why_and_keeps_the_text(
    seeded, start: Start, path: Path, fault: str, monkeypatch
):
    monkeypatch.setattr("memtui.store.engine.LOCK_WAIT", 0.3)
    breaking, words = FAULTS[fault]
    async with start(peek=True) as session:
        form = await typed(session, "kept")
        with breaking(path):  # type: ignore[attr-defined]
            await session.press("ctrl+s")
            await session.until(lambda: said(session, words))
            assert session.app.screen is form
            assert "kept" in form.query_one("TextArea").text
            assert session.app.is_running
        await session.press("ctrl+s")
        await session.until(lambda: session.app.screen is not form)
    with MemoryService.open(path) as service:
        found = service.search(MemoryQuery(q="kept"), touch=False)
        assert found.total == 1
        assert service.check() == ()


async def test_a_full_disk_keeps_the_text_and_the_screen(start: Start, tmp_path: Path):
    with small_disk(tmp_path / "disk") as disk:
        with MemoryService.open(disk / "m.db") as service:
            service.create(MemoryCreate(content="Written before."))
        async with start(db=str(disk / "m.db"), peek=True) as session:
            form = await typed(session, "kept")
            with full(disk):
                await session.press("ctrl+s")
                await session.until(lambda: said(session, "disk is full"))
                assert session.app.screen is form
                assert "kept" in form.query_one("TextArea").text
            await session.press("ctrl+s")
            await session.until(lambda: session.app.screen is not form)
        with MemoryService.open(disk / "m.db") as service:
            assert service.get(1).content.endswith("kept")
            assert service.check() == ()


async def test_looking_on_after_the_file_is_gone_says_so_and_ends_nothing(
    seeded, start: Start, path: Path
):
    async with start() as session:
        stack = ExitStack()
        stack.enter_context(removed(path))
        await session.press("f5", "s", "j", "slash", *"falcon", "enter", "x", "d", "h", "escape")
        await session.until(lambda: said(session, "removed or replaced"))
        assert session.app.is_running
        stack.close()
        await session.press("escape", "escape", "f5")
        await session.until(lambda: session.browse.page is not None and session.browse.idle)
    assert path.stat().st_mode & 0o077 == 0
