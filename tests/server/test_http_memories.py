"""Each route of the contract over HTTP, with its status, headers and body."""

from __future__ import annotations

import httpx
import pytest

from memtui.models import MemoryQuery, RevisionQuery
from memtui.server.names import actor
from memtui.service import MemoryService
from tests.server.support import Server

FIELDS = [
    "id", "content", "tags", "created_at", "updated_at", "last_accessed_at", "memory_type",
    "status", "version",
]  # fmt: skip


def create(client: httpx.Client, content: str = "Prefers tea", **fields: object) -> dict:
    answer = client.post("/memories", json={"content": content, **fields})
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_create_answers_the_object_its_place_and_its_version(client: httpx.Client) -> None:
    body = {"content": " Prefers tea\n", "tags": [" a ", "b", "a"], "memory_type": "preference"}
    answer = client.post("/memories", json=body)
    memory = answer.json()
    assert answer.status_code == 201
    assert list(memory) == FIELDS
    assert memory["content"] == " Prefers tea\n"
    assert memory["tags"] == ["a", "b"]
    assert (memory["version"], memory["last_accessed_at"]) == (1, None)
    assert memory["created_at"] == memory["updated_at"]
    assert len(memory["created_at"]) == len("2026-04-06T14:12:00.000000Z")
    assert answer.headers["location"] == f"/memories/{memory['id']}"
    assert answer.headers["etag"] == '"1"'
    assert client.get(answer.headers["location"]).status_code == 200


def test_create_marks_nothing(client: httpx.Client, service: MemoryService) -> None:
    memory = create(client)
    assert service.get(memory["id"], touch=False).last_accessed_at is None


def test_batch_creates_all(client: httpx.Client) -> None:
    answer = client.post("/memories/batch", json=[{"content": "one"}, {"content": "two"}])
    assert answer.status_code == 201
    assert [memory["content"] for memory in answer.json()] == ["one", "two"]
    assert client.post("/memories/batch", json=[]).json() == []


def test_batch_creates_none_when_one_is_refused(client: httpx.Client) -> None:
    answer = client.post("/memories/batch", json=[{"content": "one"}, {"content": " "}])
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"] == ["body", 1, "content"]
    assert client.get("/memories?peek=true").json()["total"] == 0


def test_batch_takes_a_thousand_and_no_more(client: httpx.Client) -> None:
    items = [{"content": f"memory {number}"} for number in range(1_001)]
    refused = client.post("/memories/batch", json=items)
    assert refused.status_code == 422
    assert refused.json()["detail"][0]["type"] == "too_long"
    assert len(client.post("/memories/batch", json=items[:1_000]).json()) == 1_000


def test_read_marks_the_memory(client: httpx.Client, service: MemoryService) -> None:
    memory = create(client)
    answer = client.get(f"/memories/{memory['id']}")
    assert answer.headers["etag"] == '"1"'
    assert answer.headers["cache-control"] == "no-store"
    stored = service.get(memory["id"], touch=False)
    assert stored.last_accessed_at is not None
    assert answer.json() == stored.model_dump(mode="json")


def test_head_tells_the_version_and_marks_nothing(
    client: httpx.Client, service: MemoryService
) -> None:
    memory = create(client)
    answer = client.head(f"/memories/{memory['id']}")
    assert (answer.status_code, answer.headers["etag"], answer.content) == (200, '"1"', b"")
    assert client.head("/memories").status_code == 200
    assert service.get(memory["id"], touch=False).last_accessed_at is None


def test_list_answers_the_envelope_and_marks_its_rows(
    client: httpx.Client, service: MemoryService
) -> None:
    for number in range(12):
        create(client, f"memory {number}")
    page = client.get("/memories").json()
    assert list(page) == ["items", "total", "limit", "offset", "has_more"]
    assert (page["total"], page["limit"], page["offset"], page["has_more"]) == (12, 10, 0, True)
    stored = service.search(MemoryQuery(limit=100), touch=False).items
    assert [memory.last_accessed_at is not None for memory in stored] == [True] * 10 + [False] * 2
    assert page["items"] == [memory.model_dump(mode="json") for memory in stored[:10]]


def test_list_peeks_when_asked(client: httpx.Client) -> None:
    create(client)
    assert client.get("/memories?peek=true").json()["items"][0]["last_accessed_at"] is None
    assert client.get("/memories?peek=false").json()["items"][0]["last_accessed_at"] is not None
    assert client.get("/memories?peek=maybe").status_code == 422


