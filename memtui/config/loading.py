"""Putting settings together: a later source beats an earlier one (default, file, variable, flag).

What cannot be used is reported with its place and reason, and the value below it stays in force:
the terminal UI can start and say so, the command line decides what it refuses to run with.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple, cast

from memtui.config.kinds import KEYS, PATH, Keys, key_names
from memtui.config.settings import SETTINGS, SettingInfo, Settings, default_file
from memtui.config.toml_file import TomlFile, read
from memtui.errors import ConfigError

KeyCheck = Callable[[Keys], Iterable[tuple[str, str]]]
"""Takes a key map and yields (action id, reason) for every entry that cannot be used."""

_BY_NAME = {info.name: info for info in SETTINGS}
_BY_ATTRIBUTE = {info.attribute: info for info in SETTINGS}


class Source(NamedTuple):
    """Where a value came from, and the exact place (`config.toml:3`, a variable, a flag)."""

    kind: Literal["default", "file", "environment", "flag"]
    place: str = ""

    def __str__(self) -> str:
        return self.place or self.kind


class Finding(NamedTuple):
    """Something that could not be used.

    `setting` is the attribute it was about, or None when it could be any (an unknown name, a file
    that cannot be read).
    """

    setting: str | None
    error: ConfigError

    @property
    def ui_only(self) -> bool:
        """Whether only the terminal UI would have used it."""
        return self.setting is not None and _BY_ATTRIBUTE[self.setting].ui_only


class Loaded(NamedTuple):
    """The settings in force, where each came from, and what could not be used."""

    settings: Settings
    sources: Mapping[str, Source]
    findings: tuple[Finding, ...]
    file: Path
    file_exists: bool


def load(
    flags: Mapping[str, object] = MappingProxyType({}),
    *,
    file: str | None = None,
    environ: Mapping[str, str] = os.environ,
    check_keys: KeyCheck | None = None,
) -> Loaded:
    """Put the settings together; nothing is written and no folder is made.

    `flags` holds only what was typed, by attribute (`{"read_only": True}`). `file` is the
    configuration file when it was named (as `MEMTUI_CONFIG` may); a named file must exist.
    Raises nothing: what could not be used is in `findings`.
    """
    named = file or environ.get("MEMTUI_CONFIG")
    path = Path(named).expanduser() if named else default_file()
    gathering = _Gathering()
    toml = gathering.open(path, must_exist=bool(named))
    if toml is not None:
        gathering.take_file(toml, check_keys)
    for info in SETTINGS:
        if info.variable and (text := environ.get(info.variable)):
            gathering.take_variable(info, text)
    for attribute, value in flags.items():
        flag = "--" + _BY_ATTRIBUTE[attribute].name.rpartition(".")[2].replace("_", "-")
        gathering.put(attribute, _at_home(attribute, value), Source("flag", flag))
    return Loaded(
        Settings(**gathering.values),  # type: ignore[arg-type]  # each was read by its kind
        {name: gathering.sources.get(name, Source("default")) for name in _BY_ATTRIBUTE},
        tuple(gathering.findings),
        path,
        toml is not None or path.is_file(),
    )


class _Gathering:
    """Values, their sources and findings, while the sources are read in order."""

    def __init__(self) -> None:
        self.values: dict[str, object] = {}
        self.sources: dict[str, Source] = {}
        self.findings: list[Finding] = []

    def put(self, attribute: str, value: object, source: Source) -> None:
        self.values[attribute] = value
        self.sources[attribute] = source

    def refuse(self, setting: str | None, message: str, hint: str = "") -> None:
        self.findings.append(Finding(setting, ConfigError(message, hint)))

    def open(self, path: Path, *, must_exist: bool) -> TomlFile | None:
        try:
            return read(path)
        except FileNotFoundError:
            if must_exist:
                self.refuse(None, f"{path}: there is no such configuration file")
        except ConfigError as error:
            self.findings.append(Finding(None, error))
        return None

    def take_file(self, toml: TomlFile, check_keys: KeyCheck | None) -> None:
        for parts, value in _leaves(toml.values):
            name = ".".join(parts)
            info = _BY_NAME.get("keys" if parts[0] == "keys" else name)
            if info is None:
                where = f"{toml.place(parts)}: unknown setting {name!r}"
                self.refuse(None, where, _allowed(parts))
                continue
            try:
                self._take_value(toml, info, parts, value)
            except ValueError as error:
                self.refuse(info.attribute, f"{toml.place(parts)}: {name} {error}")
        if check_keys is not None and "keys" in self.values:
            self._check_keys(toml, check_keys)

    def _take_value(
        self, toml: TomlFile, info: SettingInfo, parts: tuple[str, ...], value: object
    ) -> None:
        checked: object
        if info.kind is KEYS and len(parts) > 1:
            bound = cast("Keys", self.values.get("keys", {}))
            checked = {**bound, ".".join(parts[1:]): key_names(value)}
            parts = parts[:1]
        else:
            checked = info.kind.from_toml(value)
        if info.kind is PATH:
            checked = _in_folder(cast("str", checked), toml.path.parent)
        self.put(info.attribute, checked, Source("file", toml.place(parts)))

    def _check_keys(self, toml: TomlFile, check_keys: KeyCheck) -> None:
        keys = dict(cast("Keys", self.values["keys"]))
        for action, reason in list(check_keys(keys)):
            place = toml.place(("keys", *action.split(".")))
            self.refuse("keys", f"{place}: {reason}")
            keys.pop(action, None)
        self.values["keys"] = MappingProxyType(keys)

    def take_variable(self, info: SettingInfo, text: str) -> None:
        try:
            value = info.kind.from_text(text)
        except ValueError as error:
            self.refuse(info.attribute, f"{info.variable}: {error}")
            return
        source = Source("environment", info.variable)
        self.put(info.attribute, _at_home(info.attribute, value), source)


def _leaves(
    table: Mapping[str, object], above: tuple[str, ...] = ()
) -> Iterable[tuple[tuple[str, ...], object]]:
    """Every value with its path; a table that belongs to no setting counts as one."""
    for key, value in table.items():
        parts = (*above, key)
        is_section = any(name.startswith(".".join(parts) + ".") for name in _BY_NAME)
        if isinstance(value, dict) and (is_section or parts[0] == "keys"):
            yield from _leaves(value, parts)
        else:
            yield parts, value


def _allowed(parts: tuple[str, ...]) -> str:
    above = "".join(f"{part}." for part in parts[:-1])
    beside = [name for name in _BY_NAME if name.startswith(above)]
    return "Allowed: " + ", ".join(beside or _BY_NAME) + "."


def _at_home(attribute: str, value: object) -> object:
    """Expand `~` in a path: quotes, and `--db=~/x`, keep the shell from doing it."""
    if _BY_ATTRIBUTE[attribute].kind is PATH and isinstance(value, str) and _is_local(value):
        return str(Path(value).expanduser())
    return value


def _in_folder(value: str, folder: Path) -> str:
    return str(folder / Path(value).expanduser()) if _is_local(value) else value


def _is_local(value: str) -> bool:
    return "://" not in value and value not in {"", ":memory:"}
