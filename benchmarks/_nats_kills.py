"""Workers, publisher, server and network are killed at random instants, and the store is made full now and then.

The publisher writes down what was acknowledged. At the end each of these must have reached the last handler under one
id, and each poison event must be in the dead letters once.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks._nats_proxy import Proxy
from graphbus_core.runtime.transports.nats.connection import BusSettings
from graphbus_core.runtime.transports.nats.dead_letters import BusDeadLetters
from tests.runtime.nats_server import NatsServer

PYTHON = [sys.executable, "-m", "graphbus_core.cli.main"]
KINDS = ("worker", "worker", "worker", "publisher", "server", "network", "full store")
BEGIN_S, SETTLE_S = 120.0, 180.0  # against a hang only
NODES = """
import os
from graphbus_core import Event, GraphBusNode, subscribe

SINK = os.open(os.environ.get("SINK", os.devnull), os.O_WRONLY | os.O_APPEND | os.O_CREAT)


class Relay(GraphBusNode):
    @subscribe("/In", retries=1, backoff_s=0.05)
    def on_in(self, event: Event):
        if event.payload["n"] % 97 == 0:
            raise ValueError("poison")
        self.publish("/Out", {"n": event.payload["n"]})


class Sink(GraphBusNode):
    @subscribe("/Out")
    def on_out(self, event: Event):
        os.write(SINK, f"{event.payload['n']} {event.event_id}\\n".encode())
