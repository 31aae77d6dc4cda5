"""`pause_garbage_collection`: no garbage collection while many objects are made and kept."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def pause_garbage_collection() -> Iterator[None]:
    """Of a build, a start, a short command: thousands of objects are made and kept, and walking them costs a third."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
