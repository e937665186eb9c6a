"""From what a source says to what a memory can hold; what does not fit is counted, never lost."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from memtui.interchange import ImportRecord, Origin, Tally
from memtui.models import MAX_TAG, MAX_TAGS, MemoryStatus, MemoryType
from memtui.text import storable_problem
from memtui.transfer.json_values import Doubled, Json
from memtui.transfer.times import micros_of

TYPES = frozenset(member.value for member in MemoryType)
STATUSES = frozenset(member.value for member in MemoryStatus)
FACT = MemoryType.FACT.value
ACTIVE = MemoryStatus.ACTIVE.value
INVALID = MemoryStatus.INVALID.value
DELETED = MemoryStatus.DELETED.value

Times = tuple[int | None, int | None, int | None]
"""When a record was created, changed and last read."""

NO_TIMES: Times = (None, None, None)
_KEPT_TAGS = 50_000
_RETIRED = frozenset(
    {"inactive", "archived", "paused", "superseded", "stale", "expired", "obsolete"}
)


@dataclass(slots=True)
class Mapper:
    """The mapping rules for one source, and where its oddities are counted."""

    origin: Origin
    tally: Tally
    _sound_tags: set[str] = field(default_factory=set)

    # --- fates ----------------------------------------------------------------------------

    def skip(self, line: int, reason: str) -> None:
        """Name a record that is not taken in."""
        self.tally.skip(self.origin.source, line, reason)

    def note(self, what: str, line: int) -> None:
        """Count something that the person should know."""
        self.tally.note(what, self.origin.source, line)

    def leave_out(self, what: str, count: int = 1) -> None:
        """Count what a memory has no place for."""
        self.tally.leave_out(what, count)

    def leave_out_others(self, record: Mapping[str, Json], known: frozenset[str]) -> None:
        """Count the fields of a record that are none of `known` and hold something."""
        for name in record.keys() - known:
            if record[name] not in (None, "", [], {}):
                self.tally.left_out[name] += 1

    def usable(self, value: Json, line: int) -> dict[str, Json] | None:
        """The record as an object, or None with its reason named."""
        if type(value) is dict:
            return value
        if isinstance(value, Doubled):
            self.skip(line, f"gives the key {value.key!r} twice, with different values")
        else:
            self.skip(line, f"is {_kind(value)}, not an object")
        return None

    # --- values ---------------------------------------------------------------------------

    def tags(self, given: Iterable[object], line: int) -> tuple[str, ...]:
        """Tags that the contract takes: text, trimmed, distinct, short enough, not too many."""
        tags: dict[str, None] = {}
        for tag in given:
            if isinstance(tag, str) and tag in self._sound_tags:
                tags[tag] = None
            elif fitted := self.tag(tag, line):
                tags[fitted] = None
                if fitted == tag and len(self._sound_tags) < _KEPT_TAGS:
                    self._sound_tags.add(fitted)
        if len(tags) > MAX_TAGS:
            self.leave_out(f"tags beyond the first {MAX_TAGS}", len(tags) - MAX_TAGS)
            return tuple(tags)[:MAX_TAGS]
        return tuple(tags)

    def tag(self, given: object, line: int) -> str | None:
        """One tag, cut to the longest allowed, or None when nothing is left of it."""
        if not isinstance(given, str):
            if isinstance(given, bool) or not isinstance(given, int | float):
                if given is not None:
                    self.leave_out("tags that are no text")
                return None
            given = str(given)
        tag = given.strip()
        if storable_problem(tag):
            self.leave_out("tags with characters that can't be stored")
            return None
        if len(tag) > MAX_TAG:
            self.note(f"tags cut to {MAX_TAG} characters", line)
            tag = tag[: MAX_TAG - 1].rstrip() + "…"
        return tag or None

    def type_and_tags(self, given: object, line: int) -> tuple[str, tuple[str, ...]]:
        """One of the contract's types; another becomes `fact` with a tag `type:…`, and is noted."""
        if given is None or given == "":
            return FACT, ()
        if isinstance(given, str):
            name = given.strip().lower()
            if name in TYPES:
                return name, ()
            if name.endswith("s") and name[:-1] in TYPES:
                return name[:-1], ()
            if name == "identities":
                return MemoryType.IDENTITY.value, ()
        tag = self.tag(f"type:{given}", line)
        self.note("unknown types, now fact with a tag type:…", line)
        return FACT, (tag,) if tag else ()

    def status_and_tags(self, given: object, line: int) -> tuple[str, tuple[str, ...]]:
        """One of the contract's statuses; another retired one is `invalid`, any other `active`.

        What the contract does not know is kept as the tag `status:…` (and is noted).
        """
        if given is None or given == "":
            return ACTIVE, ()
        name = given.strip().lower() if isinstance(given, str) else ""
        if name in STATUSES:
            return name, ()
        tag = self.tag(f"status:{given}", line)
        self.note("unknown statuses, kept as a tag status:…", line)
        return (INVALID if name in _RETIRED else ACTIVE), (tag,) if tag else ()

    def moment(self, given: object, line: int) -> int | None:
        """A time in microseconds; one that can't be understood is noted, and None."""
        if given is None or given == "":
            return None
        moment = micros_of(given)
        if moment is None:
            self.note("times that can't be understood, left out", line)
        return moment

    def record(
        self,
        content: str,
        tags: tuple[str, ...],
        line: int,
        *,
        identity: str,
        memory_type: str = FACT,
        status: str = ACTIVE,
        times: Times = NO_TIMES,
        source_id: str | None = None,
    ) -> ImportRecord:
        """One record; `times` are creation, change and last access."""
        created, updated, accessed = times
        if source_id is not None and storable_problem(source_id):
            source_id = None
        if status == DELETED:
            self.note("memories that are deleted at the source, and stay so", line)
        return ImportRecord(
            content, tags, memory_type, status, created, updated, accessed,
            identity, source_id, self.origin, line,
        )  # fmt: skip


def storable(text: str) -> str:
    """A name as it can be kept: what no database takes becomes a question mark."""
    return text.encode("utf-8", "replace").decode().replace("\x00", "?")


_UNIQUE = re.compile(r"[0-9A-Za-z_:./-]{16,}")


def identity_of(source_id: object, content: str, created: object) -> tuple[str, str | None]:
    """What a record is known by, and its id as text.

    An id that is unique by its looks (a UUID, a hash) is enough. A short one, as a row number, only
    counts together with the time of creation, or else with the content: others may have it too.
    """
    id_ = None if source_id is None or source_id == "" else str(source_id)
    if id_ is not None and not isinstance(source_id, int) and _UNIQUE.fullmatch(id_):
        return id_, id_
    if created not in (None, ""):
        return f"{id_}@{created}" if id_ else f"{content}@{created}", id_
    return f"{id_}#{content}" if id_ else content, id_


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, str):
        return "text"
    return "a list" if isinstance(value, list) else "a number"
