"""Times as people read them: relative for the eye, exact and in UTC for the record."""

from __future__ import annotations

from datetime import UTC, datetime

_MINUTE = 60
_HOUR = 60 * _MINUTE
_DAY = 24 * _HOUR
_STEPS = (
    (60 * _DAY, 365.25 * _DAY, 30.4375 * _DAY, "mo"),
    (14 * _DAY, 60 * _DAY, 7 * _DAY, "wk"),
    (_DAY, 14 * _DAY, _DAY, "d"),
    (_HOUR, _DAY, _HOUR, "h"),
    (_MINUTE, _HOUR, _MINUTE, "min"),
)


def short(then: datetime | None, now: datetime) -> str:
    """Return how far `then` is from `now` in at most a few characters: `now`, `2 h`, `in 3 d`.

    Both are aware; the time zone that the process runs in plays no part. None is `never`.
    """
    if then is None:
        return "never"
    seconds = (now - then).total_seconds()
    span = _span(abs(seconds))
    return f"in {span}" if seconds < 0 and span != "now" else span


def ago(then: datetime | None, now: datetime) -> str:
    """Return how far `then` is from `now` in words: `just now`, `2 h ago`, `in 3 d`, `never`."""
    shown = short(then, now)
    if shown == "now":
        return "just now"
    return shown if shown == "never" or shown.startswith("in ") else f"{shown} ago"


def exact(then: datetime) -> str:
    """Return `then` to the second, in UTC: `2026-04-06 14:12:00 UTC`."""
    moment = then.astimezone(UTC)
    return f"{moment.replace(tzinfo=None, microsecond=0).isoformat(' ')} UTC"


def _span(seconds: float) -> str:
    if seconds < _MINUTE:
        return "now"
    for least, below, unit, name in _STEPS:
        if least <= seconds < below:
            return f"{int(seconds // unit)} {name}"
    return f"{int(seconds // (365.25 * _DAY))} y"
