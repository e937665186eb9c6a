"""What the person is looking at: filters, sort and page, as a small frozen value.

It holds plain strings instead of the contract's enumerations, so that the first frame can be drawn
before the models are imported; `query` turns it into the contract's query.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.models import MemoryQuery

PAGE_SIZE = 100
TYPES = ("preference", "fact", "identity", "event")
STATUSES = ("active", "invalid", "deleted")
SORTS: dict[str, str] = {
    "updated_at": "newest change first",
    "created_at": "newest first",
    "last_accessed_at": "last read first",
    "id": "by id",
}
"""The sort keys in the order that `s` walks, and how each is called."""


@dataclass(frozen=True, slots=True)
class View:
    """One query of the table. None and an empty `q` leave a filter out."""

    q: str = ""
    status: str | None = None
    memory_type: str | None = None
    tag: str | None = None
    sort: str = "updated_at"
    offset: int = 0

    @classmethod
    def of(cls, query: MemoryQuery) -> View:
        """Return the first page of what `query` finds."""
        return cls(
            query.q or "",
            str(query.status) if query.status else None,
            str(query.memory_type) if query.memory_type else None,
            query.tag,
            str(query.sort),
        )

    @property
    def filtered(self) -> bool:
        """Whether any filter is in force, the search included."""
        return bool(self.q or self.status or self.memory_type or self.tag)

    @property
    def page(self) -> int:
        """The page number, from 1."""
        return self.offset // PAGE_SIZE + 1

    def changed(self, **values: str | None) -> View:
        """Return the first page of this view with other filters or another sort."""
        return replace(self, **values, offset=0)  # type: ignore[arg-type]

    def at_page(self, number: int) -> View:
        """Return page `number` (from 1) of this view."""
        return replace(self, offset=(number - 1) * PAGE_SIZE)

    def cleared(self) -> View:
        """Return the view without search and filters, sorted as it was."""
        return View(sort=self.sort)

    def query(self) -> MemoryQuery:
        """Return the contract's query for this page. Raises `InvalidError` for a bad filter."""
        from memtui.models import MemoryQuery

        given = {
            "status": self.status,
            "memory_type": self.memory_type,
            "tag": self.tag,
            "q": self.q,
        }
        filters = {name: value for name, value in given.items() if value}
        return MemoryQuery.parse(
            {**filters, "sort": self.sort, "limit": PAGE_SIZE, "offset": self.offset}
        )


def in_words(view: View) -> str:
    """Return the filters and the sort of a view, as untrusted text: `“x” · tag y · by id`."""
    words = [f"“{view.q}”"] if view.q else []
    words += [part for part in (view.status, view.memory_type) if part]
    words += [f"tag {view.tag}"] if view.tag else []
    return " · ".join([*(words or ["all memories"]), SORTS[view.sort]])


def page_count(total: int) -> int:
    """Return how many pages `total` memories fill; an empty result has one."""
    return max(1, -(-total // PAGE_SIZE))
