"""What goes in comes out: contents, MIME types and metadata, whatever they are."""

from __future__ import annotations

import asyncio
import copy
import json
from pathlib import Path
from uuid import uuid4

import pytest
from autogen_core import ComponentModel, Image
from autogen_core.memory import Memory, MemoryContent, MemoryMimeType
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PIL import Image as Picture

from memtui.errors import InvalidError
from memtui.integrations.autogen import ContentRefusedError, MemtuiMemory, caller_metadata
from memtui.interchange import MAX_ATTACHMENT
from memtui.models import MemoryPatch, MemoryQuery
from memtui.service import MemoryService

from .talk import new, text

names = st.one_of(
    st.text(max_size=8),
    st.sampled_from(["id", "version", "score", "caller", "tags", "type", "memory_type", "source"]),
)
values = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(max_size=12),
        st.sampled_from(["preference", "identity", "fact", "x" * 80]),
    ),
    lambda inside: st.lists(inside, max_size=25) | st.dictionaries(names, inside, max_size=4),
    max_leaves=30,
)
objects = st.dictionaries(names, values, max_size=5)
storable = st.text(
    st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=80
).filter(str.strip)
mime_types = st.sampled_from(
    [MemoryMimeType.TEXT, MemoryMimeType.MARKDOWN, "text/plain", "text/markdown", "text/csv"]
)
json_types = st.sampled_from([MemoryMimeType.JSON, "application/json", "application/ld+json"])
data_types = st.sampled_from([MemoryMimeType.BINARY, "application/pdf"])
metadata = st.none() | objects
contents = st.one_of(
    st.builds(MemoryContent, content=storable, mime_type=mime_types, metadata=metadata),
    st.builds(MemoryContent, content=objects, mime_type=json_types, metadata=metadata),
    st.builds(
        MemoryContent, content=st.binary(max_size=60), mime_type=data_types, metadata=metadata
    ),
)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shared") / "memories.db"


async def there_and_back(content: MemoryContent, database: Path) -> list[MemoryContent]:
    """What is found after an add, and again after a dump and a load, in a scope of its own."""
    first = MemtuiMemory(database, scope=uuid4().hex, mode="all")
    await first.add(content)
    found = (await first.query()).results
    dumped = first.dump_component().model_dump_json()
    await first.close()
    second = Memory.load_component(ComponentModel.model_validate_json(dumped))
    found += (await second.query()).results
    await second.close()
    return found


@given(content=contents)
@example(
    content=text("Ärger\r\n\u2028\u202e 😀", tags=["a", "a ", "", 3], source="x.md", type="event")
)
@example(
    content=MemoryContent(content={"n": [1.0, 1, True, None, "\ud800\x00"]}, mime_type="a/json")
)
@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])
def test_add_query_dump_load_query_gives_back_what_was_given(
    shared: Path, content: MemoryContent
) -> None:
    given = copy.deepcopy(content)
    found = asyncio.run(there_and_back(content, shared))
    assert content == given, "the caller's object was changed"
    assert len(found) == 2
    for item in found:
        assert item.content == given.content
        assert type(item.content) is type(given.content)
        assert item.mime_type == given.mime_type
        assert type(item.mime_type) is type(given.mime_type)
        assert exactly(caller_metadata(item.metadata)) == exactly(given.metadata or None)
        assert item.metadata is not None
        assert item.metadata["version"] == 1
        assert item.metadata["score"] == 1.0


def exactly(value: object) -> str:
    """Tells 1 from 1.0 and from True."""
    return json.dumps(value, sort_keys=True)


async def test_tags_type_and_source_have_their_places_in_the_record(memory, person) -> None:
    given = {"tags": ["units", "style"], "type": "preference", "source": "chat 7", "confidence": 1}
    await memory.add(MemoryContent(content="Metric", mime_type="text/plain", metadata=given))
    (kept,) = person.search(MemoryQuery()).items
    assert kept.tags == ("units", "style", "source:chat 7", "autogen")
    assert kept.memory_type == "preference"
    assert kept.content == "Metric"


async def test_what_a_person_changed_wins_over_what_was_given(memory, person) -> None:
    given = {"tags": ["a"], "type": "event", "source": "chat", "other": [1]}
    await memory.add(text("Before", **given))
    wanted = {
        "content": "After",
        "tags": ["b", "source:chat", "autogen"],
        "memory_type": "identity",
    }
    person.patch(1, MemoryPatch.parse(wanted))
    (item,) = (await memory.query("After")).results
    assert item.content == "After"
    assert caller_metadata(item.metadata) == {
        "tags": ["b"],
        "type": "identity",
        "source": "chat",
        "other": [1],
    }
    assert item.metadata["version"] == 2


