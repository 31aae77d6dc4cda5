"""OpenTelemetry: spans that follow an event through topics, calls and processes, and metrics of the bus.

    publish /Order/Created            PRODUCER   where it is published, inside whatever span runs there
    └─ process /Order/Created         CONSUMER   one attempt of one handler, in whichever process
       ├─ Inventory.check_stock       CLIENT     a call to another process (INTERNAL in this one)
       │  └─ Inventory.check_stock    SERVER
       └─ publish /Order/Accepted     PRODUCER

Names and attributes are those of the semantic conventions for messaging and RPC. The context of an event does not
follow from the thread, because events wait: it is kept under the event's id, for the last `MAX_CONTEXTS` of them, and
travels in the W3C headers `traceparent` and `tracestate` to another process.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, Token
from functools import cache
from typing import TYPE_CHECKING, Any

from graphbus_core.model.message import Event, Message
from graphbus_core.runtime.payloads import describe_error

if TYPE_CHECKING:
    from graphbus_core.runtime.message_bus import MessageBus

# Whether a trace is wanted, decided before anything of it is made.
#
# With sampling at 10 % nine events in ten are followed by nobody. A tracer makes a span for each all the same: ids, a
# context, a parsed header. Here the sampler is asked first; where it says no, what is left of a trace is its
# header, one line of text, which travels on so that every process comes to the same answer.


NOT_SAMPLED = "00"
_LOW_64 = (1 << 64) - 1  # of a trace's id: what the ratio is taken of (OpenTelemetry, TraceIdRatioBased)
_LENGTH = 55  # of a `traceparent` of version 00 (W3C Trace Context, section 3.2)


def read_unwanted_header(headers: Any) -> str | None:
    """The `traceparent` that came with a message, where it says that nobody wants its trace."""
    text = headers.get("traceparent")
    if text is None or len(text) != _LENGTH or not text.endswith(NOT_SAMPLED) or "tracestate" in headers:
        return None
    return str(text)


class RootSampler:
    """Asks the sampler of a tracer whether a new trace is wanted. Where it is, the tracer's next span in this thread
    has the same id and the same answer: a sampler that counts is asked once.

    It takes the place of the tracer's sampler and of its maker of ids. The tracer is nobody else's.
    """

    def __init__(self, tracer: Any) -> None:
        from opentelemetry.sdk.trace.sampling import Decision

        self._sampler, self._ids, self._drop = tracer.sampler, tracer.id_generator, Decision.DROP
        self._below = _read_ratio_bound(self._sampler)
        self._next = threading.local()
        tracer.sampler = tracer.id_generator = self

    def decline_trace(self, name: str, kind: Any, attributes: dict[str, Any]) -> str | None:
        """The header of a new trace that nobody wants; None where the next span is to be made."""
        trace_id = self._ids.generate_trace_id()
        if self._below is not None and trace_id & _LOW_64 >= self._below:
            return _render_header(trace_id)
        sampling_result = self._sampler.should_sample(None, trace_id, name, kind, attributes, ())
        if sampling_result.decision is not self._drop:
            self._next.chosen = trace_id, sampling_result
            return None
        return _render_header(trace_id)

    # As the tracer's sampler

    def should_sample(self, context: Any, trace_id: int, *more: Any, **named: Any) -> Any:
        """What was said of this trace already, or what the sampler says."""
        chosen, self._next.chosen = getattr(self._next, "chosen", None), None
        if chosen is not None and chosen[0] == trace_id:
            return chosen[1]
        return self._sampler.should_sample(context, trace_id, *more, **named)

    def get_description(self) -> str:
        """As the sampler describes itself."""
        return str(self._sampler.get_description())

    # As its maker of ids

    def generate_trace_id(self) -> int:
        """The id that the sampler was asked about, or a new one."""
        chosen = getattr(self._next, "chosen", None)
        return int(chosen[0] if chosen is not None else self._ids.generate_trace_id())

    def __getattr__(self, name: str) -> Any:
        """Span ids, and whatever else a maker of ids is asked, are the other's matter."""
        return getattr(self._ids, name)


