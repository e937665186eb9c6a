"""What the tag manager lists: proposals, standard and free tags, filtered and sorted; pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from memtui.models import TagMerge, TagSummary
from memtui.text import fold

SORTS = {"count": "most memories first", "name": "by name", "used": "last used first"}
"""The orders in which tags can be listed, and how each is called."""


@dataclass(frozen=True, slots=True)
class Tagged:
    """A tag with its number of memories; `last_used_at` is None when nothing carries it."""

    tag: str
    count: int
    last_used_at: datetime | None


class Group(NamedTuple):
    """A heading and what is under it."""

    title: str
    rows: tuple[Tagged | TagMerge, ...]


@dataclass(frozen=True, slots=True)
class TagTable:
    """The tags in use and what is to be seen of them."""

    tags: tuple[TagSummary, ...] = ()
    merges: tuple[TagMerge, ...] = ()
    standard: tuple[str, ...] = ()
    piece: str = ""
    sort: str = "count"
    marked: frozenset[str] = field(default_factory=frozenset)

    def with_tags(self, tags: Sequence[TagSummary], merges: Sequence[TagMerge]) -> TagTable:
        """The same table with what is in use now; marks of tags that are gone are gone."""
        marked = self.marked & {tag.tag for tag in tags}
        return replace(self, tags=tuple(tags), merges=tuple(merges), marked=marked)

    def toggled(self, tag: str) -> TagTable:
        """The same table with a tag marked, or not marked any more."""
        return replace(self, marked=self.marked ^ {tag})

    def sorted_next(self) -> TagTable:
        """The same table in the next order."""
        names = list(SORTS)
        return replace(self, sort=names[(names.index(self.sort) + 1) % len(names)])

    def count_of(self, tag: str) -> int:
        """How many memories carry a tag."""
        return next((one.count for one in self.tags if one.tag == tag), 0)

    @property
    def hidden_marks(self) -> int:
        """How many marked tags the filter hides."""
        return sum(not self._wanted(tag) for tag in self.marked)

    def groups(self) -> Iterator[Group]:
        """Yield what is to be listed; groups without a row are left out."""
        merges = tuple(
            merge
            for merge in self.merges
            if any(self._wanted(tag) for tag in (merge.keep, *merge.others))
        )
        if merges:
            yield Group("Seem to mean the same", merges)
        in_use = {one.tag: Tagged(one.tag, one.count, one.last_used_at) for one in self.tags}
        standard = [in_use.get(tag, Tagged(tag, 0, None)) for tag in dict.fromkeys(self.standard)]
        free = [one for tag, one in in_use.items() if tag not in self.standard]
        for title, rows in (("Standard", standard), ("Free" if standard else "Tags", free)):
            if shown := self._shown(rows):
                yield Group(title, shown)

    def _shown(self, rows: Sequence[Tagged]) -> tuple[Tagged, ...]:
        wanted = (row for row in rows if self._wanted(row.tag))
        return tuple(sorted(wanted, key=_ORDERS[self.sort]))

    def _wanted(self, tag: str) -> bool:
        piece = fold(self.piece)
        return not piece or piece in fold(tag)


def _by_use(row: Tagged) -> tuple[float, str]:
    return (-row.last_used_at.timestamp() if row.last_used_at else 0.0, row.tag)


_ORDERS: dict[str, Callable[[Tagged], tuple[object, ...]]] = {
    "count": lambda row: (-row.count, row.tag),
    "name": lambda row: (fold(row.tag), row.tag),
    "used": _by_use,
}
