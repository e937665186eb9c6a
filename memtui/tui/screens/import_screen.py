"""An import: how the source is read, what would come in, then how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import ProgressBar

from memtui.tui import cells, messages, messages_transfer
from memtui.tui.actions import Place, Scope
from memtui.tui.gateway import Gateway
from memtui.tui.gateway_transfer import ImportWishes
from memtui.tui.keys import bindings
from memtui.tui.screens.pick import Choice, PickDialog, Picked
from memtui.tui.screens.prompt import PromptDialog
from memtui.tui.screens.workbench import ListAndPane
from memtui.tui.view import TYPES
from memtui.tui.widgets.bars import Part
from memtui.tui.widgets.grid import Cell, Column, Grid, Line

if TYPE_CHECKING:
    from memtui.errors import MemtuiError
    from memtui.interchange import ImportReport, PreviewRow

_COLUMNS = (
    Column("Line", 5, right=True, rank=2),
    Column("Fate", 9),
    Column("Type", 10, rank=3),
    Column("Memory"),
    Column("Tags", 18, rank=1),
)
_SECRETS = {
    "stop": "stop the import",
    "skip": "leave these out",
    "allow": "take them in",
}
_INKS = {"new": "text", "updated": "accent", "secret": "warning", "deleted_here": "warning"}
_LONGEST = 200


class ImportScreen(ListAndPane["ImportReport"]):
    """Shows what an import of `path` would do; the result is what it did, None for nothing.

    Every wish is previewed anew. Cancelled or failed, an import leaves nothing.
    """

    BINDINGS: ClassVar[list[BindingType]] = [*bindings(Scope.IMPORT)]
    place = Place.IMPORT
    stacked = True

    def __init__(
        self, gateway: Gateway, now: Callable[[], datetime], path: Path, *, read_only: bool = False
    ) -> None:
        super().__init__(gateway, now, Grid(_COLUMNS, widget_id="import"), read_only=read_only)
        self.wishes = ImportWishes(str(path))
        self.report: ImportReport | None = None
        self.error: MemtuiError | None = None
        self._formats: tuple[str, ...] = ()
        self._asked = 0
        self._making = 0
        self._progress = ProgressBar(id="import-progress", show_eta=False)

    def above_list(self) -> Iterable[Widget]:
        """How far it is."""
        self._progress.display = False
        yield self._progress

    # --- loading -----------------------------------------------------------------------------

    def load(self) -> None:
        """Ask what the import would do."""
        if self._making:
            return
        if self._asked:
            self.gateway.cancel(self._asked)
        self.report = self.error = None
        self._asked = self.gateway.preview_import(self, self.wishes)
        self._show_working(True)
        self._show()

    def on_store_changed(self, _message: messages.StoreChanged) -> None:
        """What others change plays hardly a part, and the import itself looks again."""

    def on_progressed(self, message: messages.Progressed) -> None:
        """Show how far it is."""
        if message.number in {self._asked, self._making}:
            self._progress.update(total=message.total or None, progress=message.done)

    def on_import_read(self, message: messages_transfer.ImportRead) -> None:
        """Show what would come in; what has come in ends the screen."""
        if message.number == self._making:
            self.finish(message.report)
        elif message.number == self._asked:
            self.report, self._formats = message.report, tuple(message.formats)
            self._show_working(False)
            self._show()

    def failed(self, message: messages.Failed) -> None:
        """Say why nothing came in, in the place of the list."""
        if message.number not in {self._asked, self._making}:
            return
        if message.number == self._making and message.error.code == "cancelled":
            self.say("Stopped: nothing was imported")
            self._making = 0
        else:
            self._making = 0
            self.error = message.error
        self._show_working(False)
        self._show()

    # --- showing -----------------------------------------------------------------------------

    def _show_working(self, working: bool) -> None:
        self._progress.display = working
        if working:
            self._progress.update(total=None, progress=0)

    def _show(self) -> None:
        rows = self.report.preview if self.report else ()
        self.grid.show([_line(number, row) for number, row in enumerate(rows)], cursor=0)
        if self.error is not None:
            hint = f"{self.error.hint} {self.key('import_format')} reads it as another format."
            self.show_notice(self.error.message, hint.strip(), bad=True)
        elif self.report is None:
            self.show_notice("Reading…", f"{self.key('close_screen')} stops it.")
        elif not rows:
            self.show_notice("Nothing to import", "")
        else:
            self.show_notice("")
        parts = [Part(f" import {cells.line_text(self.wishes.path)}", "strong")]
        if self.report is not None and self.report.total > len(rows):
            parts.append(Part(f"  the first {len(rows):,} of {self.report.total:,}", "muted", 1))
        self.show_title(*parts)
        self.show_current()
        self.refresh_bindings()

    def show_current(self) -> None:
        """Show the counts, what else there is to know, and how it is read."""
        self.pane.show(Content("\n").join(self._lines()), keep_place=True)

    def _lines(self) -> Iterator[Content]:
        from memtui.transfer.reporting import counts, remarks

        if self.report is not None:
            yield cells.line(counts(self.report), "bold")
            if self.report.secrets:
                yield self._secrets(self.report)
            for remark in remarks(self.report):
                yield cells.line(remark, "$warning" if "skipped" in remark else "$muted")
            yield Content("")
        wishes = self.wishes
        read_as = ", ".join(self._formats) or "recognised by its content"
        yield _said("Format", wishes.format or read_as)
        yield _said("Tags added", ", ".join(wishes.tags) or "none")
        yield _said("Type", wishes.memory_type or "as the source says")
        yield _said("Status", wishes.status or "as the source says")
        yield _said("Credentials", _SECRETS[wishes.secrets])
        yield _said("Too long", "split at paragraph ends" if wishes.split else "refused")
        yield _said("Changed", "taken over" if wishes.update else "left as they are here")
        yield _said("Duplicates", "left out" if wishes.skip_duplicates else "taken in")

    def _secrets(self, report: ImportReport) -> Content:
        first = report.first_secrets[0]
        text = (
            f"{report.secrets:,} seem to hold a credential, first line {first.line}: {first.what}"
        )
        return cells.line(text, "bold $warning")

    # --- actions -----------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer the import once it is known what it does, and no wishes while it runs."""
        if action == "import_now":
            return self.report is not None and not self._making and not self.read_only
        if action.startswith("import_"):
            return not self._making
        return super().check_action(action, parameters)

    def action_import_now(self) -> None:
        """Bring in what is shown."""
        if not self.check_action("import_now", ()) or self.report is None:
            return
        if self.report.secrets and self.wishes.secrets == "stop":
            self.say(
                "Some seem to hold a credential",
                f"{self.key('import_secrets')} leaves them out, or takes them in.",
                bad=True,
            )
            return
        self._making = self.gateway.import_(self, self.wishes)
        self._show_working(True)
        self.refresh_bindings()

    def action_close_screen(self) -> None:
        """Stop what was begun; else go back."""
        if self._making:
            self.gateway.cancel(self._making)
            return
        if self.report is None:
            self.gateway.cancel(self._asked)
        self.finish()

    def action_leave_screen(self) -> None:
        """The same."""
        self.action_close_screen()

    def _wish(self, **wishes: object) -> None:
        self.wishes = replace(self.wishes, **wishes)  # type: ignore[arg-type]
        self.load()

    def _choose(
        self, title: str, field: str, choices: list[Choice[str | None]], current: str | None
    ) -> None:
        def chosen(picked: Picked[str | None] | None) -> None:
            if picked is not None:
                self._wish(**{field: picked.value})

        self.app.push_screen(PickDialog(title, choices, current), chosen)

    def action_import_format(self) -> None:
        """Choose the format that the source is read as."""
        from memtui.transfer.registry import IMPORTERS

        choices: list[Choice[str | None]] = [Choice(None, "recognised by its content")]
        choices += [Choice(one.name, f"{one.name}: {one.title}") for one in IMPORTERS]
        self._choose("Read it as?", "format", choices, self.wishes.format)

    def action_import_type(self) -> None:
        """Choose the type of all, or leave it to the source."""
        choices: list[Choice[str | None]] = [Choice(None, "as the source says")]
        choices += [Choice(name, name) for name in TYPES]
        self._choose("Which type?", "memory_type", choices, self.wishes.memory_type)

    def action_import_status(self) -> None:
        """Choose the status of all, or leave it to the source."""
        choices: list[Choice[str | None]] = [Choice(None, "as the source says")]
        choices += [Choice(name, name) for name in ("active", "invalid")]
        self._choose("Which status?", "status", choices, self.wishes.status)

    def action_import_secrets(self) -> None:
        """Choose what becomes of what seems to hold a credential."""
        choices: list[Choice[str | None]] = [Choice(name, does) for name, does in _SECRETS.items()]
        self._choose("What seems to hold a credential?", "secrets", choices, self.wishes.secrets)

    def action_import_tag(self) -> None:
        """Ask for tags that each is to get."""

        def check(text: str) -> str:
            from memtui.models import MemoryCreate

            tags = [tag for tag in (part.strip() for part in text.split(",")) if tag]
            MemoryCreate.parse({"content": "any", "tags": tags})
            return text

        def given(text: str | None) -> None:
            if text is not None:
                parts = (part.strip() for part in text.split(","))
                self._wish(tags=tuple(dict.fromkeys(part for part in parts if part)))

        dialog = PromptDialog(
            "Which tags shall each get?",
            value=", ".join(self.wishes.tags),
            words="With commas between them; none takes them away again.",
            does="add them",
            check=check,
        )
        self.app.push_screen(dialog, given)

    def action_import_split(self) -> None:
        """Split texts that are too long, or refuse them."""
        self._wish(split=not self.wishes.split)

    def action_import_update(self) -> None:
        """Take over what changed at the source, or leave it."""
        self._wish(update=not self.wishes.update)

    def action_import_twins(self) -> None:
        """Leave out texts that are here already, or take them in."""
        self._wish(skip_duplicates=not self.wishes.skip_duplicates)


def _line(number: int, row: PreviewRow) -> Line:
    return Line(
        number,
        (
            Cell(str(row.line or ""), "muted"),
            Cell(row.fate.replace("_", " "), _INKS.get(row.fate, "muted")),
            Cell(row.memory_type, "muted"),
            Cell(row.content[:_LONGEST]),
            Cell(", ".join(row.tags), "muted"),
        ),
    )


def _said(label: str, value: str) -> Content:
    return Content.assemble((f"{label:<13}", "$muted"), cells.line(value))
