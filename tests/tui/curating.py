"""What the tests of the curator's screens share."""

from __future__ import annotations

from typing import TypeVar

from memtui.models import MemoryQuery, MemoryStatus
from memtui.service import MemoryService
from memtui.tui.screens.modal import Modal
from memtui.tui.screens.workbench import ListAndPane
from tests.tui.conftest import Session

ScreenT = TypeVar("ScreenT", bound=Modal)


async def opened(session: Session, key: str, kind: type[ScreenT]) -> ScreenT:
    """Press a key of the table and return the screen that it opens."""
    await session.press(key)
    return await shown(session, kind)


async def shown(session: Session, kind: type[ScreenT]) -> ScreenT:
    await session.until(lambda: type(session.app.screen) is kind)
    screen = session.app.screen
    assert isinstance(screen, kind)
    return screen


async def back_at_table(session: Session) -> None:
    await session.until(lambda: len(session.app.screen_stack) == 1)
    await session.idle()


def rows(screen: ListAndPane) -> list[list[str]]:
    """The texts of all lines, headings included."""
    return [[cell.text for cell in line.cells] for line in screen.grid.lines]


def column(screen: ListAndPane, title: str) -> list[str]:
    at = [column.title for column in screen.grid.columns].index(title)
    return [line.cells[at].text for line in screen.grid.lines if line.key is not None]


def hints(screen: Modal) -> list[str]:
    """The labels in the key line."""
    line = screen.query_one("#key-line")
    return [hint.label for hint in (*line._hints, *line._always)]


def memories(service: MemoryService) -> dict[int, str]:
    """Each memory's text, deleted ones in brackets; a peek."""
    return {
        memory.id: f"[{memory.content}]" if memory.status == "deleted" else memory.content
        for status in (None, MemoryStatus.DELETED)
        for memory in service.search(MemoryQuery(status=status, limit=100), touch=False).items
    }


def accesses(service: MemoryService) -> list[object]:
    page = service.search(MemoryQuery(limit=100), touch=False)
    return [memory.last_accessed_at for memory in page.items]


SIZES = [(1, 1), (20, 5), (36, 8), (40, 12), (99, 10), (80, 24), (200, 60)]
EVERY_KEY = [
    *"jkgGJKcRuaheHdmrsnyxvtMUVS/", "escape", "enter", "escape", "space", "left", "right",
    "up", "down", "home", "end", "pageup", "pagedown", "backspace", "f5", "tab",
    "left_square_bracket", "right_square_bracket", "ctrl+r", "7", "3", "9", "1",
]  # fmt: skip


async def every_key_twice(session: Session, kind: type[Modal], reopen: str) -> None:
    """Press every key twice; whatever that opened is closed again."""
    for key in EVERY_KEY:
        if type(session.app.screen) is not kind:
            while len(session.app.screen_stack) > 1:
                session.app.pop_screen()
                await session.pilot.pause()
            await session.idle()
            await opened(session, reopen, kind)
        await session.press(key, key)
        await session.pilot.pause()
        assert session.app.is_running
