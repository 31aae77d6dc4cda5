"""Runs something that may hang, for so long and no longer.

In the main thread a timer interrupts it there, because what a node opened in a thread it may want to close in that
thread (sqlite3 does). Elsewhere it runs in a thread of its own, which is left alone when its time is over.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any


class _TimeIsOver(BaseException):
    """Raised into the work by the timer. Not an Exception, so that the work's own handlers let it pass."""


def run_within(timeout_s: float, work: Callable[[], Any]) -> bool:
    """Run `work` for at most `timeout_s`; say whether it finished undisturbed. Raises what it raises."""
    if threading.current_thread() is threading.main_thread() and _timer_is_free():
        return _run_here(max(timeout_s, 0.001), work)
    return _run_aside(max(timeout_s, 0.0), work)


def _timer_is_free() -> bool:
    return hasattr(signal, "setitimer") and signal.getitimer(signal.ITIMER_REAL)[0] == 0


class _Interruption:
    """Raises _TimeIsOver into `work` when the timer rings: a few times politely, then as often as it takes.

    Code that swallows the exception and goes on (`except: pass` around a `sleep`, in a loop) is left at the latest
    where it comes out of its own `try` for an instant: the pauses sweep over that instant.
    """

    POLITE = 5
    POLITE_S, STEP_S, STEPS = 0.02, 1e-6, 97

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work = work
        self.times = 0

    def run(self) -> None:
        self._work()

    def ring(self, _: int, frame: FrameType | None) -> None:
        inside = frame
        while inside is not None and inside.f_code is not _Interruption.run.__code__:
            inside = inside.f_back
        if inside is None:  # it is over just now
            return
        self.times += 1
        pause_s = self.POLITE_S if self.times < self.POLITE else (self.times * 7 % self.STEPS + 1) * self.STEP_S
        signal.setitimer(signal.ITIMER_REAL, pause_s)
        raise _TimeIsOver


def _run_here(timeout_s: float, work: Callable[[], Any]) -> bool:
    interruption = _Interruption(work)
    before = signal.signal(signal.SIGALRM, interruption.ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, timeout_s)
        interruption.run()
    except _TimeIsOver:
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_IGN)  # one that is on its way ends here
        signal.signal(signal.SIGALRM, before)
    return not interruption.times


def _run_aside(timeout_s: float, work: Callable[[], Any]) -> bool:
    errors: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as e:
            errors.append(e)

    thread = threading.Thread(target=run, name="graphbus-stop", daemon=True)
    thread.start()
    thread.join(timeout_s)
    if errors:
        raise errors[0]
    return not thread.is_alive()