def _render_header(trace_id: int) -> str:
    # No span has this id, so no other is in question: half of the trace's own will do, and is not zero.
    return f"00-{trace_id:032x}-{trace_id >> 64 or 1:016x}-{NOT_SAMPLED}"


def _read_ratio_bound(sampler: Any) -> int | None:
    """Of the sampler that nearly everybody sets, a share of all new traces: the number that a wanted trace's id is
    below. Asking it through its own method costs three times as much as all the rest.
    """
    from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased

    root = getattr(sampler, "_root", None) if type(sampler) is ParentBased else sampler
    return int(root.bound) if type(root) is TraceIdRatioBased else None


def create_root_sampler(tracer: Any) -> RootSampler | None:
    """Of a tracer of the SDK; None for one that has no sampler (a proxy, until the program sets a provider)."""
    return RootSampler(tracer) if hasattr(tracer, "sampler") and hasattr(tracer, "id_generator") else None


@cache  # one class for the process; its parent is imported by who traces, and by nobody else
def make_unwanted_span_class() -> Any:
    """The class of a span that stands for a trace nobody wants. Its context is read when somebody asks for it."""
    from opentelemetry.trace import NonRecordingSpan, get_current_span
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    propagator = TraceContextTextMapPropagator()

    class UnwantedSpan(NonRecordingSpan):
        """Only its header is known."""

        def __init__(self, header: str) -> None:
            self.header = header
            self._read: Any = None

        def get_span_context(self) -> Any:
            """Other libraries see in it that their spans are not wanted either."""
            if self._read is None:
                self._read = get_current_span(propagator.extract({"traceparent": self.header})).get_span_context()
            return self._read

    return UnwantedSpan


