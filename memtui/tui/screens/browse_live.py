"""What others do, as it happens: rows that just changed, who it was, the forms it concerns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import monotonic
from typing import TYPE_CHECKING

from memtui.tui import cells, messages
from memtui.tui.outcomes import counted
from memtui.tui.screens.browse_panes import Panes
from memtui.tui.widgets.bars import Part

if TYPE_CHECKING:
    from memtui.models import Revision
    from memtui.tui.screens.edit import EditScreen

LINGERS = 6.0
"""Seconds for which a change by someone else is shown as new."""
_SIGNS = {"create": "+", "restore": "+"}
_DEEDS = {"create": "added", "patch": "changed", "delete": "deleted", "restore": "restored"}


class Live(Panes):
    """Tells what came into the journal from others."""

    _news: tuple[tuple[float, Revision], ...] = ()

    def on_store_changed(self, message: messages.StoreChanged) -> None:
        """Mark what changed, and tell the forms that have it open."""
        if not message.news:
            return
        until = monotonic() + LINGERS
        fresh = tuple((until, revision) for revision in message.news)
        self._news = (*fresh, *self._news)
        self.set_timer(LINGERS + 0.05, self._forget_news)
        self._show_news()
        for form in self._forms_open():
            self._tell_form(form, message.news)

    def _forget_news(self) -> None:
        now = monotonic()
        self._news = tuple(one for one in self._news if one[0] > now)
        self._show_news()

    def _show_news(self) -> None:
        newest_last = [revision for _, revision in reversed(self._news)]
        self.table.show_news(
            {one.memory_id: _SIGNS.get(one.action.value, "~") for one in newest_last}
        )
        self.show_all()

    def pager_right(self) -> list[Part]:
        """Say who just changed what."""
        parts = super().pager_right()
        if self._news:
            said = news_in_words([revision for _, revision in self._news])
            parts.append(Part(f" {cells.line_text(said)} ", "good", 1))
        return parts

    # --- forms ---------------------------------------------------------------------------------

    def _forms_open(self) -> Iterator[EditScreen]:
        from memtui.tui.screens.edit import EditScreen

        for screen in self.app.screen_stack:
            if isinstance(screen, EditScreen):
                yield screen

    def _tell_form(self, form: EditScreen, news: Sequence[Revision]) -> None:
        if form.base is None:
            return
        for revision in news:  # the newest one of the memory says how it is now
            if revision.memory_id == form.base.id:
                form.changed_elsewhere(revision)
                return
        if len(news) >= messages.MOST_NEWS:  # there may be more of them than are told
            self.gateway.memory(self, form.base.id)

    def on_memory_loaded(self, message: messages.MemoryLoaded) -> None:
        """Tell the forms how a memory is now."""
        for form in self._forms_open():
            if form.base is not None and form.base.id == message.memory.id:
                form.newer_elsewhere(message.memory)


def news_in_words(news: Sequence[Revision]) -> str:
    """Return who changed what, newest first, as untrusted text: `mcp:claude changed #12`."""
    actors = list(dict.fromkeys(revision.actor for revision in news))
    ids = list(dict.fromkeys(revision.memory_id for revision in news))
    who = actors[0] if len(actors) == 1 else f"{actors[0]} and {counted(len(actors) - 1, *_OTHERS)}"
    deeds = {revision.action.value for revision in news}
    deed = _DEEDS[deeds.pop()] if len(deeds) == 1 else "changed"
    what = f"#{ids[0]}" if len(ids) == 1 else counted(len(ids))
    return f"{who} {deed} {what}{' or more' if len(news) >= messages.MOST_NEWS else ''}"


_OTHERS = ("other", "others")
