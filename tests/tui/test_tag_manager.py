"""The tag manager: tags across the store, renamed, merged, removed, and taken back."""

from __future__ import annotations

import pytest

from memtui.models import MemoryCreate, MemoryQuery
from memtui.service import MemoryService
from memtui.tui.screens.pick import PickDialog
from memtui.tui.screens.preview import PreviewDialog
from memtui.tui.screens.prompt import PromptDialog
from memtui.tui.screens.tag_manager import TagManagerScreen
from tests.clock import Clock
from tests.tui.conftest import Session, Start
from tests.tui.curating import (
    SIZES,
    accesses,
    back_at_table,
    column,
    every_key_twice,
    hints,
    opened,
    rows,
    shown,
)
from tests.tui.test_text_on_screen import NASTY, assert_harmless


@pytest.fixture
def tagged(service: MemoryService, clock: Clock) -> MemoryService:
    """Memories whose tags overlap; `pytest` was used last, `ci` is the most frequent."""
    for tags in [("ci", "py-test"), ("ci",), ("ci", "rust"), ("rust",), ("PyTest", "pytest")]:
        service.create(MemoryCreate(content=f"about {' '.join(tags)}", tags=tags))
        clock.tick(days=1)
    service.create(MemoryCreate(content="more on pytest", tags=("pytest", "zeta")))
    clock.tick(days=1)
    return service


def tags_of(service: MemoryService) -> list[tuple[str, ...]]:
    return [memory.tags for memory in service.search(MemoryQuery(limit=100), touch=False).items]


async def open_tags(session: Session) -> TagManagerScreen:
    screen = await opened(session, "M", TagManagerScreen)
    await session.until(lambda: screen.loaded)
    return screen


async def go_to(session: Session, screen: TagManagerScreen, tag: str) -> None:
    screen.grid.go_to(("tag", tag))
    await session.pilot.pause()
    assert screen.tag is not None
    assert screen.tag.tag == tag


async def previewed(session: Session) -> PreviewDialog:
    dialog = await shown(session, PreviewDialog)
    await session.until(lambda: dialog.preview is not None)
    return dialog


async def test_tags_with_counts_and_last_use_and_proposals_apart(tagged, start: Start):
    async with start(peek=True) as session:
        screen = await open_tags(session)
        assert rows(screen) == [
            ["Seem to mean the same"],
            ["PyTest, py-test → pytest", "2", ""],
            [""],
            ["Tags"],
            ["ci", "3", "4 d"],
            ["pytest", "2", "1 d"],
            ["rust", "2", "3 d"],
            ["PyTest", "1", "2 d"],
            ["py-test", "1", "6 d"],
            ["zeta", "1", "1 d"],
        ]
        assert "6 in use" in screen.title_bar.text


async def test_standard_tags_are_marked_apart_from_free_ones(tagged, start: Start):
    async with start(standard_tags=("ci", "decision")) as session:
        screen = await open_tags(session)
        assert [row for row in rows(screen)[2:6] if len(row) == 1] == [[""], ["Standard"]]
        assert rows(screen)[4][:2] == ["ci", "3"]
        assert rows(screen)[5][:2] == ["decision", "0"]
        assert ["Free"] in rows(screen)
        stars = [line.cells[0].text for line in screen.grid.lines if line.sign.text == "★"]
        assert stars == ["ci", "decision"]
        await session.press("j")
        assert "a standard tag" in screen.pane.shown
        await session.press("j", "r", "d", "enter", "space")
        assert session.app.screen is screen


async def test_a_proposal_is_accepted_like_any_merge_and_one_key_takes_it_back(
    tagged, start: Start
):
    before = tags_of(tagged)
    async with start() as session:
        screen = await open_tags(session)
        await session.until(lambda: "2 memories would change" in screen.pane.shown)
        await session.press("a")
        await session.until(lambda: isinstance(session.app.screen, PreviewDialog))
        await session.until(lambda: "2 memories will change" in session.screen_text())
        assert tags_of(tagged) == before
        await session.press("y")
        await session.until(lambda: "Seem to mean the same" not in rows(screen)[0])
        assert tags_of(tagged)[0] == ("ci", "pytest")
        assert tags_of(tagged)[4] == ("pytest",)
        assert any("2 memories changed" in text for text in session.toasts)
        await session.press("u")
        await session.until(lambda: tags_of(tagged) == before)
        await session.until(lambda: rows(screen)[0] == ["Seem to mean the same"])


