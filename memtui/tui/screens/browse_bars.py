"""What is said around the table: status, place, notice and the keys that work."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.tui import cells
from memtui.tui.actions import Action, Place, Scope, at, key_label, keys_of
from memtui.tui.screens.browse_base import BrowseBase
from memtui.tui.screens.opening import OPENING
from memtui.tui.screens.status import reading_parts, session_parts
from memtui.tui.view import SORTS, View, page_count
from memtui.tui.widgets.bars import Hint, Part

_PLACES = {
    "search": Place.SEARCH,
    "tag-search": Place.SEARCH,
    "filters": Place.FILTERS,
    "tags": Place.TAGS,
    "detail": Place.DETAIL,
}
_HERE = frozenset({Scope.APP, Scope.BROWSE, Scope.LIST, Scope.DETAIL, Scope.SEARCH})
_CHANGES = frozenset(
    {"new", "edit", "add_tags", "remove_tags", "toggle_invalid", "delete", "restore", "undo"}
)
_OF_MARKED = frozenset({"add_tags", "remove_tags", "toggle_invalid", "delete"})
_ANYTIME = frozenset({"help", "palette", "quit"})
_ALWAYS = frozenset({"help", "palette"})


class Bars(BrowseBase):
    """The bars and the notice; they say what is, and offer what can be done."""

    def place(self) -> Place:
        """Return where the focus is."""
        focused = self.focused
        return _PLACES.get((focused.id or "") if focused else "", Place.TABLE)

    def show_all(self) -> None:
        """Draw the bars and, where there is nothing to list, the notice."""
        self._show_status()
        self._show_pager()
        self._show_notice()
        self._show_keys()

    def _show_status(self) -> None:
        whole = self.whole
        counts = {str(status): n for status, n in whole.statuses.items()} if whole else None
        self.status.show(
            session_parts(self.location, counts),
            reading_parts(
                peek=self.peek, read_only=self.read_only, typing=self._settling is not None
            ),
        )

    def _show_pager(self) -> None:
        view = self._shown_view
        page = self.page
        if page is None or view is None:
            self.pager.show([Part(" ")])
        else:
            place = _place_words(view, page.total, len(page.items), self.table.cursor)
            self.pager.show(place, self.pager_right())
        self.summary.show(self._summary())

    def pager_right(self) -> list[Part]:
        """Return what is said at the right end of the line above the table."""
        return []

    def _summary(self) -> list[Part]:
        """Return the filters in force as one line, for when the sidebar is folded."""
        view = self.view
        parts = [f"{view.status}"] if view.status else []
        if view.memory_type:
            parts.append(view.memory_type)
        if view.tag:
            parts.append(f"tag {cells.line_text(view.tag)}")
        if not parts:
            return [Part(" in all memories" if view.q else " all memories", "muted")]
        return [Part(" only ", "muted", 2), Part(" · ".join(parts), "accent")]

    def _show_notice(self) -> None:
        self.notice.display = self.page is None or not self.page.items
        blank = self.page is None
        self.set_class(blank, "-blank")
        if self.page is not None and self.page.items:
            return
        if self.problem is not None and self.page is None:
            keys = [(self.key("refresh"), "try again"), (self.key("quit"), "quit")]
            self.notice.show(self.problem.message, self.problem.hint, keys, bad=True)
        elif self.page is None:
            self.notice.show(OPENING, cells.line_text(self.location))
        elif self.view.filtered:
            self._show_nothing_found()
        else:
            self.notice.show(
                "Nothing is remembered yet",
                "What your agents record appears here by itself.",
                [
                    (self.key("new"), "write the first memory"),
                    (self.key("import_file"), "import some"),
                    (self.key("help"), "help"),
                ],
            )

    def _show_nothing_found(self) -> None:
        if self.place() is Place.SEARCH:
            keys = [(self.key("back"), "leave the search")]
        else:
            clear = (self.key("clear_filters"), "clear all filters")
            keys = [clear, (self.key("search"), "search")]
        view = self.view
        if view.status == "deleted" and not view.changed(status=None).filtered:
            self.notice.show("Nothing is deleted", "", keys[:1])
            return
        words = f"No memory holds “{view.q}”" if view.q else "No memory is like that"
        hints = []
        if view.q and (view.status or view.memory_type or view.tag):
            hints.append("under these filters")
        if " " in view.q.strip():
            hints.append("the words are looked for side by side, as they stand")
        self.notice.show(words, "; ".join(hints), keys)

    # --- keys -------------------------------------------------------------------------------------

    def _show_keys(self) -> None:
        place = self.place()
        offered = list(self._offered(place))
        self.keys.show(
            [self._hint(action) for action in offered if action.id not in _ALWAYS],
            [self._hint(action) for action in offered if action.id in _ALWAYS],
        )

    def _hint(self, action: Action) -> Hint:
        keys = keys_of(action, self.options.keys)
        label = action.label
        memory = self.current()
        if action.id == "toggle_invalid" and memory is not None and memory.status == "invalid":
            label = "make active"
        drawing = self.marks.anchor is not None
        if action.id == "open_detail" and drawing:
            label = "end range"
        if action.id == "back" and self.marks and self.place() is Place.TABLE:
            label = "no range" if drawing else "unmark"
        return Hint(key_label(keys[0]), label, action.id)

    def _offered(self, place: Place) -> Iterator[Action]:
        """Yield the actions whose keys do something now, the most useful first."""
        for action in at(place):
            if action.footer and action.scope in _HERE and self._makes_sense(action.id, place):
                yield action

    def _makes_sense(self, action_id: str, place: Place) -> bool:
        memory = self.current()
        deleted = memory is not None and memory.status == "deleted"
        if self.page is None:
            return action_id in _ANYTIME
        if action_id in _CHANGES and self.read_only:
            return False
        if self.marks and action_id in _OF_MARKED:
            return True
        if action_id in {"edit", "add_tags", "toggle_invalid", "delete"}:
            return memory is not None and not deleted
        if action_id == "remove_tags":
            return memory is not None and not deleted and bool(memory.tags)
        checks = {
            "restore": deleted,
            "open_detail": memory is not None,
            "mark": memory is not None,
            "copy": memory is not None,
            "history": memory is not None,
            "next_page": self.page is not None and self.view.page < page_count(self.page.total),
            "previous_page": self.view.page > 1,
            "clear_filters": self.view.filtered,
            "back": place is not Place.TABLE
            or bool(self.marks)
            or self.view.filtered
            or self._wishes.zoom is not None,
        }
        return checks.get(action_id, True)


def _place_words(view: View, total: int, count: int, cursor: int) -> list[Part]:
    """Say where the cursor is: `38 of 1,248 · page 2 of 4 · newest change first`."""
    pages = page_count(total)
    if not count:
        return [Part(" no memories", "muted")]
    parts = [Part(f" {view.offset + cursor + 1:,} of {total:,}", "strong")]
    if pages > 1:
        parts.append(Part(f" · page {view.page:,} of {pages:,}", "muted", 1))
    parts.append(Part(f" · {SORTS[view.sort]}", "muted", 2))
    return parts
