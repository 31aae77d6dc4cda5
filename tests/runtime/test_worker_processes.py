"""The processes of `--workers` where the one above them is killed: none works on with nobody to look after it."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from graphbus_core.cli.run.supervision import LIFELINE
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.runtime.transports.port import create_transport
from tests import forking
from tests.runtime.bounded import ended, line
from tests.runtime.nats_server import NatsServer, needs_nats

WAITS = """
import sys
from graphbus_core.cli.run import supervision as workers
from graphbus_core.runtime.lifecycle import wait_for_signal

workers.GRACE_S = 1.0
workers.end_with_parent(0.0 if "hangs" in sys.argv else 60.0)
wait_for_signal(lambda: print("ready", repr(sys.stdin.read()), flush=True))
print("stopped", flush=True)
if "hangs" in sys.argv:
    import time

    time.sleep(600)
"""
SLOW = """
import time
from pathlib import Path

from graphbus_core import GraphBusNode, subscribe


class Slow(GraphBusNode):
    @subscribe("/Work")
    def on_work(self, payload):
        Path(payload["begun"]).touch()
        time.sleep(2)
        Path(payload["done"]).touch()
"""


def waits(*args, **environment):
    return subprocess.Popen(
        [sys.executable, "-c", WAITS, *args],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )


def test_a_worker_stops_where_its_pipe_ends():
    """As after SIGTERM. Until then it waits, and what runs in it finds standard input empty."""
    worker = waits(**{LIFELINE: "1"})
    try:
        assert line(worker) == "ready ''\n"
        assert worker.poll() is None
        out, err = worker.communicate(timeout=60)
    finally:
        ended(worker)
    assert worker.returncode == 0, err
    assert out == "stopped\n"
    assert "is gone; the worker ends" in err


def test_a_worker_that_cannot_stop_is_ended():
    """Its time for a stop is over, and nobody is there who would kill it."""
    worker = waits("hangs", **{LIFELINE: "1"})
    try:
        assert line(worker) == "ready ''\n"
        worker.communicate(timeout=60)
    finally:
        ended(worker)
    assert worker.returncode == 1


def test_a_run_that_is_no_worker_reads_its_own_standard_input():
    """The end of its input is no reason to stop."""
    alone = waits()
    try:
        alone.stdin.close()
        assert line(alone) == "ready ''\n"
        with pytest.raises(subprocess.TimeoutExpired):
            alone.wait(0.5)
        alone.send_signal(signal.SIGTERM)
        assert alone.wait(60) == 0
    finally:
        ended(alone)


@needs_nats
@pytest.mark.timeout(400)  # it starts processes, on a machine that may be busy
def test_workers_finish_and_end_where_the_process_above_is_killed(tmp_path):
    """`kill -9` leaves it no time to stop anybody. A handler that is under way is not cut off."""
    begun, done = tmp_path / "begun", tmp_path / "done"
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "nodes.py").write_text(SLOW)
    artifacts = tmp_path / ".graphbus"
    assert main(["build", str(tmp_path / "agents"), "--output-dir", str(artifacts)]) == 0
    command = [sys.executable, "-m", "graphbus_core.cli.main", "run", str(artifacts), "--workers", "2", "--json"]
    children = []
    with NatsServer() as server:
        command += ["--bus", server.url(), "--stop-timeout", "60"]
        above = forking.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        try:
            for _ in range(2):
                assert "ready" in line(above)
            children = Path(f"/proc/{above.pid}/task/{above.pid}/children").read_text().split()
            assert len(children) == 2
            transport = create_transport(server.url(), artifacts)
            with RuntimeExecutor(artifacts, nodes=[], transport=transport) as publisher:
                publisher.publish("/Work", {"begun": str(begun), "done": str(done)})
            end = time.monotonic() + 60
            while not begun.exists():
                assert time.monotonic() < end, "no worker began"
                time.sleep(0.02)
            above.kill()
            above.communicate(timeout=120)  # the workers have the same pipes: this returns when the last has ended
            children = []
            assert done.exists()
        finally:
            for child in children:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(child), signal.SIGKILL)
            ended(above)
