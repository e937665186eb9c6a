"""What every call stands on."""

from __future__ import annotations

from memtui.errors import ReadOnlyError
from memtui.service.context import Context


class Calls:
    """The database, who acts, and what time it is."""

    _context: Context

    @property
    def read_only(self) -> bool:
        """Whether this service writes nothing, not even access marks."""
        return self._context.store.read_only

    def _writing(self) -> Context:
        if self.read_only:
            raise ReadOnlyError(
                "This session is read-only", "Start without --read-only to change memories."
            )
        return self._context
