"""What every request passes before it reaches a route: who may call, how much, and a log line.

It is the outermost ASGI application, so that a request id, the checks of Host, Origin and token,
the limit on bodies and the log hold for every route alike, MCP included, and for refusals.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import re
import secrets
from collections.abc import Iterable
from time import perf_counter
from typing import NamedTuple

import anyio
from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memtui.errors import InvalidError
from memtui.server.answers import refusal
from memtui.server.log import RequestLog
from memtui.server.options import ServeOptions, parse_host

BODY_SECONDS = 30.0
"""How long a client may take to send a body."""

_LINGER_SECONDS = 2.0
_REQUEST_ID = re.compile(rb"[A-Za-z0-9._:-]{1,128}")
_WATCHED = frozenset(
    {
        b"access-control-request-method",
        b"authorization",
        b"content-length",
        b"expect",
        b"host",
        b"sec-fetch-site",
        b"transfer-encoding",
        b"x-request-id",
    }
)
_METHODS = "GET, POST, PATCH, DELETE"
_REQUEST_HEADERS = (
    "Authorization, Content-Type, Idempotency-Key, If-Match, Last-Event-ID, MCP-Protocol-Version, "
    "Mcp-Method, Mcp-Name, Mcp-Session-Id, X-Client-Id, X-Request-Id"
)
_EXPOSED = "ETag, Idempotency-Replayed, Link, Location, Mcp-Session-Id, Retry-After, X-Request-Id"

_log = logging.getLogger(__name__)


class Caller(NamedTuple):
    """What a request's headers say that the checks are about; a repeated one is not a value."""

    host: str | None
    origins: tuple[str, ...]
    authorization: bytes | None
    fetch_site: bytes | None


class Rules:
    """Who may call: Host, Origin and token."""

    def __init__(self, options: ServeOptions, port: int) -> None:
        self._hosts = options.known_hosts()
        self._own = options.own_origins(port)
        self._others = options.other_origins()
        self._token = None if options.token is None else _digest(options.token.encode())

    def refuse(self, caller: Caller) -> Response | None:
        """The refusal for a caller who may not call, or None."""
        if not self._knows_host(caller.host):
            return refusal(421, "This server is not known under that Host; see --allow-host")
        if any(origin not in self._own | self._others for origin in caller.origins):
            return refusal(403, "Pages of that Origin may not call; see --allow-origin")
        # Browsers send no Origin with an image or a form of another site; this header tells them.
        if not caller.origins and caller.fetch_site in {b"cross-site", b"same-site"}:
            return refusal(403, "Pages of other sites may not call; see --allow-origin")
        return None

    def challenge(self, caller: Caller) -> Response | None:
        """The refusal for a caller without the token, or None."""
        if self._token is None:
            return None
        scheme, _, given = (caller.authorization or b"").partition(b" ")
        is_bearer = scheme.lower() == b"bearer"
        if is_bearer and hmac.compare_digest(_digest(given.strip()), self._token):
            return None
        reason = ', error="invalid_token"' if is_bearer else ""
        challenge = f'Bearer realm="memtui"{reason}'
        return refusal(401, "A bearer token is required", {"www-authenticate": challenge})

    def cors(self, origins: tuple[str, ...]) -> dict[str, str]:
        """The headers that let the page of an allowed origin read the answer."""
        if not self._others:
            return {}
        headers = {"vary": "Origin"}
        if origins and origins[0] in self._others:
            headers["access-control-allow-origin"] = origins[0]
            headers["access-control-expose-headers"] = _EXPOSED
        return headers

    def preflight(self, origins: tuple[str, ...]) -> Response | None:
        """The answer to a browser that asks before it calls, for an allowed origin."""
        if not origins or origins[0] not in self._others:
            return None
        return Response(
            status_code=204,
            headers={
                "access-control-allow-methods": _METHODS,
                "access-control-allow-headers": _REQUEST_HEADERS,
                "access-control-max-age": "600",
            },
        )

    def _knows_host(self, text: str | None) -> bool:
        if text is None:
            return False
        try:
            name, port = parse_host(text)
        except InvalidError:
            return False
        return (name, None) in self._hosts or (name, port) in self._hosts


class Gate:
    """The outermost application; see the module."""

    def __init__(self, app: ASGIApp, rules: Rules, *, max_body: int, log: RequestLog) -> None:
        self.app = app
        self.rules = rules
        self.max_body = max_body
        self.log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; what is no HTTP is passed on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        await _Exchange(self, scope, receive, send).run()


