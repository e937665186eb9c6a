"""What is refused over HTTP: the status, the shape, and that nothing was written."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest

from tests.server.support import Server, memory_count, serving, until


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all of these: whatever is refused writes nothing."""
    db = tmp_path_factory.mktemp("refusals") / "memories.db"
    with serving(db) as server:
        with server.client() as client:
            assert client.post("/memories", json={"content": "first"}).status_code == 201
        yield server


@pytest.fixture
def server(running: Server) -> Iterator[Server]:
    count = memory_count(running.db)
    yield running
    assert memory_count(running.db) == count
    with running.client() as client:
        assert client.get("/memories/1").json()["version"] == 1


def problems(answer: httpx.Response) -> list[dict]:
    assert answer.status_code == 422, answer.text
    detail = answer.json()["detail"]
    assert all(set(problem) == {"loc", "msg", "type"} for problem in detail)
    return detail


@pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
def test_a_memory_that_is_not_there(client: httpx.Client, method: str) -> None:
    body = {"json": {}} if method == "PATCH" else {}
    answer = client.request(method, "/memories/7000", **body)
    assert (answer.status_code, answer.json()) == (404, {"detail": "Memory not found"})


@pytest.mark.parametrize("id_", ["x", "1.0", "1e3", "0x1", "+1", "1_0", "%20", "٣", "--1", "1 "])
def test_an_id_that_is_no_integer(client: httpx.Client, id_: str) -> None:
    for path in (f"/memories/{id_}", f"/memories/{id_}/revisions"):
        problem = problems(client.get(path))[0]
        assert (problem["loc"], problem["type"]) == (["path", "memory_id"], "int_parsing")


@pytest.mark.parametrize("id_", ["0", "-1", "9223372036854775808", "9" * 5_000])
def test_an_id_that_no_memory_can_have(client: httpx.Client, id_: str) -> None:
    assert client.get(f"/memories/{id_}").status_code == 404
    assert client.post(f"/memories/{id_}/restore").status_code == 404


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"{]", b'{"content": "x"', b"\xff\xfe", b'{"content": "\xff"}', b"nothing",
        b'{"content": NaN}', b'{"content": Infinity}', b"[" * 100_000,
        b'{"content": "x", "content": "y"}', b'\xef\xbb\xbf{"content": "x"}',
        '{"content": "x"}'.encode("utf-16"), b'{"content": ' + b"1" * 5_000 + b"}",
    ],
)  # fmt: skip
def test_what_is_no_json(client: httpx.Client, server: Server, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    for path in ("/memories", "/memories/batch"):
        assert problems(client.post(path, content=body, headers=headers))[0]["loc"][0] == "body"
    problems(client.patch("/memories/1", content=body, headers=headers))


@pytest.mark.parametrize("text", ["\ud800", "a\udfffb", "nul\x00", " \t\n", ""])
@pytest.mark.parametrize("field", ["content", "tags"])
def test_text_that_cannot_be_stored(
    client: httpx.Client, server: Server, text: str, field: str
) -> None:
    values: dict[str, object] = {"content": "x"}
    values[field] = text if field == "content" else [text]
    for method, path, body in (
        ("POST", "/memories", values),
        ("POST", "/memories/batch", [values]),
        ("PATCH", "/memories/1", {field: values[field]}),
    ):
        answer = client.request(method, path, content=json.dumps(body))
        assert field in problems(answer)[0]["loc"]


@pytest.mark.parametrize(
    ("values", "loc", "kind"),
    [
        ({}, ["body", "content"], "missing"),
        ([], ["body"], "model_type"),
        ({"content": None}, ["body", "content"], "string_type"),
        ({"content": 5}, ["body", "content"], "string_type"),
        ({"content": "x" * 8_001}, ["body", "content"], "string_too_long"),
        ({"content": "x", "tags": None}, ["body", "tags"], "tuple_type"),
        ({"content": "x", "tags": "a"}, ["body", "tags"], "tuple_type"),
        ({"content": "x", "tags": ["a", 5]}, ["body", "tags", 1], "string_type"),
        ({"content": "x", "memory_type": "goal"}, ["body", "memory_type"], "enum"),
        ({"content": "x", "memory_type": None}, ["body", "memory_type"], "enum"),
        ({"content": "x", "status": "deleted"}, ["body", "status"], "enum"),
        ({"content": "x", "version": 2}, ["body", "version"], "extra_forbidden"),
        ({"content": "x", "\ud800": 2}, ["body"], "string_unicode"),
    ],
)
def test_a_new_memory_is_judged_by_the_service(
    client: httpx.Client, server: Server, values: object, loc: list, kind: str
) -> None:
    problem = problems(client.post("/memories", content=json.dumps(values)))[0]
    assert (problem["loc"], problem["type"]) == (loc, kind)


@pytest.mark.parametrize(
    "values",
    [
        {"content": None},
        {"status": "deleted"},
        {"id": 5},
        {"last_accessed_at": None},
        [],
        "x",
        None,
    ],
)
def test_a_patch_is_judged_by_the_service(client: httpx.Client, values: object) -> None:
    problems(client.patch("/memories/1", json=values))


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=0", "limit"), ("limit=101", "limit"), ("limit=ten", "limit"), ("limit=", "limit"),
        ("offset=-1", "offset"), ("offset=9223372036854775808", "offset"),
        ("sort=version", "sort"), ("status=gone", "status"), ("memory_type=goal", "memory_type"),
        ("q=", "q"), ("tag=", "tag"), ("q=" + "x" * 257, "q"), ("q=%00", "q"),
        ("limit=5&limit=5", "limit"), ("q=a&q=b", "q"), ("page=2", "page"), ("Q=a", "Q"),
        ("memory_id=1", "memory_id"),
    ],
)  # fmt: skip
def test_a_query_is_judged_by_the_service(client: httpx.Client, query: str, field: str) -> None:
    assert problems(client.get(f"/memories?{query}"))[0]["loc"] == ["query", field]


