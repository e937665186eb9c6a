"""Dump, send as JSON, load, use: memories, contexts, whole agents, and subclasses of users."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from autogen_agentchat.agents import AssistantAgent
from autogen_core import ComponentModel
from autogen_core.memory import Memory
from autogen_core.model_context import BufferedChatCompletionContext, ChatCompletionContext
from pydantic import ValidationError

from memtui.integrations.autogen import MemtuiContext, MemtuiMemory, MemtuiMemoryConfig
from memtui.integrations.autogen.examples.playing import model

from .talk import contents, text
from .user_subclass import LoudMemory


def through_json(dumped: ComponentModel) -> ComponentModel:
    return ComponentModel.model_validate_json(dumped.model_dump_json())


async def test_a_loaded_memory_is_the_same_memory(make) -> None:
    memory = make(
        name="n", scope="s", mode="lexical", limit=3, budget=900, place="before_last",
        always=["event"], attachments="refuse", patience=1.5, preamble="Known:", role="user",
        score_threshold=0.25,
    )  # fmt: skip
    await memory.add(text("tea"))
    dumped = through_json(memory.dump_component())
    assert dumped.provider == "memtui.integrations.autogen.MemtuiMemory"
    assert dumped.component_type == "memory"
    assert "tea" not in dumped.model_dump_json()
    loaded = Memory.load_component(dumped)
    assert isinstance(loaded, MemtuiMemory)
    assert loaded.config == memory.config.model_copy(update={"database": dumped.config["database"]})
    assert contents(await loaded.query("TEA")) == ["tea"]
    await loaded.close()


async def test_it_finds_its_database_from_another_folder(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    memory = MemtuiMemory("here.db")
    await memory.add(text("tea"))
    dumped = through_json(memory.dump_component())
    await memory.close()
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    loaded = MemtuiMemory.load_component(dumped)
    assert contents(await loaded.query("tea")) == ["tea"]
    await loaded.close()
    assert list(Path().iterdir()) == []


async def test_a_scope_of_everything_survives(make) -> None:
    loaded = MemtuiMemory.load_component(through_json(make(scope="").dump_component()))
    assert loaded.scope == ""


@pytest.mark.parametrize(
    "wrong",
    [
        {"scope": "x" * 65},
        {"scope": " "},
        {"limit": 101},
        {"mode": "vector"},
        {"budget": 10},
        {"patience": 0},
        {"collection_name": "x"},
    ],
)
def test_wrong_settings_are_refused(wrong) -> None:
    with pytest.raises(ValidationError):
        MemtuiMemoryConfig(**wrong)


async def test_a_wrapped_context_is_loaded_with_its_memory_and_its_inside(make) -> None:
    memory = make()
    await memory.add(text("tea"))
    wrapped = MemtuiContext(memory, BufferedChatCompletionContext(7))
    loaded = ChatCompletionContext.load_component(through_json(wrapped.dump_component()))
    assert isinstance(loaded, MemtuiContext)
    (shown,) = await loaded.get_messages()
    assert "[memory 1, version 1] tea" in str(shown.content)


async def test_a_whole_agent_goes_through_json(make, tmp_path) -> None:
    memory = make()
    await memory.add(text("Prefers tea"))
    agent = AssistantAgent(
        "assistant", model(["Yes."]), memory=[memory], model_context=MemtuiContext(memory)
    )
    loaded = AssistantAgent.load_component(json.loads(agent.dump_component().model_dump_json()))
    result = await loaded.run(task="tea?")
    assert "Prefers tea" in str(result.messages)


async def test_a_users_subclass_is_dumped_and_loaded_as_what_it_is(path) -> None:
    memory = LoudMemory(path, scope="loud")
    await memory.add(text("tea"))
    dumped = through_json(memory.dump_component())
    assert dumped.provider == "tests.integrations.user_subclass.LoudMemory"
    loaded = Memory.load_component(dumped)
    assert isinstance(loaded, LoudMemory)
    assert contents(await loaded.query("tea")) == ["TEA"]
    await memory.close()
    await loaded.close()


def test_a_users_subclass_is_strictly_typed(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    root = Path(__file__).parents[2]
    ended = subprocess.run(
        [
            sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent",
            "--cache-dir", str(root / ".mypy_cache"), "-m", "tests.integrations.user_subclass",
        ],
        cwd=root,
        env={**os.environ, "MYPYPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_without_autogen_the_import_says_how_to_get_it_and_nothing_else_asks_for_it() -> None:
    code = (
        "import sys\n"
        "sys.modules['autogen_core'] = None\n"
        "import memtui.cli.main, memtui.tui.app, memtui.service\n"
        "try:\n"
        "    import memtui.integrations.autogen\n"
        "except ImportError as error:\n"
        "    print(error)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    assert "pip install 'memtui[autogen]'" in ended.stdout
