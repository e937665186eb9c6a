"""What can be set about the two servers, checked before anything is opened."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from pathlib import Path

from memtui.errors import InvalidError

DEFAULT_PORT = 8765
DEFAULT_MAX_BODY = 8 * 1024 * 1024

_LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
_HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::([0-9]{1,5}))?")
_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[0-9]{1,5})?")
_TOKEN = re.compile(r"[\x21-\x7e]+")
_DEFAULT_PORTS = {"http": 80}


@dataclass(frozen=True, slots=True)
class ServeOptions:
    """How `memtui serve` listens and whom it answers.

    `port` 0 takes a free one. `token`, when set, is asked of every caller. `allow_hosts` are
    further names by which callers reach the server (`name` or `name:port`), `allow_origins` the web
    origins whose pages may call it. `max_body` is in bytes. Construction raises `InvalidError`.
    """

    db: str | Path
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    token: str | None = None
    allow_hosts: tuple[str, ...] = ()
    allow_origins: tuple[str, ...] = ()
    max_body: int = DEFAULT_MAX_BODY
    read_only: bool = False

    def __post_init__(self) -> None:
        if self.token is not None and not _TOKEN.fullmatch(self.token):
            raise InvalidError("The token must be visible ASCII characters without spaces")
        if self.token is None and not is_loopback(self.host):
            raise InvalidError(
                f"Listening on {self.host} lets other machines call, so a token must be set",
                "Give --token-file FILE or set MEMTUI_TOKEN, or listen on 127.0.0.1.",
            )
        if self.max_body < 1:
            raise InvalidError("--max-body must be at least 1 byte")
        for host in self.allow_hosts:
            parse_host(host)
        for origin in self.allow_origins:
            parse_origin(origin)

    def known_hosts(self) -> frozenset[tuple[str, int | None]]:
        """The names that a Host header may carry, with a port where only that one is meant."""
        names = [*_LOOPBACK_NAMES, *self._bound_name(), *self.allow_hosts]
        return frozenset(parse_host(name) for name in names)

    def own_origins(self, port: int) -> frozenset[str]:
        """The server's own origin under each of its names, `port` being the one it listens on."""
        suffix = "" if port == _DEFAULT_PORTS["http"] else f":{port}"
        return frozenset(
            f"http://{name}{suffix}" for name in (*_LOOPBACK_NAMES, *self._bound_name())
        )

    def other_origins(self) -> frozenset[str]:
        """The origins of other sites whose pages may call."""
        return frozenset(parse_origin(origin) for origin in self.allow_origins)

    def _bound_name(self) -> tuple[str, ...]:
        try:
            address = ipaddress.ip_address(self.host.strip("[]"))
        except ValueError:
            return (self.host.lower(),)
        if address.is_unspecified:
            return ()
        return (f"[{address}]" if address.version == 6 else str(address),)


@dataclass(frozen=True, slots=True)
class McpOptions:
    """What `memtui mcp` serves; `actor` replaces the name made from the client's own."""

    db: str | Path
    read_only: bool = False
    actor: str | None = None


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server that listens on `host`."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def parse_host(text: str) -> tuple[str, int | None]:
    """Split `name` or `name:port`, lower case. Raises `InvalidError`."""
    found = _HOST.fullmatch(text.lower())
    if found is None:
        raise InvalidError(f"{text!r} is not a host name", "Give NAME or NAME:PORT.")
    name, port = found.groups()
    return name, None if port is None else int(port)


def parse_origin(text: str) -> str:
    """An origin as browsers send it. Raises `InvalidError` for anything else, `null` included."""
    origin = text.lower().removesuffix("/")
    if not _ORIGIN.fullmatch(origin):
        raise InvalidError(
            f"{text!r} is not a web origin", "Give scheme://host or scheme://host:port, exactly."
        )
    return origin


def read_token(path: Path) -> str:
    """The token in a file, without the white space around it. Raises `InvalidError`."""
    try:
        token = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidError(f"The token file {path} cannot be read: {error}") from error
    if not token:
        raise InvalidError(f"The token file {path} is empty")
    return token
