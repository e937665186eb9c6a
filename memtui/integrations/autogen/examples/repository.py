"""Questions about a repository: its files are indexed as memories, and answers name their sources.

Running it again brings the index up to date: what is there stays, what changed is added, what is
gone is retired.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from autogen_agentchat.agents import AssistantAgent
from autogen_core.memory import MemoryContent, MemoryMimeType

import memtui
from memtui.integrations.autogen import MemtuiMemory
from memtui.integrations.autogen.examples.playing import (
    database,
    last_words,
    model,
    recalled,
)

SUFFIXES = {
    ".md": MemoryMimeType.MARKDOWN,
    ".py": MemoryMimeType.TEXT,
    ".toml": MemoryMimeType.TEXT,
}
PIECE = 1_200
LARGEST = 200_000

QUESTION = "How long does a call wait for the write lock that another process holds?"
ANSWER = "LOCK_WAIT says it: a bounded wait, with jitter, that is fair among processes."


class Source(NamedTuple):
    """Where a piece of text is: a file of the repository and its lines, counted from 1."""

    path: str
    first: int
    last: int

    def __str__(self) -> str:
        return f"{self.path}:{self.first}-{self.last}"


def pieces(root: Path) -> Iterator[MemoryContent]:
    """The texts of a folder in pieces of whole lines, each with its source."""
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root)
        if any(part.startswith(".") for part in inside.parts) or path.suffix not in SUFFIXES:
            continue
        if path.is_file() and path.stat().st_size <= LARGEST:
            yield from _pieces_of(path, inside.as_posix())


def _pieces_of(path: Path, name: str) -> Iterator[MemoryContent]:
    held: list[str] = []
    first = 1
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    for number, line in enumerate([*lines, ""], 1):
        is_end = number > len(lines)
        if held and (is_end or sum(map(len, held)) + len(line) > PIECE):
            text = "\n".join(held)[:PIECE]
            if text.strip():
                yield MemoryContent(
                    content=f"{name}\n{text}",
                    mime_type=SUFFIXES[path.suffix],
                    metadata={"source": name, "lines": [first, number - 1]},
                )
            held, first = [], number
        held.append(line)


async def index(memory: MemtuiMemory, root: Path) -> int:
    """Bring the index up to date with the files, and return how many pieces it has."""
    kept = await memory.remember_many(list(pieces(root)))
    ids = {item.metadata["id"] for item in kept if item.metadata}
    for item in (await memory.query(mode="all")).results:
        if item.metadata and item.metadata["id"] not in ids:
            await memory.forget(item.metadata["id"])
    return len(ids)


def sources(items: list[MemoryContent]) -> list[Source]:
    """Where pieces come from, the best one first."""
    best_first = sorted(
        (item.metadata for item in items if item.metadata), key=lambda data: -data["score"]
    )
    return [Source(data["source"], *data["lines"]) for data in best_first]


async def main(path: Path, root: Path) -> list[str]:
    """Index a folder, ask about it, and return the answer and its sources."""
    memory = MemtuiMemory(path, name="repository", scope="repository", limit=5, budget=8_000)
    number = await index(memory, root)
    agent = AssistantAgent(name="guide", model_client=model([ANSWER]), memory=[memory])
    result = await agent.run(task=QUESTION)
    await memory.close()
    found = sources(recalled(result))
    return [f"{number} pieces", QUESTION, last_words(result), *map(str, found)]


if __name__ == "__main__":
    place = database()
    folder = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(memtui.__file__).parent / "store"
    print(*asyncio.run(main(place, folder)), f"The memories are in {place}", sep="\n")
