"""Waits for the signal that ends a run."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable


def until_signal(ready: Callable[[], None] | None = None) -> int:
    """Wait, in the main thread, for SIGTERM or SIGINT and return its number. `ready` is called once one is heard."""
    came: list[int] = []
    over = threading.Event()

    def hear(number: int, _: object) -> None:
        came.append(number)
        over.set()

    before = {number: signal.signal(number, hear) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        if ready is not None:
            ready()
        while not over.wait(0.2):  # in slices, so that the main thread sees its signals on every system
            pass
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return came[0]
