"""`memtui import`: bring memories in from elsewhere."""

from __future__ import annotations

import argparse
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from memtui.cli import show_import
from memtui.cli.call import Call
from memtui.cli.exits import Exit, UsageError
from memtui.cli.filters import add_status, add_type
from memtui.cli.many import progress
from memtui.errors import SecretsError
from memtui.interchange import ImportOptions, ImportReport, SecretPolicy
from memtui.models import MemoryCreate

EXAMPLES = """\
The format is recognised by the content. The same source again adds nothing, a grown one adds what
is new; nothing deleted or invalid here is revived. One batch, which memtui undo takes back.
Records that cannot come in are named by line and reason (exit code 7).

examples:
  memtui import --help mcp              what becomes what, in one format
  memtui import memory.jsonl --dry-run
  memtui import notes.csv --map content=text,tags=labels --tag notes
  memtui import vault/ export.zip
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    names = _formats()
    parser.add_argument(
        "-h", "--help", action=_Help, nargs="?", metavar="FORMAT",
        help=f"show this help, or what becomes what in a format: {', '.join(names)}",
    )  # fmt: skip
    parser.add_argument(
        "files", nargs="+", metavar="FILE|-", help="files, folders or archives; - is standard input"
    )
    parser.add_argument("--format", choices=names, metavar="FORMAT", help="read it as this format")
    parser.add_argument(
        "--map", metavar="F=N,F=N", help="which of its columns or keys is which field of a memory"
    )
    parser.add_argument("--tag", action="append", metavar="T", help="add this tag to each")
    add_type(parser, "make each of this type")
    add_status(parser, "give each this status")
    parser.add_argument(
        "--update", action="store_true",
        help="take over what changed at the source, where it was not edited here",
    )  # fmt: skip
    parser.add_argument(
        "--skip-duplicates", action="store_true", help="leave out texts that are here already"
    )
    parser.add_argument(
        "--split", action="store_true", help="split texts that are too long at paragraph ends"
    )
    secrets = parser.add_mutually_exclusive_group()
    secrets.add_argument(
        "--skip-secrets", action="store_true", help="leave out what seems to hold a credential"
    )
    secrets.add_argument("--allow-secrets", action="store_true", help="take it in nevertheless")
    parser.add_argument("--dry-run", action="store_true", help="show what would come in")


def run(call: Call) -> int:
    """Preview or import, and report."""
    from memtui.transfer.importing import ReadingOptions, open_plan

    args = call.args
    reading = ReadingOptions(args.format, _columns(args.map), args.split)
    options = _options(args)
    with open_plan(args.files, reading) as plan, call.open() as service:
        work = plan.preview if args.dry_run else plan.apply
        try:
            report = work(service, options, progress=progress("importing", percent=True))
        except SecretsError as error:
            error.hint = (
                "Nothing was imported. --skip-secrets leaves these records out, "
                "--allow-secrets takes them in."
            )
            raise
    show_import.write(call, report)
    return _exit(report)


def _exit(report: ImportReport) -> Exit:
    if not report.tally.skipped:
        return Exit.OK
    return Exit.PARTLY if report.total else Exit.USAGE


def _options(args: Namespace) -> ImportOptions:
    from memtui.transfer.secrets import detect

    # Checked as a memory's would be, before anything is read.
    checked = MemoryCreate.parse({"content": "any", "tags": args.tag or []})
    policy = SecretPolicy.STOP
    if args.skip_secrets or args.allow_secrets:
        policy = SecretPolicy.SKIP if args.skip_secrets else SecretPolicy.ALLOW
    return ImportOptions(
        tags=checked.tags,
        memory_type=args.type,
        status=args.status,
        update=args.update,
        skip_duplicates=args.skip_duplicates,
        secrets=policy,
        detect=detect,
    )


def _columns(text: str | None) -> dict[str, str]:
    from memtui.transfer.importers.plain_json import FIELDS

    columns: dict[str, str] = {}
    for part in (text or "").split(",") if text else ():
        field, equals, name = part.strip().partition("=")
        if field not in FIELDS or not equals or not name:
            raise UsageError(
                f"--map does not understand {part!r}",
                f"Write field=name; the fields are: {', '.join(FIELDS)}.",
            )
        columns[field] = name
    return columns


def _formats() -> list[str]:
    from memtui.transfer.registry import IMPORTERS

    return [importer.name for importer in IMPORTERS]


class _Help(argparse.Action):
    """`--help` as ever, and `--help FORMAT` for one format."""

    def __call__(
        self,
        parser: ArgumentParser,
        namespace: Namespace,
        values: str | Sequence[str] | None,
        option_string: str | None = None,
    ) -> None:
        if isinstance(values, str):
            from memtui.transfer.registry import importer_named

            importer = importer_named(values)
            print(f"{importer.name}: {importer.title}\n\n{importer.mapping}")
        else:
            parser.print_help()
        parser.exit()