async def test_what_a_person_wrote_comes_with_its_tags_and_type(memory, person) -> None:
    person.create(new("Likes tea", "drinks"))
    (item,) = (await memory.query("tea")).results
    assert item.mime_type is MemoryMimeType.TEXT
    assert caller_metadata(item.metadata) == {"tags": ["drinks"]}


async def test_json_that_a_person_made_other_text_is_text(memory, person) -> None:
    await memory.add(MemoryContent(content={"a": 1}, mime_type=MemoryMimeType.JSON))
    person.patch(1, MemoryPatch.parse({"content": '{"a": 2}'}))
    assert (await memory.query()).results[0].content == {"a": 2}
    person.patch(1, MemoryPatch.parse({"content": "a is two"}))
    (item,) = (await memory.query()).results
    assert (item.content, item.mime_type) == ("a is two", MemoryMimeType.TEXT)


async def test_an_image_is_kept_beside_a_caption_that_a_person_can_read(memory, person) -> None:
    picture = Picture.new("RGB", (3, 2), (10, 20, 30))
    image = Image.from_pil(picture)
    await memory.add(
        MemoryContent(
            content=image, mime_type=MemoryMimeType.IMAGE, metadata={"caption": "The harbour"}
        )
    )
    (kept,) = person.search(MemoryQuery()).items
    assert kept.content.startswith("The harbour [image, 3×2 pixels, ")
    (item,) = (await memory.query("harbour")).results
    assert isinstance(item.content, Image)
    assert item.content.image.tobytes() == picture.tobytes()


async def test_bytes_are_refused_when_they_are_not_wanted_or_too_many(make) -> None:
    data = MemoryContent(content=b"\x00\x01", mime_type=MemoryMimeType.BINARY)
    with pytest.raises(ContentRefusedError, match="Unsupported content type"):
        await make(attachments="refuse").add(data)
    huge = MemoryContent(content=bytes(MAX_ATTACHMENT + 1), mime_type=MemoryMimeType.BINARY)
    with pytest.raises(ValueError, match="at most"):
        await make().add(huge)


@pytest.mark.parametrize(
    "content",
    [
        MemoryContent(content="{not json", mime_type=MemoryMimeType.JSON),
        MemoryContent(content={"a": (1, 2)}, mime_type=MemoryMimeType.JSON),
        MemoryContent(content={"a": float("nan")}, mime_type=MemoryMimeType.JSON),
        MemoryContent(content={"a": {1: 2}}, mime_type=MemoryMimeType.JSON),
        MemoryContent(content="x", mime_type="text/plain", metadata={"a": object()}),
        MemoryContent(content="x", mime_type="text/plain", metadata={"a": b"1"}),
        MemoryContent(content=" \n", mime_type="text/plain"),
        MemoryContent(content="x" * 8_001, mime_type="text/plain"),
        MemoryContent(content="a\x00b", mime_type="text/plain"),
    ],
    ids=lambda content: str(content.content)[:10],
)
async def test_what_would_not_come_back_as_it_is_is_refused(content, memory, person) -> None:
    with pytest.raises(InvalidError):
        await memory.add(content)
    assert person.search(MemoryQuery()).total == 0


async def test_an_item_of_one_memory_can_be_added_to_another(make) -> None:
    first, second = make(scope="first"), make(scope="second")
    await first.add(text("Shared", id="own", topic="t"))
    (item,) = (await first.query("Shared")).results
    assert item.metadata["caller"] == {"id": "own"}
    await second.add(item)
    (copy_,) = (await second.query("Shared")).results
    assert copy_.metadata["id"] != item.metadata["id"]
    assert caller_metadata(copy_.metadata) == {"id": "own", "topic": "t"}


async def test_the_data_go_when_the_memory_is_purged(memory, person: MemoryService) -> None:
    await memory.add(MemoryContent(content=b"abc", mime_type=MemoryMimeType.BINARY))
    person.delete(1)
    assert person.attachments([1])[1].data == b"abc"
    person.restore(1)
    assert (await memory.query()).results[0].content == b"abc"
    person.delete(1)
    person.purge()
    assert person.attachments([1]) == {}
