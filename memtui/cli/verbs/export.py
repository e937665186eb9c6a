"""`memtui export`: take memories out."""

from __future__ import annotations

import io
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from memtui.cli import output
from memtui.cli.call import Call
from memtui.cli.exits import UsageError, warn
from memtui.cli.filters import add_filters, add_sort, add_view, query_of, viewed
from memtui.cli.inputs import STDIN, memory_id
from memtui.cli.many import progress
from memtui.models import MemoryQuery, Selection
from memtui.service import MemoryService
from memtui.text import safe_block

if TYPE_CHECKING:
    from memtui.transfer.exporting import ExportOptions

EXAMPLES = """\
JSON Lines without filters, --sort and --fields is complete: deleted memories, history, where
memories came from and what agents keep beside them included; memtui import makes an identical
store of it. Never marks anything as accessed.

examples:
  memtui export memories.jsonl
  memtui export falcon.md --tag falcon --status active --sort updated_at
  memtui export --format csv --fields id,content,tags > memories.csv
"""


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    from memtui.transfer.registry import EXPORTERS

    parser.add_argument(
        "file", nargs="?", metavar="FILE", help="replaced if it is there; else standard output"
    )
    parser.add_argument(
        "--format", choices=[exporter.name for exporter in EXPORTERS],
        help="default: by the file's ending, else jsonl",
    )  # fmt: skip
    parser.add_argument("--fields", metavar="F,F", help="only these fields, in this order")
    parser.add_argument(
        "--id", type=memory_id, action="append", metavar="ID", help="only this memory; repeatable"
    )
    add_filters(parser)
    add_sort(parser)
    add_view(parser)


def run(call: Call) -> int:
    """Export to a file or to standard output."""
    from memtui.transfer.exporting import export_to_file, export_to_stream

    args = call.args
    typed = query_of(args)
    with call.open() as service:
        options = _options(args, _selection(service, args, typed))
        if args.file in (None, STDIN):
            export_to_stream(service, _stream(), options)
            return 0
        path = Path(args.file)
        count = export_to_file(service, path, options, progress=progress("exporting"))
    if call.json:
        output.write_json({"path": str(path), "count": count})
    else:
        warn(f"{count:,} memories written to {path}")
    return 0


def _options(args: Namespace, selection: Selection | None) -> ExportOptions:
    from memtui.transfer.exporting import ExportOptions, format_of

    format_ = args.format
    if format_ is None:
        format_ = "jsonl" if args.file in (None, STDIN) else format_of(Path(args.file))
    fields = None if args.fields is None else [part.strip() for part in args.fields.split(",")]
    return ExportOptions(format_, selection, fields)


def _selection(service: MemoryService, args: Namespace, typed: MemoryQuery) -> Selection | None:
    filtered = bool(typed.model_fields_set or args.view)
    if args.id:
        if filtered:
            raise UsageError("export takes ids, or filters and a sort, not both")
        return Selection.of(args.id)
    return Selection.matching(viewed(service, args.view, typed)) if filtered else None


def _stream() -> BinaryIO:
    """Standard output for bytes; a terminal gets the text made safe to look at."""
    if sys.stdout is None:
        raise UsageError("there is no standard output to write to")
    if output.is_terminal():
        return cast("BinaryIO", _Terminal())
    sys.stdout.flush()
    return cast("BinaryIO", sys.stdout.buffer)


class _Terminal(io.RawIOBase):
    """Takes whole texts as bytes and shows them."""

    def write(self, data: bytes) -> int:  # type: ignore[override]  # callers write bytes only
        """Show one piece."""
        sys.stdout.write(safe_block(data.decode()))
        return len(data)
