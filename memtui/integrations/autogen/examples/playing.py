"""What the examples have in common: a database to play with, and a model that replays its part."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from autogen_agentchat.base import TaskResult
from autogen_agentchat.messages import MemoryQueryEvent
from autogen_core import FunctionCall
from autogen_core.memory import MemoryContent
from autogen_core.models import CreateResult, ModelInfo, RequestUsage
from autogen_ext.models.replay import ReplayChatCompletionClient


def database() -> Path:
    """The path given on the command line, or one that lasts until the computer tidies up."""
    if len(sys.argv) > 1:
        return Path(sys.argv[1])
    return Path(tempfile.mkdtemp(prefix="memtui-example-")) / "memories.db"


def call(name: str, **arguments: object) -> CreateResult:
    """The model's wish to call a tool."""
    return CreateResult(
        finish_reason="function_calls",
        content=[FunctionCall(id=name, name=name, arguments=json.dumps(arguments))],
        usage=RequestUsage(prompt_tokens=0, completion_tokens=0),
        cached=False,
    )


def model(parts: Sequence[str | CreateResult]) -> ReplayChatCompletionClient:
    """A model that says these parts, one after the other."""
    able = ModelInfo(
        vision=False,
        function_calling=True,
        json_output=False,
        family="unknown",
        structured_output=False,
    )
    return ReplayChatCompletionClient(parts, model_info=able)


def last_words(result: TaskResult) -> str:
    """What the agent answered in the end."""
    return str(getattr(result.messages[-1], "content", ""))


def recalled(result: TaskResult) -> list[MemoryContent]:
    """The memories that were new to the agent in this run."""
    events = [one for one in result.messages if isinstance(one, MemoryQueryEvent)]
    return [item for event in events for item in event.content]