async def test_rename_with_a_preview_of_numbers_and_samples(tagged, start: Start):
    async with start() as session:
        screen = await open_tags(session)
        await go_to(session, screen, "ci")
        await session.press("r")
        prompt = await shown(session, PromptDialog)
        assert prompt._box.value == "ci"
        await session.press("ctrl+u", *"builds", "enter")
        dialog = await previewed(session)
        text = session.screen_text()
        assert "Rename the tag ci to builds" in text
        assert "3 memories will change" in text
        assert "+builds  py-test  −ci" in text
        assert tagged.batches()[0].label != "rename tag ci to builds"
        await session.press("y")
        await session.until(lambda: session.app.screen is not dialog)
        await session.until(lambda: "builds" in column(screen, "Tag"))
        assert tags_of(tagged)[0] == ("builds", "py-test")
        assert screen.tag is not None
        assert screen.tag.tag == "builds"


async def test_a_name_that_is_none_is_refused_by_the_contract_s_words(tagged, start: Start):
    async with start() as session:
        screen = await open_tags(session)
        await go_to(session, screen, "ci")
        await session.press("r")
        prompt = await shown(session, PromptDialog)
        prompt._box.value = "x" * 65
        await session.press("enter")
        await session.until(lambda: "64" in session.screen_text())
        prompt._box.value = "  "
        await session.press("enter")
        await session.pilot.pause()
        assert session.app.screen is prompt
        await session.press("escape")
        await shown(session, TagManagerScreen)


async def test_renaming_to_another_tag_says_that_it_merges(tagged, start: Start):
    async with start() as session:
        screen = await open_tags(session)
        await go_to(session, screen, "zeta")
        await session.press("r")
        await shown(session, PromptDialog)
        await session.press("ctrl+u", *"rust", "enter")
        await previewed(session)
        assert "Merge the tag zeta into rust" in session.screen_text()
        await session.press("n")
        await shown(session, TagManagerScreen)
        assert tagged.batches()[0].label.startswith("create")


async def test_several_are_merged_into_one_as_one_step(tagged, start: Start):
    before = tags_of(tagged)
    async with start() as session:
        screen = await open_tags(session)
        assert "merge" not in hints(screen)
        for tag in ("ci", "rust", "zeta"):
            await go_to(session, screen, tag)
            await session.press("space")
        assert "3 marked" in screen.title_bar.text
        await session.press("m")
        dialog = await shown(session, PickDialog)
        labels = [line.cells[1].text for line in dialog._grid.lines]
        assert labels == ["ci", "rust", "zeta", "another name …"]
        await session.press("2")
        await previewed(session)
        await session.press("enter")
        await shown(session, TagManagerScreen)
        await session.until(lambda: "ci" not in column(screen, "Tag"))
        assert tags_of(tagged)[2:4] == [("rust",), ("rust",)]
        assert "marked" not in screen.title_bar.text
        await session.press("u")
        await session.until(lambda: tags_of(tagged) == before)


async def test_merging_under_another_name(tagged, start: Start):
    async with start() as session:
        screen = await open_tags(session)
        for tag in ("ci", "zeta"):
            await go_to(session, screen, tag)
            await session.press("space")
        await session.press("m")
        await shown(session, PickDialog)
        await session.press("3")
        await shown(session, PromptDialog)
        await session.press(*"new", "enter")
        await previewed(session)
        await session.press("y")
        await session.until(lambda: tags_of(tagged)[0] == ("new", "py-test"))


async def test_a_tag_is_removed_everywhere_and_comes_back_in_one_key(tagged, start: Start):
    before = tags_of(tagged)
    async with start() as session:
        screen = await open_tags(session)
        await go_to(session, screen, "ci")
        await session.press("d")
        await previewed(session)
        assert "Remove the tag ci from every memory" in session.screen_text()
        await session.press("y")
        await session.until(lambda: tags_of(tagged)[1] == ())
        await shown(session, TagManagerScreen)
        await session.press("u")
        await session.until(lambda: tags_of(tagged) == before)


async def test_undo_takes_only_changes_made_here_back(tagged, start: Start):
    tagged.as_actor("tui").create(MemoryCreate(content="mine", tags=("mine",)))
    async with start() as session:
        screen = await open_tags(session)
        await session.press("u", "u")
        assert "undo" not in hints(screen)
    assert tagged.batches()[0].label.startswith("create")


async def test_it_covers_the_table_also_after_a_dialog_was_open(tagged, start: Start):
    async with start(size=(80, 24)) as session:
        screen = await open_tags(session)
        before = session.screen_text().split("\n")[0]
        assert "marking reads" not in before
        await go_to(session, screen, "ci")
        await session.press("r")
        await shown(session, PromptDialog)
        await session.press("escape")
        await shown(session, TagManagerScreen)
        await session.pilot.pause()
        assert session.screen_text().split("\n")[0] == before
        assert screen.styles.background.a == 1


