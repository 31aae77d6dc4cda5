"""Runs something that may hang, for so long and no longer.

In the main thread a timer interrupts it there, because what a node opened in a thread it may want to close in that
thread (sqlite3 does). Elsewhere it runs in a thread of its own, which is left alone when its time is over.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from typing import Any


class _TimeIsOver(BaseException):
    """Raised into the work by the timer. Not an Exception, so that the work's own handlers let it pass."""


def run_within(timeout_s: float, work: Callable[[], Any]) -> bool:
    """Run `work` for at most `timeout_s`; say whether it finished. Raises what it raises."""
    if threading.current_thread() is threading.main_thread() and _timer_is_free():
        return _run_here(max(timeout_s, 0.001), work)
    return _run_aside(max(timeout_s, 0.0), work)


def _timer_is_free() -> bool:
    return hasattr(signal, "setitimer") and signal.getitimer(signal.ITIMER_REAL)[0] == 0


def _run_here(timeout_s: float, work: Callable[[], Any]) -> bool:
    def over(*_: object) -> None:
        raise _TimeIsOver

    before = signal.signal(signal.SIGALRM, over)
    try:
        signal.setitimer(signal.ITIMER_REAL, timeout_s)
        work()
    except _TimeIsOver:
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return True


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
