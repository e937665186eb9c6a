"""Starting the terminal UI with the settings in force."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Iterable

from memtui.cli.call import make_call
from memtui.cli.exits import UsageError, warn
from memtui.cli.extras import needs
from memtui.config import Keys, Loaded

ACTOR = "tui"
_SHORT = 160


def run(args: Namespace) -> int:
    """Open the terminal UI. What the configuration got wrong is said, and its defaults used."""
    loaded = make_call(args, check_keys).loaded
    require_terminal()
    if not getattr(args, "serve", False):
        return show(loaded)
    # Not before it is asked for: it loads the models, which the first frame does without.
    from memtui.cli.serving import serve_options

    options = serve_options(loaded.settings)
    with needs("server", "memtui --serve"):
        from memtui.server.http import BackgroundServer
    with BackgroundServer(options) as server:
        warn(f"memtui: serving at {server.url}")
        return show(loaded)


def require_terminal() -> None:
    """Raise `UsageError` when nobody could see or type."""
    for name, stream in (("input", sys.stdin), ("output", sys.stdout)):
        if stream is None or not stream.isatty():
            raise UsageError(
                f"the terminal UI needs a terminal, and standard {name} is none",
                "The verbs work without one: memtui --help",
            )


def show(loaded: Loaded, db: str | None = None) -> int:
    """Run the UI until it ends; `db` stands in for the configured database."""
    from memtui.tui.app import run as run_app
    from memtui.tui.options import UiOptions

    settings = loaded.settings
    chosen = {"theme": settings.theme} if settings.theme else {}
    return run_app(
        UiOptions(
            db=db or settings.db,
            actor=settings.actor or ACTOR,
            peek=settings.peek,
            read_only=settings.read_only,
            keys=joined(settings.keys),
            warnings=tuple(short(finding.error.message) for finding in loaded.findings),
            standard_tags=settings.tags_standard,
            editor=settings.editor,
            **chosen,
        )
    )


def short(message: str) -> str:
    """A finding for a corner of the screen; `memtui config` says all of it."""
    return message if len(message) <= _SHORT else f"{message[:_SHORT]}… (memtui config says more)"


def joined(keys: Keys) -> dict[str, str]:
    """The key map as the UI takes it: an action's keys with commas between."""
    return {action: ",".join(bound) for action, bound in keys.items()}


def check_keys(keys: Keys) -> Iterable[tuple[str, str]]:
    """Every entry of the key map that cannot be used, and why."""
    from memtui.tui.actions import key_problems

    for problem in key_problems(joined(keys)):
        action = str(problem.loc[-1])
        yield action, f"{action} {problem.message}"
