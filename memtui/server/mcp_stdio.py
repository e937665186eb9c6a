"""`memtui mcp`: the MCP server on standard input and output.

The transport is our own because the SDK's leaves a line that it cannot read without an answer, and
drops what still runs when the input ends.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sys
import threading
from concurrent.futures import CancelledError
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from memtui.server.mcp_server import Backend, Result, Work, build_server, client_of, encodable
from memtui.server.names import actor
from memtui.server.options import McpOptions
from memtui.server.stdio import TooLongError, Wire

if TYPE_CHECKING:
    from memtui.service import MemoryService

FINISH_SECONDS = 30.0
"""How long the end of input waits for the answers to what was asked before it."""

_READ_AHEAD = 64


def run(options: McpOptions, wire: Wire) -> int:
    """Serve until the input ends; returns 0."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="memtui mcp: %(message)s")
    with closing(_Opened(options)) as backend:
        anyio.run(_serve, backend, wire)
    return 0


class _Opened(Backend):
    """Opens the database when the first request needs it, and again if that failed."""

    def __init__(self, options: McpOptions) -> None:
        self._options = options
        self._lock = threading.Lock()
        self._service: MemoryService | None = None
        # A client may send what depends on its last request before it has the answer.
        self._in_order = anyio.Lock()

    async def run(self, client: str | None, work: Work[Result]) -> Result:
        name = self._options.actor or actor("mcp", client)
        async with self._in_order:
            return await anyio.to_thread.run_sync(lambda: work(self._open().as_actor(name)))

    def _open(self) -> MemoryService:
        with self._lock:
            if self._service is None:
                from memtui.service import MemoryService

                self._service = MemoryService.open(
                    self._options.db, read_only=self._options.read_only
                )
            return self._service

    def close(self) -> None:
        """Release the database, if it was opened."""
        with self._lock:
            if self._service is not None:
                self._service.close()


Read = SessionMessage | Exception


async def _serve(backend: _Opened, wire: Wire) -> None:
    server = build_server(backend, client_of)
    to_server, from_client = anyio.create_memory_object_stream[Read]()
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage]()
    transport = _Transport(wire, to_server)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(transport.read)
        tasks.start_soon(transport.write, from_server)
        await server.run(from_client, to_client, server.create_initialization_options())
        tasks.cancel_scope.cancel()


class _Transport:
    """Moves messages between the wire and the SDK's streams."""

    def __init__(self, wire: Wire, to_server: MemoryObjectSendStream[Read]) -> None:
        self._wire = wire
        self._to_server = to_server
        self._lines: asyncio.Queue[bytes | TooLongError | None] = asyncio.Queue(_READ_AHEAD)
        self._writing = anyio.Lock()
        self._unanswered: set[RequestId] = set()
        self._answered = anyio.Event()

    async def read(self) -> None:
        """Pass on what the client says, until its input ends and all of it is answered."""
        # A daemon: the program must be able to end while this thread waits for a line.
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._pump, args=(loop,), name="memtui-stdin", daemon=True).start()
        async with self._to_server:
            while (message := await self._next()) is not None:
                if isinstance(message, Unreadable):
                    await self._put(message.answer)
                    continue
                self._note(message)
                await self._to_server.send(SessionMessage(message))
            with anyio.move_on_after(FINISH_SECONDS):
                while self._unanswered:
                    self._answered = anyio.Event()
                    await self._answered.wait()

    async def write(self, from_server: MemoryObjectReceiveStream[SessionMessage]) -> None:
        """Write what the server says."""
        async with from_server:
            async for item in from_server:
                await self._put(item.message)
                if isinstance(item.message, JSONRPCResponse | JSONRPCError):
                    self._settle(item.message.id)

    def _pump(self, loop: asyncio.AbstractEventLoop) -> None:
        line: bytes | TooLongError | None = b""
        while line is not None:
            try:
                line = self._wire.read_line()
            except TooLongError as error:
                line = error
            try:
                asyncio.run_coroutine_threadsafe(self._lines.put(line), loop).result()
            except (RuntimeError, CancelledError):
                return  # The loop has ended.

    async def _next(self) -> JSONRPCMessage | Unreadable | None:
        """What the next line says; None at the end of the input."""
        while (line := await self._lines.get()) is not None:
            if isinstance(line, TooLongError):
                return Unreadable(_error(None, INVALID_REQUEST, "The message is too long"))
            if line.strip():
                return parse(line)
        return None

    def _note(self, message: JSONRPCMessage) -> None:
        if isinstance(message, JSONRPCRequest):
            self._unanswered.add(message.id)
        elif isinstance(message, JSONRPCNotification) and (
            message.method == "notifications/cancelled"
        ):
            # The SDK answers a cancelled request with nothing.
            self._settle((message.params or {}).get("requestId"))

    def _settle(self, request_id: RequestId | None) -> None:
        with suppress(KeyError, TypeError):
            self._unanswered.remove(request_id)  # type: ignore[arg-type]
        self._answered.set()

    async def _put(self, message: JSONRPCMessage) -> None:
        try:
            line = message.model_dump_json(by_alias=True, exclude_unset=True)
        except PydanticSerializationError:
            request_id = getattr(message, "id", None)
            instead = _error(request_id, INTERNAL_ERROR, "The answer cannot be sent as JSON")
            line = instead.model_dump_json(exclude_unset=True)
        async with self._writing:
            # Nobody reads any more: the input will end as well, and that ends the server.
            with suppress(BrokenPipeError):
                await anyio.to_thread.run_sync(self._wire.write_line, line)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line that is no message, and what it is answered."""

    answer: JSONRPCError


def parse(line: bytes) -> JSONRPCMessage | Unreadable:
    """The message in a line.

    Text that holds a lone surrogate is let through to where it is refused in plain words.
    """
    with suppress(ValidationError):
        return jsonrpc_message_adapter.validate_json(line, by_name=False)
    try:
        value = json.loads(line.decode())
    except (ValueError, RecursionError):
        return Unreadable(_error(None, PARSE_ERROR, "The line is not JSON"))
    try:
        return jsonrpc_message_adapter.validate_python(value, by_name=False)
    except ValidationError:
        request_id = value.get("id") if isinstance(value, dict) else None
        return Unreadable(
            _error(request_id, INVALID_REQUEST, "The line is not one JSON-RPC message")
        )


def _error(request_id: object, code: int, message: str) -> JSONRPCError:
    if isinstance(request_id, str):
        known: RequestId | None = encodable(request_id)
    else:
        known = request_id if type(request_id) is int else None
    return JSONRPCError(jsonrpc="2.0", id=known, error=ErrorData(code=code, message=message))
