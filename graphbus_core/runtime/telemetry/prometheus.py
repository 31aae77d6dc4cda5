"""Statistics of a bus as Prometheus reads them: text format 0.0.4. Pure."""

from __future__ import annotations

import threading
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from graphbus_core.model.message import Event, Message

# How long handlers take: a histogram for each handler and topic, in this process, with no library.


# Seconds. The buckets that the semantic conventions of OpenTelemetry recommend for messaging.
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0)
_NO_CONTEXT: AbstractContextManager[Any] = nullcontext()


@dataclass
class Histogram:
    """Counts by bucket, the last of them above all bounds."""

    counts: list[int] = field(default_factory=lambda: [0] * (len(BOUNDS) + 1))
    total_s: float = 0.0
    failed: int = 0

    def note(self, taken_s: float, failed: bool) -> None:
        """One attempt."""
        self.counts[bisect_left(BOUNDS, taken_s)] += 1
        self.total_s += taken_s
        self.failed += failed


class Durations:
    """The observer."""

    def __init__(self) -> None:
        self._of: dict[tuple[str, str], Histogram] = {}
        self._lock = threading.Lock()

    def copy_histograms(self) -> dict[tuple[str, str], Histogram]:
        """(handler, topic as it was subscribed to) -> its histogram."""
        with self._lock:
            return {
                key: Histogram(list(histogram.counts), histogram.total_s, histogram.failed)
                for key, histogram in self._of.items()
            }

    def _note(self, key: tuple[str, str], began: float, failed: bool) -> None:
        taken_s = time.perf_counter() - began
        with self._lock:
            self._of.setdefault(key, Histogram()).note(taken_s, failed)

    def wrap_attempt(
        self, handler: str, topic: str, call: Callable[[Event], Any], asynchronous: bool
    ) -> Callable[[Event], Any]:
        """`call`, timed."""
        key = handler, topic

        def run_handler(event: Event) -> Any:
            began, failed = time.perf_counter(), True
            try:
                returned = call(event)
                failed = False
                return returned
            finally:
                self._note(key, began, failed)

        async def arun_handler(event: Event) -> Any:
            began, failed = time.perf_counter(), True
            try:
                returned = await call(event)
                failed = False
                return returned
            finally:
                self._note(key, began, failed)

        return arun_handler if asynchronous else run_handler

    def on_published(self, event: Event) -> None:
        """The bus counts that itself."""

    def trace_call(self, message: Message, place: str) -> AbstractContextManager[Any]:
        """Calls are counted by who makes them."""
        return _NO_CONTEXT

    def get_headers(self, message_id: str) -> Mapping[str, str]:
        """Nothing travels."""
        return {}

    def on_arrived(self, message_id: str, headers: Mapping[str, str]) -> None:
        """Nothing came."""


_OPENMETRICS = "application/openmetrics-text"
OPENMETRICS_TYPE = f"{_OPENMETRICS}; version=1.0.0; charset=utf-8"
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_TOPIC_METRICS = {
    "published": ("graphbus_events_published_total", "counter", "Events published, by topic."),
    "delivered": ("graphbus_deliveries_total", "counter", "Deliveries to a handler that went well, by topic."),
    "failed": ("graphbus_deliveries_failed_total", "counter", "Deliveries that failed for good, by topic."),
    "dropped": ("graphbus_deliveries_dropped_total", "counter", "Deliveries that no handler got, by topic."),
    "in_flight": ("graphbus_deliveries_waiting", "gauge", "Deliveries under way or in a queue, by topic."),
}


_CONSUMER_METRICS = {
    "pending": ("graphbus_consumer_pending", "Events that the server has not given to the handler yet."),
    "unacknowledged": ("graphbus_consumer_unacknowledged", "Events given out and without an outcome."),
    "stored": ("graphbus_consumer_stored", "Events of its topic in the store, for whichever handler."),
    "oldest_s": ("graphbus_consumer_oldest_seconds", "How old the oldest event without an outcome is."),
    "still_s": ("graphbus_consumer_standstill_seconds", "For how long events wait and nothing moves."),
}


def render_prometheus(stats: Mapping[str, Any], durations: Mapping[tuple[str, str], Histogram] | None = None) -> str:
    """What `RuntimeExecutor.get_stats` says, and how long handlers took."""
    return "".join(f"{line}\n" for line in _render_lines(stats, durations or {}))


