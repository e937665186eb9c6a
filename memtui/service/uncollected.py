"""Work on many objects, without the garbage collector going through all of them again and again."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Leave cycles of objects for later while tens of thousands are made that live on.

    Whoever finds the collector at work turns it on again: it is never left off, whatever runs at
    the same time in other threads.
    """
    at_work = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if at_work:
            gc.enable()
