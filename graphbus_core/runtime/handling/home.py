"""The home loop: the event loop on which a bus runs the async handlers of sync publishers.

It is the loop of the program where the program has one (`async with RuntimeExecutor(…)`), else one in a thread of its
own, made when the first async handler is due.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent import futures
from contextlib import suppress
from typing import Any, TypeVar

from graphbus_core.errors import RuntimeFault

T = TypeVar("T")


def running_loop() -> asyncio.AbstractEventLoop | None:
    """The loop that runs in this thread, or None."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def at_once(work: Coroutine[Any, Any, T], otherwise: Exception | None = None) -> T:
    """Run what waits for nothing, here, without a loop. Raises `otherwise` where it would have to wait."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    work.close()
    raise otherwise or RuntimeFault("What says that it waits for nothing, such as a local transport, has to wait.")


def is_failure(error: BaseException) -> bool:
    """Whether what a handler raised is its own failure, and not the end of whoever runs it.

    A CancelledError is one where nobody cancelled the task that runs here: the handler raised it itself, or awaited
    something else that was cancelled.
    """
    if not isinstance(error, asyncio.CancelledError):
        return isinstance(error, Exception)
    task = asyncio.current_task() if running_loop() is not None else None
    return task is None or not task.cancelling()


class HomeLoop:
    """Finds or makes the loop, and runs coroutines on it from other threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: _LoopThread | None = None

    def adopt(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Use this loop of the program from now on, unless there is a live one already."""
        with self._lock:
            if loop is not None and not self._alive():
                self._loop, self._thread = loop, None

    def loop(self) -> asyncio.AbstractEventLoop:
        """The home loop; made in a thread of its own where nobody brought one."""
        with self._lock:
            if self._loop is None or not self._alive():
                self._loop = asyncio.new_event_loop()
                self._thread = _LoopThread(self._loop)
                self._thread.start()
            return self._loop

    def _alive(self) -> bool:
        if self._loop is None or self._loop.is_closed():
            return False
        return self._thread.is_alive() if self._thread is not None else self._loop.is_running()

    def forked(self) -> None:
        """This is a child process: what ran the loop stayed in the parent, and with it whoever held the lock."""
        self._lock = threading.Lock()
        self._loop = self._thread = None

    def wait_for(self, work: Coroutine[Any, Any, T], timeout_s: float | None = None, *, leave: bool = False) -> T:
        """Run `work` on the home loop and wait for it. Must not be called on the home loop itself.

        After `timeout_s` concurrent.futures.TimeoutError is raised; with `leave` the work goes on there.
        """
        home = self.loop()
        if running_loop() is home:
            work.close()
            raise RuntimeFault("An event loop cannot wait for itself: use the `a…` form of this call, with `await`.")
        future = asyncio.run_coroutine_threadsafe(work, home)
        try:
            return future.result(timeout_s)
        except futures.TimeoutError:
            if not leave or future.done():
                future.cancel()
            raise
        except BaseException:
            future.cancel()
            raise

    def close(self, timeout_s: float = 1.0) -> None:
        """Stop the loop if it is our own; a loop of the program is left alone."""
        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is None or thread is None or loop.is_closed():
            return
        loop.call_soon_threadsafe(thread.end)
        if thread is not threading.current_thread():
            thread.join(timeout_s)


class _LoopThread(threading.Thread):
    """Runs a loop until `end`, whatever handlers do."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(name="graphbus-loop", daemon=True)
        self._loop, self._over = loop, False

    def run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            while not self._over:
                # `sys.exit` in a handler ends `run_forever`, and so does `loop.stop()`. Whoever waits for the handler
                # is told by the loop: without one it would wait for ever.
                with suppress(SystemExit, KeyboardInterrupt):
                    self._loop.run_forever()
        finally:
            self._loop.close()

    def end(self) -> None:
        """Cancel all tasks, and stop when they are done. Called on the loop."""
        if tasks := asyncio.all_tasks(self._loop):
            for task in tasks:
                task.cancel()
            asyncio.gather(*tasks, return_exceptions=True).add_done_callback(self._over_now)
        else:
            self._over_now()

    def _over_now(self, _: object = None) -> None:
        self._over = True
        self._loop.stop()
