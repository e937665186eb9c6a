"""`memtui edit`: PATCH one memory."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from memtui.cli import output
from memtui.cli.call import Call
from memtui.cli.exits import UsageError
from memtui.cli.filters import add_status, add_type
from memtui.cli.inputs import memory_id, number, split_tags, text_or_stdin
from memtui.editing.editor import EditedText, edit_text
from memtui.errors import ConflictError, InvalidError, MemtuiError
from memtui.models import BulkChange, Memory, MemoryPatch, Outcome, Selection
from memtui.service import MemoryService

EXAMPLES = """\
A change that changes nothing writes nothing. With --expect-version the change is only made when
the memory still has that version; otherwise exit code 4, with --json the current object.

examples:
  memtui edit 214 --content "Prefers green tea" --add-tag drinks
  memtui edit 214 --tags drinks,morning          replaces all tags; --tags "" removes them
  memtui edit 214 --status invalid --expect-version 3
  memtui get 214 --json | jq -r .content | tr a-z A-Z | memtui edit 214 --content -
  memtui edit 214 --editor
"""

_TRIES = 50


def configure(parser: ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument("id", type=memory_id, metavar="ID", help="the memory's id")
    contents = parser.add_mutually_exclusive_group()
    contents.add_argument(
        "--content", metavar="TEXT|-", help="the new text; - reads standard input"
    )
    contents.add_argument(
        "--editor",
        dest="in_editor",
        action="store_true",
        help="edit the text in $VISUAL or $EDITOR",
    )
    parser.add_argument("--tags", metavar="T,T", help="the new tags, instead of all it has")
    parser.add_argument("--add-tag", action="append", metavar="T", help="one more tag")
    parser.add_argument("--remove-tag", action="append", metavar="T", help="one tag less")
    add_type(parser, "the new type")
    add_status(parser, "the new status")
    parser.add_argument(
        "--expect-version", type=number, metavar="N", help="only if it still has this version"
    )


def run(call: Call) -> int:
    """Change it, and print what it is now."""
    _require_change(call.args)
    with call.open() as service:
        if call.args.in_editor:
            changed = _edit_in_editor(call, service)
        else:
            content = None if call.args.content is None else text_or_stdin(call.args.content)
            changed = _patch(service, call.args, content, call.args.expect_version)
    if call.json:
        output.write_json(changed)
    else:
        output.write(f"#{changed.id} is at version {changed.version}")
    return 0


def _require_change(args: Namespace) -> None:
    given = (args.content, args.tags, args.type, args.status)
    if not (args.in_editor or args.add_tag or args.remove_tag or any(x is not None for x in given)):
        raise UsageError("nothing to change", "Give --content, --editor, --tags, --add-tag, …")
    if args.tags is not None and (args.add_tag or args.remove_tag):
        raise UsageError("--tags replaces all tags; --add-tag and --remove-tag change some")


def _edit_in_editor(call: Call, service: MemoryService) -> Memory:
    """Edit the text as it was loaded; a failure to save keeps what was typed in its file."""
    loaded = service.get(call.args.id, touch=False)
    expected = call.args.expect_version
    if expected is None:
        expected = loaded.version
    if expected != loaded.version:
        raise ConflictError(loaded, expected)
    with edit_text(loaded.content, f"memory-{loaded.id}", call.settings.editor) as edited:
        try:
            return _patch(service, call.args, _changed_text(edited, loaded), expected)
        except MemtuiError as error:
            edited.keep()
            error.hint = f"{error.hint} Your text is kept in {edited.path}".strip()
            raise


def _changed_text(edited: EditedText, loaded: Memory) -> str | None:
    return None if edited.text == loaded.content else edited.text


def _patch(
    service: MemoryService, args: Namespace, content: str | None, expected: int | None
) -> Memory:
    values: dict[str, object] = {
        name: value
        for name, value in (
            ("content", content),
            ("memory_type", args.type),
            ("status", args.status),
            ("tags", None if args.tags is None else split_tags(args.tags)),
        )
        if value is not None
    }
    if not (args.add_tag or args.remove_tag):
        return service.patch(args.id, MemoryPatch.parse(values), expected_version=expected)
    change = BulkChange.parse(
        {"add_tags": args.add_tag or [], "remove_tags": args.remove_tag or []}
    )
    for attempt in range(_TRIES):
        seen = service.get(args.id, touch=False)
        if expected is not None and expected != seen.version:
            raise ConflictError(seen, expected)
        try:
            tags = _tags_after(service, seen, change)
            patch = MemoryPatch.parse({**values, "tags": list(tags)})
            return service.patch(args.id, patch, expected_version=seen.version)
        except ConflictError:
            # Someone was quicker. Nothing was asked about versions, so look again.
            if expected is not None or attempt == _TRIES - 1:
                raise
    raise AssertionError("the loop returns or raises")


def _tags_after(service: MemoryService, seen: Memory, change: BulkChange) -> tuple[str, ...]:
    """What the service would make of the tags."""
    result = service.bulk(Selection.of([seen.id]), change, dry_run=True)
    if result.count(Outcome.REFUSED):
        raise InvalidError(f"memory {seen.id} {result.outcomes[0].reason}")
    return result.samples[0].after.tags if result.samples else seen.tags
