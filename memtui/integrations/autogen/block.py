"""The block of memories that a model reads, and reading it back.

Each memory begins a line with its number and version; its further lines are indented. The block
stands between marks that carry a seal made from all of its lines and a key, so no text within it
can contain them, and a block that anyone changed or made up is not taken for one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b

from memtui.models import Memory

KEPT_WITHDRAWN = 20
"""Numbers of withdrawn memories that a block names, the newest."""

_INDENT = "\n    "
_OPENED = re.compile(r"^<memories ([0-9a-f]{16})>$", re.MULTILINE)
_MEMORY = re.compile(r"^- \[memory (\d+), version (\d+)\] ", re.MULTILINE)
_WITHDRAWN = re.compile(r"^- \[withdrawn: ([\d, ]+)\] ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Ledger:
    """What a context already shows: versions by memory id, and the ids of what was withdrawn."""

    versions: Mapping[int, int] = field(default_factory=dict)
    withdrawn: tuple[int, ...] = ()

    def and_then(self, later: Ledger) -> Ledger:
        """What both together say, where the later one corrects the earlier."""
        versions = {**self.versions, **later.versions}
        for memory_id in later.withdrawn:
            versions.pop(memory_id, None)
        kept = (id_ for id_ in (*self.withdrawn, *later.withdrawn) if id_ not in later.versions)
        return Ledger(versions, tuple(dict.fromkeys(kept)))


def entry(memory: Memory) -> str:
    """A memory as the block shows it: no line of it but the first begins at the margin."""
    text = _INDENT.join(memory.content.splitlines())
    return f"- [memory {memory.id}, version {memory.version}] {text}"


def render(
    entries: Iterable[str], withdrawn: Sequence[int], *, preamble: str, key: str
) -> str | None:
    """The whole block, or None when there is nothing to say."""
    lines = list(entries)
    if withdrawn:
        numbers = ", ".join(map(str, withdrawn[-KEPT_WITHDRAWN:]))
        lines.append(f"- [withdrawn: {numbers}] These no longer hold; do not rely on them.")
    if not lines:
        return None
    body = "\n".join(lines)
    seal = _seal(body, key)
    framed = f"<memories {seal}>\n{body}\n</memories {seal}>"
    return f"{preamble}\n{framed}" if preamble else framed


def read(text: str, *, key: str) -> Ledger | None:
    """What a block shows, or None when the text is no block, or not one of this key."""
    for opened in _OPENED.finditer(text):
        seal = opened.group(1)
        closing = f"\n</memories {seal}>"
        if not text.endswith(closing):
            continue
        body = text[opened.end() + 1 : -len(closing)]
        if _seal(body, key) == seal:
            versions = {int(id_): int(version) for id_, version in _MEMORY.findall(body)}
            numbers = _WITHDRAWN.search(body)
            withdrawn = tuple(map(int, numbers.group(1).split(", "))) if numbers else ()
            return Ledger(versions, withdrawn)
    return None


def _seal(body: str, key: str) -> str:
    keyed = blake2b(key.encode(), digest_size=32).digest()
    return blake2b(body.encode(), key=keyed, digest_size=8).hexdigest()
