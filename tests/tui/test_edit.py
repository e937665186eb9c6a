"""The edit form: what it shows, what it saves, and that nothing typed is lost."""

from __future__ import annotations

from typing import cast

import pytest
from textual import events
from textual.widgets import Static

from memtui.errors import LockedError
from memtui.models import MemoryCreate, MemoryPatch, MemoryQuery, RevisionQuery, TagCount
from memtui.service import MemoryService
from memtui.tui.screens.confirm import ConfirmDialog
from memtui.tui.screens.edit import EditScreen
from memtui.tui.screens.help import HelpScreen
from memtui.tui.widgets.form_choice import ChoiceField
from memtui.tui.widgets.form_tags import TagInput, TagsField
from memtui.tui.widgets.form_text import ContentArea
from tests.tui.conftest import Session, Start
from tests.tui.test_text_on_screen import NASTY, assert_harmless


def peek(service: MemoryService, memory_id: int):
    return service.get(memory_id, touch=False)


def form(session: Session) -> EditScreen:
    return cast(EditScreen, session.app.screen)


async def open_form(session: Session, key: str = "e") -> EditScreen:
    await session.press(key)
    await session.until(lambda: isinstance(session.app.screen, EditScreen))
    return form(session)


async def closed(session: Session) -> None:
    await session.until(lambda: len(session.app.screen_stack) == 1)
    await session.idle()


def says(screen: EditScreen, part: str) -> str:
    return str(screen.query_one(f"#{part}", Static).content)


# --- opening and saving ------------------------------------------------------------------------


ODD = ["one\r\ntwo\n\rthree\r\n", "a\x1b[31mb\u2028c\x85\td\x0be\n", *NASTY]


async def test_saving_unchanged_writes_nothing_case_29(service, start: Start):
    for text in ODD:
        service.create(MemoryCreate(content=text, tags=(text[:60].strip() or "x",)))
    async with start() as session:
        for _text in ODD:
            await open_form(session)
            await session.press("ctrl+s")
            await closed(session)
            await session.press("j")
    assert service.batches(actor="tui") == ()


async def test_changing_one_word_changes_only_that_word_case_29(service, start: Start):
    memory = service.create(MemoryCreate(content="old\r\n\x1b[31mtext\u2028\r\n", tags=("keep ",)))
    async with start() as session:
        screen = await open_form(session)
        screen.query_one(ContentArea).move_cursor((0, 3))
        await session.press("ctrl+w", *"new", "ctrl+s")
        await closed(session)
    now = peek(service, memory.id)
    assert (now.content, now.tags, now.version) == ("new\r\n\x1b[31mtext\u2028\r\n", ("keep",), 2)


async def test_every_field_by_keys_alone(seeded, start: Start):
    async with start() as session:
        await open_form(session)
        await session.press(*" Or 17.", "tab", *"pro", "tab", *"new one", "enter", "tab")
        await session.press("e", "tab", "i", "ctrl+s")
        await closed(session)
    now = peek(seeded, 6)
    assert now.content == "Falcon uses PostgreSQL 16. Or 17."
    assert now.tags == ("falcon", "database", "profile", "new one")
    assert (now.memory_type, now.status, now.version) == ("event", "invalid", 2)


async def test_a_new_memory(service, start: Start):
    async with start() as session:
        screen = await open_form(session, "n")
        assert "a new fact, active" in says(screen, "form-changes")
        await session.press(*"Written by hand", "ctrl+s")
        await closed(session)
        assert session.current_id == 1
    assert service.history(RevisionQuery(memory_id=1)).items[0].actor == "tui"


async def test_a_tag_still_being_typed_is_saved_too(seeded, start: Start):
    async with start() as session:
        await open_form(session)
        await session.press("tab", *"halfway", "ctrl+s")
        await closed(session)
    assert peek(seeded, 6).tags[-1] == "halfway"


async def test_saving_twice_quickly_saves_once(seeded, start: Start):
    async with start() as session:
        await open_form(session)
        await session.press("x", "ctrl+s", "ctrl+s", "ctrl+s")
        await closed(session)
    assert peek(seeded, 6).version == 2


# --- what the form says ------------------------------------------------------------------------


async def test_it_says_what_will_change(seeded, start: Start):
    async with start() as session:
        screen = await open_form(session)
        assert says(screen, "form-changes") == "nothing changed"
        await session.press("!", "tab", "backspace", *"new,", "tab", "e")
        await session.until(
            lambda: says(screen, "form-changes") == "text edited · +new · −database · fact → event"
        )
        await session.press("f", "shift+tab", "shift+tab", "backspace")
        await session.until(lambda: says(screen, "form-changes") == "+new · −database")


