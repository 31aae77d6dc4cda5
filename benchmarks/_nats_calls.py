"""Request and reply over NATS, ours beside raw nats-py: each side answers in a process of its own, as it would run.

The roads are those that a program has: the caller awaits, or is a plain thread; the method is async, or plain. Raw
has them too: a thread asks through the loop (`run_coroutine_threadsafe`), and a plain method, which may block, runs in
a thread (`asyncio.to_thread`). For a plain method raw is shown once more with the work done in its loop, where a method
that blocks would stop everything else.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.runtime.transports.port import create_transport
from tests.runtime.nats_server import NatsServer

GOAL = 1.5
SLICE = 100  # calls in a row of one side: short, so that a busy machine is as busy for both
NODES = """
from graphbus_core import GraphBusNode, schema_method


class Sum(GraphBusNode):
    @schema_method(input_schema={"n": int}, output_schema={"n": int})
    def plain(self, n):
        return {"n": n + 1}

    @schema_method(input_schema={"n": int}, output_schema={"n": int})
    async def awaited(self, n):
        return {"n": n + 1}


class Asks(GraphBusNode):
    pass
"""
RAW = """
import asyncio, json, sys
import nats


def plain(n):
    return {"n": n + 1}


async def main():
    connection = await nats.connect(sys.argv[1])

    async def awaited(message):
        payload = json.loads(message.data)["payload"]
        await message.respond(json.dumps({"result": plain(**payload)}).encode())

    async def answer_aside(message):
        payload = json.loads(message.data)["payload"]
        result = await asyncio.to_thread(plain, **payload)
        await message.respond(json.dumps({"result": result}).encode())

    async def aside(message):
        # A task for each: one call that blocks must not hold up the next.
        tasks.add(task := asyncio.create_task(answer_aside(message)))
        task.add_done_callback(tasks.discard)

    tasks = set()
    await connection.subscribe("raw.awaited", queue="q", cb=awaited)
    await connection.subscribe("raw.aside", queue="q", cb=aside)
    await connection.flush()
    print("ready", flush=True)
    await asyncio.sleep(3600)


asyncio.run(main())
"""


class RawCaller:
    """nats-py by hand, on a loop in a thread, as the runtime has it."""

    def __init__(self, port: int) -> None:
        import nats

        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        self._connection = self.run(nats.connect(f"nats://127.0.0.1:{port}"))

    def run(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(60)

    async def acall(self, method: str, n: int) -> Any:
        data = json.dumps({"dst": "Sum", "method": method, "payload": {"n": n}}).encode()
        answer = await self._connection.request(f"raw.{method}", data, timeout=5)
        return json.loads(answer.data)["result"]

    def call(self, method: str, n: int) -> Any:
        return self.run(self.acall(method, n))

    def close(self) -> None:
        self.run(self._connection.close())
        self.loop.call_soon_threadsafe(self.loop.stop)


class OurCaller:
    """A runtime that runs another node of the build."""

    def __init__(self, url: str, artifacts: Path) -> None:
        self._runtime = RuntimeExecutor(str(artifacts), nodes=["Asks"], transport=create_transport(url, artifacts))
        self._runtime.start()
        assert self._runtime.bus is not None
        self.run = self._runtime.bus.home.wait_for

    async def acall(self, method: str, n: int) -> Any:
        return await self._runtime.acall_method("Sum", method, n=n)

    def call(self, method: str, n: int) -> Any:
        return self._runtime.call_method("Sum", method, n=n)

    def close(self) -> None:
        self._runtime.stop()


def taken_by(side: Any, method: str, waits: str, count: int) -> list[float]:
    """Seconds of each of so many calls, one after the other."""
    taken: list[float] = []

    async def all_of() -> None:
        for n in range(count):
            began = time.perf_counter()
            assert await side.acall(method, n) == {"n": n + 1}
            taken.append(time.perf_counter() - began)

    if waits == "await":
        side.run(all_of())
        return taken
    for n in range(count):
        began = time.perf_counter()
        assert side.call(method, n) == {"n": n + 1}
        taken.append(time.perf_counter() - began)
    return taken


def cpu_of(pid: int) -> float:
    """Seconds of processor that a process used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def answering(server: NatsServer, folder: Path) -> Iterator[tuple[str, Path, list[subprocess.Popen[str]]]]:
    """The build, and the two processes that answer: raw's and ours."""
    (folder / "agents").mkdir()
    (folder / "agents" / "nodes.py").write_text(NODES)
    (folder / "raw.py").write_text(RAW)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    python = [sys.executable, "-m", "graphbus_core.cli.main"]
    made = [*python, "build", "agents", "--output-dir", ".graphbus"]
    subprocess.run(made, cwd=folder, env=environment, check=True, capture_output=True, timeout=120)
    url = server.url("calls")
    commands = (
        [sys.executable, "raw.py", f"nats://127.0.0.1:{server.port}"],
        [*python, "run", ".graphbus", "--bus", url, "--nodes", "Sum", "--wait", "--json"],
    )
    running = [
        subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        for command in commands
    ]
    try:
        assert running[0].stdout is not None
        assert running[0].stdout.readline() == "ready\n"
        yield url, folder / ".graphbus", running
    finally:
        for one in running:
            one.terminate()
        for one in running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                one.wait(20)
            one.kill()
            one.communicate(timeout=20)


ROADS = (
    # caller, ours, raw's method on the same road
    ("await", "awaited", "awaited", "async, in the loop"),
    ("await", "plain", "aside", "plain, in a thread"),
    ("await", "plain", "awaited", "plain; raw in its loop"),
    ("thread", "awaited", "awaited", "async, in the loop"),
    ("thread", "plain", "aside", "plain, in a thread"),
    ("thread", "plain", "awaited", "plain; raw in its loop"),
)


def calls(count: int, repeats: int) -> bool:
    """Every road, raw and ours in turns; whether each meets the goal."""
    folder = Path(tempfile.mkdtemp(prefix="nats-calls-"))
    good = True
    turns = max(count * repeats // SLICE, 4)
    print(f"\nrequest / reply between two processes, {turns} times {SLICE} calls of each side in turns; ms, and us of")
    print("processor a call of both processes together")
    print("caller  method                     raw p50  ours p50  ratio    goal  raw p99  ours p99   raw us  ours us")
    try:
        with NatsServer() as server, answering(server, folder) as (url, artifacts, running):
            sides = RawCaller(server.port), OurCaller(url, artifacts)
            for waits, ours, raws, what in ROADS:
                taken: tuple[list[float], list[float]] = [], []
                used = [0.0, 0.0]
                for turn in range(turns + 1):
                    for place, method in ((0, raws), (1, ours)):
                        here, there = time.process_time(), cpu_of(running[place].pid)
                        some = taken_by(sides[place], method, waits, SLICE)
                        if turn:  # the first warms both up
                            taken[place].extend(some)
                            used[place] += time.process_time() - here + cpu_of(running[place].pid) - there
                p50 = [statistics.median(one) * 1e3 for one in taken]
                p99 = [statistics.quantiles(one, n=100)[98] * 1e3 for one in taken]
                us = [one / len(taken[0]) * 1e6 for one in used]
                ratio = p50[1] / p50[0]
                good &= ratio <= GOAL
                print(
                    f"{waits:<8}{what:<25}{p50[0]:>9.3f}{p50[1]:>10.3f}{ratio:>7.2f}"
                    f"{'<=1.5':>8}{p99[0]:>9.3f}{p99[1]:>10.3f}{us[0]:>9.0f}{us[1]:>9.0f}"
                )
            for side in sides:
                side.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return good
