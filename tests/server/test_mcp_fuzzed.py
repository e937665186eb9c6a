"""JSON-RPC near what is valid: every line that comes out is JSON-RPC, and the server lives.

`MEMTUI_FUZZ=200` holds so many conversations (4 otherwise) of up to 60 messages each.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtui.service import MemoryService
from tests.server.test_mcp_stdio import INITIALIZE, INITIALIZED, converse

TALKS = int(os.environ.get("MEMTUI_FUZZ", "4"))
TOOLS = ["prime_memory_context", "search_memories", "record_memory", "inspect_memory",
         "revise_memory", "retire_memory", "no_such_tool", "", "\x00"]  # fmt: skip
METHODS = ["tools/call", "tools/list", "resources/read", "resources/list", "prompts/get", "ping",
           "initialize", "notifications/cancelled", "logging/setLevel", "completion/complete",
           "x"]  # fmt: skip
FIELDS = ["content", "tags", "memory_id", "expected_version", "q", "limit", "offset", "status",
          "sort", "tag", "memory_type", "uri", "name", "arguments", "requestId",
          "_meta"]  # fmt: skip
scalars = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
    | st.sampled_from(["9" * 40, "x" * 9_000, "memory://1", "\u202e", "\x1b[2J", 2**70, -1, 1])
)  # fmt: skip
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(FIELDS) | st.text(max_size=5), inner, max_size=5)
    ),
    max_leaves=8,
)
calls = st.fixed_dictionaries(
    {
        "name": st.sampled_from(TOOLS) | values,
        "arguments": st.dictionaries(st.sampled_from(FIELDS), values),
    }
)
messages = st.fixed_dictionaries(
    {},
    optional={
        "jsonrpc": st.sampled_from(["2.0", "2.0", "2.0", "1.0", 2]),
        "id": st.integers(2, 900) | st.text(max_size=5) | values,
        "method": st.sampled_from([*METHODS, "tools/call", "tools/call"]) | values,
        "params": calls | calls | values,
        "result": values,
        "error": values,
    },
)
good = st.builds(
    lambda id_, params: {"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": params},
    st.integers(2, 900),
    calls,
)
torn = st.builds(
    lambda message, at: json.dumps(message).encode()[: at % 200].replace(b"\n", b""),
    messages,
    st.integers(0, 199),
)


@settings(max_examples=TALKS, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(
    said=st.lists(good | good | messages | torn | st.binary(max_size=30), min_size=20, max_size=60)
)
def test_no_message_ends_the_server_or_breaks_its_output(
    tmp_path_factory, said: list[object]
) -> None:
    db: Path = tmp_path_factory.mktemp("mcp") / "m.db"
    last = {"jsonrpc": "2.0", "id": 1_000, "method": "ping"}
    clean = [one.replace(b"\n", b" ") if isinstance(one, bytes) else one for one in said]
    answers, ended = converse(db, INITIALIZE, INITIALIZED, *clean, last)
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert answers[1_000]["result"] == {}
    assert b"Traceback" not in ended.stderr, ended.stderr[-2000:]
    if db.exists():
        with MemoryService.open(db) as service:
            assert service.check() == ()
