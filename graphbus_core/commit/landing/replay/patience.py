"""Limits of time that a busy machine does not shorten: what a process waits for its turn does not count.

Runs confined, laid into a tree as a part of a package of its own: nothing here may import ours.
"""

from __future__ import annotations

import signal
import time
from types import FrameType

_open = open  # the code that runs may put something in its place
_SHORT = 0.01


def read_time() -> float:
    """Seconds on a clock that stands still while this process could run and has no processor."""
    waited = 0
    try:
        with _open("/proc/self/schedstat") as file:
            waited = int(file.read().split()[1])
    except (OSError, ValueError, IndexError):
        pass  # another system; there the clock on the wall must do
    return time.monotonic() - waited / 1e9


class Alarm:
    """Raises an error in what runs, once it had so many seconds."""

    def __init__(self, seconds: float, error: type[BaseException]) -> None:
        self.seconds, self.error = seconds, error
        self.end = 0.0

    def start(self) -> None:
        self.end = read_time() + self.seconds
        signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, self.seconds)

    def stop(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _ring(self, number: int, frame: FrameType | None) -> None:
        remaining = self.end - read_time()
        if remaining < _SHORT:
            raise self.error
        signal.setitimer(signal.ITIMER_REAL, remaining)
