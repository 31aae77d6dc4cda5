"""The middleware that comes along: logging, timing, redaction. Each is a plain function of (event, next).

`next(event)` delivers to the handlers; for async deliveries it returns something to await, which has to be returned.
"""

from __future__ import annotations

import asyncio
import copy
import inspect
import json
import logging
import re
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Iterator
from concurrent import futures
from typing import Any

from graphbus_core.errors import ConfigError
from graphbus_core.model.message import Event
from graphbus_core.runtime.topics import matches

# `Idempotent`: a handler that has an event does not get it again. It knows events by their ids, a bounded number.
#
#     executor = RuntimeExecutor(".graphbus", middleware=[Idempotent()])
#
# It stands around each attempt of each handler, and not around the delivery of an event: what one handler has, another
# may still lack. Only what went well counts. A handler that failed gets the event again: by a retry, by
# `graphbus run … dead-letters retry`, after a crash.
#
# It lives in memory, and forgets with the process. So it keeps effects single while the process lives: over a broker
# that brings an event twice, and where a retry publishes again what its first attempt published. After a crash the id
# and the effect have to be in one place: a row of the same transaction, or a node's own state.


Key = tuple[str, str]  # durable name of the handler, id of the event


class Idempotent:
    """Remembers the last `keep` (handler, event) that went well. `met` counts the duplicates that it kept away."""

    def __init__(self, keep: int = 100_000) -> None:
        if not (type(keep) is int and keep >= 1):
            raise ConfigError(f"Idempotent(keep={keep!r}): give a whole number of events, 1 or more.")
        self._keep = keep
        self._lock = threading.Lock()
        self._done: OrderedDict[Key, None] = OrderedDict()
        self._under_way: dict[Key, futures.Future[None]] = {}
        self.met = 0

    def __call__(self, event: Event, next: Callable[[Event], Any]) -> Any:
        return next(event)

    def around(self, durable: str, call: Callable[[Event], Any], *, asynchronous: bool) -> Callable[[Event], Any]:
        """`call`, for an event that this handler does not have yet. The bus asks for it when a handler subscribes."""

        def handler(event: Event) -> Any:
            key = durable, event.event_id
            while (before := self._begin(key)) is not None:
                if before.done():
                    return None
                before.result()  # another thread is at the same event: it has to be known how that ends
            return self._run_and_record(key, call, event)

        async def ahandler(event: Event) -> Any:
            key = durable, event.event_id
            while (before := self._begin(key)) is not None:
                if before.done():
                    return
                await asyncio.wrap_future(before)
            went_well = False
            try:
                await call(event)
                went_well = True
            finally:
                self._end(key, went_well)

        return ahandler if asynchronous else handler

    def _begin(self, key: Key) -> futures.Future[None] | None:
        """None: it is ours to handle. Else who has it: done already, or still at it."""
        with self._lock:
            if key in self._done:
                self._done.move_to_end(key)
                self.met += 1
                return _DONE
            if (before := self._under_way.get(key)) is not None:
                return before
            self._under_way[key] = futures.Future()
            return None

    def _run_and_record(self, key: Key, call: Callable[[Event], Any], event: Event) -> Any:
        try:
            returned = call(event)
        except BaseException:
            self._end(key, False)
            raise
        if hasattr(type(returned), "__await__"):  # a plain function around an async one
            return self._await_and_record(key, returned)
        self._end(key, True)
        return returned

    async def _await_and_record(self, key: Key, awaitable: Any) -> None:
        went_well = False
        try:
            await awaitable
            went_well = True
        finally:
            self._end(key, went_well)

    def _end(self, key: Key, went_well: bool) -> None:
        with self._lock:
            over = self._under_way.pop(key)
            if went_well:
                self._done[key] = None
                if len(self._done) > self._keep:
                    self._done.popitem(last=False)
        over.set_result(None)


_DONE: futures.Future[None] = futures.Future()
_DONE.set_result(None)


Next = Callable[[Event], Any]
HIDDEN = "***"


class Logging:
    """Log each event before it is delivered: id, topic, source, payload. What any middleware of its bus hides is hidden
    here too, in whatever order they stand; `mask` hides more.
    """

    def __init__(self, logger: logging.Logger | None = None, level: int = logging.INFO, mask: Redaction | None = None):
        self._log = logger or logging.getLogger("graphbus.events")
        self._level = level
        self._mask = mask
        self._buses: weakref.WeakSet[Any] = weakref.WeakSet()

    def used_by(self, bus: Any) -> None:
        """A bus tells that it uses this: `bus.shown(event)` is an event as it may be shown."""
        self._buses.add(bus)

    def __call__(self, event: Event, next: Next) -> Any:
        redacted = self._mask.mask(event) if self._mask else event
        for bus in self._buses:
            redacted = bus.shown(redacted)
        self._log.log(
            self._level, "%s %s from %s: %s", redacted.event_id, redacted.topic, redacted.src, redacted.payload
        )
        return next(event)


