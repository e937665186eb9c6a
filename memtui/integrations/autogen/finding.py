"""Finding memories for a query, and choosing what goes into a context; all of it blocks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from memtui.agents import Ranked, RankedQuery
from memtui.errors import InvalidError
from memtui.integrations.autogen import block
from memtui.integrations.autogen.block import Ledger
from memtui.integrations.autogen.config import MemtuiMemoryConfig, Mode
from memtui.models import MAX_LIMIT, MAX_NEEDLE, Memory, MemoryQuery, MemoryStatus, problems_of
from memtui.service import MemoryService

SURE = 1.0
"""The score where a memory either matches or does not."""


@dataclass(frozen=True, slots=True)
class Question:
    """What to find: `text` under `mode`, at most `limit`, nothing below `min_score`."""

    text: str
    mode: Mode
    limit: int
    min_score: float

    @classmethod
    def of(cls, text: str, config: MemtuiMemoryConfig, options: Mapping[str, object]) -> Question:
        """A question under a configuration, with what was said for this time alone.

        Raises `TypeError` for an option that there is not, `InvalidError` for a wrong value.
        """
        if unknown := options.keys() - _OPTIONS:
            raise TypeError(
                f"query() takes {', '.join(sorted(_OPTIONS))}, not {', '.join(sorted(unknown))}"
            )
        try:
            said = config.model_validate({**config.model_dump(), **options})
        except ValidationError as error:
            raise InvalidError(problems_of(error)) from error
        return cls(text, said.mode, said.limit, said.score_threshold)


_OPTIONS = frozenset({"mode", "limit", "score_threshold"})


@dataclass(frozen=True, slots=True)
class Recall:
    """What a context is to show: the block's text, None for no block.

    `changes` is a block of what it does not show yet, for a context that can only be added to;
    `fresh` are the memories in it that the context does not show yet at this version, `gone` those
    that it shows and that hold no more, `ledger` what it shows then.
    """

    text: str | None
    changes: str | None
    fresh: tuple[Ranked, ...]
    gone: tuple[int, ...]
    ledger: Ledger


def find(
    service: MemoryService, question: Question, scope: str, *, touch: bool
) -> tuple[Ranked, ...]:
    """The active memories of the scope that answer the question, marked unless this is a peek.

    A question without a word asks for nothing in particular: `ranked` then answers as `recent`.
    """
    if question.mode == "all":
        return tuple(Ranked(memory, SURE) for memory in _every(service, scope, "id", touch=touch))
    if question.mode == "ranked" and question.text.strip():
        wanted = RankedQuery(
            text=question.text,
            tag=scope or None,
            limit=question.limit,
            min_score=question.min_score,
        )
        return service.ranked(wanted, touch=touch)
    fields: dict[str, object] = {"sort": "updated_at", "limit": question.limit}
    if question.mode == "lexical":
        fields["q"] = question.text
    page = service.search(_query(scope, **fields), touch=touch)
    return tuple(Ranked(memory, SURE) for memory in page.items)


def _every(service: MemoryService, scope: str, sort: str, *, touch: bool) -> Iterator[Memory]:
    offset = 0
    while True:
        query = _query(scope, sort=sort, limit=MAX_LIMIT, offset=offset)
        page = service.search(query, touch=touch)
        yield from page.items
        if not page.has_more:
            return
        offset += len(page.items)


def _query(scope: str, **fields: object) -> MemoryQuery:
    if scope:
        fields["tag"] = scope
    return MemoryQuery.parse({"status": "active", **fields})


def is_ours(memory: Memory, scope: str) -> bool:
    """Whether a memory is of the scope."""
    return not scope or scope in memory.tags


def is_believed(memory: Memory, scope: str) -> bool:
    """Whether a memory is active and of the scope."""
    return memory.status == MemoryStatus.ACTIVE and is_ours(memory, scope)


def recall(
    service: MemoryService,
    config: MemtuiMemoryConfig,
    text: str,
    *,
    shown: Ledger,
    keep_shown: bool,
    key: str,
) -> Recall:
    """Choose what a context shows beside the last message of a user; a peek.

    What it shows already stays there as long as it holds and there is room, if `keep_shown`.
    """
    still = {
        memory.id: memory
        for memory in service.get_many(tuple(shown.versions), touch=False)
        if is_believed(memory, config.scope)
    }
    gone = tuple(memory_id for memory_id in shown.versions if memory_id not in still)
    withdrawn = tuple(dict.fromkeys((*shown.withdrawn, *gone)))
    room = _Room(config, withdrawn, key)
    if config.mode == "all":
        _take_newest(service, config.scope, room)
    else:
        answers = {ranked.memory.id: ranked for ranked in _answers(service, config, text)}
        for ranked in _standing(service, config):
            room.offer(answers.get(ranked.memory.id, ranked), within=config.budget // 2)
        for ranked in answers.values():
            room.offer(ranked)
    if keep_shown:
        for memory in still.values():
            room.offer(Ranked(memory, SURE))
    return room.recall(shown, gone)


def _standing(service: MemoryService, config: MemtuiMemoryConfig) -> Iterator[Ranked]:
    """The types that always belong into the context, newest change first."""
    for memory_type in config.always:
        query = _query(config.scope, memory_type=memory_type, sort="updated_at", limit=config.limit)
        for memory in service.search(query, touch=False).items:
            yield Ranked(memory, SURE)


def _answers(service: MemoryService, config: MemtuiMemoryConfig, text: str) -> Sequence[Ranked]:
    if config.mode == "lexical" and not 0 < len(text) <= MAX_NEEDLE:
        return ()  # what no needle can be, no memory is found by
    question = Question(text, config.mode, config.limit, config.score_threshold)
    return find(service, question, config.scope, touch=False)


def _take_newest(service: MemoryService, scope: str, room: _Room) -> None:
    """Every memory, newest first, until no more can fit."""
    for memory in _every(service, scope, "created_at", touch=False):
        if room.is_full:
            return
        room.offer(Ranked(memory, SURE))


class _Room:
    """The budget of one block, and what was taken into it so far: whole memories only."""

    def __init__(self, config: MemtuiMemoryConfig, withdrawn: tuple[int, ...], key: str) -> None:
        self._config = config
        self._withdrawn = withdrawn
        self._key = key
        self._taken: dict[int, tuple[Ranked, str]] = {}
        # The frame, measured around a line of nothing; each line then brings its own line end.
        self._size = len(self._block([""], withdrawn) or "") - 1

    @property
    def is_full(self) -> bool:
        """Whether not even the shortest memory would fit."""
        return self._config.budget - self._size < len("- [memory 1, version 1] x")

    def offer(self, ranked: Ranked, *, within: int | None = None) -> None:
        """Take a memory when it is not there yet and there is room for all of it."""
        if ranked.memory.id in self._taken:
            return
        line = block.entry(ranked.memory)
        if self._size + len(line) + 1 > (within or self._config.budget):
            return
        self._size += len(line) + 1
        self._taken[ranked.memory.id] = (ranked, line)

    def recall(self, shown: Ledger, gone: tuple[int, ...]) -> Recall:
        """What was taken, by the order in which the memories were made: it rarely changes."""
        taken: Mapping[int, tuple[Ranked, str]] = dict(sorted(self._taken.items()))
        withdrawn = tuple(id_ for id_ in self._withdrawn if id_ not in taken)
        withdrawn = withdrawn[-block.KEPT_WITHDRAWN :]
        fresh = [
            taken_one
            for id_, taken_one in taken.items()
            if shown.versions.get(id_) != taken_one[0].memory.version
        ]
        versions = {id_: ranked.memory.version for id_, (ranked, _) in taken.items()}
        return Recall(
            text=self._block([line for _, line in taken.values()], withdrawn),
            changes=self._block([line for _, line in fresh], gone),
            fresh=tuple(ranked for ranked, _ in fresh),
            gone=gone,
            ledger=Ledger(versions, withdrawn),
        )

    def _block(self, lines: Sequence[str], withdrawn: Sequence[int]) -> str | None:
        return block.render(lines, withdrawn, preamble=self._config.preamble, key=self._key)
