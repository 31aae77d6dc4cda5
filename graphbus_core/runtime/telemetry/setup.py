"""What of a run is seen from outside: providers from the environment, durations for Prometheus, logs with ids."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from graphbus_core.model.message import Event
from graphbus_core.runtime.concurrency import run_within
from graphbus_core.runtime.telemetry.observer import Observer
from graphbus_core.runtime.telemetry.prometheus import Durations, render_prometheus
from graphbus_core.runtime.telemetry.tracing import AT_WORK, Telemetry

if TYPE_CHECKING:
    from graphbus_core.runtime.message_bus import MessageBus
    from graphbus_core.runtime.telemetry.metrics_page import MetricsPage

log = logging.getLogger("graphbus.runtime")
FLUSH_TIMEOUT_S = 5.0  # a run does not wait longer for a collector that does not answer
LOG_FORMAT = "%(asctime)s %(levelname)s %(message)s%(ids)s"


def configure_opentelemetry(system: str) -> tuple[Telemetry, Callable[[], None]]:
    """Telemetry that sends to where the environment says (OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER, …), and
    what is to be called at the end, so that nothing that was measured is lost. Raises ModuleNotFoundError.
    """
    from opentelemetry import metrics, trace
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    # What is given to `create` wins over OTEL_SERVICE_NAME, so ours stands only where nobody said a name.
    resource = Resource.create()
    if str(resource.attributes.get("service.name", "")).startswith("unknown_service"):
        resource = resource.merge(Resource({"service.name": "graphbus"}))
    traces = TracerProvider(resource=resource, shutdown_on_exit=False)
    traces.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    reader = PeriodicExportingMetricReader(OTLPMetricExporter())
    measures = MeterProvider([reader], resource=resource, shutdown_on_exit=False)
    trace.set_tracer_provider(traces)  # so that spans of the nodes' own libraries stand in the same traces
    metrics.set_meter_provider(measures)

    def send_all() -> None:
        traces.shutdown()
        measures.shutdown()

    def shut_down() -> None:
        if not run_within(FLUSH_TIMEOUT_S, send_all):
            log.warning("traces and metrics could not all be sent within %g s", FLUSH_TIMEOUT_S)

    return Telemetry(traces, measures, system), shut_down


class LogIdFilter(logging.Filter):
    """Adds `ids` to every record: the trace, the span, the event and the handler that are at work."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always true: it only adds."""
        ids = []
        try:
            from opentelemetry import trace

            context = trace.get_current_span().get_span_context()
            if context.is_valid:
                ids += [f"trace_id={context.trace_id:032x}", f"span_id={context.span_id:016x}"]
        except ModuleNotFoundError:
            pass
        if (at_work := AT_WORK.get()) is not None:
            ids += [f"event_id={at_work[0]}", f"handler={at_work[1]}"]
        record.ids = f" [{' '.join(ids)}]" if ids else ""
        return True


def add_ids_to_logs() -> None:
    """Let the handlers of the root logger say which event a line belongs to."""
    for handler in logging.getLogger().handlers:
        handler.addFilter(LogIdFilter())
        handler.setFormatter(logging.Formatter(LOG_FORMAT))


class RunTelemetry:
    """What of a run is seen from outside, as the command line asks for it."""

    def __init__(self, otel: bool, metrics: str | None, system: str) -> None:
        self.middleware: list[Any] = []
        self._where, self._page, self._end = metrics, None, None
        self._durations = Durations()
        if otel:
            telemetry, self._end = configure_opentelemetry(system)
            self.middleware.append(telemetry)
            add_ids_to_logs()
        if metrics is not None:
            self.middleware.append(ObserverMiddleware(self._durations))

    _page: MetricsPage | None
    _end: Callable[[], None] | None

    def open(self, executor: Any) -> None:
        """The runtime is started."""
        if self._where is not None:
            from graphbus_core.runtime.telemetry.metrics_page import MetricsPage

            self._page = MetricsPage(
                self._where,
                lambda: render_prometheus(executor.get_stats(), self._durations.copy_histograms()),
                lambda: executor.health().reasons,
            )

    def close(self) -> None:
        """The runtime is stopped: send what was measured."""
        if self._page is not None:
            self._page.close()
        if self._end is not None:
            self._end()


class ObserverMiddleware:
    """An observer as middleware, which is how it meets its bus."""

    looks_on = True  # it stands in no chain

    def __init__(self, observer: Observer) -> None:
        self._observer = observer

    def used_by(self, bus: MessageBus) -> None:
        bus.observe(self._observer)

    def __call__(self, event: Event, next: Callable[[Event], Any]) -> Any:
        return next(event)
