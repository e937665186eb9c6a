"""Who acts, made from a name that the caller gave: short and harmless wherever it is shown."""

from __future__ import annotations

import re

MAX_NAME = 128
_UNSAFE = re.compile(r"[^A-Za-z0-9._:@/+() -]+")


def actor(surface: str, client: str | None) -> str:
    """The journal's name for a caller: `http:my-agent`, or `http` for one without a name.

    The client's name is trimmed, cut to 128 characters, and anything but letters, digits, spaces
    and `._:@/+()-` becomes `_`.
    """
    name = _UNSAFE.sub("_", (client or "").strip())[:MAX_NAME].strip(" _")
    return f"{surface}:{name}" if name else surface
