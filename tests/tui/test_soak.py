"""A few seconds of what `tests.tui.soak` does for as long as one likes."""

from __future__ import annotations

from tests.tui.soak import soak


def test_two_uis_and_a_writer_lose_nothing(tmp_path):
    tally = soak(tmp_path / "m.db", seconds=8, seed=1)
    assert not tally.wrong, "\n".join(tally.wrong)
    assert tally.keys > 50
    assert len(tally.writes) > 2
