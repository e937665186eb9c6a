"""One thing that an agent did, in full: who, when, how, and the memories it is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from textual.content import Content

from memtui.agents import Activity, ActivityKind
from memtui.models import Memory
from memtui.tui.cells import block, line
from memtui.tui.times import ago, exact

DEEDS = {
    ActivityKind.QUERIED: "searched",
    ActivityKind.INJECTED: "was given",
    ActivityKind.RETRACTED: "was told to drop",
    ActivityKind.DUPLICATE: "knew already",
    ActivityKind.ERROR: "failed",
}
_LISTED = 6


def ids_in_words(ids: Sequence[int]) -> str:
    """Return `#3, #7`, or how many they are, after the first ones."""
    named = ", ".join(f"#{id_}" for id_ in ids[:_LISTED])
    return named if len(ids) <= _LISTED else f"{named} and {len(ids) - _LISTED:,} more"


def activity_text(activity: Activity, memories: Sequence[Memory], now: datetime) -> Content:
    """Return an activity with the texts of those of its memories that are still there."""
    return Content("\n").join(_lines(activity, {memory.id: memory for memory in memories}, now))


def _lines(activity: Activity, memories: dict[int, Memory], now: datetime) -> Iterator[Content]:
    yield Content.assemble(line(activity.actor, "bold"), "  ", (DEEDS[activity.kind], "bold"))
    yield Content.assemble((exact(activity.at), "$muted"), (f"  {ago(activity.at, now)}", "$muted"))
    if activity.detail:
        yield line(activity.detail, "$muted")
    for id_ in activity.memory_ids:
        yield Content("")
        memory = memories.get(id_)
        if memory is None:
            yield Content.assemble((f"#{id_}", "bold $accent"), ("  deleted since", "$warning"))
            continue
        state = "" if memory.status == "active" else f"  {memory.status}"
        yield Content.assemble(
            (f"#{id_}", "bold $accent"),
            (f"  version {memory.version} now", "$muted"),
            line(state, "$warning"),
        )
        yield block(memory.content)
