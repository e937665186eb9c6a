"""Doing a POST once: the answer as it is kept, and the keys whose first request still runs."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from memtui.server.answers import RETRY_SECONDS, RefusedError


@dataclass(frozen=True, slots=True)
class Reply:
    """A successful answer to a POST."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def pack(self) -> bytes:
        """As bytes: status and headers as a line of JSON, then the body."""
        return json.dumps([self.status, dict(self.headers)]).encode() + b"\n" + self.body

    @classmethod
    def unpack(cls, packed: bytes) -> Reply:
        """Read what `pack` wrote."""
        head, _, body = packed.partition(b"\n")
        status, headers = json.loads(head)
        return cls(status, headers, body)


class InFlight:
    """The keys that are being worked on in this server; another server's wait for the database."""

    def __init__(self) -> None:
        self._keys: set[str] = set()
        self._lock = threading.Lock()

    @contextmanager
    def claim(self, key: str) -> Iterator[None]:
        """Hold a key. Raises `RefusedError` 409 while another request holds it."""
        with self._lock:
            if key in self._keys:
                raise RefusedError(
                    409,
                    "The first request with this Idempotency-Key is still running",
                    {"retry-after": str(RETRY_SECONDS)},
                )
            self._keys.add(key)
        try:
            yield
        finally:
            with self._lock:
                self._keys.discard(key)
