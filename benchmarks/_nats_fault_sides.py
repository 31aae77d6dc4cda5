"""The two sides of the faults: a build of ours, and the same work by hand with nats-py. Programs, as text."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PYTHON = [sys.executable, "-m", "graphbus_core.cli.main"]
POISON, TICK = 97, 8  # every so many events one that always fails, and one that a node with state counts
SPACE = "faults"
KEYS, KEYED = 5, 500_000  # keys whose events are numbered from KEYED on, in the numbers of each publisher

NODES = f"""
import os
from graphbus_core import Event, GraphBusNode, subscribe

SINK = os.open(os.environ.get("SINK", os.devnull), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
ORDER = os.open(os.environ.get("ORDER", os.devnull), os.O_WRONLY | os.O_APPEND | os.O_CREAT)
KEYED = os.open(os.environ.get("KEYED", os.devnull), os.O_WRONLY | os.O_APPEND | os.O_CREAT)


class Relay(GraphBusNode):
    @subscribe("/In", retries=1, backoff_s=0.05)
    def on_in(self, event: Event):
        n = event.payload["n"]
        if n % {POISON} == 0:
            raise ValueError("poison")
        self.publish("/Out", {{"n": n}})
        if n % {TICK} == 0:
            self.publish("/Tick", {{"n": n}})


class Sink(GraphBusNode):
    @subscribe("/Out")
    def on_out(self, event: Event):
        os.write(SINK, f"{{event.payload['n']}} {{event.event_id}}\\n".encode())


class Lines(GraphBusNode):
    failed = set()

    @subscribe("/Keyed", key="k", retries=5, backoff_s=0.02)
    def on_keyed(self, event: Event):
        n = event.payload["n"]
        if n % {POISON} == 0 or (n % 11 == 0 and n not in self.failed):
            self.failed.add(n)
            raise ValueError("poison, or not yet")
        os.write(KEYED, f"{{event.payload['k']}} {{n}}\\n".encode())
        os.write(SINK, f"{{n}} {{event.event_id}}\\n".encode())


class Ledger(GraphBusNode):
    def __init__(self):
        super().__init__()
        self.count = self.sum = 0

    @subscribe("/Tick")
    def on_tick(self, event: Event):
        self.count += 1
        self.sum += event.payload["n"]
        os.write(ORDER, f"{{event.payload['n']}}\\n".encode())

    def get_state(self):
        return {{"count": self.count, "sum": self.sum}}

    def set_state(self, state):
        self.count, self.sum = state["count"], state["sum"]
"""

# Both publishers publish a backlog as quickly as they can, then go on; what was confirmed goes into a file.
_PACE = """
BACKLOG = int(sys.argv[5])

def list_batches(first):
    n = first
    while True:
        yield range(n, n + 100)
        n += 100
"""

OUR_PUBLISHER = (
    f"""
KEYS, KEYED = {KEYS}, {KEYED}
"""
    """
import asyncio, itertools, os, sys
from graphbus_core.errors import GraphBusError
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.runtime.transports.port import create_transport
url, artifacts, first = sys.argv[1], sys.argv[2], int(sys.argv[3])
acked = os.open(sys.argv[4], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
"""
    + _PACE
    + """
async def publish(runtime, n):
    try:
        await runtime.apublish("/In", {"n": n})
        os.write(acked, b"%d\\n" % n)
    except GraphBusError:
        pass

async def publish_key(runtime, key):
    # The next when this one is confirmed, so that their order is that of the stream.
    for n in itertools.count(first + KEYED + key, KEYS):
        try:
            await runtime.apublish("/Keyed", {"k": key, "n": n})
            os.write(acked, b"%d\\n" % n)
        except GraphBusError:
            pass
        await asyncio.sleep(0.05)

async def main():
    async with RuntimeExecutor(artifacts, nodes=[], transport=create_transport(url, artifacts)) as runtime:
        tasks = [asyncio.create_task(publish_key(runtime, key)) for key in range(KEYS)]
        for batch in list_batches(first):
            await asyncio.gather(*[publish(runtime, n) for n in batch])
            if batch[0] - first >= BACKLOG:
                await asyncio.sleep(0.2)

asyncio.run(main())
"""
)

RAW_PUBLISHER = (
    """
import asyncio, os, sys
import nats
url, space, first = sys.argv[1], sys.argv[2], int(sys.argv[3])
acked = os.open(sys.argv[4], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
"""
    + _PACE
    + """
async def publish(js, n):
    while True:  # under the same id until the server has it, as the documentation of NATS advises
        try:
            await js.publish(f"{space}.In", b"%d" % n, headers={"Nats-Msg-Id": f"n{n}"}, timeout=2)
            os.write(acked, b"%d\\n" % n)
            return
        except (TimeoutError, nats.errors.Error):
            await asyncio.sleep(0.2)

async def main():
    nc = await nats.connect(url, max_reconnect_attempts=-1, reconnect_time_wait=0.2)
    js = nc.jetstream()
    for batch in list_batches(first):
        await asyncio.gather(*[publish(js, n) for n in batch])
        if batch[0] - first >= BACKLOG:
            await asyncio.sleep(0.2)

asyncio.run(main())
"""
)

# With what the documentation of NATS asks for: durable pull consumers, explicit acknowledgement after the work, ids
# against doubles, and a failure counted where it happens. `max_deliver` is left alone: it drops healthy events.
RAW_WORKER = f"""
import asyncio, os, sys
import nats
from nats.js import api, errors
url, space, wait_s = sys.argv[1], sys.argv[2], float(sys.argv[3])
sink = os.open(os.environ["SINK"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
buried = os.open(os.environ["BURIED"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)

async def main():
    nc = await nats.connect(url, max_reconnect_attempts=-1, reconnect_time_wait=0.2)
    js = nc.jetstream()

    async def relay(message):
        n = int(message.data)
        if n % {POISON} == 0:
            raise ValueError("poison")
        await js.publish(f"{{space}}.Out", message.data, headers={{"Nats-Msg-Id": f"out{{n}}"}}, timeout=2)

    async def write(message):
        os.write(sink, message.data + b" out" + message.data + b"\\n")

    async def consume(durable, subject, handle):
        while True:
            try:
                config = api.ConsumerConfig(ack_wait=wait_s, max_ack_pending=10_000)
                sub = await js.pull_subscribe(f"{{space}}.{{subject}}", durable=durable, stream=space, config=config)
                print("worker ready", file=sys.stderr, flush=True)
                break
            except (TimeoutError, nats.errors.Error):
                await asyncio.sleep(0.2)
        while True:
            try:
                messages = await sub.fetch(64, timeout=5)
            except (TimeoutError, nats.errors.Error):
                await asyncio.sleep(0.05)
                continue
            for message in messages:
                try:
                    await handle(message)
                    await message.ack()
                except ValueError:
                    if message.metadata.num_delivered > 1:
                        os.write(buried, message.data + b"\\n")
                        await message.term()
                    else:
                        await message.nak(0.05)
                except (TimeoutError, nats.errors.Error):
                    pass  # it comes again

    await asyncio.gather(consume("relay", "In", relay), consume("sink", "Out", write))

asyncio.run(main())
"""


def write_programs(folder: Path, environment: dict[str, str]) -> None:
    """Put both sides into a folder, and build ours."""
    (folder / "agents").mkdir()
    (folder / "agents" / "nodes.py").write_text(NODES)
    for name, text in (
        ("our_publisher", OUR_PUBLISHER),
        ("raw_publisher", RAW_PUBLISHER),
        ("raw_worker", RAW_WORKER),
    ):
        (folder / f"{name}.py").write_text(text)
    command = [*PYTHON, "build", "agents", "--output-dir", ".graphbus"]
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True, timeout=120)
