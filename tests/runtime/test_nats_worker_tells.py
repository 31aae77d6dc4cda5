"""A worker over NATS says what failed for good when it does, and ends with 0 where it was asked to end and finished."""

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time

from graphbus_core.runtime.executor import RuntimeExecutor
from tests import forking
from tests.runtime.nats_server import NatsServer, needs_nats

NODES = """
from graphbus_core import GraphBusNode, subscribe


class Shop(GraphBusNode):
    @subscribe("/Order", retries=1, backoff_s=0.01)
    def on_order(self, payload):
        if payload["id"] == 13:
            raise ValueError("no such order")
"""
COMMAND = [sys.executable, "-m", "graphbus_core.cli.main"]
HANG_S = 60  # against a hang only


def read_lines(process, lines):
    for line in process.stderr:
        lines.append(line)


def built(folder):
    (folder / "agents").mkdir()
    (folder / "agents" / "shop.py").write_text(NODES)
    forking.run([*COMMAND, "build", "agents", "-o", ".graphbus"], cwd=folder, check=True, capture_output=True)


def worked(folder, url):
    environment = {**os.environ, "GRAPHBUS_NATS_ACK_WAIT_S": "1"}
    command = [*COMMAND, "run", str(folder / ".graphbus"), "--bus", url, "--wait"]
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "env": environment}
    process = forking.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True, **quiet)
    lines = []
    threading.Thread(target=read_lines, args=(process, lines), daemon=True).start()
    return process, lines


def told(lines, what):
    end = time.monotonic() + HANG_S
    while not any(what in line for line in lines):
        assert time.monotonic() < end, lines
        time.sleep(0.05)
    return next(line for line in lines if what in line)


async def delete_consumers(server, space):
    """Once the worker has its consumer: until then there is nothing to delete."""
    import nats

    connection = await nats.connect(f"nats://127.0.0.1:{server.port}")
    js = connection.jetstream()
    end = time.monotonic() + HANG_S
    while time.monotonic() < end:
        try:
            infos = [info for info in await js.consumers_info(space) if info.num_waiting]
        except nats.js.errors.NotFoundError:
            infos = []
        for info in infos:
            await js.delete_consumer(space, info.name)
        if infos:
            break
        await asyncio.sleep(0.1)
    await connection.close()


@needs_nats
def test_a_handler_that_failed_for_good_is_told_at_once_and_a_drained_worker_ends_with_0(tmp_path):
    built(tmp_path)
    with NatsServer() as server:
        url = server.url("told")
        process, lines = worked(tmp_path, url)
        try:
            artifacts = str(tmp_path / ".graphbus")
            with RuntimeExecutor(artifacts, nodes=[], bus=url) as runtime:
                runtime.publish("/Order", {"id": 13})
            line = told(lines, "failed for good")
            assert "graphbus: Shop.on_order failed for good on /Order after 2 tries" in line
            assert "ValueError: no such order" in line
            process.send_signal(signal.SIGTERM)
            assert process.wait(HANG_S) == 0, lines
        finally:
            process.kill()


@needs_nats
def test_an_alarm_is_told_at_once_and_is_in_the_exit_code(tmp_path):
    built(tmp_path)
    with NatsServer() as server:
        url = server.url("alarmed")
        process, lines = worked(tmp_path, url)
        try:
            asyncio.run(delete_consumers(server, "alarmed"))
            assert "graphbus: alarm: The consumer of Shop.on_order /Order is gone" in told(lines, "alarm: ")
            process.send_signal(signal.SIGTERM)
            assert process.wait(HANG_S) == 1, lines
        finally:
            process.kill()
