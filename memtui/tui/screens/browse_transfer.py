"""Files: bringing memories in, writing them out, copying the database."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from textual.message_pump import MessagePump

from memtui.tui import messages_transfer
from memtui.tui.outcomes import counted
from memtui.tui.screens.browse_bulk import Bulk

if TYPE_CHECKING:
    from memtui.interchange import ImportReport
    from memtui.models import Selection
    from memtui.tui.screens.pick import Picked


class _Format(NamedTuple):
    """A form that memories are written in: what it is called, what it holds, a file's ending."""

    name: str
    words: str
    ending: str


_FORMATS = (
    _Format("jsonl", "JSON Lines: everything, with history", ".jsonl"),
    _Format("json", "JSON: a list of memories", ".json"),
    _Format("csv", "CSV: a table", ".csv"),
    _Format("markdown", "Markdown: to read", ".md"),
)


class Transfer(Bulk):
    """Imports are undone like any change; exports and backups mark nothing as read."""

    _last_folder: Path | None = None

    # --- bringing in ---------------------------------------------------------------------------

    def action_import_file(self) -> None:
        """Bring memories in from a file or a folder."""
        if not self._may_change():
            return
        from memtui.tui.screens.pick_file import PickFileDialog

        dialog = PickFileDialog("Import from which file or folder?", self._folder())
        self.app.push_screen(dialog, self._file_picked)

    def _file_picked(self, path: Path | None) -> None:
        if path is None:
            return
        from memtui.tui.screens.import_screen import ImportScreen

        self._last_folder = path.parent
        screen = ImportScreen(self.gateway, self.now, path, read_only=self.read_only)
        self.app.push_screen(screen, self._imported)

    def _imported(self, report: ImportReport | None) -> None:
        self.look_again()
        if report is None:
            return
        from memtui.interchange import Fate

        came = report.fates[Fate.NEW] + report.fates[Fate.UPDATED]
        skipped = f"{report.tally.skipped:,} were skipped" if report.tally.skipped else ""
        undo = f"{self.key('undo')} undoes it" if report.batch is not None else ""
        hint = " · ".join(part for part in (skipped, undo) if part)
        self.say(f"{counted(came)} imported" if came else "Nothing new was there", hint)

    # --- writing out ---------------------------------------------------------------------------

    def action_export(self) -> None:
        """Write the marked memories, or all that match, to a file."""
        if not self.opened:
            return
        from memtui.tui.screens.pick import Choice, PickDialog

        if self.marked_count:
            what = counted(self.marked_count)
        elif self.view.filtered:
            what = f"the {counted(self.page.total if self.page else 0)} that match"
        else:
            what = "everything"
        choices = [Choice(number, one.words) for number, one in enumerate(_FORMATS)]
        self.app.push_screen(
            PickDialog(f"Export {what} as?", choices, 0), partial(self._format_picked, what)
        )

    def _format_picked(self, what: str, picked: Picked[int] | None) -> None:
        if picked is None:
            return
        chosen = _FORMATS[picked.value]
        selection = self._selection()
        self._ask_where(
            f"Export {what} to which file?",
            self._folder() / f"memories-{self.now():%Y-%m-%d}{chosen.ending}",
            f"Writing {what}",
            lambda path: lambda node: self.gateway.export(node, path, chosen.name, selection),
        )

    def _selection(self) -> Selection | None:
        from memtui.models import Selection

        if self.marked_count:
            return Selection.of(tuple(self.marks.versions))
        return Selection.matching(self.view.query()) if self.view.filtered else None

    def action_backup(self) -> None:
        """Write a copy of the database while it is in use."""
        if not self.opened:
            return
        here = Path(self.location)
        self._ask_where(
            "Copy the database to which file?",
            here.with_name(f"{here.stem}-{self.now():%Y-%m-%d}{here.suffix or '.db'}"),
            "Copying the database",
            lambda path: lambda node: self.gateway.backup(node, path),
        )

    # --- both ----------------------------------------------------------------------------------

    def _ask_where(
        self,
        question: str,
        path: Path,
        doing: str,
        asker: Callable[[Path], Callable[[MessagePump], int]],
    ) -> None:
        from memtui.tui.screens.prompt import PromptDialog

        def given(text: str | None) -> None:
            if text is None:
                return
            chosen = Path(text).expanduser()
            if chosen.exists():
                self._ask_to_replace(chosen, partial(self._write, doing, chosen, asker(chosen)))
            else:
                self._write(doing, chosen, asker(chosen))

        dialog = PromptDialog(
            question, value=str(path), does="write it", check=_path, paste_limit=4096
        )
        self.app.push_screen(dialog, given)

    def _ask_to_replace(self, path: Path, go_on: Callable[[], None]) -> None:
        from memtui.tui.screens.confirm import ConfirmDialog

        dialog = ConfirmDialog("Replace the file that is there?", [str(path)], "Replace")
        self.app.push_screen(dialog, lambda agreed: go_on() if agreed else None)

    def _write(self, doing: str, path: Path, ask: Callable[[MessagePump], int]) -> None:
        from memtui.tui.screens.working import WorkingDialog

        self._last_folder = path.parent
        dialog = WorkingDialog(self.gateway, doing, path, ask)
        self.app.push_screen(dialog, self._written)

    def _written(self, message: messages_transfer.Written | None) -> None:
        if message is None:
            return
        done = "Copied" if message.count is None else f"{counted(message.count)} written"
        self.say(done, str(message.path))

    def _folder(self) -> Path:
        """The folder used last, or the one that memtui was started in."""
        return self._last_folder or Path.cwd()


def _path(text: str) -> str:
    from memtui.errors import InvalidError, Problem

    if not text.strip():
        raise InvalidError([Problem(("path",), "Give the path of a file", "missing")])
    return text.strip()
