"""Work on many memories: its progress while it runs, its outcome, its exit code."""

from __future__ import annotations

import sys

from memtui.cli import output, show
from memtui.cli.call import Call
from memtui.cli.exits import Exit
from memtui.models import BulkResult, Outcome
from memtui.service.context import Progress

_FAILURES = {
    Outcome.NOT_FOUND: Exit.NOT_FOUND,
    Outcome.CONFLICT: Exit.CONFLICT,
    Outcome.REFUSED: Exit.USAGE,
}


def finish(call: Call, result: BulkResult) -> Exit:
    """Show what was done; the exit code says whether all of it was."""
    if call.json:
        output.write_json(show.outcome_object(result))
    else:
        show.outcome(result)
    failed = [kind for kind in _FAILURES if result.count(kind)]
    if not failed:
        return Exit.OK
    done = result.count(Outcome.CHANGED) + result.count(Outcome.UNCHANGED)
    return Exit.PARTLY if done or len(failed) > 1 else _FAILURES[failed[0]]


def progress(doing: str, *, percent: bool = False) -> Progress | None:
    """A line on standard error that counts up, where someone is looking."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None

    def tell(done: int, total: int) -> None:
        end = "\r" if done < total else "\r\x1b[K"
        far = f"{100 * done // max(total, 1)} %" if percent else f"{done:,} of {total:,}"
        print(f"\r{doing} {far}", end=end, file=sys.stderr, flush=True)

    return tell
