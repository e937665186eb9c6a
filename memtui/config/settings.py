"""Every setting there is: what it means, what it takes, its default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, cast

from memtui.config.kinds import KEYS, PATH, PORT, SWITCH, TEXT, TEXTS, Keys, Kind


def default_database() -> str:
    """Where memories are kept when nothing says otherwise: the platform's data folder."""
    import platformdirs

    return str(platformdirs.user_data_path("memtui", appauthor=False) / "memories.db")


def default_file() -> Path:
    """Where the configuration file is looked for: the platform's configuration folder."""
    import platformdirs

    return platformdirs.user_config_path("memtui", appauthor=False) / "config.toml"


def _about(kind: Kind, doc: str, *, name: str = "", ui_only: bool = False) -> Mapping[str, object]:
    """A setting's metadata; `name` is its dotted place in the file where that is not its own."""
    return {"kind": kind, "doc": doc, "name": name, "ui_only": ui_only}


@dataclass(frozen=True)
class Settings:
    """Every setting, with its default; the metadata of each field says what it means."""

    db: str = field(
        default_factory=default_database,
        metadata=_about(
            PATH, "The database: a path or a URL. In the file, relative to the file's folder."
        ),
    )
    actor: str | None = field(
        default=None,
        metadata=_about(
            TEXT, "Who acts, as the journal names it. Unset, each surface uses its own name."
        ),
    )
    peek: bool = field(
        default=False, metadata=_about(SWITCH, "Look at memories without marking them as accessed.")
    )
    read_only: bool = field(
        default=False, metadata=_about(SWITCH, "Write nothing at all, not even access marks.")
    )
    editor: str | None = field(
        default=None,
        metadata=_about(TEXT, "The command that edits a text. Unset, $VISUAL, $EDITOR, then vi."),
    )
    theme: str | None = field(
        default=None,
        metadata=_about(TEXT, "The colours of the terminal UI, by a theme's name.", ui_only=True),
    )
    keys: Keys = field(
        default_factory=lambda: MappingProxyType({}),
        metadata=_about(
            KEYS, "The terminal UI's keys: an action's id = a key, or a list.", ui_only=True
        ),
    )
    tags_standard: tuple[str, ...] = field(
        default=(),
        metadata=_about(
            TEXTS, "Tags that the tag manager sets apart.", name="tags.standard", ui_only=True
        ),
    )
    server_host: str = field(
        default="127.0.0.1",
        metadata=_about(TEXT, "The address that the server listens on.", name="server.host"),
    )
    server_port: int = field(
        default=8765,
        metadata=_about(PORT, "The port that the server listens on.", name="server.port"),
    )
    server_token_file: str | None = field(
        default=None,
        metadata=_about(
            PATH, "A file with the bearer token that callers send.", name="server.token_file"
        ),
    )
    server_allow_host: tuple[str, ...] = field(
        default=(),
        metadata=_about(
            TEXTS, "Further Host names the server answers to.", name="server.allow_host"
        ),
    )
    server_allow_origin: tuple[str, ...] = field(
        default=(),
        metadata=_about(
            TEXTS, "Web origins that may call from a browser.", name="server.allow_origin"
        ),
    )


class SettingInfo(NamedTuple):
    """One setting as people meet it.

    `name` is its dotted place in the file, `attribute` that in `Settings`, `variable` its
    environment variable (empty: it has none). `ui_only` settings matter to the terminal UI alone.
    """

    name: str
    attribute: str
    variable: str
    kind: Kind
    doc: str
    ui_only: bool

    @classmethod
    def of(cls, described: Field[object]) -> SettingInfo:
        """Read it from a field of `Settings`."""
        about = described.metadata
        kind = cast("Kind", about["kind"])
        variable = "" if kind is KEYS else f"MEMTUI_{described.name.upper()}"
        name = cast("str", about["name"]) or described.name
        return cls(name, described.name, variable, kind, about["doc"], about["ui_only"])


SETTINGS = tuple(SettingInfo.of(described) for described in fields(Settings))
