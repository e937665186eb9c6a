"""All actions, in the order in which help and palette show them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memtui.tui.actions.browse import BROWSE
from memtui.tui.actions.bulk import BULK
from memtui.tui.actions.files import FILES
from memtui.tui.actions.forms import FORMS
from memtui.tui.actions.kinds import Action, Place
from memtui.tui.actions.workbench import WORKBENCH

ACTIONS: tuple[Action, ...] = (*BROWSE, *BULK, *FILES, *FORMS, *WORKBENCH)
BY_ID: Mapping[str, Action] = {action.id: action for action in ACTIONS}


def at(place: Place) -> Iterator[Action]:
    """Yield the actions whose keys work while the focus is at `place`, in footer order."""
    found = [action for action in ACTIONS if place in action.where]
    return iter(sorted(found, key=lambda action: (action.footer == 0, action.footer)))
