"""What a handler wants to be given, read from its signature once, when it is registered (seed 002 §5.4, design §11).

    ()                     nothing
    (payload)              the payload
    (event: Event)         the event; also where more parameters follow that have defaults
    (topic, payload)       both, as `handle_event` has it

A node's method with one parameter and no annotation gets the payload, a plain callable given to `bus.subscribe` the
event: so the seed has it. An annotation says otherwise. What can never be called is refused here, not at delivery.
"""

from __future__ import annotations

import asyncio
import copy
import inspect
import math
import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import FunctionType, MethodType
from typing import Any, get_origin, is_typeddict

from graphbus_core.errors import BadHandler, ConfigError
from graphbus_core.model.message import Event

_EVENT = re.compile(r"\bEvent\b")
_DICT = re.compile(r"^(typing\.|t\.|collections\.abc\.|abc\.)?(dict|Dict|Mapping|MutableMapping)\b")
_SIGNATURES = {"__wrapped__", "__signature__"}
_NOT_PLAIN = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS | inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class Form(StrEnum):
    """What a handler is called with. The values are the letters of a plan (`runtime.plan`)."""

    NOTHING = "n"
    PAYLOAD = "p"
    EVENT = "e"
    TOPIC_AND_PAYLOAD = "t"


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


def to_await(value: Any) -> bool:
    """Whether what a call gave back is to be awaited: a wrapper around an async function is a plain function."""
    return hasattr(type(value), "__await__")


def close(value: Any) -> None:
    """Give up what would have been awaited, so that Python does not complain of it."""
    if inspect.iscoroutine(value):
        value.close()


def form_of(handler: Any, *, alone: Form, name: str) -> Form:
    """What to call `handler` with; `alone` is what a single parameter without annotation gets.

    Raises BadHandler where no event fits, with what would.
    """
    if not callable(handler):
        raise BadHandler(
            f"The handler of {name} must be callable, and {handler!r} is not. Give a function or a method."
        )
    if (quick := _plain_method(handler)) is not None:
        return _form_of_one(quick, alone)
    if inspect.isgeneratorfunction(handler) or inspect.isasyncgenfunction(handler):
        raise BadHandler(f"{name} is a generator: calling it would run nothing. Take the `yield` out of it.")
    try:
        parameters = list(inspect.signature(handler).parameters.values())
    except (TypeError, ValueError):  # some builtins tell nobody
        return alone
    positional = [p for p in parameters if p.kind in _POSITIONAL]
    takes_any = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    _refuse_impossible(parameters, takes_any or bool(positional), name)
    if (two := _form_of_required([p for p in positional if p.default is p.empty], name)) is not None:
        return two
    if not positional:
        return alone if takes_any else Form.NOTHING
    several = len(positional) > 1 or takes_any
    first, annotation = positional[0].name, positional[0].annotation
    if isinstance(annotation, str) and not _is_event(annotation) and not _is_dict(annotation):
        annotation = _meant(handler, annotation)
    return _form_of_one((first, annotation), Form.EVENT if several else alone)


def _refuse_impossible(parameters: Sequence[inspect.Parameter], by_position: bool, name: str) -> None:
    """Raise BadHandler for a signature that no event fits: the bus gives by position, and gives one thing or two."""
    if named := [p.name for p in parameters if p.kind is p.KEYWORD_ONLY and p.default is p.empty]:
        raise _impossible(name, f"it must be given {', '.join(named)} by name")
    if parameters and not by_position:
        raise _impossible(name, "it takes nothing by position")


def _form_of_required(required: Sequence[inspect.Parameter], name: str) -> Form | None:
    """The form of a handler that must be given two things or more; None where one is enough."""
    if len(required) > 2:
        raise _impossible(name, f"it must be given {len(required)} arguments")
    if len(required) < 2:
        return None
    if required[0].name == "topic" or required[0].annotation in (str, "str"):
        return Form.TOPIC_AND_PAYLOAD
    raise _impossible(name, f"it must be given both {required[0].name} and {required[1].name}")


def _meant(handler: Any, annotation: str) -> Any:
    """What an annotation that was kept as text stands for (`from __future__ import annotations`); else the text."""
    function = inspect.unwrap(getattr(handler, "__func__", handler))
    found = getattr(function, "__globals__", {}).get(annotation.strip("'\" "))
    return annotation if found is None else found


