"""`memtui list`: retrieve by the contract."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator

from memtui.cli import output, show
from memtui.cli.call import Call
from memtui.cli.exits import warn
from memtui.cli.filters import add_filters, add_paging, add_sort, add_view, query_of, viewed
from memtui.models import MAX_LIMIT, MemoryPage, MemoryQuery, SortKey
from memtui.service import MemoryService

EXAMPLES = """\
Marks the memories that it returns as accessed; --peek looks without marking.

examples:
  memtui list --tag falcon --sort updated_at
  memtui list --q straße --limit 100 --json
  memtui list --view mine --q tea        a saved view, narrowed
  memtui list --status invalid --all --jsonl | jq -r .content
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    add_filters(parser)
    add_view(parser)
    add_sort(parser)
    add_paging(parser, everything=True)
    parser.add_argument("--jsonl", action="store_true", help="one JSON object a line")


def run(call: Call) -> int:
    """Retrieve a page, or all of them."""
    typed = query_of(call.args)
    if call.args.all:
        typed = typed.model_copy(update={"limit": MAX_LIMIT})
    with call.open() as service:
        query = viewed(service, call.args.view, typed)
        pages = _pages(service, query, touch=call.touch, everything=call.args.all)
        if call.args.jsonl:
            for page in pages:
                output.write_json_lines(page.items)
            return 0
        answer = _joined(list(pages))
    if call.json:
        output.write_json(answer)
    else:
        _show(answer, query)
    return 0


def _pages(
    service: MemoryService, query: MemoryQuery, *, touch: bool, everything: bool
) -> Iterator[MemoryPage]:
    while True:
        page = service.search(query, touch=touch)
        yield page
        if not (everything and page.has_more and page.items):
            return
        query = query.model_copy(update={"offset": query.offset + len(page.items)})


def _joined(pages: list[MemoryPage]) -> MemoryPage:
    if len(pages) == 1:
        return pages[0]
    items = tuple(memory for page in pages for memory in page.items)
    last = pages[-1]
    return last.model_copy(update={"items": items, "limit": len(items), "offset": pages[0].offset})


def _show(answer: MemoryPage, query: MemoryQuery) -> None:
    if answer.items:
        times = query.sort.value if query.sort is not SortKey.ID else SortKey.UPDATED_AT.value
        show.memories(answer.items, times)
    elif answer.total:
        warn(f"Nothing at offset {answer.offset:,}; there are {answer.total:,}.")
        return
    else:
        warn("No memory matches." if query != MemoryQuery(sort=query.sort) else "No memories yet.")
        return
    end = answer.offset + len(answer.items)
    more = f"; --offset {end} shows the next" if answer.has_more else ""
    warn(f"{answer.offset + 1:,} to {end:,} of {answer.total:,}{more}")
