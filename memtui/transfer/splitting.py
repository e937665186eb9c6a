"""Cutting texts that are too long for one memory, at the ends of paragraphs where it can be."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memtui.interchange import ImportRecord, Tally
from memtui.models import MAX_CONTENT, MAX_TAGS

_ENDS = (
    re.compile(r"\n\s*\n"),
    re.compile(r"\n"),
    re.compile(r"(?<=[.!?…。！？])\s+"),
    re.compile(r"\s+"),
)
"""Where to cut, best first: paragraph, line, sentence, word."""


def split_long(records: Iterable[ImportRecord], tally: Tally) -> Iterator[ImportRecord]:
    """Records whose content is too long become several, each tagged with its part, as `part:2/3`.

    A record with a journal is passed on as it is.
    """
    for record in records:
        if len(record.content) <= MAX_CONTENT or record.past is not None:
            yield record
            continue
        parts = pieces(record.content)
        tally.note(
            f"texts of more than {MAX_CONTENT:,} characters, split",
            record.origin.source,
            record.line,
        )
        for number, part in enumerate(parts, 1):
            yield record._replace(
                content=part,
                tags=(*record.tags[: MAX_TAGS - 1], f"part:{number}/{len(parts)}"),
                identity=f"{record.identity}\x00part {number}",
            )


def pieces(text: str, limit: int = MAX_CONTENT) -> list[str]:
    """Cut a text into pieces of at most `limit` characters; blank ones are left out."""
    found = []
    start = 0
    while len(text) - start > limit:
        end, following = _cut(text, start, limit)
        found.append(text[start:end])
        start = following
    found.append(text[start:])
    return [piece for piece in found if piece.strip()]


def _cut(text: str, start: int, limit: int) -> tuple[int, int]:
    """Where the next piece ends, and where the one after it begins."""
    window = text[start : start + limit + 1]
    for pattern in _ENDS:
        last = None
        for last in pattern.finditer(window):  # noqa: B007 - the last one is wanted
            pass
        if last and last.start() > 0:
            return start + last.start(), start + last.end()
    return start + limit, start + limit
