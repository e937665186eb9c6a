"""Threads that write take turns, and nobody waits for a turn for good."""

from __future__ import annotations

import threading

import pytest

from memtui.server import workers
from memtui.server.workers import Turns


def test_one_has_the_turn_at_a_time() -> None:
    turns, inside, most = Turns(), [], []

    def work() -> None:
        for _ in range(200):
            with turns.taken():
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert max(most) == 1
    assert len(most) == 800


def test_who_waited_too_long_goes_on_and_leaves_the_turn_with_its_holder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers, "TURN_SECONDS", 0.01)
    turns, passed = Turns(), []
    with turns.taken():
        with turns.taken():
            passed.append("second")
        with turns.taken():
            passed.append("third")
    assert passed == ["second", "third"]


def test_a_turn_ends_with_an_error() -> None:
    turns = Turns()
    with pytest.raises(ValueError, match="x"), turns.taken():
        raise ValueError("x")
    assert turns._lock.acquire(timeout=0)
