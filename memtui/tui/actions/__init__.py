"""The registry of everything a key, the palette or a click can do.

Bindings, footer, help, palette and key remapping all read `ACTIONS`, so they cannot disagree.
Nothing here imports Textual: the command line checks key overrides through `key_problems`.

An action `id` names the method that does it: `edit` is `action_edit` of the screen, or of the
widget, that `scope` names.
"""

from __future__ import annotations

from memtui.tui.actions.key_names import canonical_key, key_label
from memtui.tui.actions.kinds import Action, Group, Place, Scope
from memtui.tui.actions.overrides import key_problems, keys_of
from memtui.tui.actions.registry import ACTIONS, BY_ID, at

__all__ = [
    "ACTIONS",
    "BY_ID",
    "Action",
    "Group",
    "Place",
    "Scope",
    "at",
    "canonical_key",
    "key_label",
    "key_problems",
    "keys_of",
]