@pytest.mark.parametrize("query", ["q=%FF", "q=%ED%A0%80", "%FF=1"])
def test_a_query_that_is_no_utf_8(client: httpx.Client, query: str) -> None:
    assert problems(client.get(f"/memories?{query}"))[0]["type"] == "string_unicode"


def test_unknown_fields_and_values_say_what_is_allowed(client: httpx.Client) -> None:
    unknown = problems(client.get("/memories?page=2"))[0]["msg"]
    for name in ("status", "memory_type", "tag", "q", "sort", "limit", "offset"):
        assert name in unknown
    assert "'fact'" in problems(client.get("/memories?memory_type=goal"))[0]["msg"]
    assert (
        "memory_type"
        in problems(client.post("/memories", json={"content": "x", "type": 1}))[0]["msg"]
    )


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/memories?x=1"),
        ("POST", "/memories/batch?x=1"),
        ("GET", "/memories/1?peek=true"),
        ("PATCH", "/memories/1?x=1"),
        ("DELETE", "/memories/1?x=1"),
        ("POST", "/memories/1/restore?x=1"),
        ("GET", "/memories/1/revisions?q=1"),
        ("GET", "/tags?sort=id"),
        ("GET", "/stats?x=1"),
    ],
)
def test_no_route_ignores_a_query_field(client: httpx.Client, method: str, path: str) -> None:
    body = {"json": {"content": "y"}} if method in {"POST", "PATCH"} else {}
    assert problems(client.request(method, path, **body))[0]["type"] == "extra_forbidden"


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/memories", "GET, HEAD, POST"),
        ("/memories/batch", "POST"),
        ("/memories/1", "DELETE, GET, HEAD, PATCH"),
        ("/memories/1/restore", "POST"),
        ("/memories/1/revisions", "GET, HEAD"),
        ("/tags", "GET, HEAD"),
        ("/stats", "GET, HEAD"),
        ("/health", "GET, HEAD"),
        ("/ready", "GET, HEAD"),
        ("/openapi.json", "GET, HEAD"),
        ("/docs", "GET, HEAD"),
        ("/mcp", "POST"),
        ("/mcp/", "POST"),
    ],
)
def test_another_method_is_405_with_all_that_are_allowed(
    client: httpx.Client, path: str, allowed: str
) -> None:
    for method in {"PUT", "OPTIONS", "TRACE", "GET", "DELETE", "FROB"} - set(allowed.split(", ")):
        answer = client.request(method, path)
        assert answer.status_code == 405
        assert answer.headers["allow"] == allowed
        assert answer.json() == {"detail": "Method Not Allowed"}


@pytest.mark.parametrize(
    "path", ["/", "/memory", "/memories/", "/memories/1/", "/memories/1/x", "/a//b"]
)
def test_another_path_is_404_in_the_same_shape(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.json()) == (404, {"detail": "Not Found"})


def test_a_body_of_another_type_is_415(client: httpx.Client, server: Server) -> None:
    for content_type in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        headers = {"content-type": content_type}
        answer = client.post("/memories", content=b'{"content": "x"}', headers=headers)
        assert answer.status_code == 415
        assert "application/json" in answer.json()["detail"]
    for content_type in ("application/json; charset=utf-8", "application/merge-patch+json"):
        headers = {"content-type": content_type}
        assert client.patch("/memories/1", content=b"{}", headers=headers).status_code == 200


def test_an_unexpected_failure_says_nothing_of_the_inside(
    client: httpx.Client, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memtui.service import MemoryService

    def explode(*_: object, **__: object) -> None:
        raise RuntimeError("the secret inside")

    monkeypatch.setattr(MemoryService, "stats", explode)
    answer = client.get("/stats")
    assert (answer.status_code, answer.json()) == (500, {"detail": "Internal Server Error"})
    request_id = answer.headers["x-request-id"]
    until(lambda: request_id in {noted["request_id"] for noted in server.log.requests})
    assert client.get("/health").status_code == 200
