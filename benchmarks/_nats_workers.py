"""The same events with one, two, four, eight worker processes: what saturates first."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks._nats_calls import cpu_of
from graphbus_core.model.message import Event
from graphbus_core.runtime.transports.port import create_transport
from tests.runtime.nats_server import NatsServer

Row = tuple[int, float, float, float, float]  # workers, events a second; processors of server, workers, others
PYTHON = [sys.executable, "-m", "graphbus_core.cli.main"]
NODES = """
from graphbus_core import GraphBusNode, subscribe


class Work(GraphBusNode):
    @subscribe("/Job")
    def on_job(self, payload):
        sum(range(20_000))
"""


def workers(count: int) -> bool:
    """One table, and at its end what saturated first."""
    folder = Path(tempfile.mkdtemp(prefix="nats-workers-"))
    (folder / "agents").mkdir()
    (folder / "agents" / "nodes.py").write_text(NODES)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    made = [*PYTHON, "build", "agents", "--output-dir", ".graphbus"]
    try:
        subprocess.run(made, cwd=folder, env=environment, check=True, capture_output=True, timeout=120)
        print(f"\n{count} events of some .4 ms of work each; {os.cpu_count()} processors")
        rows: list[Row] = []
        print(f"{'workers':>8}{'events/s':>10}{'server cpu':>12}{'workers cpu':>13}{'other programs':>17}")
        for number in (1, 2, 4, 8):
            with NatsServer() as server:
                url = server.url("w")
                asyncio.run(_fill(url, str(folder / ".graphbus"), count))
                rows.append(_handled(number, server, [*PYTHON, "run", ".graphbus", "--bus", url], count, folder))
            _, rate, busy, used, others = rows[-1]
            print(f"{number:>8}{rate:>10.0f}{busy:>12.2f}{used:>13.2f}{others:>17.2f}", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("cpu: processors in use while events were handled")
    print(_saturated(rows))
    return True


async def _fill(url: str, artifacts: str, count: int) -> None:
    """Put all events there before anybody handles one: the workers are measured, not the publisher."""
    made = create_transport(url, artifacts)
    await made.open()
    for start in range(0, count, 1_000):
        some = range(start, min(start + 1_000, count))
        sent = [made.publish(Event(f"e{n}", "/Job", "bench", {"n": n})) for n in some]
        await asyncio.gather(*map(asyncio.wrap_future, sent))
    await made.close()


def _handled(number: int, server: NatsServer, command: list[str], count: int, folder: Path) -> Row:
    """So many workers, from the first event that one handled to the last."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    running = [
        subprocess.Popen([*command, "--wait", "--json"], cwd=folder, env=environment, **quiet) for _ in range(number)
    ]
    try:
        left, began, from_ = count, 0.0, count
        server_cpu = base = all_base = 0.0
        end = time.monotonic() + 300
        while left:
            assert time.monotonic() < end, f"{left} of {count} events were not handled"
            left = asyncio.run(_left(server))
            if not began and left < count:
                began, from_ = time.perf_counter(), left
                server_cpu = cpu_of(server.pid)
                base, all_base = sum(cpu_of(one.pid) for one in running), _busy()
            time.sleep(0.02)
        taken = time.perf_counter() - began
        used = sum(cpu_of(one.pid) for one in running) - base
        busy = (cpu_of(server.pid) - server_cpu) / taken
        others = max((_busy() - all_base - used) / taken - busy, 0.0)
        for one in running:
            one.terminate()
        for one in running:
            one.wait(60)
    finally:
        for one in running:
            one.kill()
            one.wait(30)
    return number, from_ / taken, busy, used / taken, others


def _saturated(rows: list[Row]) -> str:
    """What stopped the growth: the first that was in use up to nine tenths, and from how many workers on."""
    processors = os.cpu_count() or 1
    for number, _, server, used, others in rows:
        if server >= 0.9 * processors:
            return f"first to saturate: the server, with {number} workers"
        if server + used + others >= 0.9 * processors:
            quiet = "" if others < 0.2 else f", and other programs, which had {others:.2f}: measure on a quiet machine"
            return (
                f"first to saturate: the {processors} processors, with {number} workers. The workers had {used:.2f}, "
                f"the server {server:.2f}{quiet}"
            )
    best = max(rows, key=lambda row: row[1])
    return (
        f"nothing was in use up to nine tenths; most was handled with {best[0]} workers, by {best[2] + best[3]:.2f} of "
        f"{processors} processors: each event waited for the server's disk, or for the network"
    )


def _busy() -> float:
    """Seconds of processor that all programs of this machine used together."""
    fields = [int(one) for one in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
    return (sum(fields[:8]) - fields[3] - fields[4]) / os.sysconf("SC_CLK_TCK")


async def _left(server: NatsServer) -> int:
    import nats

    connection = await nats.connect(f"nats://127.0.0.1:{server.port}")
    try:
        return int((await connection.jetstream().stream_info("w")).state.messages)
    finally:
        await connection.close()
