"""`MemtuiMemory`: an AutoGen memory on a memtui database."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self, TypeVar, Unpack, runtime_checkable

from autogen_core import CancellationToken, Component
from autogen_core.memory import Memory as AutoGenMemory
from autogen_core.memory import MemoryContent, MemoryQueryResult, UpdateContextResult
from autogen_core.model_context import ChatCompletionContext
from autogen_core.models import LLMMessage

from memtui.agents import Ranked
from memtui.errors import InvalidError, NotFoundError
from memtui.integrations.autogen import placing
from memtui.integrations.autogen.block import Ledger
from memtui.integrations.autogen.config import MemoryOptions, MemtuiMemoryConfig
from memtui.integrations.autogen.desk import Desk
from memtui.integrations.autogen.events import EventKind, Listener, MemoryEvent, keep, reason, tell
from memtui.integrations.autogen.finding import SURE, Question, Recall, find, is_ours, recall
from memtui.integrations.autogen.mapping import question_of, to_content, to_memory
from memtui.models import (
    BulkChange,
    Memory,
    MemoryPatch,
    MemoryQuery,
    Outcome,
    Selection,
    WritableStatus,
)
from memtui.service import MemoryService

_T = TypeVar("_T")
_Told = tuple[_T, Sequence[MemoryEvent]]
"""What some work found out, and what it has to tell."""


@runtime_checkable
class ShowsMemories(Protocol):
    """A model context that shows memories by itself and stores none of them."""

    def shows(self, memory: MemtuiMemory) -> bool:
        """Whether it shows what this memory holds."""
        ...

    async def refresh(self) -> list[MemoryContent]:
        """Look again, and return what is new in what it shows."""
        ...


class MemtuiMemory(AutoGenMemory, Component[MemtuiMemoryConfig]):
    """The memory of AutoGen agents in a memtui database, where a person curates it live.

    Several memories may share a database: each sees and clears only what carries the tag that is
    its `scope`. All database work is done in threads; the contents stay in the database, so a
    dumped memory only says where they are and how they are found.

    Args:
        database: The database's path or URL; None is the one that memtui itself opens.
        service: An open service to use instead; it is not closed here.
        on_event: Called with each `MemoryEvent`, on the event loop.
        options: See `MemtuiMemoryConfig`.
    """

    component_config_schema = MemtuiMemoryConfig
    component_provider_override: ClassVar[str | None] = "memtui.integrations.autogen.MemtuiMemory"

    def __init_subclass__(cls, **kwargs: Any) -> None:  # noqa: ANN401  # as the base has it
        """See to it that a subclass is dumped under its own name, not under this one's."""
        super().__init_subclass__(**kwargs)
        if "component_provider_override" not in cls.__dict__:
            cls.component_provider_override = None

    def __init__(
        self,
        database: str | Path | None = None,
        *,
        service: MemoryService | None = None,
        on_event: Listener | None = None,
        **options: Unpack[MemoryOptions],
    ) -> None:
        path = None if database is None else str(database)
        self._config = MemtuiMemoryConfig(database=path, **options)
        self._desk = Desk(path, f"autogen:{self._config.name}", service)
        self._on_event = on_event

    @property
    def name(self) -> str:
        """What events and the journal call this memory."""
        return self._config.name

    @property
    def scope(self) -> str:
        """The tag of this memory's contents; empty for the whole store."""
        return self._config.scope

    @property
    def config(self) -> MemtuiMemoryConfig:
        """The settings."""
        return self._config

    @property
    def key(self) -> str:
        """Tells the blocks of this database and scope from those of others."""
        return f"{self._desk.location}\n{self.scope}"

    # --- AutoGen's interface -----------------------------------------------------------------

    async def query(
        self,
        query: str | MemoryContent = "",
        cancellation_token: CancellationToken | None = None,
        **kwargs: Any,  # noqa: ANN401  # as the base has it
    ) -> MemoryQueryResult:
        """Find memories and mark exactly those that are returned as accessed.

        `mode`, `limit` and `score_threshold` may be given for this query alone. Each item's
        metadata hold its `id`, `version` and `score`. Raises `InvalidError` for a query that the
        mode can't take, `TypeError` for another keyword, and what the database raises.
        """
        question = Question.of(question_of(query), self._config, kwargs)
        results = await self._find(question, self._contents, cancellation_token)
        return MemoryQueryResult(results=results)

    async def add(
        self, content: MemoryContent, cancellation_token: CancellationToken | None = None
    ) -> None:
        """Remember a content, as `remember` does."""
        await self.remember(content, cancellation_token)

    async def update_context(self, model_context: ChatCompletionContext) -> UpdateContextResult:
        """Bring the block of memories in a context up to date, and return what is new in it.

        What the context shows already is not injected again; what changed since is shown anew, and
        what was deleted or invalidated is taken out. It never fails a turn: after `patience`
        seconds, or an error, the context stays as it is and an `error` event tells why.
        """
        fresh: list[MemoryContent] = []
        try:
            if isinstance(model_context, ShowsMemories) and model_context.shows(self):
                fresh = await model_context.refresh()
            else:
                fresh = await self._inject(model_context)
        except Exception as error:
            self.failed("the context got no memories", error)
        return UpdateContextResult(memories=MemoryQueryResult(results=fresh))

    async def clear(self) -> None:
        """Delete every memory of the scope, softly, as one batch that memtui's undo takes back.

        Raises `InvalidError` when the scope is the whole store.
        """
        if not self.scope:
            raise InvalidError(
                "clear() would delete every memory of the store",
                "Give the memory a scope, or delete them in memtui.",
            )

        def work(service: MemoryService) -> _Told[None]:
            everything = Selection.matching(MemoryQuery(tag=self.scope))
            result = service.bulk(everything, BulkChange(delete=True))
            changed = (item for item in result.outcomes if item.outcome is Outcome.CHANGED)
            ids = tuple(item.memory_id for item in changed)
            return None, [self.event(EventKind.FORGOTTEN, ids, "clear")] if ids else []

        await self._do(work)

    async def close(self) -> None:
        """Let go of the database and delete nothing; twice is allowed, later use opens it again."""
        await self._desk.close()

    def _to_config(self) -> MemtuiMemoryConfig:
        return self._config.model_copy(update={"database": self._desk.location})

    @classmethod
    def _from_config(cls, config: MemtuiMemoryConfig) -> Self:
        return cls(config.database, **config.model_dump(exclude={"database"}))

    # --- beyond it ---------------------------------------------------------------------------

    async def search(
        self, text: str, cancellation_token: CancellationToken | None = None, *, limit: int
    ) -> list[Ranked]:
        """As `query` under `ranked`, but the memories as memtui has them, with their scores."""
        question = Question(text, "ranked", limit, self._config.score_threshold)
        return await self._find(question, lambda _, found: list(found), cancellation_token)

    async def remember(
        self, content: MemoryContent, cancellation_token: CancellationToken | None = None
    ) -> MemoryContent:
        """Store a content once: what is there already is returned as it is.

        It is there when a memory of this scope, active or invalid, has the same text, MIME type
        and data; one that a person invalidated stays so. The item that is returned names its id
        and version; `content` itself is left alone. Raises `ContentRefusedError` for what can't be
        kept, `InvalidError` for text that breaks memtui's contract.
        """
        return (await self.remember_many([content], cancellation_token))[0]

    async def remember_many(
        self,
        contents: Sequence[MemoryContent],
        cancellation_token: CancellationToken | None = None,
        *,
        review: bool = False,
    ) -> list[MemoryContent]:
        """Store contents as one batch, all or none, each as `remember` does.

        With `review`, new ones are `invalid` until a person makes them active.
        """
        keep_data = self._config.attachments == "keep"
        status = WritableStatus.INVALID if review else WritableStatus.ACTIVE
        new = [
            to_memory(content, scope=self.scope, keep_data=keep_data, status=status)
            for content in contents
        ]

        def work(service: MemoryService) -> _Told[list[MemoryContent]]:
            remembered = service.remember(new, tag=self.scope or None)
            added = tuple(memory.id for memory, is_new in remembered if is_new)
            there = tuple(memory.id for memory, is_new in remembered if not is_new)
            events = [self.event(EventKind.ADDED, added)] if added else []
            events += [self.event(EventKind.DUPLICATE, there)] if there else []
            found = [Ranked(memory, SURE) for memory, _ in remembered]
            return self._contents(service, found), events

        return await self._do(work, cancellation_token)

    async def revise(
        self,
        memory_id: int,
        text: str,
        expected_version: int,
        cancellation_token: CancellationToken | None = None,
        *,
        review: bool = False,
    ) -> MemoryContent:
        """Change a memory's text, if it still is at the version that the caller saw.

        With `review` it is `invalid` until a person makes it active again. Raises `NotFoundError`
        (also for a memory of another scope), `ConflictError` with the current memory, and
        `InvalidError`.
        """
        status = {"status": "invalid"} if review else {}
        patch = MemoryPatch.parse({"content": text, **status})

        def work(service: MemoryService) -> _Told[MemoryContent]:
            self._own(service, memory_id)
            revised = service.patch(memory_id, patch, expected_version=expected_version)
            event = self.event(EventKind.REVISED, (memory_id,), "for review" if review else "")
            return self._contents(service, [Ranked(revised, SURE)])[0], [event]

        return await self._do(work, cancellation_token)

    async def forget(
        self,
        memory_id: int,
        cancellation_token: CancellationToken | None = None,
        *,
        review: bool = False,
    ) -> None:
        """Delete a memory, softly: a person can restore it.

        With `review` it becomes `invalid` instead, and a person decides. Raises `NotFoundError`,
        also for a memory of another scope.
        """

        def work(service: MemoryService) -> _Told[None]:
            version = self._own(service, memory_id).version
            if review:
                patch = MemoryPatch.parse({"status": "invalid"})
                service.patch(memory_id, patch, expected_version=version)
            else:
                service.delete(memory_id, expected_version=version)
            event = self.event(EventKind.FORGOTTEN, (memory_id,), "for review" if review else "")
            return None, [event]

        await self._do(work, cancellation_token)

    # --- for contexts ------------------------------------------------------------------------

    async def recall(
        self, messages: Sequence[LLMMessage], shown: Ledger, *, keep_shown: bool
    ) -> tuple[Recall, list[MemoryContent]]:
        """Choose what a context shows beside its messages, in a bounded time; marks nothing.

        Returns the choice, and the items that are new in it.
        """
        text = placing.last_question(messages)
        key = self.key

        def work(service: MemoryService) -> tuple[Recall, list[MemoryContent]]:
            chosen = recall(
                service, self._config, text, shown=shown, keep_shown=keep_shown, key=key
            )
            return chosen, self._contents(service, chosen.fresh)

        return await self._desk.run(work, lane="look", timeout=self._config.patience)

    async def injected(self, recalled: Recall) -> None:
        """Mark what is new in a recall that is shown now, and tell of it; never fails a turn."""
        fresh = tuple(memory.id for memory, _ in recalled.fresh)
        events = [self.event(EventKind.INJECTED, fresh)] if fresh else []
        events += [self.event(EventKind.RETRACTED, recalled.gone)] if recalled.gone else []
        if not events:
            return

        def work(service: MemoryService) -> None:
            service.get_many(fresh)
            for event in events:
                keep(service, event)

        for event in events:
            tell(event, self._on_event)
        try:
            await self._desk.run(work, timeout=self._config.patience)
        except Exception as error:
            self.failed("memories were shown but not marked", error)

    def failed(self, what: str, error: Exception) -> None:
        """Tell of an error, and what it led to."""
        event = self.event(EventKind.ERROR, (), f"{what}: {reason(error)}", error)
        tell(event, self._on_event)
        self._desk.later(lambda service: keep(service, event))

    def event(
        self,
        kind: EventKind,
        memory_ids: tuple[int, ...],
        detail: str = "",
        error: Exception | None = None,
    ) -> MemoryEvent:
        """An event of this memory."""
        return MemoryEvent(kind, memory_ids, self.name, self.scope, detail, error)

    async def _find(
        self,
        question: Question,
        shape: Callable[[MemoryService, Sequence[Ranked]], list[_T]],
        token: CancellationToken | None,
    ) -> list[_T]:
        def work(service: MemoryService) -> _Told[list[_T]]:
            found = find(service, question, self.scope, touch=True)
            ids = tuple(memory.id for memory, _ in found)
            event = self.event(EventKind.QUERIED, ids, f"{question.mode}, {len(ids)} found")
            return shape(service, found), [event]

        return await self._do(work, token)

    async def _inject(self, context: ChatCompletionContext) -> list[MemoryContent]:
        messages = await context.get_messages()
        shown = placing.shown_in(messages, self.key)
        recalled, fresh = await self.recall(messages, shown, keep_shown=True)
        is_shown = await placing.put(
            context, recalled.text, recalled.changes, self._config, self.key
        )
        if not is_shown:
            raise InvalidError(
                "The context has no room for a message of memories",
                "Use a larger buffer, or MemtuiContext.",
            )
        await self.injected(recalled)
        return fresh

    async def _do(
        self,
        work: Callable[[MemoryService], _Told[_T]],
        token: CancellationToken | None = None,
    ) -> _T:
        """Do some work in a thread, keep its events there, and tell them here."""

        def whole(service: MemoryService) -> _Told[_T]:
            result, events = work(service)
            for event in events:
                keep(service, event)
            return result, events

        try:
            result, events = await self._desk.run(whole, token=token)
        except Exception as error:
            self.failed("nothing was done", error)
            raise
        for event in events:
            tell(event, self._on_event)
        return result

    def _own(self, service: MemoryService, memory_id: int) -> Memory:
        memory = service.get(memory_id, touch=False)
        if not is_ours(memory, self.scope):
            raise NotFoundError(f"Memory {memory_id} not found")
        return memory

    def _contents(self, service: MemoryService, found: Sequence[Ranked]) -> list[MemoryContent]:
        beside = service.attachments([memory.id for memory, _ in found])
        return [
            to_content(ranked, beside.get(ranked.memory.id), scope=self.scope) for ranked in found
        ]
