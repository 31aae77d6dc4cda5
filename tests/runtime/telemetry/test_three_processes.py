"""One trace over three OS processes: real commands, a real server, and a collector that reads OTLP."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from graphbus_core.cli.main import main
from tests import forking
from tests.runtime.bounded import ended, line
from tests.runtime.nats_server import NatsServer, needs_nats

NODES = """
from graphbus_core import GraphBusNode, schema_method, subscribe


class First(GraphBusNode):
    @subscribe("/In")
    def on_in(self, payload):
        self.publish("/Middle", {"n": payload["n"]})


class Second(GraphBusNode):
    @subscribe("/Middle")
    async def on_middle(self, payload):
        answer = await self.acall("Third", "double", n=payload["n"])
        await self.apublish("/Out", answer)


class Third(GraphBusNode):
    @schema_method(input_schema={"n": int}, output_schema={"n": int})
    def double(self, n):
        return {"n": 2 * n}

    @subscribe("/Out")
    def on_out(self, payload):
        pass
"""


@pytest.fixture
def collector():
    """Hears OTLP over HTTP as a collector does; gives its address, and (process, span) of all that came."""
    spans = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.path == "/v1/traces":
                assert self.headers.get("Content-Encoding") in (None, "identity")
                for of_process in ExportTraceServiceRequest.FromString(body).resource_spans:
                    names = {one.key: one.value.string_value for one in of_process.resource.attributes}
                    spans.extend(
                        (names["service.name"], span) for scope in of_process.scope_spans for span in scope.spans
                    )
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", spans
    server.shutdown()
    server.server_close()
    thread.join(30)
    assert not thread.is_alive()


@contextlib.contextmanager
def running(artifacts, url, endpoint, node, *more):
    """`graphbus run` of one node, which sends its spans under the node's name."""
    command = [sys.executable, "-m", "graphbus_core.cli.main", "run", str(artifacts), "--bus", url, "--nodes", node]
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("OTEL_")},
        "OTEL_EXPORTER_OTLP_ENDPOINT": endpoint,
        "OTEL_SERVICE_NAME": node,
        "OTEL_BSP_SCHEDULE_DELAY": "200",
    }
    process = forking.Popen(
        [*command, "--otel", "--wait", "--json", *more],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
    )
    try:
        assert line(process, 150.0)
        yield process
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
    finally:
        ended(process)


@needs_nats
@pytest.mark.timeout(600)
def test_one_trace_shows_a_flow_over_three_processes(tmp_path, collector):
    """An event goes in at the third, through the first and the second, which calls the third; what it publishes ends
    there. Every span of the flow has one trace, and a parent in it.
    """
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "nodes.py").write_text(NODES)
    artifacts = tmp_path / ".graphbus"
    assert main(["build", str(tmp_path / "agents"), "--output-dir", str(artifacts)]) == 0
    endpoint, spans = collector
    published = ("--publish", "/In", "--payload", '{"n": 21}')
    with NatsServer() as server:
        url = server.url("traced")
        with (
            running(artifacts, url, endpoint, "First"),
            running(artifacts, url, endpoint, "Second"),
            running(artifacts, url, endpoint, "Third", *published),
        ):
            end = time.monotonic() + 120
            while not any(process == "Third" and "/Out" in span.name for process, span in list(spans)):
                assert time.monotonic() < end, [(process, span.name) for process, span in list(spans)]
                time.sleep(0.05)
    (trace,) = {span.trace_id for process, span in spans if "/Middle" in span.name}
    flow = [(process, span) for process, span in spans if span.trace_id == trace]
    assert {process for process, _ in flow} == {"First", "Second", "Third"}
    known = {span.span_id for _, span in flow}
    roots = [(process, span.name) for process, span in flow if not span.parent_span_id]
    assert [process for process, _ in roots] == ["Third"], roots  # where it was published
    assert all(span.parent_span_id in known for _, span in flow if span.parent_span_id)
    by_id = {span.span_id: (process, span) for process, span in flow}
    crossings = {
        (by_id[span.parent_span_id][0], process)
        for process, span in flow
        if span.parent_span_id and by_id[span.parent_span_id][0] != process
    }
    assert crossings == {("Third", "First"), ("First", "Second"), ("Second", "Third")}
    assert sum("double" in span.name for _, span in flow) == 2  # asked in one process, answered in the other
