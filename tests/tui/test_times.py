"""Relative and exact times, whatever the time zone of the process."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.tui import times

NOW = datetime(2026, 4, 6, 14, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("before", "short", "ago"),
    [
        (timedelta(seconds=0), "now", "just now"),
        (timedelta(seconds=59), "now", "just now"),
        (timedelta(minutes=1), "1 min", "1 min ago"),
        (timedelta(minutes=59, seconds=59), "59 min", "59 min ago"),
        (timedelta(hours=2), "2 h", "2 h ago"),
        (timedelta(hours=47), "1 d", "1 d ago"),
        (timedelta(days=13), "13 d", "13 d ago"),
        (timedelta(days=20), "2 wk", "2 wk ago"),
        (timedelta(days=70), "2 mo", "2 mo ago"),
        (timedelta(days=364), "11 mo", "11 mo ago"),
        (timedelta(days=800), "2 y", "2 y ago"),
        (timedelta(hours=-3), "in 3 h", "in 3 h"),
        (timedelta(seconds=-3), "now", "just now"),
    ],
)
def test_how_long_ago(before, short, ago):
    assert times.short(NOW - before, NOW) == short
    assert times.ago(NOW - before, NOW) == ago


def test_never():
    assert times.short(None, NOW) == times.ago(None, NOW) == "never"


def test_exact_times_are_in_utc():
    kolkata = timezone(timedelta(hours=5, minutes=30))
    assert times.exact(NOW.astimezone(kolkata)) == "2026-04-06 14:12:00 UTC"


@given(st.datetimes(timezones=st.just(UTC)), st.datetimes(timezones=st.just(UTC)))
def test_any_two_moments_have_words(then, now):
    assert times.short(then, now)
    assert times.exact(then).endswith(" UTC")


@pytest.mark.parametrize("zone", ["Asia/Kolkata", "America/Los_Angeles"])
def test_the_time_zone_of_the_process_plays_no_part_case_9(zone):
    code = (
        "from datetime import UTC, datetime, timedelta\n"
        "from memtui.tui import times\n"
        "now = datetime.now(UTC)\n"
        "print(times.ago(now - timedelta(hours=2), now))\n"
        "print(times.exact(datetime(2026, 4, 6, 14, 12, tzinfo=UTC)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "TZ": zone},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == ["2 h ago", "2026-04-06 14:12:00 UTC"]
