"""Traces follow an event through topics, calls and runtimes; counts are the bus's own; nothing is paid for unasked."""

import contextlib
import json
import logging
import subprocess
import sys
import urllib.error
import urllib.request

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from graphbus_core import GraphBusNode, subscribe
from graphbus_core.config import RuntimeConfig
from graphbus_core.errors import ConfigError
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.telemetry.metrics_page import MetricsPage
from graphbus_core.runtime.telemetry.prometheus import (
    Durations,
    Histogram,
    convert_to_openmetrics,
    render_prometheus,
    wants_text,
)
from graphbus_core.runtime.telemetry.setup import LogIdFilter
from graphbus_core.runtime.telemetry.tracing import Telemetry
from graphbus_core.runtime.transports.nats.transport import NatsTransport
from graphbus_core.testing.harness import ClassExecutor
from tests.runtime.conformance.world import until
from tests.runtime.nats_server import NatsServer, needs_nats


class First(GraphBusNode):
    """Turns what comes in into something for the second."""

    @subscribe("/In")
    def on_in(self, payload):
        self.publish("/Middle", {"n": payload["n"]})


class Second(GraphBusNode):
    """Asks the third."""

    @subscribe("/Middle")
    async def on_middle(self, payload):
        answer = await self.acall("Third", "double", n=payload["n"])
        await self.apublish("/Out", answer)


class Third(GraphBusNode):
    """Answers, and hears the end."""

    def __init__(self):
        self.seen = []

    def double(self, n):
        return {"n": 2 * n}

    @subscribe("/Out")
    def on_out(self, payload):
        self.seen.append(payload["n"])


class Seen:
    """Spans and metrics that stay in this process."""

    def __init__(self):
        self.spans = InMemorySpanExporter()
        self.traces = TracerProvider()
        self.traces.add_span_processor(SimpleSpanProcessor(self.spans))
        self.reader = InMemoryMetricReader()
        self.measures = MeterProvider([self.reader])

    def telemetry(self):
        return Telemetry(self.traces, self.measures)

    def rows(self):
        """name of a span -> (its kind, its trace, the name of its parent)."""
        spans = self.spans.get_finished_spans()
        names = {span.context.span_id: span.name for span in spans}
        return {
            (span.name, span.kind): (span.context.trace_id, names.get(span.parent.span_id) if span.parent else None)
            for span in spans
        }

    def metric(self, name):
        """Sum over all attributes."""
        data = self.reader.get_metrics_data()
        points = [
            point
            for resource in data.resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
            if metric.name == name
            for point in metric.data.data_points
        ]
        return sum(point.count if hasattr(point, "count") else point.value for point in points)


@pytest.fixture
def seen():
    made = Seen()
    yield made
    made.traces.shutdown()
    made.measures.shutdown()


def flow(seen, *groups, transport=lambda: None):
    """Run one event through the three nodes, and give its spans."""
    with contextlib.ExitStack() as stack:
        runtimes = [
            stack.enter_context(
                ClassExecutor(
                    [First, Second, Third],
                    "off",
                    config=RuntimeConfig(stop_timeout_s=10.0),
                    nodes=group,
                    transport=transport(),
                    middleware=[seen.telemetry()],
                )
            )
            for group in groups
        ]
        last = next(node for runtime in runtimes if (node := runtime.get_node("Third")) is not None)
        runtimes[0].publish("/In", {"n": 21})
        until(lambda: last.seen == [42])
        published = seen.metric("graphbus.events.published")
        processed = seen.metric("messaging.process.duration")
    return seen.rows(), published, processed


EXPECTED = {
    ("publish /In", SpanKind.PRODUCER): None,
    ("process /In", SpanKind.CONSUMER): "publish /In",
    ("publish /Middle", SpanKind.PRODUCER): "process /In",
    ("process /Middle", SpanKind.CONSUMER): "publish /Middle",
    ("publish /Out", SpanKind.PRODUCER): "process /Middle",
    ("process /Out", SpanKind.CONSUMER): "publish /Out",
}


