"""What failed is an error in the log, what was slow says so, all have a level and an id."""

from __future__ import annotations

import io
import json
import logging

import pytest

from memtui.server.log import SLOW, logging_to


def noted(status: int, seconds: float) -> dict[str, object]:
    stream = io.StringIO()
    with logging_to(stream) as log:
        log.request(method="GET", path="/stats", status=status, seconds=seconds, request_id="r1")
    (line,) = stream.getvalue().splitlines()
    return json.loads(line)


@pytest.mark.parametrize(
    ("status", "seconds", "level"),
    [(200, 0.1, "info"), (404, 0.1, "info"), (200, SLOW, "warning"), (503, 0.1, "error"),
     (500, SLOW * 2, "error")],
)  # fmt: skip
def test_requests_have_levels(status: int, seconds: float, level: str) -> None:
    line = noted(status, seconds)
    assert line["level"] == level
    assert line["request_id"] == "r1"
    assert line.get("slow", False) == (seconds >= SLOW)
    assert line["duration_ms"] == seconds * 1000


def test_messages_of_libraries_come_without_their_traceback() -> None:
    stream = io.StringIO()
    with logging_to(stream):
        try:
            raise ValueError("private")
        except ValueError:
            logging.getLogger("memtui.server").exception("it failed")
    (line,) = map(json.loads, stream.getvalue().splitlines())
    assert (line["level"], line["message"]) == ("error", "it failed")