async def test_marks_that_the_filter_hides_are_counted(tagged, start: Start):
    async with start() as session:
        screen = await open_tags(session)
        await go_to(session, screen, "ci")
        await session.press("space", "slash", *"UST")
        assert column(screen, "Tag") == ["rust"]
        assert "1 marked (1 hidden)" in screen.title_bar.text
        assert hints(screen) == ["to the results", "close"]
        await session.press("enter", "d")
        await previewed(session)
        assert "Remove the tag ci from" in session.screen_text()


async def test_letters_typed_into_the_filter_are_text_and_escape_steps_back_case_33(tagged, start):
    async with start() as session:
        screen = await open_tags(session)
        await session.press("slash", *"drmaq")
        assert screen.box.value == "drmaq"
        assert "No tag holds “drmaq”" in session.screen_text()
        await session.press("escape")
        assert screen.grid.has_focus
        await session.press("escape")
        assert screen.box.value == ""
        assert len(column(screen, "Tag")) == 7
        await session.press("escape")
        await back_at_table(session)
    assert tagged.batches()[0].label.startswith("create")


async def test_sorting(tagged, start: Start):
    async with start(peek=True) as session:
        screen = await open_tags(session)
        await session.press("s")
        assert column(screen, "Tag")[1:] == ["ci", "py-test", "PyTest", "pytest", "rust", "zeta"]
        assert "by name" in screen.title_bar.text
        await session.press("s")
        assert column(screen, "Tag")[1:3] == ["pytest", "zeta"]
        assert column(screen, "Tag")[-1] == "py-test"


async def test_enter_shows_the_memories_with_the_tag(tagged, start: Start):
    async with start() as session:
        screen = await open_tags(session)
        await go_to(session, screen, "rust")
        await session.until(lambda: "about ci rust" in screen.pane.shown)
        await session.press("enter")
        await back_at_table(session)
        await session.until(lambda: session.ids == [4, 3])
        assert session.browse.view.tag == "rust"


async def test_a_long_change_can_be_stopped_and_then_nothing_was_written(service, start: Start):
    service.create_many([MemoryCreate(content=str(n), tags=("many",)) for n in range(3_000)])
    async with start() as session:
        await open_tags(session)
        await session.press("d")
        dialog = await previewed(session)
        dialog.action_confirm()
        dialog.action_cancel()
        await shown(session, TagManagerScreen)
        await session.pilot.pause()
    assert service.search(MemoryQuery(tag="many"), touch=False).total == 3_000


async def test_what_was_changed_meanwhile_is_told(tagged, start: Start):
    async with start() as session:
        screen = await open_tags(session)
        await go_to(session, screen, "zeta")
        await session.press("d")
        dialog = await previewed(session)
        tagged.remove_tags(["zeta"])
        await session.press("y")
        await session.until(lambda: "No memory has the tag zeta" in session.screen_text())
        await session.press("escape")
        await session.until(lambda: session.app.screen is not dialog)


async def test_looking_marks_nothing(tagged, start: Start):
    async with start(peek=True) as session:
        screen = await open_tags(session)
        await session.press("j", "j", "j")
        await session.until(lambda: "#" in screen.pane.shown)
    assert set(accesses(tagged)) == {None}


async def test_a_session_that_may_not_write_only_looks(tagged, start: Start):
    async with start(read_only=True) as session:
        screen = await open_tags(session)
        await session.press("a", "j", "r", "d", "u")
        assert session.app.screen is screen
        assert not {"accept", "rename", "remove", "undo"} & set(hints(screen))


async def test_no_tags_says_so(start: Start):
    async with start(size=(80, 24)) as session:
        await open_tags(session)
        assert "No memory has a tag yet" in session.screen_text()
        await every_key_twice(session, TagManagerScreen, "M")


async def test_every_key_twice_case_32(tagged, start: Start):
    async with start(size=(40, 12)) as session:
        await open_tags(session)
        await every_key_twice(session, TagManagerScreen, "M")


async def test_at_every_size_case_34(tagged, start: Start):
    async with start() as session:
        screen = await open_tags(session)
        for size in SIZES:
            await session.pilot.resize_terminal(*size)
            await session.press("j", "J", "k")
        assert session.app.screen is screen


async def test_untrusted_text_does_nothing_case_27(service, start: Start):
    for text in NASTY:
        tag = text[:60].strip() or "x"
        service.create(MemoryCreate(content=text, tags=(tag, tag.upper()[:60])))
    async with start(size=(100, 30)) as session:
        screen = await open_tags(session)
        for _line in screen.grid.lines:
            assert_harmless(session)
            await session.press("j")
        await session.press("space", "k", "space", "m")
        await shown(session, PickDialog)
        assert_harmless(session)
        await session.press("1")
        await previewed(session)
        assert_harmless(session)
        await session.press("escape")
        await shown(session, TagManagerScreen)
        for key in ("r", "d"):
            await session.press(key)
            await session.pilot.pause()
            assert_harmless(session)
            await session.press("escape")
            await shown(session, TagManagerScreen)
