"""Threads in which sync handlers and methods run beside a loop, made as they are needed.

Not `concurrent.futures`: its threads are waited for when Python ends, and a handler that hangs would keep it alive.

Coming back to a loop that sleeps costs a write and a read of its pipe, more than most handlers do themselves. So a loop
that hands over work that was short the last time waits for it right there, for `BRIEF_WAIT_S` at most. Work that was
not
short is left alone for a while, each time for longer, and the loop goes on at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import queue
import signal
import threading
import types
from collections.abc import Awaitable, Callable, Coroutine, Generator
from concurrent import futures
from contextlib import suppress
from types import FrameType
from typing import Any, TypeVar

from graphbus_core.errors import Interruption, RuntimeFault

# Runs something that may hang, for so long and no longer.
#
# In the main thread a timer interrupts it there, because what a node opened in a thread it may want to close in that
# thread (sqlite3 does). Elsewhere it runs in a thread of its own, which is left alone when its time is over.


class _TimeExpired(Interruption):
    """Raised into the work by the timer. Not an Exception, so that the work's own handlers let it pass."""


def run_within(timeout_s: float, work: Callable[[], Any]) -> bool:
    """Run `work` for at most `timeout_s`; say whether it finished undisturbed. Raises what it raises."""
    if threading.current_thread() is threading.main_thread() and _is_timer_free():
        return _run_in_main_thread(max(timeout_s, 0.001), work)
    return _run_in_thread(max(timeout_s, 0.0), work)


def _is_timer_free() -> bool:
    return hasattr(signal, "setitimer") and signal.getitimer(signal.ITIMER_REAL)[0] == 0


class _Interruption:
    """Raises _TimeExpired into `work` when the timer rings: a few times politely, then as often as it takes.

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

    def interrupt(self, _: int, frame: FrameType | None) -> None:
        inside = frame
        while inside is not None and inside.f_code is not _Interruption.run.__code__:
            inside = inside.f_back
        if inside is None:  # it is over just now
            return
        self.times += 1
        pause_s = self.POLITE_S if self.times < self.POLITE else (self.times * 7 % self.STEPS + 1) * self.STEP_S
        signal.setitimer(signal.ITIMER_REAL, pause_s)
        raise _TimeExpired


def _run_in_main_thread(timeout_s: float, work: Callable[[], Any]) -> bool:
    interruption = _Interruption(work)
    before = signal.signal(signal.SIGALRM, interruption.interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, timeout_s)
        interruption.run()
    except _TimeExpired:
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_IGN)  # one that is on its way ends here
        signal.signal(signal.SIGALRM, before)
    return not interruption.times


def _run_in_thread(timeout_s: float, work: Callable[[], Any]) -> bool:
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


# The home loop: the event loop on which a bus runs the async handlers of sync publishers.
#
# It is the loop of the program where the program has one (`async with RuntimeExecutor(…)`), else one in a thread of its
# own, made when the first async handler is due.


T = TypeVar("T")


def get_running_loop() -> asyncio.AbstractEventLoop | None:
    """The loop that runs in this thread, or None."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def run_synchronously(work: Coroutine[Any, Any, T], otherwise: Exception | None = None) -> T:
    """Run what waits for nothing, here, without a loop. Raises `otherwise` where it would have to wait."""
    try:
        work.send(None)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]
    work.close()
    raise otherwise or RuntimeFault("What says that it waits for nothing, such as a local transport, has to wait.")


OVER: Any = object()  # what `next` gives of a coroutine that came to its end


@types.coroutine
def await_rest(run: Callable[..., Any], iterator: Any, waits: Any) -> Generator[Any, Any, None]:
    """Await what is left of `iterator`, which was begun by `run` of a context and waits for `waits`: each of its steps
    happens in that context. So what a handler sets in a context variable stays with it, and no task is made.
    """
    while waits is not OVER:
        try:
            received = yield waits
        except GeneratorExit:
            run(iterator.close)
            raise
        except BaseException as error:
            step, given = iterator.throw, error
        else:
            step, given = iterator.send, received
        try:
            waits = run(step, given)
        except StopIteration:
            return


async def await_in_own_context(work: Awaitable[Any]) -> None:
    """Await something without letting it change the context variables of who awaits it."""
    run = contextvars.copy_context().run
    iterator = work.__await__()
    await await_rest(run, iterator, run(next, iterator, OVER))


