"""Threads in which sync handlers and methods run beside a loop, made as they are needed.

Not `concurrent.futures`: its threads are waited for when Python ends, and a handler that hangs would keep it alive.

Coming back to a loop that sleeps costs a write and a read of its pipe, more than most handlers do themselves. So a loop
that hands over work that was short the last time waits for it right there, for `SHORT_S` at most. Work that was not
short is left alone for a while, each time for longer, and the loop goes on at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable
from concurrent import futures
from typing import Any

SHORT_S = 0.0003  # that a loop may stand still for work: what it does for one message takes as long
LEFT_ALONE = 64  # at most so many times in a row, before the loop sees whether work is short again


class Errand:
    """Work in a thread that a loop waits for."""

    __slots__ = ("_error", "_over", "_result", "_unwanted", "_waiter", "_work")

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work = work
        self._result: Any = None
        self._error: BaseException | None = None
        self._over = threading.Lock()  # held until the work is over
        self._over.acquire()
        self._waiter: asyncio.Future[None] | None = None
        self._unwanted = False

    def done(self) -> bool:
        """Whether the work is over."""
        return not self._over.locked()

    def result(self) -> Any:
        """What the work gave back, or raise what it raised. Only once it is done."""
        if self._error is not None:
            raise self._error
        return self._result

    def run(self) -> None:
        """In the thread."""
        if not self._unwanted:
            try:
                self._result = self._work()
            except BaseException as error:
                self._error = error
        self._over.release()
        # Looked at after the release, and set by the loop before it looks at the lock: one of the two sees the other.
        if (waiter := self._waiter) is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                waiter.get_loop().call_soon_threadsafe(_wake, waiter)

    def quickly(self) -> bool:
        """Stand still for `SHORT_S` at most; say whether the work is over."""
        if self._over.acquire(timeout=SHORT_S):
            self._over.release()
            return True
        return False

    async def ended(self, timeout_s: float | None = None) -> bool:
        """Wait for the end of the work; say whether it came in time. Work that did not begin by then never does."""
        if self.done():
            return True
        loop = asyncio.get_running_loop()
        waiter = self._waiter = loop.create_future()
        timer = None if timeout_s is None else loop.call_later(timeout_s, _wake, waiter)
        try:
            if not self.done():
                await waiter
        finally:
            if timer is not None:
                timer.cancel()
            self._waiter = None
            self._unwanted = not self.done()
        return self.done()


def _wake(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)


class Workers:
    """At most `limit` threads; further work waits until one of them is free."""

    def __init__(self, limit: int = 64) -> None:
        self._limit = limit
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._threads = 0
        self._idle = 0  # threads that wait for a job, less the jobs that wait for a thread
        self._long: dict[str, tuple[int, int]] = {}  # what was not short: so often, and to be left alone so often

    def run(self, work: Callable[[], Any]) -> futures.Future[Any]:
        """Run `work` in one of the threads, for a thread that waits."""
        done: futures.Future[Any] = futures.Future()

        def job() -> None:
            if done.set_running_or_notify_cancel():
                try:
                    result = work()
                except BaseException as error:
                    done.set_exception(error)
                else:
                    done.set_result(result)

        self._put(job)
        return done

    async def arun(self, what: str, work: Callable[[], Any], timeout_s: float | None = None) -> Errand:
        """Run `work` in one of the threads, for a loop that waits, for so long at most. Ask what comes back whether it
        is done. `what` names the kind of work: what was short once is taken to be short the next time.
        """
        errand = Errand(work)
        self._put(errand.run)
        often, left_alone = self._long.get(what, (0, 0))
        if left_alone:
            self._long[what] = often, left_alone - 1
        elif errand.quickly():
            if often:
                del self._long[what]
            return errand
        else:
            self._long[what] = often + 1, min(2**often, LEFT_ALONE)
        await errand.ended(timeout_s)
        return errand

    def _put(self, job: Callable[[], None]) -> None:
        with self._lock:
            self._idle -= 1
            if self._idle < 0 and self._threads < self._limit:
                self._threads += 1
                self._idle += 1
                threading.Thread(target=self._work, name="graphbus-handler", daemon=True).start()
        self._jobs.put(job)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
            with self._lock:
                self._idle += 1

    def close(self) -> None:
        """End the threads that have nothing to do; one that hangs is left alone."""
        with self._lock:
            threads, self._threads = self._threads, 0
        for _ in range(threads):
            self._jobs.put(None)