def convert_to_openmetrics(text: str) -> str:
    """Prometheus' text as OpenMetrics 1.0 has it: a counter is named without its `_total`, and the end is marked."""
    lines = []
    for line in text.splitlines():
        mark, _, rest = line.partition(" ")
        kind, _, described = rest.partition(" ")
        name, _, tail = described.partition(" ")
        if mark == "#" and kind in ("HELP", "TYPE"):
            line = f"# {kind} {name.removesuffix('_total')} {tail}"
        lines.append(line)
    return "".join(f"{line}\n" for line in [*lines, "# EOF"])


def wants_openmetrics(accept: str) -> bool:
    """Whether an `Accept` header names OpenMetrics before Prometheus' own text."""
    kinds = [part.partition(";")[0].strip() for part in accept.lower().split(",")]
    return next((kind for kind in kinds if kind in (_OPENMETRICS, "text/plain", "*/*")), "") == _OPENMETRICS


def _render_lines(stats: Mapping[str, Any], durations: Mapping[tuple[str, str], Histogram]) -> Iterator[str]:
    bus = stats.get("message_bus") or {}
    yield from _render_metric("graphbus_up", "gauge", "Whether the runtime runs.", int(bool(stats.get("is_running"))))
    yield from _render_metric("graphbus_nodes", "gauge", "Nodes that run here.", stats.get("nodes_count", 0))
    yield from _render_metric("graphbus_calls_total", "counter", "Direct calls made.", stats.get("calls", 0))
    yield from _render_metric(
        "graphbus_calls_failed_total", "counter", "Direct calls that failed.", stats.get("calls_failed", 0)
    )
    yield from _render_metric("graphbus_dead_letters", "gauge", "Dead letters kept.", bus.get("dead_letters", 0))
    for key, (name, kind, text) in _TOPIC_METRICS.items():
        yield from _render_head(name, kind, text)
        for topic, row in (bus.get("topics") or {}).items():
            yield f"{name}{_render_labels(topic=topic)} {row.get(key, 0)}"
    if (watch := stats.get("bus_watch")) is not None:
        yield from _render_metric(
            "graphbus_bus_alarms_total", "counter", "Consumers that stood still, and events gone.", watch["alarm_count"]
        )
        yield from _render_metric(
            "graphbus_bus_heals_total", "counter", "Consumers bound or made anew.", watch["heal_count"]
        )
        for key, (name, text) in _CONSUMER_METRICS.items():
            yield from _render_head(name, "gauge", text)
            for reading in watch["consumers"]:
                yield f"{name}{_render_labels(handler=reading['handler'])} {reading[key]}"
    if durations:
        name = "graphbus_handler_failures_total"
        yield from _render_head(name, "counter", "Attempts of a handler that raised.")
        for (handler, topic), histogram in durations.items():
            yield f"{name}{_render_labels(handler=handler, topic=topic)} {histogram.failed}"
        name = "graphbus_handler_duration_seconds"
        yield from _render_head(name, "histogram", "How long one attempt of a handler takes.")
        for (handler, topic), histogram in durations.items():
            passed = 0
            for bound, count in zip((*BOUNDS, float("inf")), histogram.counts, strict=True):
                passed += count
                le = "+Inf" if bound == float("inf") else f"{bound:g}"
                yield f"{name}_bucket{_render_labels(handler=handler, topic=topic, le=le)} {passed}"
            yield f"{name}_sum{_render_labels(handler=handler, topic=topic)} {histogram.total_s:.9g}"
            yield f"{name}_count{_render_labels(handler=handler, topic=topic)} {passed}"


def _render_metric(name: str, kind: str, text: str, value: float) -> Iterator[str]:
    yield from _render_head(name, kind, text)
    yield f"{name} {value}"


def _render_head(name: str, kind: str, text: str) -> Iterator[str]:
    yield f"# HELP {name} {text}"
    yield f"# TYPE {name} {kind}"


def _render_labels(**labels: str) -> str:
    pairs = ",".join(f'{name}="{_escape_label(value)}"' for name, value in labels.items())
    return f"{{{pairs}}}"


def _escape_label(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def wants_text(accept: str) -> bool:
    """Whether an `Accept` header asks for Prometheus' text rather than for JSON: the first of the two that it names.

    Without one, or with `*/*`, it is JSON, as it always was.
    """
    for part in accept.lower().split(","):
        kind = part.partition(";")[0].strip()
        if kind in ("application/json", "*/*", "application/*"):
            return False
        if kind in ("text/plain", "application/openmetrics-text", "text/*"):
            return True
    return False
