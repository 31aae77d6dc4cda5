"""A trace is wanted whole or not at all, and the sampler is asked once for each."""

import asyncio
from collections import Counter

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import (
    ALWAYS_OFF,
    Decision,
    ParentBased,
    Sampler,
    SamplingResult,
    TraceIdRatioBased,
)

from graphbus_core import GraphBusNode, subscribe
from graphbus_core.model.message import Event
from graphbus_core.runtime.telemetry.tracing import Telemetry
from graphbus_core.runtime.transports.in_process import Hub, InProcess
from graphbus_core.testing.harness import ClassExecutor
from tests.runtime.conformance.world import until


class EveryThird(Sampler):
    """Wants every third new trace of each name, and counts how often it is asked: two runtimes ask in any order."""

    def __init__(self):
        self.asked = Counter()

    def should_sample(self, parent_context, trace_id, name, kind=None, attributes=None, links=None, trace_state=None):
        self.asked[name] += 1
        wanted = self.asked[name] % 3 == 0
        return SamplingResult(Decision.RECORD_AND_SAMPLE if wanted else Decision.DROP, attributes)

    def get_description(self):
        return "every third"


def seen_by(sampler):
    spans = InMemorySpanExporter()
    provider = TracerProvider(sampler=sampler)
    provider.add_span_processor(SimpleSpanProcessor(spans))
    return provider, spans


class Head(GraphBusNode):
    @subscribe("/In")
    def on_in(self, payload):
        with trace.get_tracer("library", tracer_provider=LIBRARY[0]).start_as_current_span("a library's"):
            self.publish("/Out", payload)


class Tail(GraphBusNode):
    def __init__(self):
        self.seen = []

    @subscribe("/Out")
    async def on_out(self, payload):
        self.seen.append(payload["n"])


LIBRARY = [None]


@pytest.mark.parametrize("apart", [False, True], ids=["one runtime", "two over a transport"])
def test_whole_traces_or_none(apart):
    """Also where a library of a node makes spans of its own: inside an unwanted trace it makes none."""
    counts = EveryThird()
    provider, spans = seen_by(ParentBased(counts))
    LIBRARY[0] = provider
    hub = Hub()
    groups = [{"Head"}, {"Tail"}] if apart else [None]
    runtimes = [
        ClassExecutor(
            [Head, Tail],
            "off",
            nodes=group,
            transport=InProcess(hub) if apart else None,
            middleware=[Telemetry(provider)],
        )
        for group in groups
    ]
    for runtime in runtimes:
        runtime.start()
    try:
        for n in range(30):
            runtimes[0].publish("/In", {"n": n})
        tail = next(node for runtime in runtimes if (node := runtime.get_node("Tail")) is not None)
        until(lambda: len(tail.seen) == 30)
    finally:
        for runtime in runtimes:
            runtime.stop()
    whole = {}
    for span in spans.get_finished_spans():
        whole.setdefault(span.context.trace_id, []).append(span.name)
    assert counts.asked["publish /In"] == 30
    assert apart or counts.asked.total() == 30
    assert len([names for names in whole.values() if "publish /In" in names]) == 10
    if not apart:
        expected = ["a library's", "process /In", "process /Out", "publish /In", "publish /Out"]
        assert [sorted(names) for names in whole.values()] == [expected] * 10


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
def test_a_share_of_all_traces_is_that_share(share):
    """The quick answer for the usual sampler is the sampler's own, id by id."""
    provider, spans = seen_by(ParentBased(TraceIdRatioBased(share)))
    telemetry = Telemetry(provider)
    for n in range(2_000):
        telemetry.on_published(Event(f"e{n}", "/T", "me", {}))
    made = len(spans.get_finished_spans())
    assert abs(made - 2_000 * share) < 150
    for n in range(2_000):
        header = telemetry.get_headers(f"e{n}")["traceparent"]
        assert len(header) == 55
        ratio = TraceIdRatioBased(share).should_sample(None, int(header[3:35], 16), "x").decision
        assert ratio.is_sampled() == (int(header[-2:], 16) & 1 == 1)


def test_an_unwanted_trace_keeps_its_id_for_logs_and_for_who_comes_after():
    """It is the header's, in a handler as on the way."""
    provider, _ = seen_by(ALWAYS_OFF)
    telemetry = Telemetry(provider)
    header = "00-" + "ab" * 16 + "-" + "cd" * 8 + "-00"
    telemetry.on_arrived("e", {"traceparent": header})
    assert telemetry.get_headers("e") == {"traceparent": header}
    told = []

    async def handler(event):
        told.append(trace.get_current_span().get_span_context())
        telemetry.on_published(Event("f", "/Next", "me", {}, cause="e"))

    asyncio.run(asyncio.wait_for(telemetry.wrap_attempt("h", "/T", handler, True)(Event("e", "/T", "me", {})), 10))
    (context,) = told
    assert (f"{context.trace_id:032x}", context.trace_flags & 1) == ("ab" * 16, 0)
    assert telemetry.get_headers("f") == {"traceparent": header}
