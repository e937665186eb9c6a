"""The browse screen's ground: its widgets, what it shows, and how answers reach it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, cast

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static

from memtui.errors import MemtuiError
from memtui.tui import cells, messages
from memtui.tui.actions import ACTIONS, BY_ID, Place, Scope, key_label, keys_of
from memtui.tui.gateway import WATCH, Gateway
from memtui.tui.marks import Marks
from memtui.tui.options import UiOptions
from memtui.tui.screens.arrangement import Wishes, arrange
from memtui.tui.view import View, page_count
from memtui.tui.widgets.bars import KeyBar, TextBar
from memtui.tui.widgets.detail import Detail
from memtui.tui.widgets.filter_rows import FilterList, TagList
from memtui.tui.widgets.memory_table import ColumnTitles, MemoryTable
from memtui.tui.widgets.notice import Notice, TooSmall
from memtui.tui.widgets.search_box import SearchBox

if TYPE_CHECKING:
    from memtui.models import Facets, Memory, MemoryPage
    from memtui.tui.screens.edit import EditScreen

SETTLED = 0.4
"""Seconds without a key after which a typed search counts as meant."""
WATCHED = 0.5
"""Seconds between two looks whether someone else changed the database."""
_TICK = 30.0
_ANYTIME = frozenset({"help", "palette", "refresh"})
_OF_MEMORY = frozenset(
    action.id
    for action in ACTIONS
    if action.scope is Scope.BROWSE and action.where <= {Place.TABLE, Place.DETAIL}
)
_NEED_A_PAGE = frozenset(
    action.id for action in ACTIONS if action.scope is Scope.BROWSE and action.id not in _ANYTIME
)


class BrowseBase(Screen[None]):
    """Shows one view of the memories and keeps it true.

    All state is owned here, on the UI thread. A retrieval that a person asked for marks its rows as
    read, unless the session peeks; everything the screen does by itself is a peek.
    """

    AUTO_FOCUS = None

    def __init__(
        self,
        gateway: Gateway,
        options: UiOptions,
        now: Callable[[], datetime],
        size: tuple[int, int],
    ) -> None:
        self._wishes = Wishes()
        self.arrangement = arrange(*size, self._wishes)
        super().__init__(classes=" ".join({"-blank", *self.arrangement.classes()}))
        self.gateway = gateway
        self.options = options
        self.now = now
        self.view = View()
        self.marks = Marks()
        self.page: MemoryPage | None = None
        self.facets: Facets | None = None
        self.whole: Facets | None = None
        self.peek = options.peek or options.read_only
        self.read_only = options.read_only
        self.location = options.db
        self.problem: MemtuiError | None = None
        self.opened = False
        self.watching = False
        self._shown_view: View | None = None
        self._marked_view: View | None = None
        self._page_request = 0
        self._page_pending = False
        self._facets_request = 0
        self._facets_pending = self._facets_due = False
        self._facets_view: View | None = None
        self._look_again = False
        self._wish: int | None = None
        self._settling: Timer | None = None

        self._forms: dict[int, EditScreen] = {}
        self._copying: tuple[str, str] | None = None
        self._toasts: set[str] = set()
        self.focus_pending = False
        self._width = size[0]

        self.status = TextBar(widget_id="status")
        self.search = SearchBox("search", widget_id="search")
        self.summary = TextBar(widget_id="summary")
        self.filters = FilterList(widget_id="filters")
        self.tag_search = SearchBox("find a tag", widget_id="tag-search")
        self.tags = TagList(widget_id="tags")
        self.pager = TextBar(widget_id="pager")
        self.titles = ColumnTitles()
        self.table = MemoryTable(self.titles, widget_id="table")
        self.notice = Notice()
        self.detail = Detail(widget_id="detail")
        self.keys = KeyBar(widget_id="keys")
        self.too_small = TooSmall(id="too-small")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Let keys work where it can be seen what they do.

        Until the first page is there, only those that do not need one. In the sidebar, none that is
        about the memory in the table, which the sidebar may cover.
        """
        del parameters
        if self.page is None and action in _NEED_A_PAGE:
            return False
        return action not in _OF_MEMORY or not self._in_sidebar()

    def _in_sidebar(self) -> bool:
        return self.focused in {self.filters, self.tags}

    def compose(self) -> ComposeResult:
        """Status, filters, table, detail, keys."""
        yield self.status
        with Container(id="body"):
            with Vertical(id="sidebar"):
                with Horizontal(id="search-line"):
                    yield Static("/", classes="prompt", markup=False)
                    yield self.search
                    yield self.summary
                yield self.filters
                with Horizontal(id="tag-line"):
                    yield Static("#", classes="prompt", markup=False)
                    yield self.tag_search
                yield self.tags
            with Container(id="main"):
                with Vertical(id="list"):
                    yield self.pager
                    yield self.titles
                    with Container(id="rows"):
                        yield self.table
                        yield self.notice
                yield self.detail
        yield self.keys
        yield self.too_small

    def on_mount(self) -> None:
        """Draw the frame, then open the database."""
        self.filters.show(self.view, None, None)
        self.filters.show_dense(self.arrangement.dense)
        self.table.focus()
        self.show_all()
        self.call_after_refresh(self.open_database)

    # --- for the other parts of the screen ----------------------------------------------------

    def show_all(self) -> None:
        """Draw everything around the table: bars, keys, notice."""

    def say(self, text: str, hint: str = "", *, bad: bool = False) -> None:
        """Show a short toast, unless the same one still stands; the text may be untrusted."""
        parts = [cells.line_text(part) for part in (text, hint) if part]
        shown = ("\n" if bad else " · ").join(parts)
        if shown in self._toasts:
            return
        timeout = 8 if bad else 4
        self._toasts.add(shown)
        self.set_timer(timeout, lambda: self._toasts.discard(shown))
        self.notify(
            shown, severity="warning" if bad else "information", markup=False, timeout=timeout
        )

    def key(self, action_id: str) -> str:
        """Return how the first key of an action is written, under the person's key map."""
        keys = keys_of(BY_ID[action_id], self.options.keys)
        return key_label(keys[0]) if keys else ""

    def current(self) -> Memory | None:
        """The memory that keys act on."""
        return self.table.current

    @property
    def idle(self) -> bool:
        """Whether everything that was asked for is on the screen, and nothing is still typed."""
        return not (self._page_pending or self._facets_pending or self._settling)

    # --- opening --------------------------------------------------------------------------------

    def open_database(self) -> None:
        """Open the database, for the first time or after a failure."""
        self.problem = None
        self.gateway.open(self)

    def on_opened(self, message: messages.Opened) -> None:
        """Retrieve the first page and begin to watch for changes by others."""
        self.opened = True
        self.location = message.location
        if message.read_only:
            self.read_only = self.peek = True
        self.retrieve()
        if not self.watching:
            self.watching = True
            self.gateway.follow(self)
            self.set_interval(WATCHED, lambda: self.gateway.poll(self))
            self.set_interval(_TICK, self._redraw_times)

    def on_open_failed(self, message: messages.OpenFailed) -> None:
        """Say what is wrong and what to do, in the place of the table."""
        self.problem = message.error
        self.show_all()

    # --- retrieving -----------------------------------------------------------------------------

    def change_view(self, view: View) -> None:
        """Go to another view, as the person asked: retrieve its page and mark it as read."""
        self._stop_settling()
        self.view = view
        self.retrieve()

    def retrieve(self) -> None:
        """Retrieve the page by the contract, marking it unless the session peeks; once a view."""
        self._stop_settling()
        if self._marked_view == self.view:
            return
        self._ask_page(touch=not self.peek)

    def glance(self, view: View) -> None:
        """Look at a view that is still being typed; it is retrieved once it has settled."""
        self._stop_settling()
        self.view = view
        self._settling = self.set_timer(SETTLED, self.retrieve)
        self._ask_page(touch=False)

    def look_again(self, wish: int | None = None) -> None:
        """Show what is there now, as a peek; with the cursor on memory `wish`, if it is here."""
        if wish is not None:
            self._wish = wish
        self._facets_view = None
        if self._page_pending:
            self._look_again = True
        elif self.opened:
            self._ask_page(touch=False)

    def _ask_page(self, *, touch: bool) -> None:
        if not self.opened:
            return
        if touch:
            self._marked_view = self.view
        elif self.view != self._marked_view:
            self._marked_view = None
        self._page_pending = True
        self._page_request = self.gateway.page(self, self.view, touch=touch)
        counted = replace(self.view, sort="id", offset=0)
        if counted != self._facets_view:
            self._facets_view = counted
            self._facets_pending = self._facets_due = True
        self.show_all()

    def _stop_settling(self) -> None:
        if self._settling is not None:
            self._settling.stop()
            self._settling = None

    def on_page_loaded(self, message: messages.PageLoaded) -> None:
        """Show the page, unless a newer one is under way."""
        if message.number != self._page_request:
            return
        self._page_pending = False
        self.problem = None
        self._count_facets()
        page, view = message.page, message.view
        if not page.items and view.page > page_count(page.total):
            self.change_view(view.at_page(page_count(page.total)))
            return
        self._show_page(view, page)
        if self._look_again:
            self._look_again = False
            self._ask_page(touch=False)

    def _count_facets(self) -> None:
        """Ask for the counts beside the filters, once the page no longer waits for them."""
        if self._facets_due and self._facets_view is not None:
            self._facets_due = False
            self._facets_request = self.gateway.facets(self, self._facets_view)

    def _show_page(self, view: View, page: MemoryPage) -> None:
        turned = self._shown_view is not None and (
            replace(self._shown_view, offset=0) == replace(view, offset=0)
            and self._shown_view.offset != view.offset
        )
        self.page = page
        self._shown_view = view
        if turned:
            self.table.show(page.items, now=self.now(), needle=view.q, sort=view.sort)
        else:
            self.table.follow(page.items, now=self.now(), needle=view.q, sort=view.sort)
        if self._wish is not None:
            self.table.go_to(self._wish)
            self._wish = None
        self.detail.show(self.table.current, self.now())
        self.show_all()

    def on_facets_loaded(self, message: messages.FacetsLoaded) -> None:
        """Show the counts, unless newer ones are under way."""
        if message.number != self._facets_request or self._facets_due:
            return
        self._facets_pending = False
        self.facets, self.whole = message.facets, message.whole
        self.show_filters()
        self.show_all()

    def show_filters(self) -> None:
        """Draw the filters as they are chosen, with the counts that are known."""
        facets = self.facets
        statuses = {str(name): count for name, count in facets.statuses.items()} if facets else None
        types = {str(name): count for name, count in facets.types.items()} if facets else None
        self.filters.show(self.view, statuses, types)
        self.tags.show(
            self.view, [(known.tag, known.count) for known in facets.tags] if facets else ()
        )

    def on_store_changed(self, _message: messages.StoreChanged) -> None:
        """Follow what someone else changed."""
        self.look_again()

    def on_failed(self, message: messages.Failed) -> None:
        """Say what did not work and what to do; what is on the screen stays."""
        if message.doing == WATCH:
            return  # the next look, half a second later, tells the same or is well again
        if message.number == self._facets_request and not self._facets_due:
            self._facets_pending = False
            self._facets_view = None
        if message.number == self._page_request:
            self._page_pending = self._look_again = False
            self._marked_view = None
            if self._facets_due:
                self._facets_due = self._facets_pending = False
                self._facets_view = None
            self.problem = message.error
        if self.page is not None:
            text = f"Could not {message.doing}: {message.error.message}"
            self.say(text, message.error.hint, bad=True)
        self.show_all()

    def _redraw_times(self) -> None:
        if self.page is not None:
            view = cast(View, self._shown_view)
            self.table.follow(self.page.items, now=self.now(), needle=view.q, sort=view.sort)
            self.detail.show(self.table.current, self.now())
