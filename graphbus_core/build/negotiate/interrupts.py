"""Ctrl-C while agents negotiate: heard once, answered at once, and never in the middle of a write."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable


class Interrupts:
    """What SIGINT does. `told` is called at the first one that is taken in order; further ones change nothing.

    Outside the main thread, and where the process was started with SIGINT ignored, it does nothing.
    """

    def __init__(self, told: Callable[[], None]) -> None:
        self.told = told
        self.struck = False

    def at_once(self) -> None:
        """KeyboardInterrupt where it strikes: before the first fact there is nothing to be careful with.

        asyncio would only cancel the task, which helps nothing while the user's own module is imported.
        """
        if _ours():
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def in_order(self) -> None:
        """From now on the running task is cancelled, and ends what it has begun. Until the loop closes."""
        task = asyncio.current_task()
        assert task is not None

        def strike() -> None:
            if not self.struck:
                self.struck = True
                self.told()
                task.cancel()

        if _ours():
            asyncio.get_running_loop().add_signal_handler(signal.SIGINT, strike)


def _ours() -> bool:
    in_main = threading.current_thread() is threading.main_thread()
    return in_main and signal.getsignal(signal.SIGINT) != signal.SIG_IGN
