"""Keys in the order in which they were typed, each where it belongs, however fast they come.

Textual gives a key to the widget that has the focus when the key arrives. One that was typed before
the dialog of the key before it was there would go to what lies below: `t bird` could invert marks,
begin a review and delete. Here a key waits until the one before it has had its effect.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.message_pump import MessagePump
from textual.timer import Timer

_ROUNDS = 2
"""Rounds through the queues after a key: what it did, and what that led to."""
_LONGEST = 1.0
"""Seconds after which a key's effect is no longer waited for."""


class TypedAhead(App[None]):
    """Handles keys and pastes one after the other.

    A key is handled at once when none is under way. Its effect has come when twice all the queues
    from the focus up to the app were worked off, and neither screen nor focus changed any more.
    """

    def __init__(self) -> None:
        super().__init__()
        self._typed: deque[events.Key | events.Paste] = deque()
        self._handled = 0
        self._under_way = False
        self._rounds = 0
        self._place: tuple[object, object] = (None, None)
        self._overdue: Timer | None = None

    async def on_event(self, event: events.Event) -> None:
        """Let a key wait for the one before it."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            self._typed.append(event)
            if not self._under_way:
                await self._handle_next()
        else:
            await super().on_event(event)

    async def _handle_next(self) -> None:
        event = self._typed.popleft()
        self._under_way = True
        self._handled += 1
        self._rounds = 0
        self._place = self._present()
        nodes = self._queues()
        self._overdue = self.set_timer(_LONGEST, self._effect_came)
        try:
            await super().on_event(event)
        finally:
            self._follow(self._handled, nodes)

    def _present(self) -> tuple[object, object]:
        return self.screen, self.focused

    def _queues(self) -> Sequence[DOMNode]:
        """Return the nodes that a key passes through now: from the focus up to the app."""
        return (self.focused or self.screen).ancestors_with_self

    def _follow(self, number: int, nodes: Sequence[MessagePump]) -> None:
        """Go through queues one after the other, each time behind what is in there already."""
        if number != self._handled:
            return
        for at, node in enumerate(nodes):
            if node.call_later(self._follow, number, nodes[at + 1 :]):
                return
        self._round_ended(number)

    def _round_ended(self, number: int) -> None:
        self._rounds += 1
        place, self._place = self._place, self._present()
        if getattr(self.screen, "focus_pending", False):  # it moves once the screen is drawn anew
            self.screen.call_after_refresh(self._follow, number, self._queues())
        elif self._rounds < _ROUNDS or place != self._place:
            self._follow(number, self._queues())
        else:
            self.call_later(self._effect_came)

    async def _effect_came(self) -> None:
        if not self._under_way:
            return
        if self._overdue is not None:
            self._overdue.stop()
        self._handled += 1
        self._under_way = False
        if self._typed:
            await self._handle_next()
