"""The middleware that comes along: logging, timing, redaction. Each is a plain function of (event, next).

`next(event)` delivers to the handlers; for async deliveries it returns something to await, which has to be returned.
"""

from __future__ import annotations

import copy
import inspect
import json
import logging
import re
import threading
import time
import weakref
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any

from graphbus_core.model.message import Event
from graphbus_core.runtime.handling.topics import matches

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
        shown = self._mask.mask(event) if self._mask else event
        for bus in self._buses:
            shown = bus.shown(shown)
        self._log.log(self._level, "%s %s from %s: %s", shown.event_id, shown.topic, shown.src, shown.payload)
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
            return self._awaited(event, start, result)
        self._note(event, time.perf_counter() - start)
        return result

    async def _awaited(self, event: Event, start: float, result: Awaitable[Any]) -> Any:
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
        payload = self._without_names(event.payload)
        for path in self._paths:
            payload = _without_path(payload, path)
        shown = copy.copy(event)
        shown.payload = payload
        return shown

    def _without_names(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {k: HIDDEN if k in self._names else self._without_names(v) for k, v in value.items()}
        if isinstance(value, list | tuple):  # a tuple stays one: a journal refuses it, hidden fields or not
            return (list if isinstance(value, list) else tuple)(self._without_names(v) for v in value)
        return value


def _without_path(value: Any, path: list[str]) -> Any:
    if isinstance(value, list):
        return [_without_path(v, path) for v in value]
    if not isinstance(value, dict) or path[0] not in value:
        return value
    if len(path) == 1:
        return {**value, path[0]: HIDDEN}
    return {**value, path[0]: _without_path(value[path[0]], path[1:])}


def hidden_values(payload: Any, shown: Any) -> list[Any]:
    """The values that stand in `payload` and not in the same place of `shown`."""
    return list(_hidden(payload, shown)) if payload is not shown else []


def _hidden(value: Any, shown: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        inner = shown if isinstance(shown, dict) else {}
        for k, v in value.items():
            yield from _hidden(v, inner.get(k, HIDDEN))
        return
    if isinstance(value, list | tuple):
        same = isinstance(shown, list | tuple) and len(shown) == len(value)
        for i, v in enumerate(value):
            yield from _hidden(v, shown[i] if same else HIDDEN)
        return
    try:
        differs = value is not shown and bool(value != shown)
    except Exception:
        differs = True
    if differs:
        yield value


def without(text: str, values: Iterable[Any]) -> str:
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
        if (at := text.find(form[:12])) >= 0 and len(form) > 12:
            end = at
            while end < len(text) and end - at < len(form) and text[end] == form[end - at]:
                end += 1
            text = text[:at] + HIDDEN + text[end:]
    return text