class _Exchange:
    """One request and its answer."""

    def __init__(self, gate: Gate, scope: Scope, receive: Receive, send: Send) -> None:
        self._app, self._rules, self._log = gate.app, gate.rules, gate.log
        self._max_body = gate.max_body
        self._scope, self._receive, self._transport_send = scope, receive, send
        self._started = perf_counter()
        self._headers = _watched(scope["headers"])
        self._request_id = self._id_of_request()
        self._origins = tuple(
            value.decode("latin-1") for name, value in scope["headers"] if name == b"origin"
        )
        self._status = 0

    async def run(self) -> None:
        try:
            await self._answer()
        except _VanishedError:
            self._status = self._status or 499
        except Exception as error:
            self._note_failure(error)
            if not self._status:
                await self._respond(refusal(500, "Internal Server Error"))
        finally:
            self._log.request(
                method=self._scope["method"],
                path=self._scope["path"],
                status=self._status or 499,
                seconds=perf_counter() - self._started,
                request_id=self._request_id,
            )

    async def _answer(self) -> None:
        caller = Caller(
            host=self._text(b"host"),
            origins=self._origins,
            authorization=self._headers.get(b"authorization"),
            fetch_site=self._headers.get(b"sec-fetch-site"),
        )
        refused = self._rules.refuse(caller)
        if refused is None and self._is_preflight():
            refused = self._rules.preflight(self._origins)
        if refused is None:
            refused = self._rules.challenge(caller)
        if refused is not None:
            await self._respond_unread(refused)
            return
        if not self._has_body():
            await self._app(self._scope, self._receive, self._send)
            return
        body = await self._body()
        if isinstance(body, Response):
            await self._respond_unread(body)
            return
        await self._app(self._scope, Replay(body, self._receive), self._send)

    # --- the body ----------------------------------------------------------------------------

    def _has_body(self) -> bool:
        length = self._headers.get(b"content-length", b"0")
        return b"transfer-encoding" in self._headers or length != b"0"

    async def _body(self) -> bytes | Response:
        """The whole body, or the refusal of one that is too large or too slow."""
        too_large = refusal(413, f"The body is larger than {self._max_body} bytes")
        if int(self._headers.get(b"content-length", b"0")) > self._max_body:
            return too_large
        chunks: list[bytes] = []
        size = 0
        with anyio.move_on_after(BODY_SECONDS):
            while True:
                message = await self._receive()
                if message["type"] == "http.disconnect":
                    raise _VanishedError
                chunks.append(message.get("body", b""))
                size += len(chunks[-1])
                if size > self._max_body:
                    return too_large
                if not message.get("more_body", False):
                    return b"".join(chunks)
        return refusal(408, f"The body did not arrive within {BODY_SECONDS:.0f} seconds")

    # --- the answer --------------------------------------------------------------------------

    async def _send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            headers = MutableHeaders(raw=message.setdefault("headers", []))
            headers["x-request-id"] = self._request_id
            for name, value in self._rules.cors(self._origins).items():
                headers[name] = value
        await self._transport_send(message)

    async def _respond(self, response: Response) -> None:
        await response(self._scope, self._receive, self._send)

    async def _respond_unread(self, response: Response) -> None:
        """Answer a request whose body was not read, and let the client get to the answer.

        Closing at once would reset the connection under a client that is still sending.
        """
        if not self._has_body():
            await self._respond(response)
            return
        response.headers["connection"] = "close"
        await self._send(
            {
                "type": "http.response.start",
                "status": response.status_code,
                "headers": response.raw_headers,
            }
        )
        await self._send({"type": "http.response.body", "body": response.body, "more_body": True})
        if b"expect" not in self._headers:
            await self._drain()
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _drain(self) -> None:
        with anyio.move_on_after(_LINGER_SECONDS):
            while True:
                message = await self._receive()
                if message["type"] == "http.disconnect" or not message.get("more_body", False):
                    return

    # --- the headers -------------------------------------------------------------------------

    def _text(self, name: bytes) -> str | None:
        value = self._headers.get(name)
        return None if value is None else value.decode("latin-1")

    def _is_preflight(self) -> bool:
        return (
            self._scope["method"] == "OPTIONS" and b"access-control-request-method" in self._headers
        )

    def _id_of_request(self) -> str:
        given = self._headers.get(b"x-request-id", b"")
        return given.decode() if _REQUEST_ID.fullmatch(given) else secrets.token_hex(16)

    def _note_failure(self, error: Exception) -> None:
        # The message of an exception may hold what the caller sent: name the place, not the words.
        trace = error.__traceback__
        while trace is not None and trace.tb_next is not None:
            trace = trace.tb_next
        place = "" if trace is None else f"{trace.tb_frame.f_code.co_qualname}:{trace.tb_lineno}"
        _log.error(
            "%s in %s while answering request %s", type(error).__name__, place, self._request_id
        )


class _VanishedError(Exception):
    """The client went away before its request was complete."""


class Replay:
    """Gives a body that was read already to an application, once."""

    def __init__(self, body: bytes, receive: Receive) -> None:
        self._body: bytes | None = body
        self._receive = receive

    async def __call__(self) -> Message:
        """The body at first, then what comes after it."""
        if self._body is None:
            return await self._receive()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body, "more_body": False}


def _watched(headers: Iterable[tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """The headers that the checks need."""
    return {name: value for name, value in headers if name in _WATCHED}


def _digest(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()
