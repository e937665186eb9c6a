"""Times as sources write them, into microseconds since 1970 in UTC."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_LAST: Final = (datetime(2100, 1, 1, tzinfo=UTC) - _EPOCH) // _MICROSECOND
_MILLISECONDS_FROM = 1e11
"""Numbers of this size and more count milliseconds: as seconds they would be far ahead."""
_TEXT_NUMBERS_FROM = 1e8
"""Smaller numbers in text are more likely a year, a day or a count than seconds since 1970."""


def micros_of(value: object) -> int | None:
    """The moment that `value` means, or None when it can't be understood.

    Understood are ISO 8601 (a date alone is its midnight; without a zone it is UTC), the dates of
    mail and HTTP, and seconds or milliseconds since 1970, also as text. Moments before 1970 and
    from 2100 on are not taken as meant.
    """
    if isinstance(value, str):
        try:
            micros = _of_datetime(datetime.fromisoformat(value))
        except ValueError:
            micros = _of_text(value.strip())
    elif isinstance(value, int | float) and not isinstance(value, bool):
        micros = _of_number(value)
    else:
        return None
    return micros if micros is not None and 0 <= micros < _LAST else None


def _of_text(text: str) -> int | None:
    try:
        return _of_datetime(datetime.fromisoformat(text))
    except ValueError:
        pass
    try:
        number = float(text)
    except ValueError:
        pass
    else:
        return _of_number(number) if abs(number) >= _TEXT_NUMBERS_FROM else None
    try:
        return _of_datetime(parsedate_to_datetime(text))
    except (ValueError, IndexError, TypeError, OverflowError):
        return None


def _of_datetime(moment: datetime) -> int | None:
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    try:
        return (moment - _EPOCH) // _MICROSECOND
    except OverflowError:
        return None


def _of_number(number: float) -> int | None:
    if abs(number) > _LAST or not math.isfinite(number):
        return None
    scale = 1_000 if abs(number) >= _MILLISECONDS_FROM else 1_000_000
    return round(number * scale)
