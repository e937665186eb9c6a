"""Realistic memories, the same for the same seed.

Sentences, Zipf tags, several scripts, skew, ties: 30 % were never accessed; a tenth came in bulk
imports that share one `created_at`; the names of projects are found only among the memories of a
few weeks.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from memtui.models import Memory, MemoryStatus, MemoryType
from tests.bench.words import COMMON, OTHER_SCRIPTS, rare_words, zipf

SEED = 20260406
START = datetime(2024, 1, 1, tzinfo=UTC)
SPAN = timedelta(days=800)
_TAGS = 2_000
_RARE = 20_000
_PROJECTS = 60
_TYPES = tuple(MemoryType)
_STATUSES = tuple(MemoryStatus)


def memories(number: int, seed: int = SEED) -> Iterator[Memory]:
    """`number` memories with ids from 1, oldest first; some were edited and some retired since."""
    chance = random.Random(seed)
    rare = rare_words(chance, _RARE + _TAGS + _PROJECTS)
    vocabulary = [*COMMON, *rare[:_RARE]]
    words = zipf(len(vocabulary), 1.0)
    tag_names = [*rare[_RARE : _RARE + _TAGS]]
    tag_names[:6] = ["style", "writing-style", "100%", "my_tag", "Café", "falcon"]
    tags = zipf(_TAGS, 1.05)
    projects = [name.capitalize() for name in rare[-_PROJECTS:]]
    step = SPAN / max(number, 1)
    created_at = START
    for id_ in range(1, number + 1):
        if chance.random() < 0.9:  # the rest shares the moment of the one before
            created_at = START + step * id_ + timedelta(seconds=chance.random())
        updated_at = created_at
        version = 1
        if chance.random() < 0.3:
            updated_at += timedelta(days=chance.expovariate(1 / 30))
            version = chance.choice((2, 2, 2, 3, 4))
        yield Memory.model_construct(
            id=id_,
            content=_content(chance, vocabulary, words, projects, id_ / number),
            tags=tuple(
                dict.fromkeys(chance.choices(tag_names, cum_weights=tags, k=_how_many(chance)))
            ),
            created_at=created_at,
            updated_at=updated_at,
            last_accessed_at=None
            if chance.random() < 0.3
            else updated_at + timedelta(days=chance.expovariate(1 / 20)),
            memory_type=chance.choices(_TYPES, (32, 50, 6, 12))[0],
            status=chance.choices(_STATUSES, (94, 4, 2))[0],
            version=version,
        )


def _how_many(chance: random.Random) -> int:
    return chance.choices((0, 1, 2, 3, 4, 6), (12, 28, 28, 18, 9, 5))[0]


def _content(
    chance: random.Random,
    vocabulary: list[str],
    weights: object,
    projects: list[str],
    age: float,
) -> str:
    length = min(8 + int(chance.expovariate(1 / 8)), 120)
    words = chance.choices(vocabulary, cum_weights=weights, k=length)  # type: ignore[arg-type]
    if chance.random() < 0.2:
        words[2] = projects[min(int(age * len(projects)), len(projects) - 1)]
    sentence = " ".join(words)
    text = sentence[:1].upper() + sentence[1:] + "."
    if chance.random() < 0.08:
        text += " " + chance.choice(OTHER_SCRIPTS)
    return text
