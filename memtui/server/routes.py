"""The routes: each handler takes a complete request to the service and its answer back.

Handlers run in worker threads, one transaction each; the event loop never waits for the database.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from urllib.parse import urlencode

from pydantic import TypeAdapter
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from memtui.errors import InvalidError, MemtuiError
from memtui.models import Facets, Memory, MemoryPage, MemoryQuery, RevisionPage, Stats
from memtui.server import parsing
from memtui.server.answers import (
    answer,
    answer_memory,
    failure,
    located,
    page_to_json,
    refusal,
    to_json,
)
from memtui.server.idempotency import InFlight, Reply
from memtui.server.names import actor
from memtui.server.parsing import Call
from memtui.server.workers import Workers
from memtui.service import MemoryService

Handler = Callable[[Call], Response]

_CREATED = TypeAdapter(tuple[Memory, ...])
_FACETS = TypeAdapter(Facets)


class Resource:
    """One path: the methods that it has, each a handler, and 405 with a full `Allow` for others."""

    def __init__(self, workers: Workers, **handlers: Handler) -> None:
        self._workers = workers
        self._handlers = {name.upper(): handler for name, handler in handlers.items()}
        if "GET" in self._handlers:
            self._handlers["HEAD"] = self._handlers["GET"]
        self._allow = ", ".join(sorted(self._handlers))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        handler = self._handlers.get(scope["method"])
        if handler is None:
            response = refusal(405, "Method Not Allowed", {"allow": self._allow})
        else:
            call = await _complete(scope, receive)
            response = await self._workers.run(_handle, handler, call)
        await response(scope, receive, send)


class Constant:
    """One path that always answers the same; it touches no database and needs no thread."""

    def __init__(self, body: bytes, media_type: str = "application/json") -> None:
        self._body = body
        self._media_type = media_type

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["method"] in {"GET", "HEAD"}:
            headers = {"cache-control": "no-store"}
            response = Response(self._body, headers=headers, media_type=self._media_type)
        else:
            response = refusal(405, "Method Not Allowed", {"allow": "GET, HEAD"})
        await response(scope, receive, send)


async def not_found(scope: Scope, receive: Receive, send: Send) -> None:
    """The answer for a path that there is not."""
    await refusal(404, "Not Found")(scope, receive, send)


class MemoryRoutes:
    """The service's operations as routes."""

    def __init__(self, service: MemoryService, workers: Workers) -> None:
        self._service = service
        self._workers = workers
        self._in_flight = InFlight()
        self._turns = workers.turns

    def routes(self) -> list[Route]:
        """Every route that needs the service."""
        one = "/memories/{memory_id}"
        resources = {
            "/memories": self._resource(get=self.search, post=self.create),
            "/memories/batch": self._resource(post=self.create_many),
            one: self._resource(get=self.read, patch=self.patch, delete=self.delete),
            f"{one}/restore": self._resource(post=self.restore),
            f"{one}/revisions": self._resource(get=self.revisions),
            "/tags": self._resource(get=self.tags),
            "/stats": self._resource(get=self.stats),
            "/ready": self._resource(get=self.ready),
        }
        return [Route(path, resource) for path, resource in resources.items()]

    def _resource(self, **handlers: Handler) -> Resource:
        return Resource(self._workers, **handlers)

    # --- writing -----------------------------------------------------------------------------

    def create(self, call: Call) -> Response:
        """`POST /memories`."""
        parsing.query_fields(call)
        new = parsing.new_memory(call)

        def work(service: MemoryService) -> Reply:
            memory = service.create(new)
            headers = {"location": f"/memories/{memory.id}", "etag": f'"{memory.version}"'}
            return Reply(201, headers, to_json(memory))

        return self._once(call, work)

    def create_many(self, call: Call) -> Response:
        """`POST /memories/batch`."""
        parsing.query_fields(call)
        new = parsing.new_memories(call)

        def work(service: MemoryService) -> Reply:
            return Reply(201, {}, _CREATED.dump_json(service.create_many(new)))

        return self._once(call, work)

    def patch(self, call: Call) -> Response:
        """`PATCH /memories/{id}`."""
        parsing.query_fields(call)
        memory_id, version = parsing.memory_id(call), parsing.expected_version(call)
        changes = parsing.patch(call)
        with self._turns.taken():
            memory = self._acting(call).patch(memory_id, changes, expected_version=version)
        return answer_memory(memory)

    def delete(self, call: Call) -> Response:
        """`DELETE /memories/{id}`."""
        parsing.query_fields(call)
        memory_id, version = parsing.memory_id(call), parsing.expected_version(call)
        with self._turns.taken():
            memory = self._acting(call).delete(memory_id, expected_version=version)
        return answer_memory(memory)

    def restore(self, call: Call) -> Response:
        """`POST /memories/{id}/restore`."""
        parsing.query_fields(call)
        memory_id = parsing.memory_id(call)

        def work(service: MemoryService) -> Reply:
            memory = service.restore(memory_id)
            return Reply(200, {"etag": f'"{memory.version}"'}, to_json(memory))

        return self._once(call, work)

    # --- reading -----------------------------------------------------------------------------

    def search(self, call: Call) -> Response:
        """`GET /memories`."""
        query, given = parsing.list_query(call)
        touch = not query.peek and call.method != "HEAD"
        with self._turns.taken() if touch else nullcontext():
            page = self._acting(call).search(query, touch=touch, noted="GET /memories")
        return answer(page_to_json(page), headers=_links(call.path, given, page))

    def read(self, call: Call) -> Response:
        """`GET /memories/{id}`; HEAD tells the version and shows nothing, so it marks nothing."""
        parsing.query_fields(call)
        memory_id = parsing.memory_id(call)
        touch = call.method != "HEAD"
        with self._turns.taken() if touch else nullcontext():
            memory = self._acting(call).get(memory_id, touch=touch, noted="GET by id")
        return answer_memory(memory)

    def revisions(self, call: Call) -> Response:
        """`GET /memories/{id}/revisions`."""
        query, given = parsing.revision_query(call)
        page = self._service.history(query)
        body = page.__pydantic_serializer__.to_json(page, warnings=False)
        return answer(body, headers=_links(call.path, given, page))

    def tags(self, call: Call) -> Response:
        """`GET /tags`."""
        return answer(_FACETS.dump_json(self._service.facets(parsing.facet_query(call))))

    def stats(self, call: Call) -> Response:
        """`GET /stats`."""
        parsing.query_fields(call)
        return answer(_dumped(self._service.stats()))

    def ready(self, _call: Call) -> Response:
        """`GET /ready`: whether the database answers, and whether its memories can be read."""
        checks = {
            "database": _passes(self._service.change_token),
            "memories_table": _passes(
                lambda: self._service.search(MemoryQuery(limit=1), touch=False)
            ),
        }
        is_ready = all(outcome == "ok" for outcome in checks.values())
        status = "ready" if is_ready else "not ready"
        body = _READY.dump_json({"status": status, "checks": checks})
        return answer(body, 200 if is_ready else 503)

    # --- helpers -----------------------------------------------------------------------------

    def _acting(self, call: Call) -> MemoryService:
        return self._service.as_actor(actor("http", call.headers.get("x-client-id")))

    def _once(self, call: Call, work: Callable[[MemoryService], Reply]) -> Response:
        """Do a POST, or give the answer that its idempotency key had before."""
        service = self._acting(call)
        key = parsing.idempotency_key(call)
        if key is None:
            with self._turns.taken():
                return _of(work(service))
        request = hashlib.sha256(
            b"\n".join((call.method.encode(), call.path.encode(), call.body))
        ).hexdigest()
        with self._in_flight.claim(key):
            try:
                with self._turns.taken():
                    done = service.once(key, request, lambda joined: work(joined).pack())
            except InvalidError as error:
                raise located("header", error.problems) from error
        replayed = {"idempotency-replayed": "true"} if done.replayed else {}
        return _of(Reply.unpack(done.answer), replayed)