"""
PUBLISHER = """
import os, sys, time
from graphbus_core.errors import GraphBusError
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.runtime.transports.port import create_transport
url, artifacts, first = sys.argv[1], sys.argv[2], int(sys.argv[3])
acked = os.open(sys.argv[4], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
with RuntimeExecutor(artifacts, nodes=[], transport=create_transport(url, artifacts)) as runtime:
    n = first
    while True:
        try:
            runtime.publish("/In", {"n": n})
            os.write(acked, b"%d\\n" % n)
        except GraphBusError:
            pass
        n += 1
        time.sleep(0.002)
"""


class Matrix:
    """Two workers and a publisher over a network that can be cut, and what was done to them."""

    def __init__(self, folder: Path, server: NatsServer, proxy: Proxy, rng: random.Random) -> None:
        self._folder, self._server, self._proxy, self._rng = folder, server, proxy, rng
        self._url = f"nats://127.0.0.1:{proxy.port}/kills"
        self._artifacts = str(folder / ".graphbus")
        self._first = 1  # each publisher counts from a number of its own: none publishes another's again
        self.sink, self.acked = folder / "sink", folder / "acked"
        self.done = dict.fromkeys(KINDS, 0)
        self._workers = [self._worker(), self._worker()]
        self._publishing = self._publisher()

    def _started(self, command: list[str], log: str) -> subprocess.Popen[bytes]:
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
        with (self._folder / log).open("ab") as file:
            return subprocess.Popen(command, cwd=self._folder, env=_environment(self._folder), stderr=file, **quiet)

    def _worker(self) -> subprocess.Popen[bytes]:
        return self._started([*PYTHON, "run", self._artifacts, "--bus", self._url, "--wait"], "worker.log")

    def _publisher(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, str(self._folder / "publisher.py"), self._url, self._artifacts]
        return self._started([*command, str(self._first), str(self.acked)], "publisher.log")

    def begun(self) -> None:
        """Wait until something was acknowledged: a kill before that shows nothing."""
        end = time.monotonic() + BEGIN_S
        while not (self.acked.exists() and self.acked.stat().st_size):
            assert time.monotonic() < end, f"nothing was published within {BEGIN_S:g} s"
            self._again()
            time.sleep(0.1)

    def turn(self) -> None:
        """One of them, at a random instant."""
        rng = self._rng
        time.sleep(rng.uniform(0.05, 1.0))
        what = rng.choice(KINDS)
        self.done[what] += 1
        if what == "worker":
            _killed(self._workers[rng.randrange(2)])
        elif what == "publisher":
            _killed(self._publishing)
        elif what == "server":
            self._server.kill()
            time.sleep(rng.uniform(0, 0.5))
            self._server.start()
        elif what == "network":
            self._proxy.cut(rng.uniform(0.05, 0.8))
        else:
            asyncio.run(_full(self._server, rng.uniform(0.1, 0.6)))
        self._again()

    def _again(self) -> None:
        """Start again what was killed, or ended by itself."""
        for place, one in enumerate(self._workers):
            if one.poll() is not None:
                self._workers[place] = self._worker()
        if self._publishing.poll() is not None:
            self._first += 1_000_000
            self._publishing = self._publisher()

    def published(self) -> None:
        """Publish no more; the workers go on."""
        self._publishing.terminate()
        try:
            self._publishing.wait(30)
        except subprocess.TimeoutExpired:
            _killed(self._publishing)

    def close(self) -> None:
        """End every process."""
        for one in (*self._workers, self._publishing):
            _killed(one)

    def handled(self) -> tuple[dict[int, set[str]], int]:
        """The ids under which each event reached the last handler, and how often any did."""
        ids: dict[int, set[str]] = {}
        lines = self.sink.read_text().splitlines() if self.sink.exists() else []
        for line in lines:
            n, event_id = line.split()
            ids.setdefault(int(n), set()).add(event_id)
        return ids, len(lines)

    def settled(self) -> bool:
        """Wait until everything acknowledged was handled or buried, print what became of it; whether all is well."""
        wanted = {int(line) for line in self.acked.read_text().split()}
        poison = {n for n in wanted if n % 97 == 0}
        end = time.monotonic() + SETTLE_S
        while True:
            (ids, lines), buried = self.handled(), self._buried(poison)
            over = not wanted - poison - ids.keys() and len(buried) >= len(poison)
            if over or time.monotonic() > end:
                break
            time.sleep(1)
        lost = len(wanted - poison - ids.keys())
        doubled = sum(len(some) > 1 for some in ids.values())
        once = sorted(buried) == sorted(poison)
        print(
            f"{len(wanted)} events acknowledged; lost {lost}; under a second id {doubled}; "
            f"came again under their own {lines - len(ids)}"
        )
        print(f"{len(poison)} poison events; in the dead letters {len(buried)}, each once: {once}")
        return lost == 0 and doubled == 0 and once

    def _buried(self, poison: set[int]) -> list[int]:
        letters = BusDeadLetters(BusSettings(f"nats://127.0.0.1:{self._server.port}/kills")).list_all()
        return [n for n in (one.event["payload"]["n"] for one in letters) if n in poison]


def kills(number: int, seed: int) -> bool:
    """So many kills; then everything is counted."""
    folder = Path(tempfile.mkdtemp(prefix="nats-kills-"))
    began = time.monotonic()
    try:
        _built(folder)
        with NatsServer(folder / "server") as server, contextlib.closing(Proxy(server.port)) as proxy:
            matrix = Matrix(folder, server, proxy, random.Random(seed))
            try:
                matrix.begun()
                for turn in range(number):
                    matrix.turn()
                    if turn % 20 == 19:
                        print(f"  {turn + 1} of {number}, {time.monotonic() - began:.0f} s", flush=True)
                matrix.published()
                done = ", ".join(f"{n} {what}" for what, n in matrix.done.items())
                print(f"\n{number} kills in {time.monotonic() - began:.0f} s: {done}", flush=True)
                return matrix.settled()
            finally:
                matrix.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _built(folder: Path) -> None:
    for name in ("agents", "server"):
        (folder / name).mkdir()
    (folder / "agents" / "nodes.py").write_text(NODES)
    (folder / "publisher.py").write_text(PUBLISHER)
    command = [*PYTHON, "build", "agents", "--output-dir", ".graphbus"]
    subprocess.run(command, cwd=folder, env=_environment(folder), check=True, capture_output=True, timeout=120)


def _environment(folder: Path) -> dict[str, str]:
    own = {"SINK": str(folder / "sink"), "PYTHONPATH": str(Path(__file__).parents[1]), "GRAPHBUS_NATS_ACK_WAIT_S": "3"}
    return {**os.environ, **own}


def _killed(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait(30)


async def _full(server: NatsServer, seconds: float) -> None:
    """The store takes nothing for a while: it has a bound, and something else fills it up."""
    import nats
    from nats.js import api, errors

    connection = await nats.connect(f"nats://127.0.0.1:{server.port}")
    js = connection.jetstream(timeout=10)
    subject = "kills.e.0.Filler"
    try:
        await js.add_consumer(
            "kills",
            api.ConsumerConfig(durable_name="filler", filter_subject=subject, ack_policy=api.AckPolicy.EXPLICIT),
        )
        told = await js.stream_info("kills")
        told.config.max_msgs = told.state.messages + 500  # never below what is there: lowering a bound forgets
        await js.update_stream(told.config)
        with contextlib.suppress(errors.APIError):
            while True:
                await js.publish(subject, b"filler")
        await asyncio.sleep(seconds)
        await js.purge_stream("kills", subject=subject)
        told.config.max_msgs = -1
        await js.update_stream(told.config)
        await js.delete_consumer("kills", "filler")
    finally:
        await connection.close()
