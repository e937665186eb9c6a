"""The filters of the sidebar: status, type, sort and views in one list, the tags in another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual.message import Message

from memtui.text import fold
from memtui.tui import cells
from memtui.tui.view import SORTS, STATUSES, TYPES, View
from memtui.tui.widgets.rows import Rows

_STATUS_SIGNS = {"active": "●", "invalid": "○", "deleted": "◌"}
_CHOSEN = "▸"
_SAVED = "saved view"


@dataclass(frozen=True, slots=True)
class Facet:
    """One row: choosing it sets `field` of the view to `value`, or clears it when it is `chosen`.

    A row without a field is a heading. `count` is how many memories there are, None if unknown.
    """

    label: str
    field: str = ""
    value: str = ""
    sign: str = " "
    count: int | None = None
    chosen: bool = False
    ink: str = "text"


class FacetList(Rows):
    """Rows of facets with counts; choosing one is told as `Picked`."""

    class Picked(Message):
        """The person chose a facet: filter or sort by it, or stop doing so."""

        def __init__(self, facet: Facet) -> None:
            super().__init__()
            self.facet = facet

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(widget_id=widget_id)
        self._facets: tuple[Facet, ...] = ()

    @property
    def facets(self) -> tuple[Facet, ...]:
        """The rows, headings included."""
        return self._facets

    def show_facets(self, facets: Sequence[Facet]) -> None:
        """Show these rows; the cursor stays on its facet if it is still there."""
        if facets == self._facets:
            return
        current = self._facets[self.cursor] if self.cursor < len(self._facets) else None
        at = next(
            (
                index
                for index, facet in enumerate(facets)
                if current and (facet.field, facet.value) == (current.field, current.value)
            ),
            self.cursor,
        )
        self._facets = tuple(facets)
        self.set_rows(len(facets), at, keep_line=True)

    def selectable(self, index: int) -> bool:
        """Whether row `index` is a facet; headings are not."""
        return 0 <= index < len(self._facets) and bool(self._facets[index].field)

    def chosen_by_click(self) -> bool:
        """One click filters."""
        return True

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Tell which facet was chosen."""
        event.stop()
        if self.selectable(event.index):
            self.post_message(self.Picked(self._facets[event.index]))

    def cursor_ink(self) -> Style:
        """The cursor shows only where the keys go."""
        return self.ink("cursor") if self.has_focus else Style()

    def draw_row(self, index: int, width: int) -> list[Segment]:
        """Draw a facet: sign, label, count."""
        facet = self._facets[index]
        if not facet.field:
            return [
                Segment(
                    cells.fit(" " + facet.label, width),
                    self.ink("key" if self.has_focus else "heading"),
                )
            ]
        count = "" if facet.count is None else f"{facet.count:,}"
        room = max(0, width - 5 - len(count))
        label = cells.fit(cells.line_text(facet.label), room)
        style = self.ink("key" if facet.chosen else facet.ink)
        bar = "▌" if index == self.cursor and self.has_focus else " "
        sign = _CHOSEN if facet.chosen else facet.sign
        sign_style = self.ink("key" if facet.chosen else "muted")
        return [
            Segment(bar, self.ink("accent")),
            Segment(cells.fit(f"{sign} ", min(2, width - 1)), sign_style),
            Segment(label, style),
            Segment(cells.fit(f" {count} ", width - 3 - room), self.ink("muted")),
        ]


class FilterList(FacetList):
    """Status, type, sort and saved views."""

    class ViewPicked(Message):
        """The person chose a saved view, or the one in force again (`chosen`)."""

        def __init__(self, name: str, chosen: bool) -> None:
            super().__init__()
            self.name = name
            self.chosen = chosen

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(widget_id=widget_id)
        self._dense = False
        self._all: list[Facet] = []
        self._view = View()
        self._views: dict[str, View] = {}

    def show_dense(self, dense: bool) -> None:
        """Leave the empty lines out, or put them back."""
        if dense != self._dense:
            self._dense = dense
            self._refill()

    def show_views(self, views: Mapping[str, View]) -> None:
        """Show these saved views below the other filters."""
        if views != self._views:
            self._views = dict(views)
            self._refill()

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Tell which view was chosen; other rows are told as facets."""
        facet = self.facets[event.index] if self.selectable(event.index) else None
        if facet is not None and facet.field == _SAVED:
            event.prevent_default()
            event.stop()
            self.post_message(self.ViewPicked(facet.value, facet.chosen))

    def show(
        self, view: View, statuses: dict[str, int] | None, types: dict[str, int] | None
    ) -> None:
        """Show what is chosen in `view`, with counts where they are known."""
        rows = [Facet("Status")]
        rows += [
            Facet(
                name, "status", name, _STATUS_SIGNS[name],
                statuses.get(name, 0) if statuses is not None else None, view.status == name,
            )
            for name in STATUSES
        ]  # fmt: skip
        rows += [Facet(""), Facet("Type")]
        rows += [
            Facet(
                name, "memory_type", name, " ",
                types.get(name, 0) if types is not None else None, view.memory_type == name,
                name,
            )
            for name in TYPES
        ]  # fmt: skip
        rows += [Facet(""), Facet("Sort")]
        rows += [Facet(text, "sort", key, chosen=view.sort == key) for key, text in SORTS.items()]
        self._all = rows
        self._view = view
        self._refill()

    def _refill(self) -> None:
        rows = [*self._all]
        if self._views:
            shown = self._view.at_page(1)
            rows += [Facet(""), Facet("Views")]
            rows += [
                Facet(name, _SAVED, name, chosen=view == shown)
                for name, view in self._views.items()
            ]
        kept = [row for row in rows if row.label or not self._dense]
        self.styles.height = len(kept)
        self.show_facets(kept)


class TagList(FacetList):
    """The tags, most frequent first; a quick filter keeps those that hold a piece of text."""

    def __init__(self, *, widget_id: str) -> None:
        super().__init__(widget_id=widget_id)
        self._tags: tuple[tuple[str, int], ...] = ()
        self._piece = ""
        self._chosen: str | None = None

    def show(self, view: View, tags: Sequence[tuple[str, int]]) -> None:
        """Show the tags (with counts) that there are beside the other filters of `view`."""
        self._tags = tuple(tags)
        self._chosen = view.tag
        self._refill()

    def narrow(self, piece: str) -> None:
        """Keep the tags that hold `piece`, whatever its case; an empty one shows all again.

        The cursor goes to the first that is not filtered by already.
        """
        self._piece = piece
        self._refill()
        found = (at for at, facet in enumerate(self.facets) if not facet.chosen)
        self.move_to(next(found, 0))

    def mark(self, tag: str | None) -> None:
        """Show `tag` as the one filtered by, before new counts are there."""
        self._chosen = tag
        self._refill()

    def _refill(self) -> None:
        wanted = fold(self._piece)
        shown = [
            Facet(tag, "tag", tag, count=count, chosen=tag == self._chosen)
            for tag, count in self._tags
            if not wanted or wanted in fold(tag)
        ]
        if self._chosen and not any(facet.chosen for facet in shown):
            shown.insert(0, Facet(self._chosen, "tag", self._chosen, chosen=True))
        self.show_facets(shown)