class Timing:
    """Measure how long the handlers of each topic take. `report()`: topic -> count, mean and worst in seconds."""

    MAX_TOPICS = 10_000

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._times: dict[str, list[float]] = {}

    def __call__(self, event: Event, next: Next) -> Any:
        start = time.perf_counter()
        result = next(event)
        if inspect.isawaitable(result):
            return self._measure_async(event, start, result)
        self._note(event, time.perf_counter() - start)
        return result

    async def _measure_async(self, event: Event, start: float, result: Awaitable[Any]) -> Any:
        value = await result
        self._note(event, time.perf_counter() - start)
        return value

    def _note(self, event: Event, took_s: float) -> None:
        with self._lock:
            topic = event.topic if event.topic in self._times or len(self._times) < self.MAX_TOPICS else "(others)"
            row = self._times.setdefault(topic, [0, 0.0, 0.0])
            row[0] += 1
            row[1] += took_s
            row[2] = max(row[2], took_s)

    def report(self) -> dict[str, dict[str, float]]:
        """What was measured so far."""
        with self._lock:
            return {
                t: {"count": n, "mean_s": total / n, "max_s": worst} for t, (n, total, worst) in self._times.items()
            }


class Redaction:
    """Hide fields of payloads wherever events are kept: history, journal, dead letters, the live view, `Logging`.

    Handlers get the real payload. `fields` are names (`password`, at any depth) or paths (`card.number`); `topic`
    limits it to the topics that a pattern matches; direct calls are hidden as the topic `Node.method`, so by `**`. A
    journal with hidden fields replays with hidden fields; a dead letter with hidden fields is not delivered again.
    """

    def __init__(self, *fields: str, topic: str = "**") -> None:
        self._names = {f for f in fields if "." not in f}
        self._paths = [f.split(".") for f in fields if "." in f]
        self._topic = topic

    def __call__(self, event: Event, next: Next) -> Any:
        return next(event)

    def mask(self, event: Event) -> Event:
        """The event as it may be shown."""
        if not matches(self._topic, event.topic):
            return event
        payload = self._hide_names(event.payload)
        for path in self._paths:
            payload = _hide_path(payload, path)
        redacted = copy.copy(event)
        redacted.payload = payload
        return redacted

    def _hide_names(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {k: HIDDEN if k in self._names else self._hide_names(v) for k, v in value.items()}
        if isinstance(value, list | tuple):  # a tuple stays one: a journal refuses it, hidden fields or not
            return (list if isinstance(value, list) else tuple)(self._hide_names(v) for v in value)
        return value


def _hide_path(value: Any, path: list[str]) -> Any:
    if isinstance(value, list):
        return [_hide_path(v, path) for v in value]
    if not isinstance(value, dict) or path[0] not in value:
        return value
    if len(path) == 1:
        return {**value, path[0]: HIDDEN}
    return {**value, path[0]: _hide_path(value[path[0]], path[1:])}


def find_hidden_values(payload: Any, redacted: Any) -> list[Any]:
    """The values that stand in `payload` and not in the same place of `shown`."""
    return list(_find_hidden(payload, redacted)) if payload is not redacted else []


def _find_hidden(value: Any, redacted: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        inner = redacted if isinstance(redacted, dict) else {}
        for k, v in value.items():
            yield from _find_hidden(v, inner.get(k, HIDDEN))
        return
    if isinstance(value, list | tuple):
        same = isinstance(redacted, list | tuple) and len(redacted) == len(value)
        for i, v in enumerate(value):
            yield from _find_hidden(v, redacted[i] if same else HIDDEN)
        return
    try:
        differs = value is not redacted and bool(value != redacted)
    except Exception:
        differs = True
    if differs:
        yield value


def hide_values(text: str, values: Iterable[Any]) -> str:
    """`text` with these values hidden, also where one was cut off after its first letters."""
    forms: set[str] = set()
    for value in values:
        forms.update((str(value), repr(value)))
        if isinstance(value, str):
            forms.update((json.dumps(value), json.dumps(value, ensure_ascii=False)))
    for form in sorted(forms, key=lambda f: (-len(f), f)):
        if len(form) < 4:  # `1` is not hidden in `127.0.0.1`
            text = re.sub(rf"(?<!\w){re.escape(form)}(?!\w)", HIDDEN, text) if form else text
            continue
        text = text.replace(form, HIDDEN)
        if (start := text.find(form[:12])) >= 0 and len(form) > 12:
            end = start
            while end < len(text) and end - start < len(form) and text[end] == form[end - start]:
                end += 1
            text = text[:start] + HIDDEN + text[end:]
    return text
