"""HTTP, MCP, the command line and Python give the same answers to the same queries."""

from __future__ import annotations

import io
import json
import random
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from memtui.cli.main import main
from memtui.models import MemoryCreate, MemoryQuery
from memtui.service import MemoryService
from tests.server.mcp_clients import MODES, ask, over_http
from tests.server.support import serving

COMPOSED, DECOMPOSED = "\u00e9", "e\u0301"
WORDS = [
    *("Straße", "STRASSE", "Σίσυφος", "naïve", "nai\u0308ve", "日本語の記憶", "🫖", "ﬁ", "\u2028"),
    *("100%", "my_tag", "a\\b", "[x]", '"quoted"', "don't", "x:y", "e"),
    *("line\nend", "tab\there", " spaced "),
]
TAGS = [
    *("100%", "my_tag", "myXtag", "a b", "Test", "test", "testing", '", "', "[x]", "5"),
    *(COMPOSED, DECOMPOSED),
]
MISSES = ["u00e9", "no such", '","', "%", "_", "\\"]
QUERIES = 60


def some_memories(rng: random.Random) -> list[MemoryCreate]:
    return [
        MemoryCreate.parse(
            {
                "content": f"{number} " + " ".join(rng.choices(WORDS, k=rng.randint(1, 5))),
                "tags": rng.sample(TAGS, k=rng.randint(0, 4)),
                "memory_type": rng.choice(["preference", "fact", "identity", "event"]),
                "status": rng.choice(["active", "active", "invalid"]),
            }
        )
        for number in range(80)
    ]


def some_query(rng: random.Random) -> dict[str, Any]:
    choices: dict[str, list[Any]] = {
        "status": ["active", "invalid", "deleted"],
        "memory_type": ["preference", "fact", "identity", "event"],
        "tag": TAGS,
        "q": [word.upper() for word in WORDS] + WORDS + MISSES,
        "sort": ["id", "created_at", "updated_at", "last_accessed_at"],
        "limit": [1, 3, 10, 100],
        "offset": [0, 0, 1, 7, 79, 2**63 - 1],
    }
    names = rng.sample(list(choices), k=rng.randint(0, 4))
    return {name: rng.choice(choices[name]) for name in names}


def on_the_command_line(db: Path, query: dict[str, Any]) -> dict[str, Any]:
    flags = {"memory_type": "type"}
    words = [f"--{flags.get(name, name)}={value}" for name, value in query.items()]
    output = io.StringIO()
    with redirect_stdout(output):
        assert main(["--db", str(db), "--peek", "list", "--json", *words]) == 0
    return json.loads(output.getvalue())


def without_marks(page: dict[str, Any]) -> dict[str, Any]:
    """A page without the times of access: each reading surface marks, and so moves them on."""
    items = [memory | {"last_accessed_at": None} for memory in page["items"]]
    return page | {"items": items}


@pytest.fixture
def db(tmp_path: Path) -> Path:
    rng = random.Random(4)
    path = tmp_path / "memories.db"
    with MemoryService.open(path) as service:
        created = service.create_many(some_memories(rng))
        for memory in rng.sample(created, k=15):
            service.delete(memory.id)
        for memory in rng.sample(created, k=30):
            if memory.status == "active" and rng.random() < 0.5:
                service.search(MemoryQuery(limit=2, offset=memory.id))
    return path


async def test_the_same_query_has_the_same_answer_everywhere(db: Path) -> None:
    rng = random.Random(44)
    with (
        MemoryService.open(db) as service,
        serving(db) as server,
        server.client() as client,
    ):
        async with over_http(server, "auto") as new, over_http(server, "legacy") as old:
            for _ in range(QUERIES):
                query = some_query(rng)
                expected = service.search(MemoryQuery.parse(query), touch=False)
                page = expected.model_dump(mode="json")
                assert client.get("/memories", params={**query, "peek": "true"}).json() == page
                assert on_the_command_line(db, query) == page
                # These mark, one after the other, so each is asked about what it finds then.
                for ask_it in (
                    lambda query=query: client.get("/memories", params=query).json(),
                    lambda query=query: service.search(MemoryQuery.parse(query)).model_dump(
                        mode="json"
                    ),
                ):
                    before = service.search(MemoryQuery.parse(query), touch=False)
                    got = ask_it()
                    assert without_marks(got) == without_marks(before.model_dump(mode="json"))
                    times = {memory["last_accessed_at"] for memory in got["items"]}
                    assert len(times) == min(1, len(got["items"]))
                for agent in (new, old):
                    before = service.search(MemoryQuery.parse(query), touch=False)
                    got = await ask(agent, "search_memories", **query)
                    assert without_marks(got) == without_marks(before.model_dump(mode="json"))


@pytest.mark.parametrize("mode", MODES)
async def test_the_same_refusal_has_the_same_reason_everywhere(db: Path, mode: Any) -> None:
    bad: list[dict[str, Any]] = [
        {"limit": 101},
        {"limit": 0},
        {"offset": -1},
        {"sort": "version"},
        {"status": "gone"},
        {"memory_type": "goal"},
        {"q": ""},
        {"tag": "x" * 257},
    ]
    from memtui.errors import InvalidError

    with serving(db) as server, server.client() as client:
        async with over_http(server, mode) as agent:
            for query in bad:
                with pytest.raises(InvalidError) as raised:
                    MemoryQuery.parse(query)
                problem = raised.value.problems[0]
                detail = client.get("/memories", params=query).json()["detail"][0]
                assert detail["msg"] == problem.message
                result = await agent.call_tool("search_memories", query)
                assert f"{problem}" in result.content[0].text  # type: ignore[union-attr]


async def test_what_one_writes_the_others_read(db: Path) -> None:
    with (
        MemoryService.open(db) as service,
        serving(db) as server,
        server.client() as client,
    ):
        async with over_http(server, "auto") as agent:
            text = "every\tcharacter \x1b[31m \u202e \u200f 🫖 é\r\n"
            by_http = client.post(
                "/memories", json={"content": text, "tags": [COMPOSED, DECOMPOSED]}
            ).json()
            by_mcp = await ask(agent, "record_memory", content=text, tags=[COMPOSED, DECOMPOSED])
            by_python = service.create(MemoryCreate(content=text, tags=(COMPOSED, DECOMPOSED)))
            for id_ in (by_http["id"], by_mcp["id"], by_python.id):
                expected = service.get(id_, touch=False).model_dump(mode="json")
                assert (expected["content"], expected["tags"]) == (text, [COMPOSED, DECOMPOSED])
                got = [
                    client.get(f"/memories/{id_}").json(),
                    await ask(agent, "inspect_memory", memory_id=id_),
                    service.get(id_).model_dump(mode="json"),
                ]
                for memory in got:
                    assert memory | {"last_accessed_at": None} == expected
