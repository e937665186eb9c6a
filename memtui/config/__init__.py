"""Settings: a TOML file, `MEMTUI_*` variables and flags become one frozen `Settings`."""

from __future__ import annotations

from memtui.config.kinds import Keys
from memtui.config.loading import Finding, KeyCheck, Loaded, Source, load
from memtui.config.settings import SETTINGS, SettingInfo, Settings, default_file

__all__ = [
    "SETTINGS",
    "Finding",
    "KeyCheck",
    "Keys",
    "Loaded",
    "SettingInfo",
    "Settings",
    "Source",
    "default_file",
    "load",
]
