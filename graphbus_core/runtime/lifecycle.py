"""`Lifecycle`: how a runtime comes up and goes down, written once for threads and for event loops.

A start, or a stop, is one coroutine over the parts of an `Assembly`. `start` and `stop` run it in the caller's thread
and never suspend it: what is async there runs on the home loop, and the thread waits. `astart` and `astop` await it.

    up      artifacts, modules, what is provided, nodes, subscriptions, state; on_start of each node, in the order of
            their dependencies; then the transport lets events in, and what an earlier run left undone is delivered
    down    the other way: nothing comes in, what is under way ends, on_stop, state, what was provided, the transport
    failed  a start that fails, or is interrupted, goes down with what it had begun, saves nothing, and raises

A stop returns within its deadline whatever hangs: each step gets what is left of the time, and is named if it takes
more. Who starts, stops or reloads holds `changing` meanwhile, so that one of them waits for the other.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import signal
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from graphbus_core.errors import GraphBusError, RuntimeFault
from graphbus_core.runtime.assembly import Assembly
from graphbus_core.runtime.concurrency import run_synchronously, run_within
from graphbus_core.runtime.transports.remote_bus import RemoteBus

log = logging.getLogger("graphbus.runtime")
GRACE_S = 0.05  # beyond the deadline, for what ends by itself at the deadline, or only has to be closed


@dataclass(frozen=True)
class _ExecutionMode:
    """Who runs what may be async. Each of these is done when it returns, or gives back what is to be awaited."""

    awaits: bool
    provided: Callable[[Any], Any]
    carried: Callable[[Any], Any]
    hook: Callable[[str, str], Any]


class Lifecycle:
    """Starts and stops one `Assembly`. `unfinished` names what a stop did not wait for, and `stop_failures` says what
    failed at it: an `on_stop` that raised, a state that could not be saved.
    """

    def __init__(self, parts: Assembly) -> None:
        self._parts = parts
        self._waiting = _ExecutionMode(False, parts.run_providers, parts.run_transport, parts.run_hook)
        self._awaiting = _ExecutionMode(True, _pass_through, _pass_through, parts.arun_hook)
        self.is_running = False
        self.unfinished: list[str] = []
        self.stop_failures: list[str] = []
        self.changing = threading.RLock()  # of one thread: a signal's handler that stops during a stop goes through
        self._task: asyncio.Task[Any] | None = None  # which task of that thread holds it; the others wait like threads

    def start(self) -> None:
        """Come up. Does nothing where it runs already."""
        with self.changing:
            run_synchronously(self._start_up(self._waiting))

    async def astart(self) -> None:
        """`start` on the running loop."""
        async with self._hold_exclusively(float("inf")):
            await self._start_up(self._awaiting)

    def stop(self, timeout_s: float | None) -> None:
        """Go down within `timeout_s`, come what may."""
        end = self._compute_end(timeout_s)
        if not self.changing.acquire(timeout=max(end - time.monotonic(), 0)):
            return  # another thread stops it, and is not done yet
        try:
            run_synchronously(self._shut_down(self._waiting, end))
        finally:
            self.changing.release()

    async def astop(self, timeout_s: float | None) -> None:
        """`stop` on the running loop."""
        end = self._compute_end(timeout_s)
        async with self._hold_exclusively(end) as alone:
            if alone:
                await self._shut_down(self._awaiting, end)

    def _compute_end(self, timeout_s: float | None) -> float:
        return time.monotonic() + (self._parts.config.stop_timeout_s if timeout_s is None else timeout_s)

    @asynccontextmanager
    async def _hold_exclusively(self, end: float) -> AsyncIterator[bool]:
        """Hold `changing`, without blocking the loop while another thread or task does; False where it is too long."""
        before, me = self._task, asyncio.current_task()
        while not (acquired := self._try_acquire(me)) and time.monotonic() < end:
            await asyncio.sleep(0.005)
            before = self._task
        try:
            yield acquired
        finally:
            if acquired:
                self._task = before
                self.changing.release()

    def _try_acquire(self, task: asyncio.Task[Any] | None) -> bool:
        if not self.changing.acquire(blocking=False):
            return False
        if self._task not in (None, task):
            self.changing.release()
            return False
        self._task = task
        return True

    # Up

    async def _start_up(self, road: _ExecutionMode) -> None:
        if self.is_running:
            return
        parts = self._parts
        self.unfinished, self.stop_failures = [], []
        try:
            parts.begin()
            await _await_result(road.provided(parts.providers.make(parts.wants)))
            parts.finish()
            await _await_result(road.carried(parts.transport.open()))
            for name in list(parts.nodes):
                await self._start_node(road, name)
            await _await_result(road.carried(parts.transport.start()))
            if parts.keeping is not None and parts.bus is not None:
                parts.keeping.recover(parts.bus)
                if road.awaits:
                    await parts.bus.adrain()
                parts.keeping.finish_recovery()
        except BaseException:
            try:
                await self._close(road, self._compute_end(None), save=False)
            finally:
                parts.unload()
            raise
        self.is_running = True
        log.info("runtime ready: %d nodes", len(parts.nodes))

    async def _start_node(self, road: _ExecutionMode, name: str) -> None:
        self._parts.started.append(name)  # now: in its on_start the program may call it
        try:
            await _await_result(road.hook(name, "on_start"))
        except Exception as e:
            self._parts.started.remove(name)
            self._parts.reject_node(name, "started", e)

    # Down

    async def _shut_down(self, road: _ExecutionMode, end: float) -> None:
        if not self.is_running:  # also where a signal comes in the middle of a stop
            return
        self.is_running = False
        try:
            await self._drain(road, end)
        except BaseException:  # somebody is tired of waiting; what they waited for may still write to the journal
            self._record_unfinished("deliveries under way")
            raise
        finally:
            await self._close(road, end, save=True)

    async def _drain(self, road: _ExecutionMode, end: float) -> None:
        """Let nothing in, and wait for what is under way."""
        bus = self._parts.bus
        if bus is None:
            return
        if (carried := bus.carried) is not None:
            what = "the transport's deliveries"
            await self._run_within(what, end + GRACE_S, lambda: road.carried(self._drain_transport(carried, end)))
        left_s = max(end - time.monotonic(), 0)
        if not (await bus.adrain(left_s * 0.8) if road.awaits else bus.drain(left_s * 0.8)):
            self._record_unfinished("deliveries under way")
            if road.awaits:  # the home loop would cancel them; this loop is the program's
                for who in await bus.cancel_async(min(max(end - time.monotonic(), 0) * 0.5, 1.0)):
                    self._record_unfinished(who)

    async def _drain_transport(self, carried: RemoteBus, end: float) -> None:
        for what in await carried.drain(end):
            self._record_unfinished(what)

    async def _close(self, road: _ExecutionMode, end: float, *, save: bool) -> None:
        """What of a stop comes after the last delivery. Files and threads are let go though it be interrupted."""
        parts = self._parts
        try:
            for name in reversed(parts.started):
                await self._run_within(f"{name}.on_stop", end, partial(road.hook, name, "on_stop"))
            parts.started.clear()
            if save and parts.config.state_file:
                await self._run_within("saving the state", end, parts.save_state)
            soon = max(end, time.monotonic() + GRACE_S)
            await self._run_within(
                "closing what was provided", soon, lambda: road.provided(parts.providers.close()), leave=False
            )
            await self._run_within("closing the transport", soon, lambda: road.carried(parts.transport.close()))
        finally:
            if parts.modules is not None:
                parts.modules.save_code()
            if parts.calls is not None:
                parts.calls.close()
            if parts.bus is not None:
                parts.bus.close()
                if parts.bus.carried is not None:
                    parts.bus.carried.close()
            parts.home.close(min(max(end - time.monotonic(), 0), 1.0))
            if parts.keeping is not None:
                parts.keeping.close(lines_may_come=bool(self.unfinished))

    async def _run_within(self, what: str, end: float, work: Callable[[], Any], *, leave: bool = True) -> None:
        """Do `work` until `end` at most, and await what it gives back, if anything; what goes wrong is logged."""
        results: list[Any] = []
        try:
            finished = run_within(end - time.monotonic(), lambda: results.append(work()))
            if finished and inspect.isawaitable(results[0]):
                finished = await (_await_or_leave if leave else _await_or_cancel)(end, results[0], what)
            if not finished:
                self._record_unfinished(what)
        except Exception as error:
            log.error("%s failed: %r", what, error, exc_info=error)
            reason = str(error) if isinstance(error, GraphBusError) else f"{type(error).__name__}: {error}"
            self.stop_failures.append(f"{what} failed: {reason}")

    def _record_unfinished(self, what: str) -> None:
        self.unfinished.append(what)
        log.warning("stopped without waiting any longer for: %s", what)


def _pass_through(work: Any) -> Any:
    return work


async def _await_result(result: Any) -> Any:
    return await result if inspect.isawaitable(result) else result


async def _await_or_leave(end: float, work: Awaitable[Any], what: str) -> bool:
    """Await it, and say whether it finished. In a task of its own: one that goes on all the same can be left."""
    task = asyncio.ensure_future(work)
    finished, _ = await asyncio.wait([task], timeout=max(end - time.monotonic(), 0))
    if not finished:
        task.cancel()
        await asyncio.wait([task], timeout=0.05)  # so that it can close what it has open
        return False
    if task.cancelled():
        raise RuntimeFault(f"{what} raised CancelledError.")
    task.result()
    return True


async def _await_or_cancel(end: float, work: Awaitable[Any], _: str) -> bool:
    """Await it, and say whether it finished. In this task: what a provider opened here is closed here."""
    try:
        async with asyncio.timeout(end - time.monotonic()) as deadline:
            await work
    except TimeoutError:
        if not deadline.expired():
            raise
        return False
    return True


# Waits for the signal that ends a run.


def wait_for_signal(ready: Callable[[], None] | None = None) -> int:
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
