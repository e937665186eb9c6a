"""The requests about drafts: files beside the database, written by the same worker threads."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from textual.message_pump import MessagePump

from memtui.errors import StoreError
from memtui.tui import messages, messages_drafts
from memtui.tui.gateway_base import GatewayBase, Opener

if TYPE_CHECKING:
    from textual.app import App

    from memtui.service import MemoryService
    from memtui.tui.drafts import Draft, DraftFile


class DraftRequests(GatewayBase):
    """A draft belongs to a form, which is only a key here."""

    def __init__(self, app: App[Any], open_service: Opener) -> None:
        super().__init__(app, open_service)
        self._places: dict[Hashable, DraftFile] = {}

    def close(self) -> None:
        """Release the database; drafts of what is still unsaved are left behind."""
        for place in self._places.values():
            place.release()
        self._places.clear()
        super().close()

    def find_drafts(self, reply_to: MessagePump) -> int:
        """Look for drafts that were left behind. Answered by `DraftsFound`."""

        def call(service: MemoryService, number: int) -> messages.Answer:
            from memtui.tui.drafts import left_behind, left_in_editors

            location = service.location
            return messages_drafts.DraftsFound(
                number, left_behind(location), left_in_editors(location)
            )

        return self._read("drafts", reply_to, "look for unsaved texts", call)

    def keep_draft(self, reply_to: MessagePump, form: Hashable, draft: Draft) -> int:
        """Keep what `form` holds. Not answered, unless it fails."""
        from memtui.tui.drafts import DraftFile

        place = self._places.setdefault(form, DraftFile(self.location))

        def call(_service: MemoryService, _number: int) -> None:
            try:
                place.write(draft)
            except OSError as error:
                raise StoreError(str(error), "Save what you type before you leave it.") from error

        return self._read(f"draft {id(form)}", reply_to, "keep a draft", call)

    def adopt_draft(self, form: Hashable, place: DraftFile) -> None:
        """Have `form` keep its draft in a place that was left behind."""
        self._places[form] = place

    def drop_draft(self, form: Hashable) -> None:
        """Forget the draft of `form`: it was saved, or thrown away."""
        if (place := self._places.pop(form, None)) is not None:
            place.remove()
