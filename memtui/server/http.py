"""`memtui serve`: the HTTP application, its socket, and its life from start to graceful stop."""

from __future__ import annotations

import gc
import json
import os
import socket
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from signal import SIGINT, SIGTERM, signal
from types import FrameType, TracebackType
from typing import Self

import uvicorn
from starlette.routing import Route, Router
from starlette.types import ASGIApp

from memtui.errors import InvalidError, MemtuiError
from memtui.server.docs import docs_page
from memtui.server.gate import Gate, Rules
from memtui.server.log import NoLog, RequestLog, logging_to
from memtui.server.mcp_http import McpEndpoint
from memtui.server.openapi import openapi_document
from memtui.server.options import ServeOptions
from memtui.server.routes import Constant, MemoryRoutes, not_found
from memtui.server.workers import Workers
from memtui.service import MemoryService

GRACE_SECONDS = 30
"""How long a stop waits for requests that were accepted."""

_BACKLOG = 2048


def create_app(
    service: MemoryService, options: ServeOptions, *, port: int, log: RequestLog
) -> ASGIApp:
    """The application for a server that listens on `port`; the caller keeps the service open."""
    workers = Workers()
    mcp = McpEndpoint(service, workers, max_body=options.max_body)

    @asynccontextmanager
    async def lifespan(_app: object) -> AsyncIterator[None]:
        async with mcp.running():
            yield
        workers.close()

    routes = [
        *MemoryRoutes(service, workers).routes(),
        Route("/health", Constant(b'{"status":"ok"}')),
        Route("/openapi.json", Constant(json.dumps(openapi_document()).encode())),
        Route("/docs", Constant(docs_page(), "text/html")),
        Route("/mcp", mcp),
        Route("/mcp/", mcp),
    ]
    router = Router(routes, redirect_slashes=False, default=not_found, lifespan=lifespan)
    return Gate(router, Rules(options, port), max_body=options.max_body, log=log)


def run(options: ServeOptions) -> int:
    """Serve until SIGINT or SIGTERM, finish what was accepted, and return 0.

    Raises a `MemtuiError` when the database cannot be opened or the address not be listened on.
    """
    with (
        MemoryService.open(options.db, read_only=options.read_only) as service,
        closing(_listen(options)) as listener,
        logging_to() as log,
    ):
        port = listener.getsockname()[1]
        app = create_app(service, options, port=port, log=log)
        # What is loaded now stays: the collector need not go through it again at every answer.
        gc.collect()
        gc.freeze()
        _Server(_config(app), lambda: _announce(options, service, port)).run(sockets=[listener])
    return 0


class BackgroundServer:
    """A server in a thread of this process, for the terminal UI and for tests; use `with`.

    It writes nothing to the terminal. `url` is where it listens.
    """

    def __init__(self, options: ServeOptions, log: RequestLog | None = None) -> None:
        self._service = MemoryService.open(options.db, read_only=options.read_only)
        try:
            self._listener = _listen(options)
        except BaseException:
            self._service.close()
            raise
        port = self._listener.getsockname()[1]
        self.url = _url(options.host, port)
        self._started = threading.Event()
        app = create_app(self._service, options, port=port, log=log or NoLog())
        self._server = _Server(_config(app), self._started.set)
        self._thread = threading.Thread(target=self._run, name="memtui-serve", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._started.wait()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """Finish what was accepted, then end."""
        self._server.should_exit = True
        self._thread.join()

    def _run(self) -> None:
        try:
            self._server.run(sockets=[self._listener])
        finally:
            self._started.set()
            self._listener.close()
            self._service.close()


class _Server(uvicorn.Server):
    """uvicorn, telling when it answers, and ending without the signal that stopped it."""

    def __init__(self, config: uvicorn.Config, on_started: Callable[[], object]) -> None:
        super().__init__(config)
        self._on_started = on_started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        if not self.should_exit:
            self._on_started()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def stop(number: int, frame: FrameType | None) -> None:
            self.handle_exit(number, frame)

        before = {number: signal(number, stop) for number in (SIGINT, SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal(number, handler)


def _config(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        loop="asyncio",
        http="h11",
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
    )


def _listen(options: ServeOptions) -> socket.socket:
    host = options.host.strip("[]")
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, options.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        # With the protocol named, asyncio turns off Nagle's algorithm on what it accepts; otherwise
        # each answer waits 40 ms for the client's acknowledgement.
        listener = socket.socket(family, kind, protocol)
        try:
            if os.name == "posix":
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(_BACKLOG)
        except BaseException:
            listener.close()
            raise
        return listener
    except OverflowError as error:
        raise InvalidError(f"{options.port} is not a port") from error
    except OSError as error:
        raise MemtuiError(
            f"Cannot listen on {_url(options.host, options.port)}: {error.strerror}",
            "Stop what listens there, or give another --port (0 takes a free one).",
        ) from error


def _url(host: str, port: int) -> str:
    name = host.strip("[]")
    return f"http://[{name}]:{port}" if ":" in name else f"http://{name}:{port}"


def _announce(options: ServeOptions, service: MemoryService, port: int) -> None:
    url = _url(options.host, port)
    sys.stderr.write(
        f"memtui serves {service.location}\n  HTTP  {url}    (reference: {url}/docs)\n"
        f"  MCP   {url}/mcp\n  Ctrl-C stops it. One line a request follows.\n"
    )
    sys.stderr.flush()
