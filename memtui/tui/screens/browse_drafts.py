"""Texts that were typed and not saved: kept while they are typed, offered at the next start."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memtui.tui import messages, messages_drafts
from memtui.tui.screens.browse_change import Changing

if TYPE_CHECKING:
    from memtui.tui.drafts import Draft, DraftFile
    from memtui.tui.screens.draft_offer import Decision
    from memtui.tui.screens.edit import EditScreen


class Drafts(Changing):
    """Has the gateway keep what the forms hold, whichever screen opened them."""

    _looked_for_drafts = False

    def keep_typed(self, message: EditScreen.Typed) -> None:
        """Keep what a form holds, or nothing where nothing of it is unsaved."""
        from memtui.tui.drafts import Draft

        if message.unsaved:
            draft = Draft(message.base, message.values, self.now())
            self.gateway.keep_draft(self, message.form, draft)
        else:
            self.gateway.drop_draft(message.form)

    def forget_typed(self, message: EditScreen.Ended) -> None:
        """What a form held was stored, or given up."""
        self.gateway.drop_draft(message.form)

    def on_opened(self, _message: messages.Opened) -> None:
        """Look for what was left behind, once a session."""
        if not self.read_only and not self._looked_for_drafts:
            self._looked_for_drafts = True
            self.gateway.find_drafts(self)

    def on_drafts_found(self, message: messages_drafts.DraftsFound) -> None:
        """Offer them one after the other, the newest first; tell of what was in an editor."""
        for path in message.in_editors:
            self.say(
                "memtui ended while a text was in your editor; it is kept until you delete it",
                str(path),
                bad=True,
            )
        self._offer(list(message.drafts))

    def _offer(self, drafts: list[tuple[DraftFile, Draft]]) -> None:
        if not drafts:
            return
        from memtui.tui.screens.draft_offer import DraftOffer

        (place, draft), *others = drafts
        dialog = DraftOffer(draft, self.now())
        self.app.push_screen(dialog, partial(self._decided, place, draft, others))

    def _decided(
        self,
        place: DraftFile,
        draft: Draft,
        others: list[tuple[DraftFile, Draft]],
        decision: Decision | None,
    ) -> None:
        if decision == "restore":
            form = self.open_form(draft.base, draft.values)
            self.gateway.adopt_draft(form, place)
            if draft.base is not None:
                self.gateway.memory(self, draft.base.id)
            for other, _ in others:  # offered at the next start: this one first
                other.release()
            return
        if decision == "discard":
            place.remove()
        else:
            place.release()
        self._offer(others)
