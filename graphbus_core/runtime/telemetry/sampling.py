"""Whether a trace is wanted, decided before anything of it is made.

With sampling at 10 % nine events in ten are followed by nobody. A tracer makes a span for each all the same: ids, a
context, a parsed header. Here the sampler is asked first; where it says no, what is left of a trace is its
header, one line of text, which travels on so that every process comes to the same answer.
"""

from __future__ import annotations

import threading
from functools import cache
from typing import Any

NOT_SAMPLED = "00"
_LOW_64 = (1 << 64) - 1  # of a trace's id: what the ratio is taken of (OpenTelemetry, TraceIdRatioBased)
_LENGTH = 55  # of a `traceparent` of version 00 (W3C Trace Context, section 3.2)


def unwanted_header(headers: Any) -> str | None:
    """The `traceparent` that came with a message, where it says that nobody wants its trace."""
    text = headers.get("traceparent")
    if text is None or len(text) != _LENGTH or not text.endswith(NOT_SAMPLED) or "tracestate" in headers:
        return None
    return str(text)


class Roots:
    """Asks the sampler of a tracer whether a new trace is wanted. Where it is, the tracer's next span in this thread
    has the same id and the same answer: a sampler that counts is asked once.

    It takes the place of the tracer's sampler and of its maker of ids. The tracer is nobody else's.
    """

    def __init__(self, tracer: Any) -> None:
        from opentelemetry.sdk.trace.sampling import Decision

        self._sampler, self._ids, self._drop = tracer.sampler, tracer.id_generator, Decision.DROP
        self._below = _ratio_bound(self._sampler)
        self._next = threading.local()
        tracer.sampler = tracer.id_generator = self

    def unwanted(self, name: str, kind: Any, attributes: dict[str, Any]) -> str | None:
        """The header of a new trace that nobody wants; None where the next span is to be made."""
        trace_id = self._ids.generate_trace_id()
        if self._below is not None and trace_id & _LOW_64 >= self._below:
            return _header(trace_id)
        said = self._sampler.should_sample(None, trace_id, name, kind, attributes, ())
        if said.decision is not self._drop:
            self._next.chosen = trace_id, said
            return None
        return _header(trace_id)

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


def _header(trace_id: int) -> str:
    # No span has this id, so no other is in question: half of the trace's own will do, and is not zero.
    return f"00-{trace_id:032x}-{trace_id >> 64 or 1:016x}-{NOT_SAMPLED}"


def _ratio_bound(sampler: Any) -> int | None:
    """Of the sampler that nearly everybody sets, a share of all new traces: the number that a wanted trace's id is
    below. Asking it through its own method costs three times as much as all the rest.
    """
    from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased

    root = getattr(sampler, "_root", None) if type(sampler) is ParentBased else sampler
    return int(root.bound) if type(root) is TraceIdRatioBased else None


def roots_of(tracer: Any) -> Roots | None:
    """Of a tracer of the SDK; None for one that has no sampler (a proxy, until the program sets a provider)."""
    return Roots(tracer) if hasattr(tracer, "sampler") and hasattr(tracer, "id_generator") else None


@cache  # one class for the process; its parent is imported by who traces, and by nobody else
def unwanted_span() -> Any:
    """The class of a span that stands for a trace nobody wants. Its context is read when somebody asks for it."""
    from opentelemetry.trace import NonRecordingSpan, get_current_span
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    propagator = TraceContextTextMapPropagator()

    class Unwanted(NonRecordingSpan):
        """Only its header is known."""

        def __init__(self, header: str) -> None:
            self.header = header
            self._read: Any = None

        def get_span_context(self) -> Any:
            """Other libraries see in it that their spans are not wanted either."""
            if self._read is None:
                self._read = get_current_span(propagator.extract({"traceparent": self.header})).get_span_context()
            return self._read

    return Unwanted