def is_failure(error: BaseException) -> bool:
    """Whether what a handler raised is its own failure, and not the end of whoever runs it.

    The end comes from outside: Ctrl-C, a timer or signal of ours, a task that is cancelled, a coroutine that is closed.
    All else is the handler's own, `sys.exit` too. So is a CancelledError where nobody cancelled the task that runs
    here, and a GeneratorExit that came up from below the frame that caught it: Python raises that of a closed coroutine
    in each of its frames anew. Ask in the frame's own code, right after its `except`.
    """
    if isinstance(error, BaseExceptionGroup):
        return error.subgroup((KeyboardInterrupt, Interruption)) is None
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task() if get_running_loop() is not None else None
        return task is None or not task.cancelling()
    if isinstance(error, GeneratorExit):
        return error.__traceback__ is not None and error.__traceback__.tb_next is not None
    return not isinstance(error, KeyboardInterrupt | Interruption)


class BackgroundLoop:
    """Finds or makes the loop, and runs coroutines on it from other threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: _LoopThread | None = None

    def adopt(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Use this loop of the program from now on, unless there is a live one already."""
        with self._lock:
            if loop is not None and not self._is_alive():
                self._loop, self._thread = loop, None

    def ensure_loop(self) -> asyncio.AbstractEventLoop:
        """The home loop; made in a thread of its own where nobody brought one."""
        with self._lock:
            if self._loop is None or not self._is_alive():
                self._loop = asyncio.new_event_loop()
                self._thread = _LoopThread(self._loop)
                self._thread.start()
            return self._loop

    def _is_alive(self) -> bool:
        if self._loop is None or self._loop.is_closed():
            return False
        return self._thread.is_alive() if self._thread is not None else self._loop.is_running()

    def reset_after_fork(self) -> None:
        """This is a child process: what ran the loop stayed in the parent, and with it whoever held the lock."""
        self._lock = threading.Lock()
        self._loop = self._thread = None

    def wait_for(self, work: Coroutine[Any, Any, T], timeout_s: float | None = None, *, leave: bool = False) -> T:
        """Run `work` on the home loop and wait for it. Must not be called on the home loop itself.

        After `timeout_s` concurrent.futures.TimeoutError is raised; with `leave` the work goes on there.
        """
        home = self.ensure_loop()
        if get_running_loop() is home:
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
            asyncio.gather(*tasks, return_exceptions=True).add_done_callback(self._stop_loop)
        else:
            self._stop_loop()

    def _stop_loop(self, _: object = None) -> None:
        self._over = True
        self._loop.stop()


BRIEF_WAIT_S = 0.0003  # that a loop may stand still for work: what it does for one message takes as long
MAX_SKIPPED_WAITS = 64  # at most so many times in a row, before the loop sees whether work is short again


class ThreadTask:
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

    def is_done(self) -> bool:
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

    def wait_briefly(self) -> bool:
        """Stand still for `BRIEF_WAIT_S` at most; say whether the work is over."""
        if self._over.acquire(timeout=BRIEF_WAIT_S):
            self._over.release()
            return True
        return False

    async def wait_until_done(self, timeout_s: float | None = None) -> bool:
        """Wait for the end of the work; say whether it came in time. Work that did not begin by then never does."""
        if self.is_done():
            return True
        loop = asyncio.get_running_loop()
        waiter = self._waiter = loop.create_future()
        timer = None if timeout_s is None else loop.call_later(timeout_s, _wake, waiter)
        try:
            if not self.is_done():
                await waiter
        finally:
            if timer is not None:
                timer.cancel()
            self._waiter = None
            self._unwanted = not self.is_done()
        return self.is_done()


def _wake(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)


class WorkerThreads:
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
        future: futures.Future[Any] = futures.Future()

        def run_job() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    result = work()
                except BaseException as error:
                    future.set_exception(error)
                else:
                    future.set_result(result)

        self._submit(run_job)
        return future

    async def arun(self, what: str, work: Callable[[], Any], timeout_s: float | None = None) -> ThreadTask:
        """Run `work` in one of the threads, for a loop that waits, for so long at most. Ask what comes back whether it
        is done. `what` names the kind of work: what was short once is taken to be short the next time.
        """
        errand = ThreadTask(work)
        self._submit(errand.run)
        often, left_alone = self._long.get(what, (0, 0))
        if left_alone:
            self._long[what] = often, left_alone - 1
        elif errand.wait_briefly():
            if often:
                del self._long[what]
            return errand
        else:
            self._long[what] = often + 1, min(2**often, MAX_SKIPPED_WAITS)
        await errand.wait_until_done(timeout_s)
        return errand

    def _submit(self, job: Callable[[], None]) -> None:
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