async def test_the_length_counts_up_to_the_limit_and_past_it(seeded, start: Start):
    async with start() as session:
        screen = await open_form(session)
        area = screen.query_one(ContentArea)
        area.load_text("x" * 7_999)
        area.move_cursor(area.document.end)
        await session.press("y")
        await session.until(lambda: says(screen, "form-length") == "8,000/8,000")
        await session.press("z", "ctrl+s")
        await session.until(lambda: says(screen, "form-length") == "8,001/8,000")
        assert says(screen, "form-content-problem") == "too long by 1 character"
        assert session.app.screen is screen
        await session.press("backspace", "ctrl+s")
        await closed(session)
    assert len(peek(seeded, 6).content) == 8_000


async def test_an_empty_memory_is_refused_in_words_only_once_it_was_to_be_saved(start: Start):
    async with start() as session:
        screen = await open_form(session, "n")
        assert says(screen, "form-content-problem") == ""
        await session.press("ctrl+s")
        assert says(screen, "form-content-problem") == "write something first"
        await session.press("space")
        await session.until(lambda: "white space" in says(screen, "form-content-problem"))


async def test_a_megabyte_pasted_is_refused_with_a_clear_reason_case_30(seeded, start: Start):
    async with start() as session:
        screen = await open_form(session)
        screen.query_one(ContentArea).post_message(events.Paste("x" * 1_048_576))
        await session.until(lambda: "too long" in says(screen, "form-content-problem"))
        assert "1,048,576" in says(screen, "form-content-problem")
        assert screen.values.content == peek(seeded, 6).content


@pytest.mark.parametrize(("typed", "reason"), [("x" * 65, "64"), ("\x00", "NUL")])
async def test_what_is_no_tag_is_refused_by_the_contract_s_words(seeded, start, typed, reason):
    async with start() as session:
        screen = await open_form(session)
        screen.query_one(TagInput).focus()
        screen.query_one(TagInput).value = typed
        await session.press("enter")
        await session.until(lambda: reason in says(screen, "form-tags-problem"))
        assert screen.values.tags == ("falcon", "database")
        await session.press("ctrl+s")
        assert session.app.screen is screen
        await session.press("ctrl+u")
        await session.until(lambda: says(screen, "form-tags-problem") == "")


async def test_the_twenty_first_tag_is_refused(service, start: Start):
    service.create(MemoryCreate(content="x", tags=tuple(f"tag {n}" for n in range(20))))
    async with start() as session:
        screen = await open_form(session)
        await session.press("tab", *"more", "enter")
        await session.until(lambda: "20 tags" in says(screen, "form-tags-problem"))
        assert screen.query_one(TagInput).value == "more"


# --- tags --------------------------------------------------------------------------------------


async def test_tags_are_completed_from_those_that_exist(seeded, start: Start):
    async with start() as session:
        screen = await open_form(session, "n")
        field = screen.query_one(TagsField)
        await session.press("tab", *"F", "tab")
        assert field.tags == ("falcon",)
        await session.press(*"sty", "comma", *"dat", "down", "enter")
        assert field.tags == ("falcon", "sty", "database")
        await session.press(*"ca", "down", "down", "up", "enter")
        assert field.tags[-1] == "café"
        assert screen.query_one(TagInput).has_focus


async def test_tags_are_picked_and_taken_off_with_arrows_and_backspace(service, start: Start):
    service.create(MemoryCreate(content="x", tags=("a", "b", "c", "d")))
    async with start() as session:
        screen = await open_form(session)
        field = screen.query_one(TagsField)
        await session.press("tab", "left", "left", "backspace")
        assert field.tags == ("a", "b", "d")
        await session.press("left", "left", "left", "left", "delete")
        assert field.tags == ("b", "d")
        await session.press("left", "right", "backspace", "backspace", "backspace", "backspace")
        assert field.tags == ()


async def test_escape_puts_the_suggestions_away_before_it_closes_case_33(seeded, start: Start):
    async with start() as session:
        screen = await open_form(session, "n")
        await session.press("tab", "f")
        await session.press("escape")
        assert session.app.screen is screen
        await session.press("escape")
        await session.until(lambda: isinstance(session.app.screen, ConfirmDialog))


async def test_a_click_takes_a_tag_off_and_chooses_a_type(seeded, start: Start):
    async with start() as session:
        screen = await open_form(session)
        assert await session.pilot.click("ChipRow", offset=(2, 0))
        await session.until(lambda: screen.values.tags == ("database",))
        assert await session.pilot.click("#form-memory_type", offset=(2, 0))
        await session.until(lambda: screen.values.memory_type == "preference")


async def test_a_type_of_another_program_is_kept(seeded, start: Start):
    async with start() as session:
        memory = peek(seeded, 6).model_copy(update={"memory_type": "goal[red]"})
        screen = EditScreen(memory, ())
        session.app.push_screen(screen)
        await session.until(lambda: session.app.screen is screen)
        assert "goal[red]" in session.screen_text()
        assert says(screen, "form-changes") == "nothing changed"
        screen.query_one("#form-memory_type", ChoiceField).focus()
        await session.press("f", "left", "left")
        assert screen.values.memory_type == "goal[red]"


