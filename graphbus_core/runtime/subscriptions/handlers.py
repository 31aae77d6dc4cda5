"""What a handler wants to be given, read from its signature once, when it is registered (seed 002 §5.4, design §11).

    ()                     nothing
    (payload)              the payload
    (event: Event)         the event; also where more parameters follow that have defaults
    (topic, payload)       both, as `handle_event` has it

A node's method with one parameter and no annotation gets the payload, a plain callable given to `bus.subscribe` the
event: so the seed has it. An annotation says otherwise (`model.handler_form` decides). What can never be called is
refused here, not at delivery.
"""

from __future__ import annotations

import asyncio
import contextvars
import copy
import inspect
import math
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent import futures
from dataclasses import dataclass
from types import FunctionType, MethodType
from typing import Any

from graphbus_core import type_hints
from graphbus_core.errors import BadHandler, ConfigError, DeadlineExceeded
from graphbus_core.model.handler_form import (
    HANDLER_FORMS,
    Form as Form,
    HandlerParameter,
    choose_form,
    choose_single_form,
)
from graphbus_core.model.message import Event
from graphbus_core.runtime.concurrency import is_failure

_SIGNATURES = {"__wrapped__", "__signature__"}
_NOT_PLAIN = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS | inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR


@dataclass(frozen=True)
class Retry:
    """How often a handler that raises is tried again, and how long between: `backoff_s`, doubled each time."""

    times: int = 0
    backoff_s: float = 0.0
    max_backoff_s: float = 30.0

    def __post_init__(self) -> None:
        backoffs = (self.backoff_s, self.max_backoff_s)
        if not 0 <= self.times <= 100 or not all(math.isfinite(b) and b >= 0 for b in backoffs):
            raise ConfigError(f"{self} cannot be: times is 0 to 100, and a backoff is a number of seconds, 0 or more.")

    def pause_s(self, attempt: int) -> float:
        """How long to wait after the given failed attempt (1, 2, …)."""
        pause: float = self.backoff_s * 2.0 ** (attempt - 1)
        return min(pause, self.max_backoff_s)


def is_async(handler: Callable[..., Any]) -> bool:
    """Whether calling it gives something to await, as far as that can be seen without calling it."""
    return inspect.iscoroutinefunction(handler) or inspect.iscoroutinefunction(getattr(handler, "__call__", None))  # noqa: B004


# What most handlers give back, if anything: seen at a glance to be nothing to await.
PLAIN = frozenset({bool, int, float, str, bytes, dict, list, tuple, set, Event})


def is_awaitable(value: Any) -> bool:
    """Whether what a call gave back is to be awaited: a wrapper around an async function is a plain function."""
    return hasattr(type(value), "__await__")


def close_awaitable(value: Any) -> None:
    """Give up what would have been awaited, so that Python does not complain of it."""
    if inspect.iscoroutine(value):
        value.close()


def detect_form(handler: Any, *, alone: Form, name: str) -> Form:
    """What to call `handler` with; `alone` is what a single parameter without annotation gets.

    Raises BadHandler where no event fits, with what would.
    """
    if not callable(handler):
        raise BadHandler(
            f"The handler of {name} must be callable, and {handler!r} is not. Give a function or a method."
        )
    if (quick := _read_plain_method(handler)) is not None:
        return choose_single_form(quick, alone)
    if inspect.isgeneratorfunction(handler) or inspect.isasyncgenfunction(handler):
        raise BadHandler(f"{name} is a generator: calling it would run nothing. Take the `yield` out of it.")
    try:
        parameters = type_hints.list_handler_parameters(handler)
    except (TypeError, ValueError):  # some builtins tell nobody
        return alone
    choice = choose_form(parameters, alone=alone)
    if choice.refusal:
        raise BadHandler(f"{name} can never handle an event: {choice.refusal}. {HANDLER_FORMS}")
    return choice.form