MAX_TOPICS = 1_000  # whose spans are described once
MAX_CONTEXTS = 20_000  # contexts of events; one that is older begins a trace of its own
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
        self._roots = create_root_sampler(self._tracer)
        self._unwanted = make_unwanted_span_class()
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
            self._meter.create_observable_counter(name, [self._observe_counts(bus, key)], "{event}", text)
        self._meter.create_observable_gauge(
            "graphbus.deliveries.waiting",
            [self._observe_counts(bus, "in_flight")],
            "{event}",
            "Under way or in a queue.",
        )
        self._meter.create_observable_gauge(
            "graphbus.dead_letters", [self._observe_dead_letters(bus)], "{event}", "Dead letters that are kept."
        )

    def __call__(self, event: Event, next: Callable[[Event], Any]) -> Any:
        """Everything is seen elsewhere."""
        return next(event)

    @staticmethod
    def _observe_counts(bus: MessageBus, key: str) -> Callable[[Any], Iterable[Any]]:
        from opentelemetry.metrics import Observation

        def observe(_: Any) -> Iterator[Any]:
            for topic, row in bus.get_stats()["topics"].items():
                yield Observation(row.get(key, 0), {"messaging.destination.name": topic})

        return observe

    @staticmethod
    def _observe_dead_letters(bus: MessageBus) -> Callable[[Any], Iterable[Any]]:
        from opentelemetry.metrics import Observation

        return lambda _: [Observation(bus.get_stats()["dead_letters"])]

    # As observer

    def on_published(self, event: Event) -> None:
        """A span of a moment: what it leads to has it as its parent."""
        parent, inside = self._find_context(event.cause), False
        if self._context.get_current():  # empty where nothing runs here, which is mostly so
            current_span: Any = self._trace.get_current_span()
            if type(current_span) is self._unwanted:  # a handler whose event nobody follows
                self._remember(event.event_id, current_span.header)
                return
            if inside := current_span.get_span_context().is_valid:
                parent = None
        if type(parent) is str:
            self._remember(event.event_id, parent)
            return
        name, attributes = self._describe_topic(event.topic)
        kind = self._producer
        if parent is None and not inside and self._roots is not None:
            header = self._roots.decline_trace(name, kind, attributes)
            if header is not None:
                self._remember(event.event_id, header)
                return
        span = self._tracer.start_span(name, context=parent, kind=kind, attributes=attributes)
        if span.is_recording():
            span.set_attribute("messaging.message.id", event.event_id)
        self._remember(event.event_id, self._trace.set_span_in_context(span, self._nowhere))
        span.end()

    def _describe_topic(self, topic: str) -> tuple[str, dict[str, Any]]:
        """Name and attributes of the span of an event of that topic: the same for all of them, so made once."""
        description = self._topics.get(topic)
        if description is None:
            if len(self._topics) >= MAX_TOPICS:
                self._topics.clear()
            description = f"publish {topic}", {**self._sends, "messaging.destination.name": topic}
            self._topics[topic] = description
        return description

    def wrap_attempt(
        self, handler: str, topic: str, call: Callable[[Event], Any], asynchronous: bool
    ) -> Callable[[Event], Any]:
        """`call` inside a span whose parent is where the event was published."""

        def run_handler(event: Event) -> Any:
            begun = self._begin(handler, event)
            try:
                returned = call(event)
            except BaseException as error:
                self._end(handler, event, begun, error)
                raise
            self._end(handler, event, begun, None)
            return returned

        async def arun_handler(event: Event) -> Any:
            begun = self._begin(handler, event)
            try:
                returned = await call(event)
            except BaseException as error:
                self._end(handler, event, begun, error)
                raise
            self._end(handler, event, begun, None)
            return returned

        return arun_handler if asynchronous else run_handler

    def _begin(self, handler: str, event: Event) -> _Begun:
        context, span = self._find_context(event.event_id), None
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
            span.set_attribute("error.type", type(error).__qualname__)
            span.set_status(self._trace.StatusCode.ERROR, f"{type(error).__name__}: {describe_error(error)}")
        span.end()

    @contextmanager
    def trace_call(self, message: Message, place: str) -> Iterator[None]:
        """A span around a call; where it came from another process, that one's is its parent."""
        attributes = {"rpc.system": "graphbus", "rpc.service": message.dst, "rpc.method": message.method}
        parent = self._find_context(message.msg_id) if place == "answered" else None
        current_span: Any = self._trace.get_current_span()
        if place != "answered" and type(current_span) is self._unwanted:
            if place == "asked":
                self._remember(message.msg_id, current_span.header)
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

    def get_headers(self, message_id: str) -> Mapping[str, str]:
        """`traceparent`, and `tracestate` where there is one."""
        remembered = self._find_context(message_id)
        if remembered is None:
            return {}
        if type(remembered) is str:
            return {"traceparent": remembered}
        span = self._trace.get_current_span(remembered).get_span_context()
        trace_headers = {"traceparent": f"00-{span.trace_id:032x}-{span.span_id:016x}-{span.trace_flags:02x}"}
        if span.trace_state:
            trace_headers["tracestate"] = span.trace_state.to_header()
        return trace_headers

    def on_arrived(self, message_id: str, headers: Mapping[str, str]) -> None:
        """Remember the context that came with an event or a call."""
        if (header := read_unwanted_header(headers)) is not None:
            self._remember(message_id, header)
        elif "traceparent" in headers:
            self._remember(message_id, self._propagator.extract(headers, self._nowhere))

    # Inside

    def _remember(self, message_id: str, context: Any) -> None:
        with self._lock:
            self._contexts[message_id] = context
            while len(self._contexts) > MAX_CONTEXTS:
                self._contexts.popitem(last=False)

    def _find_context(self, message_id: str | None) -> Any:
        return self._contexts.get(message_id) if message_id is not None else None
