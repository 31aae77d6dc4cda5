"""The event stream with many listeners: does every live one get every event once and in order, and what does it cost?

A server on loopback in a process of its own runs a real project; its bus publishes `--events` events while `--clients`
listen, some of whom never read, and some of whom leave and come back with `?after=`.

    python benchmarks/stream.py [--clients 200] [--stalled 5] [--events 100000]
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory

TOKEN = "benchmark"
SEQ = re.compile(r'"seq":(\d+)')


def server(events: int, port: int, folder: str) -> None:
    """The served side: the API over examples/hello, and a thread that publishes through its bus when told to."""
    import uvicorn

    from graphbus_core.build import BuildConfig, build_project
    from graphbus_core.cli.examples import example
    from graphbus_core.http.app import create_app
    from graphbus_core.http.security import Guard
    from graphbus_core.http.stream import Stream
    from graphbus_core.services import Workspace

    build_project(BuildConfig(root_package=str(example("hello") / "agents"), output_dir=folder))
    stream = Stream()
    workspace = Workspace(Path(folder), observe=stream.publish)
    workspace.runtime.start("off")

    def publish() -> None:
        sys.stdin.readline()
        for i in range(events):
            workspace.runtime.publish("/bench", {"i": i}, "bench")
            if i % 500 == 499:
                time.sleep(0.005)  # as a busy program would: not one closed loop

    threading.Thread(target=publish, daemon=True).start()
    guard = Guard(create_app(workspace, stream), TOKEN, frozenset({f"127.0.0.1:{port}"}))
    uvicorn.run(guard, host="127.0.0.1", port=port, log_level="error", access_log=False)


class Listener:
    """One live client: follows the stream, leaves now and then, and counts what was wrong."""

    def __init__(self, port: int, restless: bool, seed: int) -> None:
        self.port, self.restless, self.rng = port, restless, random.Random(seed)
        self.last = 0
        self.received = self.gaps = self.wrong = self.breaks = 0

    async def run(self, until: int) -> None:
        from websockets.asyncio.client import connect
        from websockets.exceptions import ConnectionClosed

        while self.last < until:
            url = f"ws://127.0.0.1:{self.port}/events/stream?batch=1&after={self.last}"
            head = {"Authorization": f"Bearer {TOKEN}"}
            try:
                async with connect(url, max_size=None, compression=None, additional_headers=head) as ws:
                    await ws.recv()  # hello, which is not a message of the stream
                    leave_at = (
                        self.last + self.rng.randrange(until // 20 + 1, until // 3 + 2) if self.restless else until + 1
                    )
                    while self.last < min(until, leave_at):
                        self.take(await ws.recv())
                    self.breaks += self.last < until
            except (ConnectionClosed, OSError):
                self.breaks += 1

    def take(self, frame: str | bytes) -> None:
        text = frame if isinstance(frame, str) else frame.decode()
        self.gaps += text.count('"kind":"gap"')
        for found in SEQ.findall(text):
            seq = int(found)
            self.wrong += seq != self.last + 1
            self.last = seq
            self.received += 1


async def stall(port: int) -> socket.socket:
    """A client that opens the stream and never reads."""
    raw = socket.create_connection(("127.0.0.1", port))
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    lines = (
        "GET /events/stream?after=0 HTTP/1.1",
        f"Authorization: Bearer {TOKEN}",
        f"Host: 127.0.0.1:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Version: 13",
        "",
        "",
    )
    raw.sendall("\r\n".join(lines).encode())
    return raw


async def main(clients: int, stalled: int, events: int, port: int, child: subprocess.Popen[bytes]) -> int:
    sockets = [await stall(port) for _ in range(stalled)]
    live = [Listener(port, i % 10 == 0, i) for i in range(clients - stalled)]
    until = events + 1  # the start of the runtime is a message too
    tasks = [asyncio.create_task(one.run(until)) for one in live]
    await asyncio.sleep(1.5)
    before = memory_mb(child.pid)
    assert child.stdin is not None
    child.stdin.write(b"\n")
    child.stdin.flush()
    start = time.perf_counter()
    await asyncio.wait_for(asyncio.gather(*tasks), 600)
    took = time.perf_counter() - start
    after = memory_mb(child.pid, peak=True)
    for raw in sockets:
        raw.close()
    wrong = sum(one.wrong for one in live) + sum(one.received != until for one in live)
    gaps = sum(one.gaps for one in live)
    total = sum(one.received for one in live)
    rows = [
        ("clients, of them stalled", f"{clients}, {stalled}", "", True),
        ("events", f"{events:,}", "", True),
        ("messages received", f"{total:,} in {took:.1f} s = {total / took:,.0f}/s", "", True),
        ("reconnects with ?after=", f"{sum(one.breaks for one in live)}", "> 0", any(one.breaks for one in live)),
        ("lost, doubled or out of order", f"{wrong}", "0", wrong == 0),
        ("gaps among live clients", f"{gaps}", "0", gaps == 0),
        ("server memory before, peak", f"{before:.0f} MB, {after:.0f} MB", "≤ 400 MB", after <= 400),
    ]
    for what, measured, goal, fine in rows:
        print(f"{what:<32} {measured:<46} {goal:<10} {'ok' if fine else 'SHORT'}")
    return 0 if all(row[3] for row in rows) else 1


def memory_mb(pid: int, peak: bool = False) -> float:
    name = "VmHWM" if peak else "VmRSS"
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--clients", type=int, default=200)
    parser.add_argument("--stalled", type=int, default=5)
    parser.add_argument("--events", type=int, default=100_000)
    parser.add_argument("--server", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.server:
        server(given.events, int(given.server[0]), given.server[1])
        sys.exit(0)
    with TemporaryDirectory() as folder:
        port = free_port()
        command = [sys.executable, __file__, "--events", str(given.events), "--server", str(port), folder]
        child = subprocess.Popen(command, stdin=subprocess.PIPE)
        try:
            for _ in range(200):
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except OSError:
                    time.sleep(0.1)
            sys.exit(asyncio.run(main(given.clients, given.stalled, given.events, port, child)))
        finally:
            child.kill()
