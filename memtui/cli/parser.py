"""Reading the command line: the global flags, before or after the verb, and one parser a verb.

A verb's module is imported when the verb is chosen, so that no other verb costs anything.
"""

from __future__ import annotations

import argparse
import difflib
import textwrap
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, NoReturn, Protocol, cast

from memtui import __version__
from memtui.cli.exits import UsageError

if TYPE_CHECKING:
    from memtui.cli.call import Call

Subparsers = argparse._SubParsersAction


class VerbModule(Protocol):
    """What the module of a verb offers."""

    EXAMPLES: str

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add the verb's own arguments."""

    def run(self, call: Call) -> int:
        """Do it and return the exit code."""


class Verb(NamedTuple):
    """A verb as the overview shows it; its module is `memtui.cli.verbs.<name>`."""

    name: str
    summary: str

    def module(self) -> VerbModule:
        """Import the verb's module."""
        # "import" is no name for a module.
        name = "import_" if self.name == "import" else self.name
        return cast("VerbModule", import_module(f"memtui.cli.verbs.{name}"))


VERBS = (
    Verb("add", "store a memory, or many at once"),
    Verb("list", "retrieve memories by filters"),
    Verb("search", "find memories by the words of a text, best first"),
    Verb("get", "read memories by id"),
    Verb("edit", "change one memory"),
    Verb("delete", "delete memories; restore brings them back"),
    Verb("restore", "bring deleted memories back"),
    Verb("purge", "remove deleted memories for good"),
    Verb("bulk", "make one change to many memories"),
    Verb("history", "what was changed, when and by whom"),
    Verb("undo", "take a change back"),
    Verb("redo", "take the last undo back"),
    Verb("revert", "bring back an earlier version of a memory"),
    Verb("tags", "list, rename, merge and remove tags"),
    Verb("views", "list, save and forget named queries"),
    Verb("review", "what waits for a decision, and decisions to leave it"),
    Verb("related", "what else is said about the same"),
    Verb("duplicates", "memories that say the same"),
    Verb("stale", "memories that nobody has used for long"),
    Verb("activity", "what agents did that changed no memory"),
    Verb("stats", "figures of the whole store"),
    Verb("import", "bring memories in from a file"),
    Verb("export", "write memories to a file"),
    Verb("backup", "copy the database while it is in use"),
    Verb("serve", "offer the memories over HTTP and MCP"),
    Verb("mcp", "offer the memories to one MCP client over stdio"),
    Verb("doctor", "check the database's health"),
    Verb("config", "show the settings in force and where each comes from"),
    Verb("demo", "try the terminal UI on sample memories"),
    Verb("completion", "print the completion script for a shell"),
)

DESCRIPTION = """\
Search, read, correct and retire what your AI agents remember.

Without a verb the terminal UI opens. Every verb has its own help: memtui VERB --help"""

