"""Finding: the search, the filters, the sort and the pages."""

from __future__ import annotations

from textual import on
from textual.widgets import Input

from memtui.tui.screens.browse_base import BrowseBase
from memtui.tui.view import SORTS, STATUSES, TYPES, page_count
from memtui.tui.widgets.detail import Detail
from memtui.tui.widgets.filter_rows import FacetList
from memtui.tui.widgets.form_text import PasteRefused
from memtui.tui.widgets.search_box import LONGEST, SearchBox


class Finding(BrowseBase):
    """What changes the view."""

    @on(Input.Changed, "#search")
    def _typed(self, event: Input.Changed) -> None:
        self.glance(self.view.changed(q=event.value))

    @on(SearchBox.Left, "#search")
    def _search_left(self) -> None:
        self.retrieve()
        self.table.focus()

    @on(Input.Changed, "#tag-search")
    def _tag_typed(self, event: Input.Changed) -> None:
        self.tags.narrow(event.value)

    @on(SearchBox.Left, "#tag-search")
    def _tag_search_left(self) -> None:
        self.tags.focus()

    @on(PasteRefused)
    def _paste_refused(self, event: PasteRefused) -> None:
        self.say(f"{event.length:,} characters are too long to search for", f"At most {LONGEST}.")

    @on(FacetList.Picked)
    def _picked(self, event: FacetList.Picked) -> None:
        facet = event.facet
        clear = facet.chosen and facet.field != "sort"
        self.change_filter(facet.field, None if clear else facet.value)

    @on(Detail.TagClicked)
    def _tag_clicked(self, event: Detail.TagClicked) -> None:
        self.change_filter("tag", event.tag)

    def change_filter(self, field: str, value: str | None) -> None:
        """Filter or sort by another value; None leaves the filter out."""
        self.change_view(self.view.changed(**{field: value}))
        self.show_filters()

    @property
    def pages(self) -> int:
        """How many pages the view has, as far as is known."""
        return page_count(self.page.total) if self.page is not None else 1

    def action_sort(self) -> None:
        """Sort by the next key: last change, creation, last read, id."""
        keys = list(SORTS)
        key = keys[(keys.index(self.view.sort) + 1) % len(keys)]
        self.change_filter("sort", key)

    def action_filter_type(self) -> None:
        """Filter by the next type: preference, fact, identity, event, any."""
        self.change_filter("memory_type", _next(TYPES, self.view.memory_type))

    def action_filter_status(self) -> None:
        """Filter by the next status: active, invalid, deleted, any."""
        self.change_filter("status", _next(STATUSES, self.view.status))

    def action_clear_filters(self) -> None:
        """Clear the search and all filters."""
        if self.view.filtered:
            self.search.put("")
            self.tag_search.value = ""
            self.change_view(self.view.cleared())
            self.show_filters()

    def action_next_page(self) -> None:
        """Go to the next page of memories."""
        if self.view.page < self.pages:
            self.change_view(self.view.at_page(self.view.page + 1))

    def action_previous_page(self) -> None:
        """Go to the page before."""
        if self.view.page > 1:
            self.change_view(self.view.at_page(self.view.page - 1))

    def action_first_page(self) -> None:
        """Go to the first page."""
        if self.view.page > 1:
            self.change_view(self.view.at_page(1))

    def action_last_page(self) -> None:
        """Go to the last page."""
        if self.view.page < self.pages:
            self.change_view(self.view.at_page(self.pages))

    def action_refresh(self) -> None:
        """Look at the database again."""
        if self.opened:
            self.look_again()
        elif self.problem is not None:
            self.open_database()
            self.show_all()


def _next(values: tuple[str, ...], value: str | None) -> str | None:
    """Return the value after `value`, going round through None."""
    ring = (None, *values)
    return ring[(ring.index(value) + 1) % len(ring)]