def _read_plain_method(handler: Any) -> HandlerParameter | None:
    """The one parameter of an everyday method; None: look at the signature.

    `inspect.signature` takes 25 µs, and most handlers of a thousand nodes are such methods.
    """
    function = handler.__func__ if type(handler) is MethodType else None
    if type(function) is not FunctionType or function.__defaults__ or vars(function).keys() & _SIGNATURES:
        return None
    code = function.__code__
    if code.co_argcount != 2 or code.co_kwonlyargcount or code.co_flags & _NOT_PLAIN:
        return None
    name = code.co_varnames[1]
    annotation = function.__annotations__.get(name, inspect.Parameter.empty)
    hint = type_hints.classify_hint(annotation, function.__globals__)
    return HandlerParameter(name, "positional_or_keyword", True, hint)


def convert_to_event_handler(handler: Callable[..., Any], form: Form) -> Callable[[Event], Any]:
    """The same handler, called with the event whatever its form."""
    match form:
        case Form.NOTHING:
            return lambda event: handler()
        case Form.PAYLOAD:
            return lambda event: handler(event.payload)
        case Form.TOPIC_AND_PAYLOAD:
            return lambda event: handler(event.topic, event.payload)
        case Form.EVENT:
            return handler


class RetriesExhausted(Exception):
    """A handler failed at every attempt: its last error, the number of attempts, and the event as it was published.

    Not an attribute of that error, which may refuse one. Never leaves the bus.
    """

    def __init__(self, error: BaseException, attempts: int, event: Event) -> None:
        super().__init__(repr(type(error)))
        self.error, self.attempts, self.event = error, attempts, event


def copy_with_payload(event: Event) -> Event:
    """The event with a copy of its payload that nobody else changes; what cannot be copied is shared."""
    own = copy.copy(event)
    try:
        own.payload = copy.deepcopy(event.payload)
    except Exception:  # whatever an object in there does when it is copied
        own.payload = dict(event.payload)
    return own


BeforeRetry = Callable[[], None]  # told before each further attempt


def apply_retry(call: Callable[[Event], Any], retry: Retry, again: BeforeRetry) -> Callable[[Event], Any]:
    """`call`, tried again as `retry` says, each time with the payload as published. Raises Exhausted."""

    def handler(event: Event) -> Any:
        published = copy_with_payload(event)
        attempt = 1
        while True:
            try:
                returned = call(event)
            except BaseException as error:
                if not is_failure(error):
                    raise
                if attempt > retry.times:
                    raise RetriesExhausted(error, attempt, published) from error
                time.sleep(retry.pause_s(attempt))
                attempt += 1
                event = copy_with_payload(published)
                again()
                continue
            return (
                _await_remaining_attempts(call, retry, again, published, attempt, returned)
                if is_awaitable(returned)
                else returned
            )

    return handler


def apply_retry_async(
    call: Callable[[Event], Awaitable[Any]], retry: Retry, again: BeforeRetry
) -> Callable[[Event], Awaitable[Any]]:
    """`apply_retry` for an async handler."""

    async def handler(event: Event) -> Any:
        return await _await_remaining_attempts(call, retry, again, copy_with_payload(event), 1, call(event))

    return handler


async def _await_remaining_attempts(
    call: Callable[[Event], Any],
    retry: Retry,
    again: BeforeRetry,
    published: Event,
    attempt: int,
    pending: Awaitable[Any],
) -> Any:
    """What is left of the attempts, from one on that gave something to await."""
    while True:
        try:
            return await pending if is_awaitable(pending) else pending
        except BaseException as error:
            if not is_failure(error):
                raise
            failure = error
        while True:
            if attempt > retry.times:
                raise RetriesExhausted(failure, attempt, published) from failure
            await asyncio.sleep(retry.pause_s(attempt))
            attempt += 1
            again()
            try:
                pending = call(copy_with_payload(published))
                break
            except BaseException as error:
                if not is_failure(error):
                    raise
                failure = error


