"""Whether a record from elsewhere keeps the contract: quickly when it does, in words when not."""

from __future__ import annotations

from dataclasses import dataclass, field

from memtui.errors import InvalidError
from memtui.interchange import ImportRecord, PastRevision, Tally
from memtui.models import (
    MAX_CONTENT,
    MAX_OFFSET,
    MAX_TAG,
    MAX_TAGS,
    MemoryCreate,
    MemoryStatus,
    MemoryType,
    RevisionAction,
)
from memtui.text import storable_problem

_TYPES = frozenset(member.value for member in MemoryType)
_STATUSES = frozenset(member.value for member in MemoryStatus)
_ACTIONS = frozenset(member.value for member in RevisionAction)
_KEPT_TAGS = 10_000
_LARGEST = MAX_OFFSET // 2
"""Ids and versions stay far from the end of their range, where no new one could follow."""


@dataclass(slots=True)
class RecordChecker:
    """Checks records against the contract and names those that break it.

    What it takes for sound without asking the models is sound by them too (a test holds the two
    together); whatever it is not sure of, the models decide.
    """

    tally: Tally
    _sound_tags: dict[tuple[str, ...], bool] = field(default_factory=dict)

    def accepts(self, record: ImportRecord) -> bool:
        """Whether the record can become a memory; if not, the tally says why."""
        problem = self._problem(
            record.content, record.tags, record.memory_type, record.status
        ) or self._problem_of_past(record)
        if problem is None:
            return True
        self.tally.skip(record.origin.source, record.line, problem)
        return False

    def _problem(
        self, content: str, tags: tuple[str, ...], memory_type: str, status: str
    ) -> str | None:
        if (
            0 < len(content) <= MAX_CONTENT
            and not content.isspace()
            and storable_problem(content) is None
            and (self._sound_tags.get(tags) or self._are_sound(tags))
            and memory_type in _TYPES
            and status in _STATUSES
        ):
            return None
        if len(content) > MAX_CONTENT:
            return (
                f"its content has {len(content):,} characters; at most {MAX_CONTENT:,} "
                "(it can be split at paragraphs)"
            )
        return _problem_in_words(content, tags, memory_type, status)

    def _are_sound(self, tags: tuple[str, ...]) -> bool:
        sound = len(tags) <= MAX_TAGS and not any(map(_unsound, tags))
        sound = sound and len(set(tags)) == len(tags)
        if sound:
            if len(self._sound_tags) > _KEPT_TAGS:
                self._sound_tags.clear()
            self._sound_tags[tags] = True
        return sound

    def _problem_of_past(self, record: ImportRecord) -> str | None:
        past = record.past
        if past is None:
            return None
        if not (0 < past.id < _LARGEST and 0 < past.version < _LARGEST):
            return "its id or version is out of range"
        if not past.revisions:
            return "it comes without its first revision"
        version, seq = 1, 0
        for revision in past.revisions:
            if not _follows(revision, version, seq):
                return "its revisions do not follow each other"
            version, seq = revision.version, revision.seq
            problem = self._problem(
                revision.content, revision.tags, revision.memory_type, revision.status
            )
            if problem:
                return f"revision {revision.version}: {problem}"
        last = past.revisions[-1]
        now = (record.content, record.tags, record.memory_type, record.status, past.version)
        then = (last.content, last.tags, last.memory_type, last.status, last.version)
        return None if now == then else "its last revision differs from it"


def _unsound(tag: str) -> bool:
    return not tag or tag != tag.strip() or len(tag) > MAX_TAG or storable_problem(tag) is not None


def _follows(revision: PastRevision, version: int, seq: int) -> bool:
    return (
        version <= revision.version <= version + 1
        and seq < revision.seq < _LARGEST
        and revision.action in _ACTIONS
    )


def _problem_in_words(
    content: str, tags: tuple[str, ...], memory_type: str, status: str
) -> str | None:
    """What the models say; a deleted record is checked as the active one that it was."""
    values = {
        "content": content,
        "tags": tags,
        "memory_type": memory_type,
        "status": MemoryStatus.ACTIVE.value if status == MemoryStatus.DELETED else status,
    }
    try:
        made = MemoryCreate.parse(values)
    except InvalidError as error:
        return error.message
    return None if made.tags == tags else "its tags are not trimmed or not distinct"