EPILOG = """\
examples:
  memtui                                open the terminal UI
  memtui demo                           try it on sample memories
  memtui add "Prefers tea" --tag drinks
  memtui list --q tea --json
"""


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Plain help; the usage line of a verb leaves the global flags out.

    Paragraphs are filled to the width; lines in a block with examples stay as they are.
    """

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        blocks = text.strip("\n").split("\n\n")
        return "\n\n".join(self._filled(block, width, indent) for block in blocks)

    @staticmethod
    def _filled(block: str, width: int, indent: str) -> str:
        lines = block.splitlines()
        if any(line.startswith(" ") for line in lines):
            return "\n".join(indent + line for line in lines)
        return textwrap.fill(
            " ".join(lines), width, initial_indent=indent, subsequent_indent=indent
        )

    def add_usage(
        self,
        usage: str | None,
        actions: object,
        groups: object,
        prefix: str | None = None,
    ) -> None:
        own = [one for one in cast("list[argparse.Action]", actions) if one.dest not in GLOBALS]
        super().add_usage(
            usage, own, cast("list[argparse._MutuallyExclusiveGroup]", groups), prefix
        )


class Parser(argparse.ArgumentParser):
    """A parser that raises instead of exiting, and takes its arguments in any order.

    `prepare` adds the arguments when they are first needed.
    """

    prepare: Callable[[], None] | None = None
    is_leaf = False
    _is_intermixed = False

    def parse_known_args(  # type: ignore[override]  # the base has overloads for its namespaces
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse what is known, the parser's own arguments in any order."""
        self.complete()
        words = list(args or ())
        # `get 5 --json 6` is not understood otherwise; after `--` everything is in order already.
        if not self.is_leaf or self._is_intermixed or "--" in words:
            return super().parse_known_args(words, namespace)
        self._is_intermixed = True
        try:
            known, others = self.parse_known_intermixed_args(words, namespace)
        finally:
            self._is_intermixed = False
        if others:
            # Said here, the hint names this verb.
            self.error(f"unrecognized arguments: {' '.join(others)}")
        return known, others

    def complete(self) -> None:
        """Add the arguments that are not there yet."""
        prepare, self.prepare = self.prepare, None
        if prepare is not None:
            prepare()

    def error(self, message: str) -> NoReturn:
        """Raise `UsageError` with the next step."""
        hint = f"See: {self.prog} --help"
        if "expected one argument" in message or "expected at least" in message:
            hint = f"A value that begins with - is written --flag=-value. {hint}"
        raise UsageError(message, hint)


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Understand the words after `memtui`. Raises `UsageError`; `SystemExit(0)` after help."""
    return build().parse_args(_checked(words))


def build() -> Parser:
    """The whole parser, with every verb still to be filled in."""
    parser = Parser(
        prog="memtui",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=_Formatter,
        allow_abbrev=False,
        argument_default=argparse.SUPPRESS,
    )
    _add_globals(parser, "options")
    parser.add_argument(
        "--serve",
        action="store_true",
        help="beside the terminal UI, serve HTTP and MCP as serve does",
    )
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", title="verbs", parser_class=Parser)
    for verb in VERBS:
        _add_verb(verbs, verb)
    return parser


def build_complete() -> Parser:
    """The whole parser with every verb filled in, as shell completion wants it."""
    parser = build()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for verb in action.choices.values():
                verb.complete()
    return parser


def add_command(
    commands: Subparsers[Parser], name: str, summary: str, *, examples: str = ""
) -> Parser:
    """Add a verb, or a part of one, that understands the global flags as well."""
    parser = commands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:] + ".",
        epilog=examples,
        formatter_class=_Formatter,
        allow_abbrev=False,
        add_help=False,
    )
    parser.is_leaf = True
    return parser


def add_globals(parser: argparse.ArgumentParser) -> None:
    """Add the flags that work everywhere, after the verb's own; `--help` unless it has one."""
    if "--help" not in parser._option_string_actions:
        parser.add_argument("-h", "--help", action="help", help="show this help")
    _add_globals(parser, "global options")


def _add_verb(verbs: Subparsers[Parser], verb: Verb) -> None:
    parser = add_command(verbs, verb.name, verb.summary)

    def fill() -> None:
        module = verb.module()
        parser.epilog = module.EXAMPLES
        module.configure(parser)
        add_globals(parser)

    parser.prepare = fill


GLOBALS = {"db", "config", "actor", "peek", "read_only", "json", "version"}


def _add_globals(parser: argparse.ArgumentParser, title: str) -> None:
    group = parser.add_argument_group(title) if title != "options" else parser
    absent = argparse.SUPPRESS

    def flag(name: str, text: str, **more: str) -> None:
        group.add_argument(name, help=text, default=absent, **more)  # type: ignore[arg-type]

    flag("--db", "the database: a path or a URL", metavar="PATH")
    flag("--config", "the configuration file", metavar="FILE")
    flag("--actor", "who acts, as the journal names it", metavar="NAME")
    for name, text in (
        ("--peek", "look without marking memories as accessed"),
        ("--read-only", "write nothing at all"),
    ):
        group.add_argument(name, help=text, default=absent, action=argparse.BooleanOptionalAction)
    flag("--json", "answer, and fail, in JSON", action="store_true")
    flag("--version", "say which memtui this is", action="version", version=f"memtui {__version__}")


_VALUED = {"--db", "--config", "--actor"}


def _checked(words: Sequence[str]) -> Sequence[str]:
    """Refuse a verb that there is not, with the one that was likely meant."""
    remaining = iter(words)
    for word in remaining:
        if word in _VALUED:
            next(remaining, None)
        elif not word.startswith("-"):
            _require_verb(word)
            break
    return words


def _require_verb(word: str) -> None:
    names = [verb.name for verb in VERBS]
    if word not in names:
        near = difflib.get_close_matches(word, names, n=1)
        meant = f"Did you mean {near[0]}? " if near else ""
        raise UsageError(f"there is no verb {word!r}", f"{meant}There are: {', '.join(names)}.")
