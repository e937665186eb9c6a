"""Parts of memtui that need more packages than the rest."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from memtui.cli.exits import MissingExtraError


@contextmanager
def needs(extra: str, verb: str) -> Iterator[None]:
    """Import inside this: a package that is missing becomes one line that says how to get it.

    Raises `MissingExtraError`.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("memtui"):
            raise
        raise MissingExtraError(
            f"{verb} needs the package {error.name}, which comes with the extra {extra!r}",
            f"Install it with: pip install 'memtui[{extra}]'",
        ) from error
