"""What goes wrong is said with what to do, and never ends the app."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from threading import Event

import pytest

from memtui.models import MemoryCreate, MemoryQuery
from memtui.service import MemoryService
from memtui.tui import clipboard, messages
from memtui.tui.actions import ACTIONS, Scope
from memtui.tui.lanes import Lane
from memtui.tui.screens.confirm import ConfirmDialog
from tests.tui.conftest import Start


def folder(path: Path) -> None:
    path.mkdir()


def text_file(path: Path) -> None:
    path.write_text("These are notes, not a database. " * 50)


def newer(path: Path) -> None:
    MemoryService.open(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("pragma user_version = 9999")
    connection.close()


def damaged(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 4096)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (folder, "folder"),
        (text_file, "not a memtui database"),
        (newer, "newer"),
        (damaged, "not a memtui database"),
    ],
)
async def test_what_cannot_be_opened_is_said_and_can_be_tried_again(
    start: Start, tmp_path: Path, make, said
):
    target = tmp_path / "other.db"
    make(target)
    async with start(wait=False, db=str(target)) as session:
        await session.until(lambda: session.browse.problem)
        text = session.screen_text()
        assert said in text.lower()
        assert "f5 try again" in text
        await session.press("j", "e", "d", "slash", "escape", "enter", "s", "right_square_bracket")
        assert session.app.is_running
        if target.is_dir():
            target.rmdir()
        else:
            target.unlink()
        await session.press("f5")
        await session.idle()
        assert "Nothing is remembered yet" in session.screen_text()


async def test_the_frame_is_there_before_the_database(seeded, start: Start):
    may_open = Event()
    async with start(wait=False, hold=may_open) as session:
        await session.until(lambda: "Opening the memories" in session.screen_text())
        await session.press("j", "slash", "n", "d", "escape")
        assert session.browse.page is None
        may_open.set()
        await session.idle()
        assert session.ids == [6, 5, 4, 3, 2, 1]


async def test_an_older_answer_never_replaces_a_newer_one_case_37(seeded, start: Start):
    async with start() as session:
        browse = session.browse
        service = session.app.gateway._service
        search = service.search
        slow = Event()

        def held(query: MemoryQuery, *, touch: bool = True):
            page = search(query, touch=touch)
            if query.q == "falcon":
                slow.wait(10)
            return page

        service.search = held
        await session.press("slash", *"falcon")
        await session.until(lambda: browse.view.q == "falcon")
        await session.press("escape", "1")
        session.browse.search.value = "Albany"
        slow.set()
        await session.until(lambda: session.ids == [3])
        stale = messages.PageLoaded(
            1, browse.view.changed(q="falcon"), search(MemoryQuery(q="falcon")), touched=False
        )
        browse.post_message(stale)
        await session.idle()
        assert session.ids == [3]


async def test_an_exception_in_a_worker_is_said_and_ends_nothing_case_38(seeded, start: Start):
    async with start() as session:
        service = session.app.gateway._service
        bulk = service.bulk

        def broken(*_args, **_options):
            raise RuntimeError("the [bold]moon[/bold] is full")

        service.bulk = broken
        await session.press("x")
        await session.until(lambda: session.toasts)
        assert "the [bold]moon[/bold] is full" in session.toasts[0]
        assert "Try again" in session.toasts[0]
        service.bulk = bulk
        await session.press("x")
        await session.until(lambda: session.browse.table.current.status == "invalid")


async def test_a_failed_page_is_said_and_the_next_one_works(seeded, start: Start):
    async with start() as session:
        service = session.app.gateway._service
        search = service.search

        def broken(*_args, **_options):
            raise OSError("disk on fire")

        service.search = broken
        await session.press("s")
        await session.until(lambda: any("disk on fire" in toast for toast in session.toasts))
        assert session.ids == [6, 5, 4, 3, 2, 1]
        service.search = search
        await session.press("f5")
        await session.idle()
        assert session.browse.page is not None


async def test_a_locked_database_leaves_the_keys_alive_case_36(seeded, start: Start, path: Path):
    async with start(peek=True) as session:
        blocker = sqlite3.connect(path, isolation_level=None)
        blocker.execute("begin immediate")
        await session.press("x")
        for expected in (5, 4, 3):
            await session.press("j")
            assert session.current_id == expected
        await session.press("slash", *"alb", "enter")
        await session.until(lambda: session.ids == [3])
        await session.until(lambda: any("lock" in toast.lower() for toast in session.toasts))
        blocker.execute("rollback")
        blocker.close()
        await session.press("x")
        await session.until(lambda: session.browse.table.current.status == "invalid")


async def test_every_key_on_an_empty_store_case_32(start: Start):
    async with start() as session:
        assert "Nothing is remembered yet" in session.screen_text()
        await press_everything(session)


async def test_every_key_on_an_empty_result_case_32(seeded, start: Start):
    async with start(size=(80, 24)) as session:
        await session.press("slash", *"nothing like it", "enter")
        await session.idle()
        await press_everything(session)


async def test_every_key_on_one_row_case_32(service, start: Start):
    service.create(MemoryCreate(content="alone"))
    async with start() as session:
        await press_everything(session)


async def press_everything(session) -> None:
    mine = {Scope.BROWSE, Scope.LIST, Scope.DETAIL}
    keys = [action.keys[0] for action in ACTIONS if action.scope in mine]
    for key in dict.fromkeys(keys):
        await session.burst(key, key)
        await close_dialogs(session)
    await session.idle()
    assert session.app.is_running


@pytest.mark.parametrize("key", ["n", "e", "t", "T", "r", "colon", "ctrl+p"])
async def test_a_dialog_key_twice_opens_one_dialog_case_32(seeded, start: Start, key):
    async with start() as session:
        await session.press(key, key)
        await session.until(lambda: len(session.app.screen_stack) >= 2)
        await session.pilot.pause()
        assert len(session.app.screen_stack) == 2
        await close_dialogs(session)


async def close_dialogs(session) -> None:
    """Step back out of whatever is open, agreeing to lose what was typed."""
    for _ in range(6):
        if len(session.app.screen_stack) == 1:
            return
        await session.press("y" if isinstance(session.app.screen, ConfirmDialog) else "escape")
        await session.pilot.pause()
    await session.until(lambda: len(session.app.screen_stack) == 1)


@pytest.mark.parametrize(
    ("environment", "remote", "terminal"),
    [
        ({"TERM": "xterm-256color"}, False, True),
        ({"TERM": "dumb"}, False, False),
        ({}, False, False),
        ({"TERM": "xterm", "SSH_TTY": "/dev/pts/1"}, True, True),
    ],
)
def test_ways_to_the_clipboard_case_35(environment, remote, terminal):
    assert clipboard.is_remote(environment) is remote
    assert clipboard.can_ask_terminal(environment) is terminal


async def test_copy_says_what_happened_case_35(seeded, start: Start, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_TTY", "SSH_CONNECTION", "SSH_CLIENT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("TERM", "xterm")
    async with start() as session:
        await session.press("y")
        await session.until(lambda: session.toasts)
        assert "terminal's clipboard" in session.toasts[0]
        assert session.app.clipboard == "Falcon uses PostgreSQL 16."
        monkeypatch.setenv("TERM", "dumb")
        await session.press("y")
        await session.until(lambda: any("Nothing copied" in toast for toast in session.toasts))


def test_a_lane_of_reads_drops_the_question_that_a_newer_one_replaces():
    done: list[str] = []
    lane = Lane("page", newest_only=True)

    def first() -> None:
        done.append("first")
        assert not lane.put(lambda: done.append("second"))
        assert not lane.put(lambda: done.append("third"))

    assert lane.put(first)
    lane.drain()
    assert done == ["first", "third"]
    assert lane.put(lambda: None)


def test_a_lane_of_writes_runs_them_all_in_order():
    done: list[int] = []
    lane = Lane("write", newest_only=False)
    starts = [lane.put(lambda n=n: done.append(n)) for n in range(3)]
    assert starts == [True, False, False]
    lane.drain()
    assert done == [0, 1, 2]
