"""The bounds of one handler: how long an attempt may take, and how many may be under way at once.

A sync handler with a timeout runs in a thread of its own, because nothing else can stop waiting for it: it is left
alone when its time is over, and goes on there. An async one is cancelled.
"""

from __future__ import annotations

import asyncio
import contextvars
import math
import threading
from collections.abc import Awaitable, Callable
from concurrent import futures
from dataclasses import dataclass
from typing import Any

from graphbus_core.errors import ConfigError, DeadlineExceeded
from graphbus_core.model.message import Event
from graphbus_core.runtime.handling.handlers import to_await

MAX_CONCURRENCY = 10_000
Aside = Callable[[Event, Callable[[], Any]], Callable[[], Any]]


@dataclass(frozen=True)
class Bounds:
    """`timeout_s` for one attempt, `concurrency` attempts at once; None: no bound."""

    timeout_s: float | None = None
    concurrency: int | None = None

    def __post_init__(self) -> None:
        limit, at_once = self.timeout_s, self.concurrency
        if limit is not None and not (isinstance(limit, int | float) and math.isfinite(limit) and limit > 0):
            raise ConfigError(f"timeout_s is {limit!r}; give a number of seconds greater than 0.")
        if at_once is not None and not (type(at_once) is int and 1 <= at_once <= MAX_CONCURRENCY):
            raise ConfigError(f"concurrency is {at_once!r}; give a whole number from 1 to {MAX_CONCURRENCY:,}.")

    def __bool__(self) -> bool:
        return self.timeout_s is not None or self.concurrency is not None

    def over(self, other: Bounds | None) -> Bounds:
        """These bounds; what they leave open as `other` has it."""
        if other is None:
            return self
        return Bounds(
            self.timeout_s if self.timeout_s is not None else other.timeout_s,
            self.concurrency if self.concurrency is not None else other.concurrency,
        )


def bounded(
    call: Callable[[Event], Any], bounds: Bounds, name: str, *, asynchronous: bool, aside: Aside
) -> Callable[[Event], Any]:
    """`call` within its bounds. `aside(event, work)` wraps work that is done in another thread than the event's."""
    if asynchronous:
        return _bounded_async(call, bounds, name)
    gate = threading.BoundedSemaphore(bounds.concurrency) if bounds.concurrency else None
    limit = bounds.timeout_s

    def handler(event: Event) -> Any:
        if gate is not None and not gate.acquire(timeout=limit):
            raise _late(name, event, limit)
        if limit is None:
            try:
                return call(event)
            finally:
                assert gate is not None
                gate.release()
        done = _in_a_thread(aside(event, lambda: call(event)), name, gate)
        try:
            given = done.result(limit)
        except futures.TimeoutError:
            if done.done():  # the handler's own
                raise
            raise _late(name, event, limit) from None
        return _in_time(given, limit, name, event) if to_await(given) else given

    return handler


def _in_a_thread(work: Callable[[], Any], name: str, gate: threading.BoundedSemaphore | None) -> futures.Future[Any]:
    done: futures.Future[Any] = futures.Future()
    context = contextvars.copy_context()

    def run() -> None:
        done.set_running_or_notify_cancel()
        try:
            result = context.run(work)
        except BaseException as e:
            done.set_exception(e)
        else:
            done.set_result(result)
        finally:
            if gate is not None:  # its place is taken until it is really over
                gate.release()

    threading.Thread(target=run, name=f"graphbus-{name}", daemon=True).start()
    return done


def _bounded_async(call: Callable[[Event], Awaitable[Any]], bounds: Bounds, name: str) -> Callable[[Event], Any]:
    gates: dict[int, tuple[asyncio.AbstractEventLoop, asyncio.Semaphore]] = {}

    async def handler(event: Event) -> Any:
        if bounds.concurrency is None:
            return await _in_time(call(event), bounds.timeout_s, name, event)
        loop = asyncio.get_running_loop()
        known = gates.get(id(loop))
        if known is None or known[0] is not loop:
            for key in [k for k, (one, _) in gates.items() if one.is_closed()]:
                del gates[key]
            known = gates[id(loop)] = loop, asyncio.Semaphore(bounds.concurrency)
        async with known[1]:
            return await _in_time(call(event), bounds.timeout_s, name, event)

    return handler


async def _in_time(work: Awaitable[Any], limit: float | None, name: str, event: Event) -> Any:
    if limit is None:
        return await work
    try:
        async with asyncio.timeout(limit) as watch:
            return await work
    except TimeoutError:
        if watch.expired():
            raise _late(name, event, limit) from None
        raise


def _late(name: str, event: Event, limit: float | None) -> DeadlineExceeded:
    return DeadlineExceeded(f"{name} did not handle {event.topic} within {limit:g} s.")
