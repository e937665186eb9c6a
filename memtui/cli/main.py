"""The way from the words after `memtui` to a verb, and from its end to an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from memtui.cli import exits, output
from memtui.cli.parser import VERBS, parse


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code (`memtui.cli.exits.Exit`)."""
    words = list(sys.argv[1:] if argv is None else argv)
    output.prepare()
    try:
        code = _run(words)
        output.flush()
    except BrokenPipeError:
        # Whoever read the output has seen enough: no failure of ours.
        output.abandon()
        return exits.Exit.OK
    except (Exception, KeyboardInterrupt) as error:
        output.abandon_if_broken()
        return exits.fail(error, as_json=_wants_json(words))
    return code


def _run(words: Sequence[str]) -> int:
    try:
        args = parse(words)
    except SystemExit as stopped:
        # Help and version have been printed.
        return int(stopped.code or 0)
    if args.verb is None:
        from memtui.cli import ui

        return ui.run(args)
    from memtui.cli.call import make_call

    verb = next(verb for verb in VERBS if verb.name == args.verb)
    return verb.module().run(make_call(args))


def _wants_json(words: Sequence[str]) -> bool:
    before_dashes = words[: words.index("--")] if "--" in words else words
    return bool({"--json", "--jsonl"} & set(before_dashes))
