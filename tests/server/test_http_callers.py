"""Who may call: Host, Origin, token, request ids, the log."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from memtui.errors import InvalidError
from memtui.server.log import logging_to
from memtui.server.options import ServeOptions, read_token
from tests.server.support import Raw, Server, memory_count, serving, until

ROUTES = {
    "/memories": "GET POST PUT",
    "/memories/batch": "POST",
    "/memories/1": "GET PATCH DELETE",
    "/memories/1/restore": "POST",
    "/memories/1/revisions": "GET",
    "/tags": "GET",
    "/stats": "GET",
    "/health": "GET",
    "/ready": "GET",
    "/openapi.json": "GET",
    "/docs": "GET",
    "/mcp": "GET POST",
    "/mcp/": "POST",
    "/nowhere": "GET",
}


def everywhere(server: Server, **headers: str) -> Iterator[httpx.Response]:
    """What each route answers to a caller with these headers."""
    with server.client(**headers) as client:
        for path, methods in ROUTES.items():
            for method in methods.split():
                yield client.request(method, path)


# --- Host --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost", "LOCALHOST", "[::1]"])
def test_loopback_names_are_known_with_and_without_a_port(server: Server, name: str) -> None:
    for host in (name, f"{name}:{server.port}"):
        with server.client(Host=host) as client:
            assert client.get("/health").status_code == 200


def test_an_unknown_host_is_421_on_every_route(server: Server) -> None:
    for answer in everywhere(server, Host="evil.example"):
        assert answer.status_code == 421
        assert set(answer.json()) == {"detail"}
        assert answer.headers["x-request-id"]


@pytest.mark.parametrize(
    "host",
    [
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "localhost@evil",
        "0.0.0.0",
        "localhost:",
        "localhost:x",
        "localhost:80:80",
        "127.0.0.2",
        "[::2]",
        "::1",
    ],
)
def test_a_host_that_only_looks_like_loopback_is_unknown(server: Server, host: str) -> None:
    with server.client(Host=host) as client:
        assert client.get("/health").status_code == 421


def test_a_request_without_a_host_is_refused(server: Server) -> None:
    raw = Raw(server)
    raw.send(b"GET /health HTTP/1.0\r\n\r\n")
    assert raw.receive().split()[1] == b"421"
    raw.close()


def test_allowed_hosts_are_known(db: Path) -> None:
    with serving(db, allow_hosts=("host.docker.internal", "proxy:8443")) as server:
        for host, status in {
            "host.docker.internal": 200, "host.docker.internal:1": 200, "proxy:8443": 200,
            "proxy:1": 421, "proxy": 421, "docker.internal": 421, "localhost": 200,
        }.items():  # fmt: skip
            with server.client(Host=host) as client:
                assert client.get("/health").status_code == status


# --- Origin ------------------------------------------------------------------------------------


def test_a_foreign_origin_is_403_on_every_route(server: Server) -> None:
    for origin in ("https://evil.example", "null"):
        for answer in everywhere(server, Origin=origin):
            assert answer.status_code == 403
            assert "access-control-allow-origin" not in answer.headers
    assert memory_count(server.db) == 0


def test_another_port_or_scheme_of_this_machine_is_a_foreign_origin(server: Server) -> None:
    for origin in (
        f"http://localhost:{server.port + 1}",
        f"https://localhost:{server.port}",
        "http://localhost",
        "file://",
    ):
        with server.client(Origin=origin) as client:
            assert client.get("/memories").status_code == 403


def test_the_servers_own_origin_may_call_under_each_name(server: Server) -> None:
    for name in ("127.0.0.1", "localhost", "[::1]"):
        with server.client(Origin=f"http://{name}:{server.port}") as client:
            assert client.post("/memories", json={"content": "x"}).status_code == 201


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_an_image_on_another_sites_page_marks_nothing(client: httpx.Client, site: str) -> None:
    client.post("/memories", json={"content": "x"})
    assert client.get("/memories/1", headers={"Sec-Fetch-Site": site}).status_code == 403
    assert client.get("/memories?peek=true").json()["items"][0]["last_accessed_at"] is None
    for site_of_ours in ("none", "same-origin"):
        assert client.get("/docs", headers={"Sec-Fetch-Site": site_of_ours}).status_code == 200


@pytest.fixture
def cors(db: Path) -> Iterator[Server]:
    with serving(db, allow_origins=("https://app.example",), token="s3cret") as server:
        yield server


def test_an_allowed_origin_may_call_and_read(cors: Server) -> None:
    with cors.client(Origin="https://app.example", Authorization="Bearer s3cret") as client:
        answer = client.post("/memories", json={"content": "x"})
        assert answer.status_code == 201
        assert answer.headers["access-control-allow-origin"] == "https://app.example"
        assert "ETag" in answer.headers["access-control-expose-headers"]
        assert answer.headers["vary"] == "Origin"
        from_script = client.get("/memories/1", headers={"Sec-Fetch-Site": "cross-site"})
        assert from_script.status_code == 200
    with cors.client(Origin="https://app.example") as client:
        refused = client.get("/memories/1")
        assert refused.status_code == 401
        assert refused.headers["access-control-allow-origin"] == "https://app.example"
    for origin in ("https://app.example:444", "http://app.example", "https://APP.example.evil"):
        with cors.client(Origin=origin, Authorization="Bearer s3cret") as client:
            assert client.get("/memories").status_code == 403


def test_a_preflight_needs_no_token(cors: Server) -> None:
    asks = {"Access-Control-Request-Method": "PATCH"}
    with cors.client(Origin="https://app.example") as client:
        answer = client.options("/memories/1", headers=asks)
        assert answer.status_code == 204
        assert "PATCH" in answer.headers["access-control-allow-methods"]
        for name in ("Authorization", "If-Match", "Idempotency-Key", "Content-Type"):
            assert name in answer.headers["access-control-allow-headers"]
    with cors.client(Origin="https://evil.example") as client:
        assert client.options("/memories/1", headers=asks).status_code == 403


# --- token -------------------------------------------------------------------------------------


def test_without_the_token_every_route_is_401(cors: Server) -> None:
    for authorization in ({}, {"Authorization": "Bearer wrong"}):
        for answer in everywhere(cors, **authorization):
            assert answer.status_code == 401
            assert answer.headers["www-authenticate"].startswith("Bearer")
            assert set(answer.json()) == {"detail"}
    assert memory_count(cors.db) == 0


def test_nothing_like_the_token_is_enough(cors: Server) -> None:
    for authorization in ("Bearer", "Basic s3cret", "s3cret", "Bearer s3cre", "Bearer s3crets"):
        with cors.client(Authorization=authorization) as client:
            assert client.get("/memories").status_code == 401


def test_with_the_token_the_server_answers(cors: Server) -> None:
    for authorization in ("Bearer s3cret", "bearer  s3cret"):
        with cors.client(Authorization=authorization) as client:
            assert client.get("/stats").status_code == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "memories.example", ""])
def test_listening_elsewhere_needs_a_token(db: Path, host: str) -> None:
    with pytest.raises(InvalidError, match="token"):
        ServeOptions(db, host=host)
    assert ServeOptions(db, host=host, token="x").token == "x"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1.2.3", "::1", "[::1]", "localhost"])
def test_listening_on_loopback_needs_none(db: Path, host: str) -> None:
    assert ServeOptions(db, host=host).token is None


def test_listening_everywhere_answers_by_address_only_when_allowed(db: Path) -> None:
    with serving(db, host="0.0.0.0", token="s3cret", allow_hosts=("box",)) as server:
        for host, status in (("127.0.0.1", 200), ("box", 200), ("0.0.0.0", 421), ("x", 421)):
            headers = {"Host": host, "Authorization": "Bearer s3cret"}
            url = f"http://127.0.0.1:{server.port}/health"
            assert httpx.get(url, headers=headers).status_code == status


@pytest.mark.parametrize("token", ["", "two words", "naïve", "line\n"])
def test_a_token_must_be_sendable(db: Path, token: str) -> None:
    with pytest.raises(InvalidError):
        ServeOptions(db, token=token)


@pytest.mark.parametrize("origin", ["*", "null", "app.example", "https://app.example/path", ""])
def test_an_allowed_origin_must_be_exact(db: Path, origin: str) -> None:
    with pytest.raises(InvalidError):
        ServeOptions(db, allow_origins=(origin,))


def test_a_token_file_is_read_without_its_line_end(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("s3cret\n")
    assert read_token(file) == "s3cret"
    file.write_text(" \n")
    for bad in (file, tmp_path / "none"):
        with pytest.raises(InvalidError):
            read_token(bad)


# --- request ids and the log ---------------------------------------------------------------------


@pytest.mark.parametrize("given", ["a", "A-1.b:c_2", "x" * 128])
def test_a_request_id_is_echoed(client: httpx.Client, given: str) -> None:
    for path in ("/health", "/memories/99", "/nowhere", "/mcp"):
        answer = client.get(path, headers={"X-Request-Id": given})
        assert answer.headers["x-request-id"] == given


@pytest.mark.parametrize("given", ["", "x" * 129, "a b", "a\tb", "é", '"'])
def test_another_request_id_is_made(client: httpx.Client, given: str) -> None:
    headers = [(b"x-request-id", given.encode("latin-1"))]
    made = {client.get("/health", headers=headers).headers["x-request-id"] for _ in range(2)}
    assert len(made) == 2
    assert given not in made


def test_one_line_a_request_without_bodies_queries_and_tokens(db: Path) -> None:
    stream = io.StringIO()
    with logging_to(stream) as log, serving(db, token="s3cret") as server:
        # The fixture's log only counts; this is the one that the command line writes.
        server.log.request = log.request  # type: ignore[method-assign]
        with server.client(Authorization="Bearer s3cret") as client:
            body = {"content": "private words"}
            client.post("/memories", json=body, headers={"X-Request-Id": "r1"})
            client.get("/memories?q=private")
        with server.client(Authorization="Bearer guess") as client:
            client.get("/memories/1")
        until(lambda: stream.getvalue().count("\n") == 3)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [(line["method"], line["path"], line["status"]) for line in lines] == [
        ("POST", "/memories", 201), ("GET", "/memories", 200), ("GET", "/memories/1", 401),
    ]  # fmt: skip
    assert lines[0]["request_id"] == "r1"
    assert all(line["duration_ms"] > 0 for line in lines)
    for secret in ("private", "s3cret", "guess"):
        assert secret not in stream.getvalue()
