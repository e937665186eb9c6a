"""The contract's filters as flags, and the query that they make."""

from __future__ import annotations

from argparse import Action, ArgumentError, ArgumentParser, Namespace, _ActionsContainer
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING

from memtui.models import MemoryQuery, MemoryStatus, MemoryType, SortKey, WritableStatus

if TYPE_CHECKING:
    from memtui.service import MemoryService


class Once(Action):
    """Takes a value once: of two filters of a kind, the last one alone must not be acted upon."""

    def __call__(
        self,
        parser: ArgumentParser,
        namespace: Namespace,
        values: str | Sequence[object] | None,
        option_string: str | None = None,
    ) -> None:
        """Take the value. Raises `ArgumentError` when there is one."""
        del parser, option_string
        if getattr(namespace, self.dest, None) is not None:
            raise ArgumentError(self, "may be given once only")
        setattr(namespace, self.dest, values)


def add_filters(parser: ArgumentParser, prefix: str = "") -> None:
    """Add `--status --type --tag --q`; with a prefix `--where-status` and so on.

    The short names `--tag` and `--q` stay beside the prefixed ones: no change is named so.
    """
    group = parser.add_argument_group("filters")
    both = (
        (lambda name: (f"--{name}", f"--{prefix}{name}"))
        if prefix
        else (lambda name: (f"--{name}",))
    )
    group.add_argument(
        f"--{prefix}status", dest="where_status", action=Once, choices=words(MemoryStatus),
        help="only this status; deleted memories are left out otherwise",
    )  # fmt: skip
    group.add_argument(
        f"--{prefix}type",
        dest="where_type",
        action=Once,
        choices=words(MemoryType),
        help="only this type",
    )
    group.add_argument(
        *both("tag"), dest="where_tag", action=Once, metavar="T", help="only with exactly this tag"
    )
    group.add_argument(
        *both("q"), dest="where_q", action=Once, metavar="TEXT",
        help="only where the content or one tag holds this text, in any case",
    )  # fmt: skip


def add_view(parser: ArgumentParser) -> None:
    """Add `--view`: the other filters narrow it, or stand in for its own of the same name."""
    parser.add_argument("--view", action=Once, metavar="NAME", help="start from this saved view")


def add_paging(parser: ArgumentParser, *, everything: bool = False) -> None:
    """Add `--limit --offset`, and `--all` beside the limit."""
    limits = parser.add_mutually_exclusive_group()
    limits.add_argument("--limit", metavar="N", help="at most this many, 1 to 100 (default 10)")
    if everything:
        limits.add_argument("--all", action="store_true", help="every page, not only the first")
    parser.add_argument("--offset", metavar="N", help="leave out this many first")


def add_sort(parser: ArgumentParser) -> None:
    """Add `--sort`."""
    parser.add_argument(
        "--sort",
        action=Once,
        choices=words(SortKey),
        help="id ascends (default); times are newest first",
    )


def add_type(parser: _ActionsContainer, text: str) -> None:
    """Add `--type` as a value to write."""
    parser.add_argument("--type", choices=words(MemoryType), help=text)


def add_status(parser: _ActionsContainer, text: str) -> None:
    """Add `--status` as a value to write."""
    parser.add_argument("--status", choices=words(WritableStatus), help=text)


def words(values: Iterable[StrEnum]) -> list[str]:
    """The names that a flag takes."""
    return [value.value for value in values]


def given_filters(args: Namespace) -> dict[str, str]:
    """The filters that were typed, as fields of a query."""
    typed = {
        "status": args.where_status,
        "memory_type": args.where_type,
        "tag": args.where_tag,
        "q": args.where_q,
    }
    return {field: value for field, value in typed.items() if value is not None}


def given_paging(args: Namespace) -> dict[str, str]:
    """The paging and sort that were typed, as fields of a query."""
    typed = {name: getattr(args, name, None) for name in ("sort", "limit", "offset")}
    return {field: value for field, value in typed.items() if value is not None}


def query_of(args: Namespace) -> MemoryQuery:
    """The query that was typed. Raises `InvalidError` with what is allowed."""
    return MemoryQuery.parse_strings({**given_filters(args), **given_paging(args)})


def viewed(service: MemoryService, name: str | None, typed: MemoryQuery) -> MemoryQuery:
    """What was typed on top of the saved view of that name. Raises `NotFoundError`."""
    if name is None:
        return typed
    given = {field: getattr(typed, field) for field in typed.model_fields_set}
    plain = {"limit": typed.limit, "offset": typed.offset}
    return service.view(name).query.model_copy(update={**plain, **given})