# The bounds of one handler: how long an attempt may take, and how many may be under way at once.
#
# A sync handler with a timeout runs in a thread of its own, because nothing else can stop waiting for it: it is left
# alone when its time is over, and goes on there. An async one is cancelled.


MAX_CONCURRENCY = 10_000
ThreadWrapper = Callable[[Event, Callable[[], Any]], Callable[[], Any]]


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

    def fill_from(self, other: Bounds | None) -> Bounds:
        """These bounds; what they leave open as `other` has it."""
        if other is None:
            return self
        return Bounds(
            self.timeout_s if self.timeout_s is not None else other.timeout_s,
            self.concurrency if self.concurrency is not None else other.concurrency,
        )


def apply_bounds(
    call: Callable[[Event], Any], bounds: Bounds, name: str, *, asynchronous: bool, aside: ThreadWrapper
) -> Callable[[Event], Any]:
    """`call` within its bounds. `aside(event, work)` wraps work that is done in another thread than the event's."""
    if asynchronous:
        return _apply_bounds_async(call, bounds, name)
    gate = threading.BoundedSemaphore(bounds.concurrency) if bounds.concurrency else None
    limit = bounds.timeout_s

    def handler(event: Event) -> Any:
        if gate is not None and not gate.acquire(timeout=limit):
            raise _build_timeout_error(name, event, limit)
        if limit is None:
            try:
                return call(event)
            finally:
                assert gate is not None
                gate.release()
        future = _run_in_thread(aside(event, lambda: call(event)), name, gate)
        try:
            returned = future.result(limit)
        except futures.TimeoutError:
            if future.done():  # the handler's own
                raise
            raise _build_timeout_error(name, event, limit) from None
        return _await_in_time(returned, limit, name, event) if is_awaitable(returned) else returned

    return handler


def _run_in_thread(work: Callable[[], Any], name: str, gate: threading.BoundedSemaphore | None) -> futures.Future[Any]:
    future: futures.Future[Any] = futures.Future()
    context = contextvars.copy_context()

    def run() -> None:
        future.set_running_or_notify_cancel()
        try:
            result = context.run(work)
        except BaseException as e:
            future.set_exception(e)
        else:
            future.set_result(result)
        finally:
            if gate is not None:  # its place is taken until it is really over
                gate.release()

    threading.Thread(target=run, name=f"graphbus-{name}", daemon=True).start()
    return future


def _apply_bounds_async(call: Callable[[Event], Awaitable[Any]], bounds: Bounds, name: str) -> Callable[[Event], Any]:
    gates: dict[int, tuple[asyncio.AbstractEventLoop, asyncio.Semaphore]] = {}

    async def handler(event: Event) -> Any:
        if bounds.concurrency is None:
            return await _await_in_time(call(event), bounds.timeout_s, name, event)
        loop = asyncio.get_running_loop()
        known_gate = gates.get(id(loop))
        if known_gate is None or known_gate[0] is not loop:
            for key in [k for k, (known_loop, _) in gates.items() if known_loop.is_closed()]:
                del gates[key]
            known_gate = gates[id(loop)] = loop, asyncio.Semaphore(bounds.concurrency)
        async with known_gate[1]:
            return await _await_in_time(call(event), bounds.timeout_s, name, event)

    return handler


async def _await_in_time(work: Awaitable[Any], limit: float | None, name: str, event: Event) -> Any:
    if limit is None:
        return await work
    try:
        async with asyncio.timeout(limit) as watch:
            return await work
    except TimeoutError:
        if watch.expired():
            raise _build_timeout_error(name, event, limit) from None
        raise


def _build_timeout_error(name: str, event: Event, limit: float | None) -> DeadlineExceeded:
    return DeadlineExceeded(f"{name} did not handle {event.topic} within {limit:g} s.")