def test_list_composes_all_seven_fields(client: httpx.Client) -> None:
    create(client, "Likes Straße", tags=["x y"], memory_type="preference")
    create(client, "Likes strasse", tags=["x y"], status="invalid", memory_type="preference")
    create(client, "other", tags=["x y"])
    query = {
        "status": "active", "memory_type": "preference", "tag": "x y", "q": "STRASSE",
        "sort": "updated_at", "limit": "5", "offset": "0",
    }  # fmt: skip
    page = client.get("/memories", params=query).json()
    assert [memory["content"] for memory in page["items"]] == ["Likes Straße"]


def test_links_walk_every_page_there_and_back(client: httpx.Client) -> None:
    ids = [create(client, f"näh {number}", tags=["a&b"])["id"] for number in range(7)]
    seen, url = [], "/memories?limit=3&q=n%C3%A4h&tag=a%26b&peek=true"
    while True:
        answer = client.get(url)
        seen += [memory["id"] for memory in answer.json()["items"]]
        if "next" not in answer.links:
            break
        url = answer.links["next"]["url"]
    assert seen == ids
    assert "next" not in answer.links
    assert client.get(answer.links["prev"]["url"]).json()["offset"] == 3
    assert "link" not in client.get("/memories?limit=7&peek=true").headers


def test_patch_merges_and_makes_one_version(client: httpx.Client) -> None:
    memory = create(client, tags=["a"])
    answer = client.patch(
        f"/memories/{memory['id']}", json={"content": "Prefers coffee", "status": "invalid"}
    )
    changed = answer.json()
    assert (answer.status_code, answer.headers["etag"]) == (200, '"2"')
    assert (changed["content"], changed["tags"], changed["version"]) == ("Prefers coffee", ["a"], 2)
    assert changed["status"] == "invalid"
    unchanged = client.patch(f"/memories/{memory['id']}", json={})
    assert unchanged.json() == changed


@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
def test_if_match_guards_a_write(client: httpx.Client, method: str) -> None:
    memory = create(client)
    path = f"/memories/{memory['id']}"
    body = {"json": {"content": "changed"}} if method == "PATCH" else {}
    stale = client.request(method, path, headers={"If-Match": '"2"'}, **body)
    assert stale.status_code == 412
    assert stale.headers["etag"] == '"1"'
    assert stale.json()["current"] == memory
    assert isinstance(stale.json()["detail"], str)
    assert client.request(method, path, headers={"If-Match": '"1"'}, **body).status_code == 200


@pytest.mark.parametrize("tag", ['"other"', '"01"', '""', '"99999999999999999999"', '"0"'])
def test_a_tag_that_is_no_version_matches_nothing(client: httpx.Client, tag: str) -> None:
    memory = create(client)
    path = f"/memories/{memory['id']}"
    assert client.delete(path, headers={"If-Match": tag}).status_code == 412
    assert client.get(path).status_code == 200


@pytest.mark.parametrize("tag", ['W/"1"', "1", '"1', "", '"1", "2"', "*, *"])
def test_a_weak_or_malformed_tag_is_400(client: httpx.Client, tag: str) -> None:
    memory = create(client)
    path = f"/memories/{memory['id']}"
    answer = client.patch(path, json={"content": "changed"}, headers={"If-Match": tag})
    assert answer.status_code == 400
    assert client.get(path).json()["version"] == 1


def test_a_star_asks_that_the_memory_exists(client: httpx.Client) -> None:
    memory = create(client)
    star = {"If-Match": "*"}
    assert client.delete(f"/memories/{memory['id']}", headers=star).status_code == 200
    assert client.delete(f"/memories/{memory['id']}", headers=star).status_code == 404


def test_delete_and_restore(client: httpx.Client) -> None:
    memory = create(client, status="invalid")
    path = f"/memories/{memory['id']}"
    deleted = client.delete(path)
    assert (deleted.status_code, deleted.headers["etag"]) == (200, '"1"')
    assert deleted.json() == memory | {"status": "deleted"}
    assert client.get(path).status_code == 404
    assert client.delete(path).status_code == 404
    assert client.patch(path, json={}).status_code == 404
    restored = client.post(f"{path}/restore")
    assert (restored.status_code, restored.json()) == (200, memory)
    assert client.post(f"{path}/restore").status_code == 404


