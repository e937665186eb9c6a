"""MCP's streamable HTTP as one endpoint: stateless, JSON answers, nothing pushed.

The gate has checked Host, Origin, token and size before a request gets here.
"""

from __future__ import annotations

import json
import secrets
from contextlib import AbstractAsyncContextManager
from urllib.parse import quote, unquote

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from memtui.server.answers import refusal
from memtui.server.gate import Replay
from memtui.server.mcp_server import Backend, Context, Result, Work, build_server, client_of
from memtui.server.names import MAX_NAME, actor
from memtui.server.workers import Workers
from memtui.service import MemoryService

_SESSION = b"mcp-session-id"


class McpEndpoint:
    """The application behind `/mcp`; `running` must be open while it serves.

    Clients of the handshake protocols say their name once, in `initialize`. The server keeps no
    sessions; it hands the name out as a part of the session id, which the client sends with every
    later request. A session id gives no rights, so that it is not secret does no harm.
    """

    def __init__(self, service: MemoryService, workers: Workers, *, max_body: int) -> None:
        self._manager = StreamableHTTPSessionManager(
            build_server(_Open(service, workers), _client),
            json_response=True,
            stateless=True,
            security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
            max_request_body_size=max_body,
        )

    def running(self) -> AbstractAsyncContextManager[None]:
        """Run the SDK's session manager; once for each endpoint."""
        return self._manager.run()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["method"] != "POST":
            # Nothing is ever pushed, so there is no stream to GET, and no session to DELETE.
            await refusal(405, "Method Not Allowed", {"allow": "POST"})(scope, receive, send)
            return
        body = await Request(scope, receive).body()
        session = _new_session(body)

        async def send_with_session(message: Message) -> None:
            if session and message["type"] == "http.response.start":
                MutableHeaders(raw=message["headers"])[_SESSION.decode()] = session
            await send(message)

        await self._manager.handle_request(scope, Replay(body, receive), send_with_session)


class _Open(Backend):
    """A service that is open already."""

    def __init__(self, service: MemoryService, workers: Workers) -> None:
        self._service = service
        self._workers = workers

    async def run(self, client: str | None, work: Work[Result]) -> Result:
        return await self._workers.run(self._in_turn, work, client)

    def _in_turn(self, work: Work[Result], client: str | None) -> Result:
        # Agents have no peek: whatever they do marks or writes.
        with self._workers.turns.taken():
            return work(self._service.as_actor(actor("mcp", client)))


def _new_session(body: bytes) -> str | None:
    """The id for the session that `body` opens, if it is an `initialize`."""
    if b'"initialize"' not in body:
        return None
    try:
        name = json.loads(body)["params"]["clientInfo"]["name"]
        return f"{secrets.token_hex(16)}.{quote(name[:MAX_NAME], safe='')}"
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _client(context: Context) -> str | None:
    if name := client_of(context):
        return name
    if not isinstance(context.request, Request):
        return None
    headers = context.request.headers
    _, _, name = headers.get("mcp-session-id", "").partition(".")
    return unquote(name) or headers.get("x-client-id")
