"""The command palette: every action by its name, and every filter.

The library's own highlighting reads its candidates as markup; here names, and above all tags, are
matched as safe text and shown as unparsed text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from textual.binding import ActiveBinding
from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.fuzzy import FuzzySearch

from memtui.tui.actions import ACTIONS, Action, key_label
from memtui.tui.cells import line_text
from memtui.tui.view import SORTS, STATUSES, TYPES, in_words

_NAME_WIDTH = 18
_MOST_TAGS = 500
"""Tags beyond these, the most frequent ones, are found in the sidebar instead."""


_BY_HELP = 0.01
"""How well what is found by the sentence about it scores: after all that is found by its name."""


class Palette(CommandPalette):
    """The library's palette; a key that comes before its list has a place does nothing."""

    def _action_command_list(self, action: str) -> None:
        # Without a place the list has no lines, and fails to find the one that is highlighted.
        if self.query_one(CommandList).scrollable_content_region:
            super()._action_command_list(action)


class Command(NamedTuple):
    """Something to choose: safe text, what it does, its key and a sentence about it."""

    name: str
    run: Callable[[], Any]
    key: str = ""
    help: str = ""

    def shown(self, matched: Sequence[int] = ()) -> Content:
        """Return one line: name, with the matched letters marked, key and sentence."""
        name = Content(self.name)
        for at in matched:
            name = name.stylize("bold underline", at, at + 1)
        room = _NAME_WIDTH if self.help else name.cell_length + 2
        name = name.pad_right(max(1, room - name.cell_length))
        return Content.assemble(name, (f"{self.key:<6}", "$accent"), (self.help, "$muted"))


class MemtuiCommands(Provider):
    """What can be done on the screen that the palette was opened from."""

    async def discover(self) -> Hits:
        """Offer every action before anything is typed."""
        for command in self._actions():
            yield DiscoveryHit(command.shown(), command.run, text=command.name)

    async def search(self, query: str) -> Hits:
        """Find actions, filters and tags by the letters of their names, or words about them."""
        matcher = FuzzySearch()
        for command in (*self._actions(), *self._filters()):
            score, offsets = matcher.match(query, command.name)
            if score > 0:
                yield Hit(score, command.shown(offsets), command.run, text=command.name)
            elif query.casefold() in command.help.casefold():
                yield Hit(_BY_HELP, command.shown(), command.run, text=command.name)

    def _actions(self) -> Iterator[Command]:
        """The actions whose keys work on the screen below, under the person's own keys."""
        bound: dict[str, tuple[str, ActiveBinding]] = {}
        for key, active in self.screen.active_bindings.items():
            if active.binding.id and active.enabled:
                bound.setdefault(active.binding.id, (key, active))
        for action in ACTIONS:
            if action.id in bound and _offered(action, modal=self.screen.is_modal):
                key, active = bound[action.id]
                run = partial(self.app.run_action, active.binding.action, active.node)
                yield Command(_capital(action.label), run, key_label(key), action.help)

    def _filters(self) -> Iterator[Command]:
        from memtui.tui.screens.browse_curate import Curating
        from memtui.tui.screens.browse_find import Finding

        screen = self.screen
        if not isinstance(screen, Finding):
            return
        choose = screen.change_filter
        for memory_type in TYPES:
            yield Command(f"Type: {memory_type}", partial(choose, "memory_type", memory_type))
        for status in STATUSES:
            yield Command(f"Status: {status}", partial(choose, "status", status))
        for sort, name in SORTS.items():
            yield Command(f"Sort: {name}", partial(choose, "sort", sort))
        if isinstance(screen, Curating):
            for view_name, view in screen.saved_views.items():
                name = f"View: {line_text(view_name)}"
                yield Command(
                    name, partial(screen.apply_view, view), help=line_text(in_words(view))
                )
        for known in screen.whole.tags[:_MOST_TAGS] if screen.whole else ():
            name = f"Tag: {line_text(known.tag)}"
            yield Command(name, partial(choose, "tag", known.tag), help=f"{known.count:,}")


def _offered(action: Action, *, modal: bool) -> bool:
    return action.palette or (modal and action.footer > 0)


def _capital(label: str) -> str:
    return label[:1].upper() + label[1:]
