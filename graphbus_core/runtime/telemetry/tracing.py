"""OpenTelemetry: spans that follow an event through topics, calls and processes, and metrics of the bus.

    publish /Order/Created            PRODUCER   where it is published, inside whatever span runs there
    └─ process /Order/Created         CONSUMER   one attempt of one handler, in whichever process
       ├─ Inventory.check_stock       CLIENT     a call to another process (INTERNAL in this one)
       │  └─ Inventory.check_stock    SERVER
       └─ publish /Order/Accepted     PRODUCER

Names and attributes are those of the semantic conventions for messaging and RPC. The context of an event does not
follow from the thread, because events wait: it is kept under the event's id, for the last `REMEMBERED` of them, and
travels in the W3C headers `traceparent` and `tracestate` to another process.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, Token
from typing import TYPE_CHECKING, Any

from graphbus_core.model.message import Event, Message
from graphbus_core.runtime.telemetry.sampling import roots_of, unwanted_header, unwanted_span

if TYPE_CHECKING:
    from graphbus_core.runtime.message_bus import MessageBus

MAX_TOPICS = 1_000  # whose spans are described once
REMEMBERED = 20_000  # contexts of events; one that is older begins a trace of its own
_KINDS = {"here": "INTERNAL", "asked": "CLIENT", "answered": "SERVER"}
AT_WORK: ContextVar[tuple[str, str] | None] = ContextVar("graphbus_at_work", default=None)
"""(event id, handler) of what is being handled here: for logs."""


_Begun = tuple[Any, Any, Token[tuple[str, str] | None], float]


class Telemetry:
    """The observer that speaks OpenTelemetry. As middleware (`RuntimeExecutor(…, middleware=[Telemetry()])`) it finds
    its bus by itself. Without providers given it uses the program's own (`opentelemetry.trace.get_tracer`).
    """

    def __init__(self, tracer_provider: Any = None, meter_provider: Any = None, system: str = "graphbus") -> None:
        from opentelemetry import context, metrics, trace
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self._trace, self._context = trace, context
        self._tracer = trace.get_tracer("graphbus", tracer_provider=tracer_provider)
        self._meter = metrics.get_meter("graphbus", meter_provider=meter_provider)
        self._roots = roots_of(self._tracer)
        self._unwanted = unwanted_span()
        self._propagator = TraceContextTextMapPropagator()
        self._sends = {
            "messaging.system": system,
            "messaging.operation.type": "send",
            "messaging.operation.name": "publish",
        }
        self._processes = {
            "messaging.system": system,
            "messaging.operation.type": "process",
            "messaging.operation.name": "process",
        }
        self._measured = {"messaging.system": system}
        self._nowhere = context.Context()
        self._topics: dict[str, tuple[str, dict[str, Any]]] = {}
        self._producer = trace.SpanKind.PRODUCER
        self._contexts: OrderedDict[str, Any] = OrderedDict()  # a context, or the header of a trace nobody wants
        self._lock = threading.Lock()
        self._duration = self._meter.create_histogram(
            "messaging.process.duration", "s", "How long one attempt of a handler takes."
        )
        self._kinds = {place: trace.SpanKind[kind] for place, kind in _KINDS.items()}

    # As middleware, which stands in no chain

    looks_on = True

    def used_by(self, bus: MessageBus) -> None:
        """Look on at this bus, and export its counts."""
        bus.observe(self)
        for name, key, text in (
            ("graphbus.events.published", "published", "Events published, by topic."),
            ("graphbus.deliveries", "delivered", "Deliveries that went well, by topic."),
            ("graphbus.deliveries.failed", "failed", "Deliveries that failed for good, by topic."),
            ("graphbus.deliveries.dropped", "dropped", "Deliveries that no handler got, by topic."),
        ):
            self._meter.create_observable_counter(name, [self._counts(bus, key)], "{event}", text)
        self._meter.create_observable_gauge(
            "graphbus.deliveries.waiting", [self._counts(bus, "in_flight")], "{event}", "Under way or in a queue."
        )
        self._meter.create_observable_gauge(
            "graphbus.dead_letters", [self._letters(bus)], "{event}", "Dead letters that are kept."
        )

    def __call__(self, event: Event, next: Callable[[Event], Any]) -> Any:
        """Everything is seen elsewhere."""
        return next(event)

    @staticmethod
    def _counts(bus: MessageBus, key: str) -> Callable[[Any], Iterable[Any]]:
        from opentelemetry.metrics import Observation

        def observed(_: Any) -> Iterator[Any]:
            for topic, row in bus.get_stats()["topics"].items():
                yield Observation(row.get(key, 0), {"messaging.destination.name": topic})

        return observed

    @staticmethod
    def _letters(bus: MessageBus) -> Callable[[Any], Iterable[Any]]:
        from opentelemetry.metrics import Observation

        return lambda _: [Observation(bus.get_stats()["dead_letters"])]

    # As observer

    def published(self, event: Event) -> None:
        """A span of a moment: what it leads to has it as its parent."""
        parent, inside = self._of(event.cause), False
        if self._context.get_current():  # empty where nothing runs here, which is mostly so
            here: Any = self._trace.get_current_span()
            if type(here) is self._unwanted:  # a handler whose event nobody follows
                self._remember(event.event_id, here.header)
                return
            if inside := here.get_span_context().is_valid:
                parent = None
        if type(parent) is str:
            self._remember(event.event_id, parent)
            return
        name, attributes = self._told(event.topic)
        kind = self._producer
        if parent is None and not inside and self._roots is not None:
            header = self._roots.unwanted(name, kind, attributes)
            if header is not None:
                self._remember(event.event_id, header)
                return
        span = self._tracer.start_span(name, context=parent, kind=kind, attributes=attributes)
        if span.is_recording():
            span.set_attribute("messaging.message.id", event.event_id)
        self._remember(event.event_id, self._trace.set_span_in_context(span, self._nowhere))
        span.end()

    def _told(self, topic: str) -> tuple[str, dict[str, Any]]:
        """Name and attributes of the span of an event of that topic: the same for all of them, so made once."""
        told = self._topics.get(topic)
        if told is None:
            if len(self._topics) >= MAX_TOPICS:
                self._topics.clear()
            told = f"publish {topic}", {**self._sends, "messaging.destination.name": topic}
            self._topics[topic] = told
        return told

    def handling(
        self, handler: str, topic: str, call: Callable[[Event], Any], asynchronous: bool
    ) -> Callable[[Event], Any]:
        """`call` inside a span whose parent is where the event was published."""

        def handled(event: Event) -> Any:
            begun = self._begin(handler, event)
            try:
                given = call(event)
            except BaseException as error:
                self._end(handler, event, begun, error)
                raise
            self._end(handler, event, begun, None)
            return given

        async def ahandled(event: Event) -> Any:
            begun = self._begin(handler, event)
            try:
                given = await call(event)
            except BaseException as error:
                self._end(handler, event, begun, error)
                raise
            self._end(handler, event, begun, None)
            return given

        return ahandled if asynchronous else handled

    def _begin(self, handler: str, event: Event) -> _Begun:
        context, span = self._of(event.event_id), None
        if type(context) is str:
            context = self._trace.set_span_in_context(self._unwanted(context), self._nowhere)
        else:
            attributes = {
                **self._processes,
                "messaging.destination.name": event.topic,
                "messaging.consumer.group.name": handler,
                "messaging.message.id": event.event_id,
            }
            span = self._tracer.start_span(
                f"process {event.topic}", context=context, kind=self._trace.SpanKind.CONSUMER, attributes=attributes
            )
            context = self._trace.set_span_in_context(span, self._nowhere)
        # Also where the trace is not wanted: spans of other libraries inside see that, and begin no trace of their own.
        return span, self._context.attach(context), AT_WORK.set((event.event_id, handler)), time.perf_counter()

    def _end(self, handler: str, event: Event, begun: _Begun, error: BaseException | None) -> None:
        span, token, at_work, began = begun
        AT_WORK.reset(at_work)
        self._context.detach(token)
        measured = {**self._measured, "messaging.destination.name": event.topic}
        measured["messaging.consumer.group.name"] = handler
        if error is not None:
            measured["error.type"] = type(error).__name__
        self._duration.record(time.perf_counter() - began, measured)
        if span is None:
            return
        if error is not None and span.is_recording():
            span.record_exception(error)
            span.set_status(self._trace.StatusCode.ERROR, f"{type(error).__name__}: {error}")
        span.end()

    @contextmanager
    def calling(self, message: Message, place: str) -> Iterator[None]:
        """A span around a call; where it came from another process, that one's is its parent."""
        attributes = {"rpc.system": "graphbus", "rpc.service": message.dst, "rpc.method": message.method}
        parent = self._of(message.msg_id) if place == "answered" else None
        here: Any = self._trace.get_current_span()
        if place != "answered" and type(here) is self._unwanted:
            if place == "asked":
                self._remember(message.msg_id, here.header)
            yield
            return
        if type(parent) is str:
            token = self._context.attach(self._trace.set_span_in_context(self._unwanted(parent), self._nowhere))
            try:
                yield
            finally:
                self._context.detach(token)
            return
        with self._tracer.start_as_current_span(
            f"{message.dst}.{message.method}", context=parent, kind=self._kinds[place], attributes=attributes
        ):
            if place == "asked":  # it is in the headers of the call
                self._remember(message.msg_id, self._context.get_current())
            yield

    def headers(self, message_id: str) -> Mapping[str, str]:
        """`traceparent`, and `tracestate` where there is one."""
        known = self._of(message_id)
        if known is None:
            return {}
        if type(known) is str:
            return {"traceparent": known}
        span = self._trace.get_current_span(known).get_span_context()
        made = {"traceparent": f"00-{span.trace_id:032x}-{span.span_id:016x}-{span.trace_flags:02x}"}
        if span.trace_state:
            made["tracestate"] = span.trace_state.to_header()
        return made

    def arrived(self, message_id: str, headers: Mapping[str, str]) -> None:
        """Remember the context that came with an event or a call."""
        if (header := unwanted_header(headers)) is not None:
            self._remember(message_id, header)
        elif "traceparent" in headers:
            self._remember(message_id, self._propagator.extract(headers, self._nowhere))

    # Inside

    def _remember(self, message_id: str, context: Any) -> None:
        with self._lock:
            self._contexts[message_id] = context
            while len(self._contexts) > REMEMBERED:
                self._contexts.popitem(last=False)

    def _of(self, message_id: str | None) -> Any:
        return self._contexts.get(message_id) if message_id is not None else None
