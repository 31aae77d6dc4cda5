"""Code of the project that a front end has set going: bounded in number, each piece in a thread that may hang.

A node may never return. So it does not run in a thread that the server needs: each call has a daemon thread of its own,
at most `limit` of them, and who waits for it waits for so long and no longer. What hangs keeps its place until it
returns, is named when the runtime stops, and does not keep the process alive.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from typing import Any

from graphbus_core.errors import DeadlineExceeded
from graphbus_core.workspace.shows.errors import Conflict

# Each is a thread. More than these mean that nodes hang, and then further ones would only hang beside them.
MAX_UNDER_WAY = 64
TIMEOUT_S = 60.0


class Activities:
    """What runs now, by name. Safe to use from any thread."""

    def __init__(self, limit: int = MAX_UNDER_WAY) -> None:
        self.limit = limit
        self._running: dict[int, tuple[str, Future[Any]]] = {}
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._closed = False

    async def run(self, what: str, work: Callable[[], Any], timeout_s: float = TIMEOUT_S) -> Any:
        """Run `work` and wait for what it gives, or raises.

        Raises DeadlineExceeded after `timeout_s`; the work then runs on. Raises Conflict where too much runs already.
        """
        future = self._begin(what, work)
        # `wait` and not `wait_for`: a timeout must not cancel the future, which the thread still has to fill.
        await asyncio.wait({asyncio.wrap_future(future)}, timeout=timeout_s)
        if not future.done():
            raise DeadlineExceeded(
                f"{what} did not return within {timeout_s:g} s. It runs on; give it more with timeout_s, or stop the "
                "runtime."
            )
        return future.result()

    def close(self, timeout_s: float) -> list[str]:
        """Take nothing more, wait for what runs, let go whoever still waits, and name what did not return."""
        end = time.monotonic() + timeout_s
        with self._changed:
            self._closed = True
            while self._running and (left := end - time.monotonic()) > 0:
                self._changed.wait(left)
            hanging = list(self._running.values())
        # A future may be filled in this instant; then its caller has an answer, and needs no error.
        for what, future in hanging:
            with contextlib.suppress(InvalidStateError):
                future.set_exception(DeadlineExceeded(f"{what} had not returned when the runtime was stopped."))
        return [what for what, _ in hanging]

    def _begin(self, what: str, work: Callable[[], Any]) -> Future[Any]:
        with self._changed:
            if self._closed:
                raise Conflict("The runtime is being stopped.")
            if len(self._running) >= self.limit:
                names = ", ".join(sorted({what for what, _ in self._running.values()})[:5])
                raise Conflict(f"{self.limit} calls are under way ({names}). Wait for them, or stop the runtime.")
            number = next(self._numbers)
            # By number and not by name: the same method may be called many times at once.
            future: Future[Any] = Future()
            self._running[number] = what, future

        def run() -> None:
            try:
                given, error = work(), None
            except BaseException as e:  # also SystemExit: a node does not end the server
                given, error = None, e
            # Taken out before it is told, so that whoever waits in `close` counts right.
            with self._changed:
                self._running.pop(number, None)
                self._changed.notify_all()
            with contextlib.suppress(InvalidStateError):  # nobody waits any longer
                if error is None:
                    future.set_result(given)
                else:
                    future.set_exception(error)

        threading.Thread(target=run, name=f"graphbus-api-{what}", daemon=True).start()
        return future