# --- leaving -----------------------------------------------------------------------------------


async def test_an_unchanged_form_closes_at_once(seeded, start: Start):
    async with start() as session:
        await open_form(session)
        await session.press("escape")
        assert len(session.app.screen_stack) == 1


async def test_unsaved_text_asks_first_case_33(seeded, start: Start):
    async with start() as session:
        screen = await open_form(session)
        await session.press("x", "escape")
        assert isinstance(session.app.screen, ConfirmDialog)
        await session.press("enter")
        assert session.app.screen is screen
        assert screen.values.content.endswith("x")
        await session.press("escape", "y")
        await closed(session)
    assert peek(seeded, 6).version == 1


async def test_letters_are_text_and_never_actions_case_33(seeded, start: Start):
    async with start() as session:
        screen = await open_form(session, "n")
        await session.press(*"qdxnu?:/[]")
        assert screen.values.content == "qdxnu?:/[]"
        await session.press("tab", *"qd?")
        assert screen.query_one(TagInput).value == "qd?"


async def test_help_of_the_form(seeded, start: Start):
    async with start() as session:
        screen = await open_form(session)
        await session.press("f1")
        assert isinstance(session.app.screen, HelpScreen)
        assert "Save the memory" in session.screen_text()
        await session.press("f1")
        assert session.app.screen is screen


# --- failure -----------------------------------------------------------------------------------


async def test_a_failure_is_shown_and_keeps_the_text(seeded, start: Start):
    async with start() as session:
        screen = await open_form(session)
        await session.press(*"typed")
        screen.failed(LockedError("The database is [locked]", "Try again."))
        await session.until(
            lambda: "The database is [locked]\nTry again." in says(screen, "form-notice")
        )
        assert screen.values.content.endswith("typed")
        await session.press("ctrl+s")
        await closed(session)
    assert peek(seeded, 6).content.endswith("typed")


async def test_a_memory_deleted_meanwhile_can_be_kept_as_a_new_one(seeded, start: Start):
    async with start() as session:
        screen = await open_form(session)
        await session.press(*"typed")
        seeded.delete(6)
        await session.press("ctrl+s")
        await session.until(lambda: "was deleted meanwhile" in says(screen, "form-notice"))
        await session.press("ctrl+s")
        await closed(session)
    found = seeded.search(MemoryQuery(q="typed"), touch=False).items
    assert [memory.id for memory in found] == [7]


async def test_a_change_elsewhere_is_said_at_once(seeded, start: Start):
    async with start() as session:
        screen = await open_form(session)
        screen.newer_elsewhere(seeded.patch(6, MemoryPatch(content="other")))
        await session.until(lambda: "now version 2" in says(screen, "form-notice"))


async def test_answers_after_the_form_was_closed_do_no_harm(seeded, start: Start):
    async with start() as session:
        screen = await open_form(session)
        await session.press("x", "escape")
        screen.saved()
        screen.saved()
        await closed(session)


# --- text and sizes ----------------------------------------------------------------------------


async def test_untrusted_text_does_nothing_in_the_form_case_27(start: Start, seeded):
    async with start(size=(80, 24)) as session:
        for text in NASTY:
            memory = peek(seeded, 6).model_copy(update={"content": text, "tags": (text, "x")})
            screen = EditScreen(memory, [TagCount(text, 3)])
            session.app.push_screen(screen)
            await session.until(lambda screen=screen: session.app.screen is screen)
            assert_harmless(session)
            await session.press("tab", "backspace", text[0] if text[0].isalpha() else "e")
            await session.pilot.pause()
            assert_harmless(session)
            assert screen.values.content == text
            screen.finish()
            await closed(session)


async def test_every_size_keeps_the_text_case_34(seeded, start: Start):
    sizes = [(1, 1), (2, 3), (20, 8), (40, 12), (200, 60), (7, 50), (120, 5)]
    async with start(size=(80, 24)) as session:
        screen = await open_form(session)
        await session.press(*"kept", "tab", "f", "a")
        for size in sizes:
            await session.pilot.resize_terminal(*size)
            await session.press("down")
        await session.press("escape", "escape")
        for size in sizes:
            await session.pilot.resize_terminal(*size)
        await session.press("n")
        assert screen.values.content.endswith("kept")


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_all_fields_are_on_the_screen(seeded, start: Start, size):
    async with start(size=size) as session:
        screen = await open_form(session)
        for widget in (
            *screen.query("ContentArea, TagInput, ChoiceField, KeyLine"),
            screen.query_one("#form-changes"),
            screen.query_one("#form-length"),
        ):
            assert widget.region.height > 0
            assert screen.region.contains_region(widget.region), widget
