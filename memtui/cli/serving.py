"""The flags of the server, and the options that they make with the settings."""

from __future__ import annotations

import os
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import TYPE_CHECKING, cast

from memtui.cli.inputs import number
from memtui.config import Settings
from memtui.config.kinds import PORT

if TYPE_CHECKING:
    from memtui.server.options import ServeOptions


def add_server_flags(parser: ArgumentParser) -> None:
    """Add where to listen and whom to answer; what is not typed comes from the settings."""
    parser.add_argument("--host", dest="server_host", metavar="HOST", help="listen here")
    parser.add_argument(
        "--port", dest="server_port", type=_port, metavar="PORT", help="0 takes a free one"
    )
    parser.add_argument(
        "--token-file", dest="server_token_file", metavar="FILE",
        help="ask every caller for the token in this file (or set MEMTUI_TOKEN)",
    )  # fmt: skip
    parser.add_argument(
        "--allow-host", dest="server_allow_host", action="append", metavar="NAME",
        help="a further name under which callers reach the server",
    )  # fmt: skip
    parser.add_argument(
        "--allow-origin", dest="server_allow_origin", action="append", metavar="ORIGIN",
        help="a web origin whose pages may call",
    )  # fmt: skip
    parser.add_argument(
        "--max-body", type=number, metavar="BYTES", help="refuse larger requests (default 8 MiB)"
    )


def _port(text: str) -> int:
    try:
        return cast("int", PORT.from_text(text))
    except ValueError as error:
        raise ArgumentTypeError(str(error)) from error


def serve_options(settings: Settings, max_body: int | None = None) -> ServeOptions:
    """How to serve, checked. Raises `InvalidError`."""
    from memtui.server.options import DEFAULT_MAX_BODY, ServeOptions, read_token

    token = os.environ.get("MEMTUI_TOKEN")
    if settings.server_token_file is not None:
        token = read_token(Path(settings.server_token_file))
    return ServeOptions(
        db=settings.db,
        host=settings.server_host,
        port=settings.server_port,
        token=token or None,
        allow_hosts=tuple(settings.server_allow_host),
        allow_origins=tuple(settings.server_allow_origin),
        max_body=DEFAULT_MAX_BODY if max_body is None else max_body,
        read_only=settings.read_only,
    )
