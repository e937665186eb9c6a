"""Untrusted text: nothing is interpreted, nothing moves a column, nothing vanishes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from unicodedata import category

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.models import MemoryCreate, MemoryStatus
from memtui.tui import cells
from memtui.tui.widgets.columns import GUTTER, share
from memtui.tui.widgets.excerpt import excerpt, find_folded
from tests.tui.conftest import Session, Start

ROOT = Path(__file__).parents[2]
NASTY = [
    "[red]red[/red] [/] [@click=app.quit]quit[/] [link=https://x.test]l[/link] $text [[x]] \\[y]",
    "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b2J \x08\x08 \r over",
    "\u202eright to left\u202c \u200bzero\u200d width\ufeff \u2066isolate\u2069",
    "日本語の記憶は全角で幅が二つ分になるので列がずれやすい、とても長い文章です。",
    "emoji ❤️ 👍🏽 🇩🇪 👨‍👩‍👧 ™️ ⚠️ 🫠 ☺️ and text after them, long enough to be cut somewhere",
    "e\u0301a\u0308o\u0302 combining \u0301 alone, Z\u0351\u036b\u0343a\u0363l\u0349g\u0321o\u0353",
    "\u0301starts with a combining mark",
    "שלום עולם مرحبا بالعالم right to left scripts without any mark",
    "lines\nand\ttabs\r\nand\x0bmore\u2028separators\u2029here",
    "\U000e0041\U000e0042 tag characters \ufe0f\ufe0f selectors \U000e0100",
    "한국어 ｆｕｌｌｗｉｄｔｈ ﾊﾝｶｸ ｱ",
    "x" * 300,
    "ｗ" * 300,
]  # fmt: skip


def sample_lines(name: str) -> list[dict[str, object]]:
    folder = Path(os.environ.get("MEMTUI_SAMPLE_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("the sample data is not here")
    found = []
    for line in (folder / "nasty" / name).read_bytes().split(b"\n"):
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return [entry for entry in found if isinstance(entry, dict) and entry.get("content")]


def visible(text: str) -> bool:
    """Whether every character of `text` can be seen, or is a space."""
    return all(char.isprintable() or category(char) == "Zs" for char in text)


def terminal(session: Session) -> pyte.Screen:
    """What a terminal that measures character by character makes of the screen."""
    width, height = session.app.size
    screen = pyte.Screen(width, height)
    stream = pyte.Stream(screen)
    strips = session.app.screen._compositor.render_strips()
    stream.feed("\r\n".join(strip.render(session.app.console) for strip in strips))
    return screen


def assert_harmless(session: Session) -> None:
    for strip in session.app.screen._compositor.render_strips():
        for segment in strip:
            assert visible(segment.text), ascii(segment.text)
            style = segment.style
            assert style is None or (style.link is None and "@click" not in (style.meta or {}))


@pytest.mark.parametrize("width", [40, 80, 200])
async def test_columns_stay_where_they_are_case_28(service, start: Start, width):
    service.create_many(
        [MemoryCreate(content=text, tags=(text[:60].strip() or "x",)) for text in NASTY]
    )
    service.create(MemoryCreate(content="plain", tags=("plain",)))
    async with start(size=(width, 40)) as session:
        assert_harmless(session)
        screen = terminal(session)
        region = session.browse.table.region
        for y in range(region.y, region.y + len(NASTY) + 1):
            row = screen.buffer[y]
            end = region.right - 1
            assert "".join(row[x].data for x in range(end - 4, end)).endswith("now"), y
            assert row[end - 4].data == " "
            assert row[region.x + GUTTER - 1].data == " "
            if width >= 80:
                columns = session.browse.table._columns
                tags = (
                    region.x
                    + GUTTER
                    + sum(
                        part + 2 for part in (columns.memory_id, columns.memory_type, columns.text)
                    )
                )
                if columns.tags:
                    assert row[tags - 1].data == row[tags - 2].data == " "
                    assert row[tags].data != " "


@pytest.mark.parametrize("name", ["markup.jsonl", "wide.jsonl", "nul_and_esc.jsonl"])
async def test_the_sample_files_show_harmlessly_everywhere_case_27(service, start: Start, name):
    for entry in sample_lines(name):
        content = str(entry["content"]).replace("\0", "") or "x"
        tags = [str(tag).replace("\0", "") for tag in entry.get("tags", ()) or ()]
        if any(0xD800 <= ord(char) < 0xE000 for text in (content, *tags) for char in text):
            continue
        service.create(MemoryCreate(content=content, tags=tuple(t for t in tags if t.strip())))
    async with start() as session:
        for _memory in session.ids:
            assert_harmless(session)
            assert not session.toasts
            await session.press("j")
        await session.press("2")
        for row in session.browse.tags.facets:
            await session.press("enter")
            await session.idle()
            assert session.browse.view.tag == row.value
            assert_harmless(session)
            await session.press("enter", "j")
            await session.idle()


async def test_markup_is_shown_as_typed_in_every_place(service, start: Start):
    tag = "[@click=app.quit]t[/]"
    service.create(MemoryCreate(content=NASTY[0], tags=(tag,)))
    async with start(size=(200, 50)) as session:
        text = session.screen_text()
        assert text.count("[@click=app") == 5  # in both texts, both tags, the filter
        assert text.count("[red]red[/red] [/]") == 2
        await session.press("2", "enter")
        await session.idle()
        await session.press("f")
        assert f"tag {tag}" in session.screen_text()
        await session.press("slash", *"[/]")
        await session.idle()
        await session.press("z")
        await session.idle()
        assert "No memory holds “[/]z”" in session.screen_text()
        await session.press("escape", "backspace")
        await session.idle()
        for key in ("e", "escape", "t", "escape", "T", "escape", "question_mark", "escape"):
            await session.press(key)
            await session.pilot.pause()
            assert_harmless(session)
        await session.press("x")
        await session.until(lambda: session.toasts)
        assert_harmless(session)


async def test_control_characters_are_seen_as_pictures(service, start: Start):
    service.create(MemoryCreate(content=NASTY[1]))
    async with start() as session:
        assert "␛[31mred␛[0m" in session.screen_text()


async def test_a_row_with_values_from_another_program_is_shown_case_19(
    service, start: Start, path: Path
):
    import sqlite3

    service.create(MemoryCreate(content="odd"))
    with sqlite3.connect(path) as connection:
        connection.execute("update memory set memory_type = 'goal', status = 'paused'")
    connection.close()
    async with start() as session:
        await session.press("enter", "e", "escape", "y", "u", "o", "m")
        await session.idle()
        assert session.app.is_running


@given(st.text(max_size=80), st.integers(0, 60))
def test_a_cell_has_exactly_its_width(text, width):
    shown = cells.fit(cells.line_text(text), width)
    assert cells.width_of(shown) == width
    assert visible(shown)


@given(st.text(max_size=60))
def test_a_line_is_one_printable_line(text):
    assert visible(cells.line_text(text))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("❤️", "❤"),
        ("👍🏽", "👍"),
        ("🏽", "‹1F3FD›"),
        ("a\ufe0f", "a‹FE0F›"),
        ("❤️\ufe0f", "❤‹FE0F›"),
        ("🇩🇪", "🄳🄴"),
        ("1️⃣", "1\u20e3"),
        ("\u0301x", "◌\u0301x"),
        ("日\U000e0100", "日"),
        ("plain", "plain"),
    ],
)
def test_sequences_that_terminals_disagree_about(text, shown):
    assert cells.steady(text) == shown


def test_wide_characters_are_never_halved():
    assert cells.fit("日本語", 4) == "日 …"
    assert cells.fit("日本語", 5) == "日本…"
    assert cells.fit("日本語", 6) == "日本語"
    assert cells.fit_right("2 h", 5) == "  2 h"


@pytest.mark.parametrize(
    ("text", "needle", "found"),
    [
        ("Die Straße", "STRASSE", "Straße"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος", "ΣΊΣΥΦΟΣ"),
        ("Cafe\u0301 au lait", "CAFÉ", "Cafe\u0301"),
        ("plain text", "TEXT", "text"),
        ("plain text", "none", None),
    ],
)
def test_what_was_searched_for_is_found_in_the_row(text, needle, found):
    at = find_folded(text, needle)
    assert (text[at[0] : at[1]] if at else None) == found


@given(st.text(max_size=60), st.text(max_size=6), st.integers(0, 40))
def test_an_excerpt_has_its_width_and_a_range_inside(text, needle, width):
    shown, begin, end = excerpt(text, needle, width)
    assert cells.width_of(shown) == width
    assert 0 <= begin <= end <= len(shown)


def test_a_match_far_into_the_text_is_brought_into_sight():
    shown, begin, end = excerpt("word " * 40 + "needle in it", "NEEDLE", 30)
    assert shown[begin:end] == "needle"


@given(st.integers(0, 250), st.integers(1, 12))
def test_columns_fill_the_table_and_no_more(width, digits):
    columns = share(width, digits)
    parts = (columns.memory_id, columns.memory_type, columns.tags, columns.time)
    assert 3 + columns.text + sum(part + 2 for part in parts if part) + 1 <= max(width, 4)


def test_status_words_and_signs_stand_beside_the_colour():
    assert {str(status) for status in MemoryStatus} == {"active", "invalid", "deleted"}