def test_one_trace_follows_an_event_within_a_process(seen):
    """Each span's parent is what caused it, and all of them are one trace."""
    rows, published, processed = flow(seen, None)
    expected = {**EXPECTED, ("Third.double", SpanKind.INTERNAL): "process /Middle"}
    assert {key: parent for key, (_, parent) in rows.items()} == expected
    assert len({trace for trace, _ in rows.values()}) == 1
    assert (published, processed) == (3, 3)


@needs_nats
def test_one_trace_follows_an_event_over_three_runtimes(seen):
    """W3C headers carry it, of events and of calls; the other side of a call is a SERVER span."""
    with NatsServer() as server:
        rows, *_ = flow(seen, {"First"}, {"Second"}, {"Third"}, transport=lambda: NatsTransport(server.url()))
    expected = {
        **EXPECTED,
        ("Third.double", SpanKind.CLIENT): "process /Middle",
        ("Third.double", SpanKind.SERVER): "Third.double",
    }
    assert {key: parent for key, (_, parent) in rows.items()} == expected
    assert len({trace for trace, _ in rows.values()}) == 1


def test_a_failing_attempt_is_an_error_in_its_span_and_its_duration(seen):
    """With the exception; a retry is a span of its own."""

    class Fails(GraphBusNode):
        @subscribe("/In", retries=1, backoff_s=0.001)
        def on_in(self, payload):
            raise ValueError("no")

    with ClassExecutor([Fails], "off", middleware=[seen.telemetry()]) as runtime:
        runtime.publish("/In", {})
    failed = [span for span in seen.spans.get_finished_spans() if span.name == "process /In"]
    assert [span.status.status_code for span in failed] == [StatusCode.ERROR] * 2
    assert all(span.attributes["error.type"] for span in failed)
    assert failed[0].events[0].attributes["exception.message"] == "no"
    assert failed[0].attributes["messaging.consumer.group.name"] == "Fails.on_in"


def test_logs_name_the_event_and_the_trace(seen, caplog):
    """So that a line leads to its trace, and back."""
    lines = []

    class Logs(GraphBusNode):
        @subscribe("/In")
        def on_in(self, payload):
            record = logging.LogRecord("x", logging.INFO, "f", 1, "hello", None, None)
            LogIdFilter().filter(record)
            lines.append(record.ids)

    with ClassExecutor([Logs], "off", middleware=[seen.telemetry()]) as runtime:
        event = runtime.publish("/In", {})
    assert f"event_id={event.event_id}" in lines[0]
    assert "handler=Logs.on_in" in lines[0]
    span = next(span for span in seen.spans.get_finished_spans() if span.name == "process /In")
    assert f"trace_id={span.context.trace_id:032x}" in lines[0]


def test_nothing_is_paid_for_unasked():
    """A bus that nobody looks at calls handlers as they are, and loads no telemetry library."""
    bus = MessageBus()

    def handler(payload):
        pass

    assert bus.subscribe("/T", handler).call is handler
    code = "import sys, graphbus_core.runtime.command_run; print([m for m in sys.modules if 'opentelemetry.sdk' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr


def test_prometheus_text_is_read_by_its_own_rules():
    """One TYPE a name, cumulative buckets, labels escaped."""
    durations = Durations()
    bus = MessageBus()
    bus.observe(durations)
    bus.subscribe('/A"b', lambda payload: None, "N.on")
    for _ in range(3):
        bus.publish('/A"b', {})
    stats = {"is_running": True, "nodes_count": 1, "message_bus": bus.get_stats(), "calls": 2, "calls_failed": 1}
    lines = render_prometheus(stats, durations.copy_histograms()).splitlines()
    assert 'graphbus_events_published_total{topic="/A\\"b"} 3' in lines
    assert "graphbus_calls_failed_total 1" in lines
    buckets = [int(line.rsplit(" ", 1)[1]) for line in lines if "_bucket" in line]
    assert buckets == sorted(buckets)
    assert buckets[-1] == 3
    names = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(names) == len(set(names))
    for line in lines:
        assert line.startswith("#") or float(line.rsplit(" ", 1)[1]) >= 0


