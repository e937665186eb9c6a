"""Reading a model context, and keeping one block of memories in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from autogen_core.model_context import ChatCompletionContext
from autogen_core.models import LLMMessage, SystemMessage, UserMessage

from memtui.integrations.autogen import block
from memtui.integrations.autogen.block import Ledger
from memtui.integrations.autogen.config import MemtuiMemoryConfig, Place

SOURCE = "memtui"
"""Who a block in the user's role comes from; a message of anyone else is never taken for one."""

Role = Literal["system", "user"]
_LONGEST_QUESTION = 10_000


def message(text: str, role: Role) -> LLMMessage:
    """A block as a message."""
    if role == "system":
        return SystemMessage(content=text)
    return UserMessage(content=text, source=SOURCE)


def role_of(config: MemtuiMemoryConfig) -> Role:
    """Who says the block: the role that was set, or the one that fits the place."""
    return config.role or ("system" if config.place == "start" else "user")


def shown_by(one: LLMMessage, key: str) -> Ledger | None:
    """What a message shows when it is a block of this key."""
    is_candidate = isinstance(one, SystemMessage) or (
        isinstance(one, UserMessage) and one.source == SOURCE
    )
    if not is_candidate or not isinstance(one.content, str):
        return None
    return block.read(one.content, key=key)


def shown_in(messages: Sequence[LLMMessage], key: str) -> Ledger:
    """What a context shows, the later blocks correcting the earlier."""
    ledger = Ledger()
    for one in messages:
        ledger = ledger.and_then(shown_by(one, key) or Ledger())
    return ledger


def last_question(messages: Sequence[LLMMessage]) -> str:
    """The text of the last message of a user, its beginning if it is very long; empty if none."""
    for one in reversed(messages):
        if isinstance(one, UserMessage) and one.source != SOURCE:
            parts = [one.content] if isinstance(one.content, str) else one.content
            text = " ".join(part for part in parts if isinstance(part, str))
            return text[:_LONGEST_QUESTION]
    return ""


def with_block(
    messages: Sequence[LLMMessage], text: str, place: Place, role: Role
) -> list[LLMMessage]:
    """The messages and the block at its place."""
    questions = [at for at, one in enumerate(messages) if isinstance(one, UserMessage)]
    at = questions[-1] if questions and place != "start" else 0
    return [*messages[:at], message(text, role), *messages[at:]]


async def put(
    context: ChatCompletionContext,
    text: str | None,
    changes: str | None,
    config: MemtuiMemoryConfig,
    key: str,
) -> bool:
    """Make `text` the only block of this key in a context, None for no block.

    Returns False where the context has no room to show it; then it is left without a block.
    A context that keeps its messages in a way of its own only gets `changes` added, if any.
    """
    state = await context.save_state()
    kept = _kept_messages(state)
    if kept is None:
        if changes is not None:
            await context.add_message(message(changes, "user"))
        return True
    others = [one for one in kept if not _is_block(one, key)]
    if text is not None:
        for place, role in _places(config):
            at = 0 if place == "start" else _last_question_at(others)
            wanted = [*others[:at], message(text, role).model_dump(), *others[at:]]
            kept = await _load(context, state, kept, wanted)
            if any(one.content == text for one in await context.get_messages()):
                return True
    await _load(context, state, kept, others)
    return text is None


_Saved = Mapping[str, object]


def _kept_messages(state: Mapping[str, object]) -> list[_Saved] | None:
    """All messages of a context, also those that it does not show, as AutoGen saves them."""
    messages = state.get("messages")
    if not isinstance(messages, list):
        return None
    are_saved = all(isinstance(one, Mapping) and "type" in one for one in messages)
    return messages if are_saved else None


def _is_block(one: _Saved, key: str) -> bool:
    is_candidate = one["type"] == "SystemMessage" or (
        one["type"] == "UserMessage" and one.get("source") == SOURCE
    )
    content = one.get("content")
    return is_candidate and isinstance(content, str) and block.read(content, key=key) is not None


def _last_question_at(messages: Sequence[_Saved]) -> int:
    questions = [at for at, one in enumerate(messages) if one["type"] == "UserMessage"]
    return questions[-1] if questions else 0


def _places(config: MemtuiMemoryConfig) -> list[tuple[Place, Role]]:
    """Where to put it, the next one where a context shows only its end and so has no start."""
    wanted: tuple[Place, Role] = (config.place, role_of(config))
    return [wanted] if config.place == "before_last" else [wanted, ("before_last", "user")]


async def _load(
    context: ChatCompletionContext, state: _Saved, now: list[_Saved], wanted: list[_Saved]
) -> list[_Saved]:
    """Make a context hold the wanted messages, touching it only when that changes anything."""
    if wanted != now:
        await context.load_state({**state, "messages": wanted})
    return wanted