def test_case_13_deleted_memories_show_only_when_asked_for(client: httpx.Client) -> None:
    memory = create(client, "hidden", tags=["secret"])
    client.delete(f"/memories/{memory['id']}")
    assert client.get("/memories?q=hidden&peek=true").json()["total"] == 0
    facets = client.get("/tags").json()
    assert (facets["total"], facets["tags"]) == (0, [])
    assert client.get("/stats").json()["tags"] == 0
    assert client.get("/memories?status=deleted&peek=true").json()["total"] == 1


def test_revisions_are_the_journal_newest_first(client: httpx.Client) -> None:
    memory = create(client)
    path = f"/memories/{memory['id']}"
    client.patch(path, json={"content": "v2"}, headers={"X-Client-Id": "agent"})
    client.delete(path)
    page = client.get(f"{path}/revisions?limit=2")
    items = page.json()["items"]
    assert [item["action"] for item in items] == ["delete", "patch"]
    assert [item["actor"] for item in items] == ["http", "http:agent"]
    assert page.json()["total"] == 3
    assert client.get(page.links["next"]["url"]).json()["items"][0]["action"] == "create"
    assert client.get("/memories/99/revisions").status_code == 404


@pytest.mark.parametrize(
    ("sent", "name"),
    [
        ("  my agent 1.0  ", "http:my agent 1.0"),
        ("x" * 200, "http:" + "x" * 128),
        ("bad\x1b[31m<name>\u202e", "http:bad_31m_name"),
        ("   ", "http"),
        (None, "http"),
    ],
)
def test_an_actor_is_a_client_in_safe_characters(sent: str | None, name: str) -> None:
    assert actor("http", sent) == name


def test_the_client_is_the_actor(client: httpx.Client, service: MemoryService) -> None:
    client.post("/memories", json={"content": "x"}, headers={"X-Client-Id": "nightly"})
    client.post("/memories/batch", json=[{"content": "x"}], headers={"X-Client-Id": "batch"})
    revisions = service.history(RevisionQuery())
    assert [revision.actor for revision in revisions.items] == ["http:batch", "http:nightly"]


def test_who_read_what_is_noted_and_a_peek_is_not(
    client: httpx.Client, service: MemoryService
) -> None:
    made = [create(client)["id"] for _ in range(3)]
    named = {"X-Client-Id": "reader"}
    client.get("/memories", params={"limit": 2, "sort": "id"}, headers=named)
    client.get(f"/memories/{made[2]}", headers=named)
    client.get("/memories", params={"peek": "true"}, headers=named)
    client.get("/memories", params={"q": "no such text"}, headers=named)
    client.head(f"/memories/{made[0]}", headers=named)
    noted = [(one.actor, one.memory_ids, one.detail) for one in service.activities()]
    assert noted == [
        ("http:reader", (made[2],), "GET by id"),
        ("http:reader", (made[0], made[1]), "GET /memories"),
    ]


def test_tags_are_the_facets_beside_the_filters(
    client: httpx.Client, service: MemoryService
) -> None:
    create(client, tags=["a", "b"], memory_type="event")
    create(client, tags=["a"])
    facets = client.get("/tags", params={"memory_type": "event", "q": "TEA"}).json()
    assert facets["tags"] == [{"tag": "a", "count": 1}, {"tag": "b", "count": 1}]
    assert facets["types"] == {"preference": 0, "fact": 1, "identity": 0, "event": 1}
    assert client.get("/tags?limit=5").status_code == 422
    assert service.get(1, touch=False).last_accessed_at is None


def test_stats_are_the_figures(client: httpx.Client, service: MemoryService) -> None:
    create(client)
    assert client.get("/stats").json() == service.stats().model_dump(mode="json")
    assert service.get(1, touch=False).last_accessed_at is None


def test_health_and_ready(client: httpx.Client) -> None:
    assert client.get("/health").json() == {"status": "ok"}
    ready = client.get("/ready")
    assert ready.status_code == 200
    assert ready.json() == {
        "status": "ready",
        "checks": {"database": "ok", "memories_table": "ok"},
    }


def test_the_reference_is_there_and_loads_nothing_from_elsewhere(
    client: httpx.Client, server: Server
) -> None:
    document = client.get("/openapi.json").json()
    page = client.get("/docs")
    assert page.headers["content-type"].startswith("text/html")
    for path in document["paths"]:
        assert path in page.text
    for loaded in ("<script", "<img", "<link", "@import", "url("):
        assert loaded not in page.text
