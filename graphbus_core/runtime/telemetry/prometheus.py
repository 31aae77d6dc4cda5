"""Statistics of a bus as Prometheus reads them: text format 0.0.4. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from graphbus_core.runtime.telemetry.durations import BOUNDS, Histogram

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_OF_TOPIC = {
    "published": ("graphbus_events_published_total", "counter", "Events published, by topic."),
    "delivered": ("graphbus_deliveries_total", "counter", "Deliveries to a handler that went well, by topic."),
    "failed": ("graphbus_deliveries_failed_total", "counter", "Deliveries that failed for good, by topic."),
    "dropped": ("graphbus_deliveries_dropped_total", "counter", "Deliveries that no handler got, by topic."),
    "in_flight": ("graphbus_deliveries_waiting", "gauge", "Deliveries under way or in a queue, by topic."),
}


def prometheus_text(stats: Mapping[str, Any], durations: Mapping[tuple[str, str], Histogram] | None = None) -> str:
    """What `RuntimeExecutor.get_stats` says, and how long handlers took."""
    return "".join(f"{line}\n" for line in _lines(stats, durations or {}))


def _lines(stats: Mapping[str, Any], durations: Mapping[tuple[str, str], Histogram]) -> Iterator[str]:
    bus = stats.get("message_bus") or {}
    yield from _one("graphbus_up", "gauge", "Whether the runtime runs.", int(bool(stats.get("is_running"))))
    yield from _one("graphbus_nodes", "gauge", "Nodes that run here.", stats.get("nodes_count", 0))
    yield from _one("graphbus_calls_total", "counter", "Direct calls made.", stats.get("calls", 0))
    yield from _one("graphbus_calls_failed_total", "counter", "Direct calls that failed.", stats.get("calls_failed", 0))
    yield from _one("graphbus_dead_letters", "gauge", "Dead letters kept.", bus.get("dead_letters", 0))
    for key, (name, kind, text) in _OF_TOPIC.items():
        yield from _head(name, kind, text)
        for topic, row in (bus.get("topics") or {}).items():
            yield f"{name}{_labels(topic=topic)} {row.get(key, 0)}"
    if durations:
        name = "graphbus_handler_duration_seconds"
        yield from _head(name, "histogram", "How long one attempt of a handler takes.")
        for (handler, topic), one in durations.items():
            passed = 0
            for bound, count in zip((*BOUNDS, float("inf")), one.counts, strict=True):
                passed += count
                le = "+Inf" if bound == float("inf") else f"{bound:g}"
                yield f"{name}_bucket{_labels(handler=handler, topic=topic, le=le)} {passed}"
            yield f"{name}_sum{_labels(handler=handler, topic=topic)} {one.total_s:.9g}"
            yield f"{name}_count{_labels(handler=handler, topic=topic)} {passed}"


def _one(name: str, kind: str, text: str, value: float) -> Iterator[str]:
    yield from _head(name, kind, text)
    yield f"{name} {value}"


def _head(name: str, kind: str, text: str) -> Iterator[str]:
    yield f"# HELP {name} {text}"
    yield f"# TYPE {name} {kind}"


def _labels(**labels: str) -> str:
    said = ",".join(f'{name}="{_escaped(value)}"' for name, value in labels.items())
    return f"{{{said}}}"


def _escaped(value: str) -> str:
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