def test_a_histogram_puts_a_duration_into_one_bucket():
    """On a bound counts as within it."""
    one = Histogram()
    for taken in (0.005, 0.006, 100.0):
        one.note(taken, failed=False)
    assert (one.counts[0], one.counts[1], one.counts[-1], sum(one.counts)) == (1, 1, 1, 3)


def test_openmetrics_names_a_counter_without_its_total_and_marks_the_end():
    """A sample keeps its name; failures are told by handler."""
    failing = Histogram()
    failing.note(0.1, failed=True)
    text = convert_to_openmetrics(render_prometheus({"calls": 2}, {("B.on", "/T"): failing}))
    assert "# TYPE graphbus_calls counter\n" in text
    assert "\ngraphbus_calls_total 2\n" in text
    assert 'graphbus_handler_failures_total{handler="B.on",topic="/T"} 1\n' in text
    assert text.endswith("\n# EOF\n")
    assert text.count("# EOF") == 1


@pytest.mark.parametrize(
    ("accept", "text"),
    [
        ("", False),
        ("*/*", False),
        ("application/json", False),
        ("text/plain", True),
        ("application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.4,*/*;q=0.1", True),
        ("application/json, text/plain", False),
    ],
)
def test_json_stays_what_everybody_gets_but_prometheus(accept, text):
    """Who asks for nothing gets what was there before."""
    assert wants_text(accept) is text


def test_the_page_answers_metrics_and_health():
    """On a port of the system's choice; another path is said to be none."""
    page = MetricsPage("0", lambda: "graphbus_up 1\n", lambda: ["B.on stands still."])
    try:
        base = f"http://127.0.0.1:{page.port}"
        with urllib.request.urlopen(f"{base}/metrics", timeout=30) as answer:
            assert answer.read() == b"graphbus_up 1\n"
            assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        accepted = urllib.request.Request(f"{base}/metrics", headers={"Accept": "application/openmetrics-text;q=0.9"})
        with urllib.request.urlopen(accepted, timeout=30) as answer:
            assert answer.read() == b"graphbus_up 1\n# EOF\n"
            assert answer.headers["Content-Type"].startswith("application/openmetrics-text; version=1.0.0")
        for path, status in (("/health", 503), ("/health/ready", 503), ("/else", 404)):
            with pytest.raises(urllib.error.HTTPError) as failed:
                urllib.request.urlopen(base + path, timeout=30)
            assert failed.value.code == status
            assert status == 404 or failed.value.read() == b"not ready\nB.on stands still.\n"
    finally:
        page.close()
    with pytest.raises(ConfigError, match="not an address"):
        MetricsPage("localhost:many", lambda: "", list)


def test_the_command_has_a_page_while_it_runs(tmp_path):
    """`graphbus run --metrics 127.0.0.1:0`: a taken or wrong address is bad usage."""
    from graphbus_core.cli.main import main
    from tests.runtime.test_nats import built

    artifacts = built(tmp_path, "hello")
    assert main(["run", str(artifacts), "--metrics", "0", "--call", "Greeter.greet", "--json"]) == 0
    assert main(["run", str(artifacts), "--metrics", "nowhere", "--call", "Greeter.greet"]) == 2


def test_the_server_gives_prometheus_its_text(tmp_path):
    """`GET /metrics` by what is accepted."""
    testclient = pytest.importorskip("fastapi.testclient")
    from graphbus_core.http.app import create_app
    from graphbus_core.http.stream import Stream
    from graphbus_core.services import Workspace

    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "a.py").write_text(
        "from graphbus_core import GraphBusNode\n\n\nclass A(GraphBusNode):\n    pass\n"
    )
    stream = Stream()
    client = testclient.TestClient(create_app(Workspace(tmp_path / "agents", observe=stream.publish), stream))
    assert "runtime" in json.loads(client.get("/metrics").text)
    answer = client.get("/metrics", headers={"accept": "text/plain"})
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    assert "graphbus_up 0" in answer.text
