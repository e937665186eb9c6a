"""Tags as chips with a box to add more, completed from the tags that there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input

from memtui.errors import InvalidError, Problem
from memtui.models import MAX_TAG, MemoryPatch, TagCount
from memtui.tui.widgets.form_chips import ChipRow
from memtui.tui.widgets.form_suggestions import TagIndex, TagSuggestions
from memtui.tui.widgets.form_text import LineInput, PasteRefused

_PASTE_LIMIT = 10 * MAX_TAG


class TagInput(LineInput):
    """The box of a `TagsField`; keys with a meaning of their own go to the field first."""

    def on_key(self, event: events.Key) -> None:
        """Let the field have the key before the box does."""
        if isinstance(field := self.parent, TagsField) and field.take_key(event.key):
            event.stop()
            event.prevent_default()


class TagsField(Vertical):
    """A list of tags that can be typed into.

    Enter or a comma adds what was typed, or the suggestion that the arrows picked; Tab completes to
    the first suggestion. Enter in the empty box is told as `Done`, with `enter_is_done` every Enter
    that does not end in a refusal. In an empty box, Backspace takes the last tag off and the left
    and right arrows choose another one. With `only_known`, nothing but a known tag can be added.
    Every tag is checked by the contract's model; a refusal is posted as `Refused`.
    """

    DEFAULT_CSS = """
    TagsField { height: auto; }
    TagsField > TagInput { width: 1fr; }
    """

    @dataclass
    class Changed(Message):
        """The tags are now `tags`."""

        field: TagsField
        tags: tuple[str, ...]

        @property
        def control(self) -> TagsField:
            """The field that changed."""
            return self.field

    @dataclass
    class Refused(Message):
        """What was typed is no tag; an empty `reason` takes an earlier refusal back."""

        field: TagsField
        reason: str

        @property
        def control(self) -> TagsField:
            """The field that refused."""
            return self.field

    class Done(Message):
        """Enter was pressed in the empty box."""

    def __init__(
        self,
        tags: Sequence[str],
        known: Sequence[TagCount],
        *,
        only_known: bool = False,
        suggest_at_once: bool = False,
        enter_is_done: bool = False,
        placeholder: str = "add a tag",
        widget_id: str | None = None,
    ) -> None:
        super().__init__(id=widget_id)
        self._tags = tuple(tags)
        self._index = TagIndex(known)
        self._only_known = only_known
        self._suggest_at_once = suggest_at_once
        self._enter_is_done = enter_is_done
        self._chips = ChipRow(self._tags)
        self._input = TagInput(paste_limit=_PASTE_LIMIT, placeholder=placeholder)
        self._suggestions = TagSuggestions()

    def compose(self) -> ComposeResult:
        """Chips, the box, and the suggestions that hang under it."""
        yield self._chips
        yield self._input
        yield self._suggestions

    def on_mount(self) -> None:
        """Show what is suggested at once, if anything is."""
        self._suggest()

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags as they are now, without what is still being typed."""
        return self._tags

    @tags.setter
    def tags(self, tags: Sequence[str]) -> None:
        self._set(tuple(tags))

    @property
    def typed(self) -> str:
        """What is in the box and no tag yet."""
        return self._input.value

    def focus_input(self) -> None:
        """Give the box the focus."""
        self._input.focus()

    def commit(self) -> bool:
        """Turn what is still being typed into a tag. False when it is none; it stays typed then."""
        if not self._input.value.strip():
            return True
        before = self._tags
        self._take_typed()
        return self._tags != before

    # --- keys ------------------------------------------------------------------------------

    def take_key(self, key: str) -> bool:
        """Do what a key means to a list of tags; False leaves it to the box."""
        if key in ("down", "up"):
            return self._suggestions.move(1 if key == "down" else -1)
        if key in ("enter", "comma"):
            return self._finish(submit=key == "enter")
        if key == "tab":
            if not self._input.value.strip():
                return False
            self._complete()
            return True
        if key == "escape":
            return self._put_away()
        if self._input.value:
            return False
        return self._take_chip_key(key)

    def _take_chip_key(self, key: str) -> bool:
        if key in ("left", "right"):
            self._chips.move(1 if key == "right" else -1)
            return True
        if key in ("backspace", "delete"):
            if self._tags:
                self._remove(self._chips.picked_or_last)
            return True
        return False

    def _finish(self, *, submit: bool) -> bool:
        picked = self._suggestions.picked
        nothing_typed = picked is None and not self._input.value.strip()
        if nothing_typed:
            taken = True
        elif picked is not None:
            taken = self._add(picked)
        else:
            taken = self._take_typed()
        if submit and taken and (nothing_typed or self._enter_is_done):
            self.post_message(self.Done())
        return True

    def _take_typed(self) -> bool:
        return self._complete() if self._only_known else self._add(self._input.value)

    def _complete(self) -> bool:
        """Add the first suggestion, or what was typed; whether there is such a tag."""
        first = self._suggestions.picked or self._suggestions.first
        if first is None and self._only_known:
            self.post_message(self.Refused(self, "no tag here is called so"))
            return False
        return self._add(first if first is not None else self._input.value)

    def _put_away(self) -> bool:
        if self._suggest_at_once or not self._suggestions.matches:
            return False
        self._suggestions.show(())
        return True

    # --- changes ---------------------------------------------------------------------------

    def _add(self, text: str) -> bool:
        try:
            tags = MemoryPatch.parse({"tags": [*self._tags, text]}).tags
        except InvalidError as error:
            # Only the new one is new here: an odd tag that was stored by someone else stays.
            reason = _reason(error, len(self._tags))
            if reason is not None:
                self.post_message(self.Refused(self, reason))
                return False
            tags = (*self._tags, *MemoryPatch.parse({"tags": [text]}).tags)
        self._input.value = ""
        self._set(tags)
        return True

    def _remove(self, at: int) -> None:
        self._set((*self._tags[:at], *self._tags[at + 1 :]))

    def _set(self, tags: tuple[str, ...]) -> None:
        changed = tags != self._tags
        self._tags = tags
        self._chips.show(tags)
        self._suggest()
        if changed:
            self.post_message(self.Changed(self, tags))

    def _suggest(self) -> None:
        typed = self._input.value.strip()
        wanted = self._suggest_at_once or bool(typed)
        self._suggestions.show(self._index.matches(typed, self._tags) if wanted else ())

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._chips.move_off()
        self._suggest()
        self.post_message(self.Refused(self, ""))

    @on(TagSuggestions.Clicked)
    def _suggestion_clicked(self, event: TagSuggestions.Clicked) -> None:
        event.stop()
        self._add(event.tag)
        self.focus_input()

    @on(ChipRow.Clicked)
    def _chip_clicked(self, event: ChipRow.Clicked) -> None:
        event.stop()
        self._remove(event.at)
        self.focus_input()

    @on(PasteRefused)
    def _paste_refused(self, event: PasteRefused) -> None:
        event.stop()
        self.post_message(
            self.Refused(self, f"{event.length:,} characters are too long: a tag has {MAX_TAG}")
        )

    def on_descendant_blur(self) -> None:
        """Put the suggestions away when the box is left."""
        if not self._suggest_at_once:
            self._suggestions.show(())


def _reason(error: InvalidError, new_at: int) -> str | None:
    """Why the tag at `new_at`, or the number of tags, was refused; None when neither was."""
    for problem in error.problems:
        if problem.loc[:2] == ("tags", new_at) or problem.loc == ("tags",):
            return _in_words(problem)
    return None


def _in_words(problem: Problem) -> str:
    if problem.kind == "string_too_long":
        return f"too long: a tag has at most {MAX_TAG} characters"
    return problem.message
