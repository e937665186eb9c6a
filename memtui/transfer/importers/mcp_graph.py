"""The MCP reference memory server: a knowledge graph as JSON Lines, with its many variants."""

from __future__ import annotations

from collections.abc import Iterator

from memtui.interchange import ImportRecord
from memtui.transfer.head import Head
from memtui.transfer.importer import Importer, Reading
from memtui.transfer.json_values import Json
from memtui.transfer.mapping import Mapper

_LISTS = ("entities", "relations")
_RELATION = frozenset({"relationType", "relation_type", "from_entity", "to_entity"})
_TEXTS = ("text", "content", "observation", "value")
_TIMES = ("timestamp", "added_at", "created_at", "createdAt", "_savedAt")
_KNOWN_OF_ENTITY = frozenset(
    {"type", "_type", "name", "entityType", "entity_type", "observations", *_TIMES}
)
_KNOWN_OF_OBSERVATION = frozenset({*_TEXTS, *_TIMES})


def recognises(head: Head) -> bool:
    """Entities with observations, or relations between them."""
    samples = [*head.samples_in(""), *head.samples_in("entities"), *head.samples_in("relations")]
    return any(_is_entity(sample) or _is_relation(sample) for sample in samples) or (
        set(_LISTS) <= head.members
    )


def read(reading: Reading) -> Iterator[ImportRecord]:
    """One memory for each observation."""
    mapper = reading.mapper
    for line, value in reading.head.objects(reading.tally, _LISTS):
        entity = mapper.usable(value, line)
        if entity is None:
            continue
        if _is_relation(entity):
            mapper.leave_out("relations between entities")
        elif _is_entity(entity) or "name" in entity:
            yield from _observations(entity, line, mapper)
        else:
            mapper.skip(line, "is neither an entity nor a relation")


def _is_relation(value: dict[str, Json]) -> bool:
    return not _RELATION.isdisjoint(value) or value.get("type") == "relation"


def _is_entity(value: dict[str, Json]) -> bool:
    return "observations" in value and ("name" in value or "entityType" in value)


def _observations(entity: dict[str, Json], line: int, mapper: Mapper) -> Iterator[ImportRecord]:
    name = entity.get("name")
    kind = entity.get("entityType", entity.get("entity_type"))
    tags = mapper.tags((name, kind), line)
    since = mapper.moment(_first(entity, _TIMES), line)
    observations = entity.get("observations")
    if isinstance(observations, str):
        observations = [observations]
    if not observations or not isinstance(observations, list):
        mapper.leave_out("entities without observations")
        return
    mapper.leave_out_others(entity, _KNOWN_OF_ENTITY)
    for observation in observations:
        created = since
        if isinstance(observation, dict):
            mapper.leave_out_others(observation, _KNOWN_OF_OBSERVATION)
            said_at = _first(observation, _TIMES)
            created = since if said_at is None else mapper.moment(said_at, line)
            observation = _first(observation, _TEXTS)  # noqa: PLW2901
        if not isinstance(observation, str):
            mapper.skip(line, "an observation is no text")
            continue
        yield mapper.record(
            observation,
            tags,
            line,
            identity=f"{name}\x00{observation}",
            times=(created, created, None),
        )


def _first(value: dict[str, Json], names: tuple[str, ...]) -> Json:
    return next((value[name] for name in names if value.get(name) is not None), None)


IMPORTER = Importer(
    name="mcp",
    title="MCP reference memory server (memory.json, memory.jsonl)",
    looks_for="entities with a name and observations, one JSON object a line or in one document",
    mapping="""\
content  each observation, one memory each; of an observation that is an object its text
tags     the entity's name and its entity type
type     fact
times    the observation's timestamp, else the entity's createdAt or _savedAt
known by the entity's name and the observation's text
left out relations, entities without observations, updatedAt, authors, versions""",
    recognises=recognises,
    read=read,
)