def _plain_method(handler: Any) -> tuple[str, Any] | None:
    """Name and annotation of the one parameter of an everyday method; None: look at the signature.

    `inspect.signature` takes 25 µs, and most handlers of a thousand nodes are such methods.
    """
    function = handler.__func__ if type(handler) is MethodType else None
    if type(function) is not FunctionType or function.__defaults__ or vars(function).keys() & _SIGNATURES:
        return None
    code = function.__code__
    if code.co_argcount != 2 or code.co_kwonlyargcount or code.co_flags & _NOT_PLAIN:
        return None
    name = code.co_varnames[1]
    return name, function.__annotations__.get(name, inspect.Parameter.empty)


def _form_of_one(parameter: tuple[str, Any], alone: Form) -> Form:
    name, annotation = parameter
    if _is_event(annotation):
        return Form.EVENT
    return Form.PAYLOAD if name == "payload" or _is_dict(annotation) else alone


def _impossible(name: str, why: str) -> BadHandler:
    return BadHandler(
        f"{name} can never handle an event: {why}. A handler takes nothing, (payload), (event: Event) or "
        f"(topic, payload), and further parameters only with defaults."
    )


def _is_event(annotation: Any) -> bool:
    if isinstance(annotation, str):
        return _EVENT.search(annotation) is not None
    if isinstance(annotation, type):
        return issubclass(annotation, Event)
    return any(_is_event(part) for part in getattr(annotation, "__args__", ()) if part is not type(None))


def _is_dict(annotation: Any) -> bool:
    if isinstance(annotation, str):
        return _DICT.match(annotation.strip("'\" ")) is not None
    kind = get_origin(annotation) or annotation
    return isinstance(kind, type) and (is_typeddict(kind) or (kind is not object and issubclass(kind, Mapping)))


def taking_event(handler: Callable[..., Any], form: Form) -> Callable[[Event], Any]:
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


class Exhausted(Exception):
    """A handler failed at every attempt: its last error, the number of attempts, and the event as it was published.

    Not an attribute of that error, which may refuse one. Never leaves the bus.
    """

    def __init__(self, error: BaseException, attempts: int, event: Event) -> None:
        super().__init__(repr(type(error)))
        self.error, self.attempts, self.event = error, attempts, event


def with_own_payload(event: Event) -> Event:
    """The event with a copy of its payload that nobody else changes; what cannot be copied is shared."""
    own = copy.copy(event)
    try:
        own.payload = copy.deepcopy(event.payload)
    except Exception:  # whatever an object in there does when it is copied
        own.payload = dict(event.payload)
    return own


Again = Callable[[], None]  # told before each further attempt


def retried(call: Callable[[Event], Any], retry: Retry, again: Again) -> Callable[[Event], Any]:
    """`call`, tried again as `retry` says, each time with the payload as published. Raises Exhausted."""

    def handler(event: Event) -> Any:
        published = with_own_payload(event)
        attempt = 1
        while True:
            try:
                given = call(event)
            except Exception as error:
                if attempt > retry.times:
                    raise Exhausted(error, attempt, published) from error
                time.sleep(retry.pause_s(attempt))
                attempt += 1
                event = with_own_payload(published)
                again()
                continue
            return _rest(call, retry, again, published, attempt, given) if to_await(given) else given

    return handler


def retried_async(
    call: Callable[[Event], Awaitable[Any]], retry: Retry, again: Again
) -> Callable[[Event], Awaitable[Any]]:
    """`retried` for an async handler."""

    async def handler(event: Event) -> Any:
        return await _rest(call, retry, again, with_own_payload(event), 1, call(event))

    return handler


async def _rest(
    call: Callable[[Event], Any], retry: Retry, again: Again, published: Event, attempt: int, given: Awaitable[Any]
) -> Any:
    """What is left of the attempts, from one on that gave something to await."""
    while True:
        try:
            return await given if to_await(given) else given
        except Exception as error:
            failure = error
        while True:
            if attempt > retry.times:
                raise Exhausted(failure, attempt, published) from failure
            await asyncio.sleep(retry.pause_s(attempt))
            attempt += 1
            again()
            try:
                given = call(with_own_payload(published))
                break
            except Exception as error:
                failure = error
