"""`memtui mcp` as a process: what is on the wire, how it starts and how it ends."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from memtui.models import MemoryCreate, RevisionQuery
from memtui.server.mcp_stdio import Unreadable, parse
from memtui.server.stdio import MAX_LINE, TooLongError, Wire
from memtui.service import MemoryService
from tests.server.mcp_clients import MODES, Mode, ask, over_stdio, refusal
from tests.server.support import locked, memory_count

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "raw client", "version": "1"},
    },
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def calling(id_: int, tool: str, **arguments: object) -> dict[str, Any]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": params}


def lines_of(messages: Iterable[object]) -> bytes:
    return b"".join(
        (message if isinstance(message, bytes) else json.dumps(message).encode()) + b"\n"
        for message in messages
    )


def converse(
    db: Path, *messages: object, code: str = "", flags: tuple[str, ...] = (), **environment: str
) -> tuple[dict[object, dict[str, Any]], subprocess.CompletedProcess[bytes]]:
    """Say everything, close the input, and return the answers by id. `code` runs first."""
    start = f"import sys; from memtui.__main__ import main; {code}\nsys.exit(main())"
    command = [sys.executable, "-c", start, "--db", str(db), *flags, "mcp"]
    ended = subprocess.run(
        command,
        input=lines_of(messages),
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, **environment},
    )
    answers = [json.loads(line) for line in ended.stdout.splitlines()]
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    return {answer.get("id"): answer for answer in answers}, ended


@contextmanager
def process(db: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "memtui", "--db", str(db), "mcp"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe) as running:
        try:
            yield running
        finally:
            running.kill()


def say(running: subprocess.Popen[bytes], *messages: object) -> None:
    assert running.stdin is not None
    running.stdin.write(lines_of(messages))
    running.stdin.flush()


def hear(running: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert running.stdout is not None
    return json.loads(running.stdout.readline())


# --- a whole conversation ------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
async def test_the_sdks_client_records_searches_revises_and_retires(db: Path, mode: Mode) -> None:
    async with over_stdio(db, mode) as client:
        assert len((await client.list_tools()).tools) == 6
        memory = await ask(client, "record_memory", content="Likes tea\u2028and milk 🫖")
        assert memory["content"] == "Likes tea\u2028and milk 🫖"
        assert (await ask(client, "search_memories", q="TEA"))["total"] == 1
        changed = await ask(client, "revise_memory", memory_id=1, tags=["a"], expected_version=1)
        assert changed["version"] == 2
        words = await refusal(client, "revise_memory", memory_id=1, tags=[], expected_version=1)
        assert words.startswith("version is 2, you passed 1; current: ")
        assert (await client.read_resource("memories://memory/1")).contents
        assert (await client.get_prompt("use_memories")).messages
        await ask(client, "retire_memory", memory_id=1)
    with MemoryService.open(db) as service:
        actors = {revision.actor for revision in service.history(RevisionQuery()).items}
    assert actors == {"mcp:Tester 1"}


def test_everything_said_before_the_end_is_answered_in_order(db: Path) -> None:
    calls = [calling(number, "record_memory", content=f"{number}") for number in range(10, 40)]
    answers, ended = converse(db, INITIALIZE, INITIALIZED, *calls)
    assert ended.returncode == 0
    created = [answers[number]["result"]["structuredContent"]["id"] for number in range(10, 40)]
    assert created == list(range(1, 31))


def test_the_actor_can_be_named(db: Path) -> None:
    converse(db, INITIALIZE, calling(2, "record_memory", content="x"), flags=("--actor", "me"))
    with MemoryService.open(db) as service:
        assert service.history(RevisionQuery()).items[0].actor == "me"


def test_what_an_agent_reads_is_noted(db: Path) -> None:
    converse(
        db,
        INITIALIZE,
        calling(2, "record_memory", content="x"),
        calling(3, "search_memories", q="x"),
        calling(4, "inspect_memory", memory_id=1),
        calling(5, "prime_memory_context"),
        flags=("--actor", "me"),
    )
    with MemoryService.open(db) as service:
        noted = {(one.actor, one.memory_ids, one.detail) for one in service.activities()}
    assert noted == {("me", (1,), "search_memories"), ("me", (1,), "inspect_memory")}


# --- purity --------------------------------------------------------------------------------------


def test_case_42_stdout_carries_json_rpc_and_nothing_else(db: Path) -> None:
    noise = (
        "import warnings, logging, os; warnings.simplefilter('always');"
        "logging.basicConfig(level=logging.DEBUG, stream=sys.stdout, force=True);"
        "import memtui.service.memory_service as m; real = m.MemoryService.create;"
        "m.MemoryService.create = lambda self, new: (print('printed', flush=True),"
        " os.system('echo from a child'), warnings.warn('warned'), logging.debug('logged'),"
        " real(self, new))[-1];"
        "m.MemoryService.get = lambda self, id, **k: 1 / 0"
    )
    answers, ended = converse(
        db,
        INITIALIZE,
        INITIALIZED,
        {"jsonrpc": "2.0", "method": "notifications/unheard-of"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}},
        calling(2, "record_memory", content="x"),
        calling(3, "inspect_memory", memory_id=1),
        calling(4, "search_memories"),
        code=noise,
        PYTHONWARNINGS="always",
        PYTHONASYNCIODEBUG="1",
    )
    assert set(answers) == {1, 2, 3, 4}
    assert answers[2]["result"]["isError"] is False
    assert answers[3]["result"]["isError"] is True
    assert answers[4]["result"]["structuredContent"]["total"] == 1
    for said in (b"printed", b"from a child", b"warned"):
        assert said in ended.stderr
    assert ended.returncode == 0


def test_a_failure_says_nothing_of_the_inside(db: Path) -> None:
    broken = "import memtui.service.memory_service as m; m.MemoryService.stats = 0;"
    broken += "m.MemoryService.search = lambda self, *a, **k: {}['the secret inside']"
    answers, _ = converse(db, INITIALIZE, calling(2, "search_memories"), code=broken)
    assert answers[2]["result"]["isError"] is True
    assert "secret" not in json.dumps(answers[2])


def test_a_database_of_an_older_schema_is_brought_up_to_date(db: Path) -> None:
    """What a migration prints or logs does not reach the wire either."""
    first = "import memtui.store.migrations as m; m.MIGRATIONS = m.MIGRATIONS[:1]"
    old, _ = converse(db, INITIALIZE, code=f"{first}; m.migrate(__import__('sqlite3').connect("
                      f"{str(db)!r}, isolation_level=None), {str(db)!r})")  # fmt: skip
    assert set(old) == {1}
    with sqlite3.connect(db) as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] == 1
    connection.close()
    answers, ended = converse(db, INITIALIZE, calling(2, "search_memories"))
    assert answers[2]["result"]["structuredContent"]["total"] == 0
    assert ended.returncode == 0
    with sqlite3.connect(db) as connection:
        assert connection.execute("PRAGMA user_version").fetchone()[0] > 1
    connection.close()


# --- bad input -----------------------------------------------------------------------------------


def test_lines_that_are_no_messages_are_answered_and_end_nothing(db: Path) -> None:
    answers, ended = converse(
        db,
        INITIALIZE,
        b"garbage", b"", b"   ", b"\xff\xfe", b"[]", b"[" * 100_000, b"null", b"5",
        b'{"jsonrpc":"2.0","id":7,"foo":1}',
        b'{"jsonrpc":"2.0","id":"seven","method":5}',
        {"jsonrpc": "2.0", "id": 8, "method": "nonsense"},
        {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": 5}},
        {"jsonrpc": "2.0", "id": 10, "method": "tools/call", "params": []},
        {"jsonrpc": "2.0", "id": 11, "result": {}},
        calling(12, "no_such_tool"),
        calling(13, "record_memory", content=5),
        {"jsonrpc": "2.0", "id": 14, "method": "ping"},
    )  # fmt: skip
    assert ended.returncode == 0
    assert answers[None]["error"]["code"] in {-32700, -32600}
    assert answers[7]["error"]["code"] == -32600
    assert answers["seven"]["error"]["code"] == -32600
    assert answers[8]["error"]["code"] == -32601
    assert answers[9]["error"]["code"] == -32602
    assert 11 not in answers
    assert answers[12]["result"]["isError"] is True
    assert answers[13]["result"]["isError"] is True
    assert answers[14]["result"] == {}
    assert not db.exists() or memory_count(db) == 0


def test_a_lone_surrogate_is_refused_in_plain_words(db: Path) -> None:
    answers, _ = converse(
        db,
        INITIALIZE,
        calling(2, "record_memory", content="a \ud800"),
        calling(3, "record_memory", content="x", tags=["\udfff"]),
        calling(4, "search_memories", q="\ud800"),
        calling(5, "record_memory", **{"content": "x", "\ud800": 1}),
        calling(6, "\ud800"),
        {"jsonrpc": "2.0", "id": 7, "method": "\ud800"},
        {"jsonrpc": "2.0", "id": "\ud800", "method": "ping"},
        calling(8, "record_memory", content="fine"),
    )
    for number in (2, 3, 4):
        assert answers[number]["result"]["isError"] is True
        assert "lone surrogate" in answers[number]["result"]["content"][0]["text"]
    for number in (5, 6, 7, "\\ud800"):
        assert "error" in answers[number] or answers[number]["result"]["isError"] is True
    assert answers[8]["result"]["isError"] is False
    assert memory_count(db) == 1


@pytest.mark.parametrize("line", [b"{", b"x", b"\xff", b"NaN", b"[1]", b"{}", b'"a"', b"[" * 9_999])
def test_parsing_never_raises(line: bytes) -> None:
    assert isinstance(parse(line), Unreadable)


def test_only_a_line_feed_ends_a_line() -> None:
    reader, writer = os.pipe()
    os.write(writer, "a\u2028b\r\nc\rd\n\nlast".encode())
    os.close(writer)
    wire = Wire(reader, -1)
    assert [wire.read_line() for _ in range(5)] == [
        "a\u2028b\r".encode(), b"c\rd", b"", b"last", None,
    ]  # fmt: skip
    os.close(reader)


def test_a_line_that_is_too_long_is_skipped(tmp_path: Path) -> None:
    file = tmp_path / "input"
    file.write_bytes(b"x" * (MAX_LINE + 100_000) + b"\nnext\n")
    descriptor = os.open(file, os.O_RDONLY)
    wire = Wire(descriptor, -1)
    with pytest.raises(TooLongError):
        wire.read_line()
    assert (wire.read_line(), wire.read_line()) == (b"next", None)
    os.close(descriptor)


# --- faults --------------------------------------------------------------------------------------


def test_a_database_that_cannot_be_opened_is_said_and_tried_again(db: Path) -> None:
    db.mkdir()
    with process(db) as running:
        say(running, INITIALIZE, INITIALIZED, calling(2, "search_memories"))
        assert hear(running)["id"] == 1
        assert "cannot be opened" in hear(running)["result"]["content"][0]["text"]
        db.rmdir()
        say(running, calling(3, "search_memories"))
        assert hear(running)["result"]["structuredContent"]["total"] == 0


def test_while_the_database_is_locked_a_tool_waits_and_others_may_ping(db: Path) -> None:
    with MemoryService.open(db) as service:
        service.create(MemoryCreate(content="x"))
    with process(db) as running:
        say(running, INITIALIZE, INITIALIZED)
        assert hear(running)["id"] == 1
        with locked(db):
            say(running, calling(2, "record_memory", content="y"))
            say(running, {"jsonrpc": "2.0", "id": 3, "method": "ping"})
            assert hear(running)["id"] == 3
        assert hear(running)["result"]["isError"] is False
    assert memory_count(db) == 2


def test_read_only(db: Path) -> None:
    with MemoryService.open(db) as service:
        service.create(MemoryCreate(content="x"))
    answers, _ = converse(
        db,
        INITIALIZE,
        calling(2, "record_memory", content="y"),
        calling(3, "search_memories"),
        flags=("--read-only",),
    )
    assert "may not be written" in answers[2]["result"]["content"][0]["text"]
    assert answers[3]["result"]["structuredContent"]["items"][0]["last_accessed_at"] is None


def test_a_client_that_goes_away_ends_it_with_0(db: Path) -> None:
    with process(db) as running:
        say(running, INITIALIZE)
        assert hear(running)["id"] == 1
        assert running.stdout is not None
        running.stdout.close()
        say(running, calling(2, "record_memory", content="x"))
        assert running.stdin is not None
        running.stdin.close()
        assert running.wait(30) == 0
    assert memory_count(db) == 1


def test_no_input_at_all_ends_it_with_0(db: Path) -> None:
    answers, ended = converse(db)
    assert (answers, ended.returncode) == ({}, 0)
    assert not db.exists()


def test_an_interrupt_ends_it_without_a_traceback(db: Path) -> None:
    with process(db) as running:
        say(running, INITIALIZE)
        assert hear(running)["id"] == 1
        running.send_signal(signal.SIGINT)
        assert running.wait(30) in {130, -signal.SIGINT}
        assert running.stderr is not None
        assert b"Traceback" not in running.stderr.read()


# --- start-up ------------------------------------------------------------------------------------


def test_initialize_is_answered_before_anything_heavy_is_loaded(db: Path) -> None:
    """The database is opened, and its libraries are loaded, by the first tool that needs them."""
    # The SDK itself loads Starlette and uvicorn.
    watch = (
        "import memtui.server.stdio as s; real = s.Wire.write_line\n"
        "def write(self, line):\n"
        "    heavy = {'memtui.service', 'sqlmodel', 'sqlalchemy', 'fastapi', 'textual', 'rich'}\n"
        "    print('LOADED', sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
        "    return real(self, line)\n"
        "s.Wire.write_line = write\n"
    )
    _, ended = converse(db, INITIALIZE, INITIALIZED, code=f"\n{watch}")
    assert ended.stderr.decode().splitlines() == ["LOADED []"]
    assert not db.exists()


def test_initialize_and_the_lists_open_no_database(db: Path) -> None:
    listing = [
        {"jsonrpc": "2.0", "id": number, "method": method}
        for number, method in enumerate(("tools/list", "prompts/list", "resources/list"), start=2)
    ]
    broken = "import memtui.store as s; s.open_store = None"
    answers, ended = converse(db, INITIALIZE, INITIALIZED, *listing, code=broken)
    assert all("result" in answers[number] for number in range(1, 5))
    assert ended.returncode == 0