_READY = TypeAdapter(dict[str, str | dict[str, str]])


def _of(kept: Reply, more: Mapping[str, str] | None = None) -> Response:
    return answer(kept.body, kept.status, {**kept.headers, **(more or {})})


def _dumped(stats: Stats) -> bytes:
    return stats.model_dump_json().encode()


def _passes(check: Callable[[], object]) -> str:
    try:
        check()
    except MemtuiError:
        return "failed"
    return "ok"


async def _complete(scope: Scope, receive: Receive) -> Call:
    return Call(
        method=scope["method"],
        path=scope["path"],
        path_params=scope["path_params"],
        query=scope["query_string"],
        headers=Headers(scope=scope),
        body=await Request(scope, receive).body(),
    )


def _handle(handler: Handler, call: Call) -> Response:
    try:
        return handler(call)
    except MemtuiError as error:
        return failure(error)


def _links(path: str, given: Mapping[str, str], page: MemoryPage | RevisionPage) -> dict[str, str]:
    """The `Link` header to the next and the previous page, where there is one."""
    offsets: dict[str, int] = {}
    if page.has_more:
        offsets["next"] = page.offset + len(page.items)
    if page.offset > 0:
        offsets["prev"] = max(0, page.offset - page.limit)
    links = [
        f'<{path}?{urlencode({**given, "limit": page.limit, "offset": offset})}>; rel="{relation}"'
        for relation, offset in offsets.items()
    ]
    return {"link": ", ".join(links)} if links else {}
