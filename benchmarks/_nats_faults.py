"""Over a thousand faults with deep backlogs: what is lost, stuck, buried, out of order; ours beside nats-py by hand.

Each run has a server, a network that can be cut, two workers and a publisher of its own, and a seed. Everything that is
random follows from the seed; what the machine does with it does not. A run ends when all that was confirmed to a
publisher has an outcome, or when nothing has moved for ten acknowledgement waits.

    lost      confirmed to the publisher, handled by nobody, and no longer in the server's store
    stuck     the same, and still in its store: no consumer gives it out
    buried    healthy, and among the dead letters
    twice     handled under two ids
    overtaken seen by a handler with a key after a later one of its key
    state     a node that keeps a sum, and runs in one process at a time, has another sum than its events
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks._nats_clock import JumpingClock
from benchmarks._nats_fault_sides import KEYED, POISON, PYTHON, SPACE, TICK, write_programs
from benchmarks._nats_proxy import Proxy
from graphbus_core.runtime.transports.nats.connection import BusSettings
from graphbus_core.runtime.transports.nats.dead_letters import BusDeadLetters
from tests.runtime.nats_server import BINARY, NatsServer

ACK_WAIT_S = 2.0
STILL_WAITS = 10  # nothing moved for so many: what is left is stuck or lost
BEGIN_S, SETTLE_S = 120.0, 240.0  # against a hang only
FAULTS_A_RUN = 40
FILLER = "Filler"  # the topic that fills the store
ALARM_WAITS = 3  # the bound within which a loss must have been told
READY = b" ready"  # in the log of a worker that works
ALARM = " ERROR alarm: "  # in the log of a worker
FIRST_STEP = 1_000_000  # numbers that each publisher has


@dataclass
class RunResult:
    """What one run found."""

    seed: int
    side: str
    faults: Counter[str] = field(default_factory=Counter)
    confirmed: int = 0
    handled: int = 0
    poison: int = 0
    lost: int = 0
    stuck: int = 0
    buried: int = 0  # healthy ones
    poison_missing: int = 0  # poison that is in no dead letter
    twice: int = 0
    again: int = 0  # handled more than once under their own id: at least once, as promised
    state_wrong: int = 0
    inversions: int = 0  # events of the node with state that came after a later one
    keyed: int = 0  # events of the handler with a key
    overtaken: int = 0  # of those: they came after a later one of their key
    alarms: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    silent: int = 0  # lost or stuck, and no alarm within the bound
    unnamed: int = 0  # lost or stuck, beyond the events that alarms name
    took_s: float = 0.0
    problem: str = ""

    @property
    def is_clean(self) -> bool:
        """Whether every promise held."""
        broken = (self.lost, self.stuck, self.buried, self.poison_missing, self.twice, self.state_wrong, self.overtaken)
        return not any(broken) and not self.problem


class Scene:
    """One run: what is there, and what is done to it."""

    def __init__(self, folder: Path, side: str, seed: int, binary: str, backlog: int) -> None:
        self._folder, self._side, self._backlog = folder, side, backlog
        self.rng = random.Random(seed)
        self.sink, self.acked, self._buried = folder / "sink", folder / "acked", folder / "buried"
        self.order, self.keyed = folder / "order", folder / "keyed"
        self.log: list[tuple[float, str]] = []
        self.faults: Counter[str] = Counter()
        self.last_fault = self.ready_at = 0.0
        self._first = 1  # each publisher counts from a number of its own: none publishes another's again
        self._clocks: dict[int, JumpingClock] = {}
        self._ready: dict[int, float] = {}  # by process: when it began to work
        self._timers: list[threading.Timer] = []
        self._workers: list[subprocess.Popen[bytes] | None] = [None, None]
        self._publisher: subprocess.Popen[bytes] | None = None
        self.server = NatsServer(folder / "server", binary=binary)
        self._proxy = Proxy(self.server.port)
        self.url = f"nats://127.0.0.1:{self._proxy.port}/{SPACE}"
        if side == "raw":
            asyncio.run(_prepare_raw(self.server))

    # Processes

    def _start(self, command: list[str]) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            command,
            cwd=self._folder,
            env=build_environment(self._folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        threading.Thread(target=self._read_log, args=(process,), daemon=True).start()
        return process

    def _read_log(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stderr is not None
        for line in process.stderr:
            if READY in line:
                self._ready[process.pid] = time.monotonic()
            self.log.append((time.monotonic(), line.decode(errors="replace").rstrip()))

    def _start_worker(self) -> subprocess.Popen[bytes]:
        if self._side == "raw":
            script = str(self._folder / "raw_worker.py")
            return self._start([sys.executable, script, self.url.rpartition("/")[0], SPACE, str(ACK_WAIT_S)])
        return self._start(
            [*PYTHON, "run", str(self._folder / ".graphbus"), "--bus", self.url, "--wait", "--json", "-v"]
        )

    def _start_publisher(self, backlog: int) -> subprocess.Popen[bytes]:
        name, to = "our_publisher.py", [self.url, str(self._folder / ".graphbus")]
        if self._side == "raw":
            name, to = "raw_publisher.py", [self.url.rpartition("/")[0], SPACE]
        script = str(self._folder / name)
        return self._start([sys.executable, script, *to, str(self._first), str(self.acked), str(backlog)])

    def begin(self) -> None:
        """A backlog that nobody handles yet, then the workers."""
        self._publisher = self._start_publisher(self._backlog)
        end = time.monotonic() + BEGIN_S
        while self._count_acked() < self._backlog:
            assert time.monotonic() < end, f"no backlog within {BEGIN_S:g} s: {self._tail()}"
            assert self._publisher.poll() is None, f"the publisher ended: {self._tail()}"
            time.sleep(0.05)
        self._start_what_ended()

    def _tail(self) -> str:
        return " | ".join(line for _, line in self.log[-5:])

    def _count_acked(self) -> int:
        return self.acked.read_bytes().count(b"\n") if self.acked.exists() else 0

    def _start_what_ended(self) -> None:
        for place, worker in enumerate(self._workers):
            if worker is None or worker.poll() is not None:
                self._workers[place] = self._start_worker()
        if self._publisher is None or self._publisher.poll() is not None:
            self._first += FIRST_STEP
            self._publisher = self._start_publisher(300)

    # Faults

    def do_fault(self) -> None:
        """One of them, at a random instant."""
        time.sleep(self.rng.uniform(0.02, 0.7))
        name = self.rng.choices(list(_FAULTS), weights=[weight for weight, _ in _FAULTS.values()])[0]
        _FAULTS[name][1](self)
        self.faults[name] += 1
        self.last_fault = time.monotonic()
        self._start_what_ended()

    def kill_worker(self) -> None:
        """kill -9."""
        _kill(self._workers[self.rng.randrange(2)])

    def kill_workers(self) -> None:
        """Both at once."""
        for worker in self._workers:
            _kill(worker)

    def kill_publisher(self) -> None:
        """kill -9."""
        _kill(self._publisher)

    def kill_server(self) -> None:
        """kill -9, and the same store a little later."""
        self.server.kill()
        time.sleep(self.rng.choice((0.0, 0.1, 0.5, 2.5)))
        self.server.start()

    def kill_all(self) -> None:
        """The machine goes down: server, workers and publisher."""
        self.server.kill()
        self.kill_workers()
        _kill(self._publisher)
        self.server.start()

    def storm_restarts(self) -> None:
        """The server is killed again and again, also while it recovers."""
        for _ in range(self.rng.randrange(3, 7)):
            self.server.kill()
            self.server.start(wait=False)
            time.sleep(self.rng.uniform(0.01, 0.4))
        self.server.kill()
        self.server.start()

    def stop_worker(self) -> None:
        """SIGSTOP for longer than the server waits; the others go on, and so do the faults."""
        self._stop_for(self._workers[self.rng.randrange(2)], self.rng.uniform(1.1, 2.5) * ACK_WAIT_S)

    def stop_server(self) -> None:
        """SIGSTOP: connections stay, and nobody answers."""
        self._signal(self.server.pid, signal.SIGSTOP)
        time.sleep(self.rng.uniform(0.2, 3.0))
        self._signal(self.server.pid, signal.SIGCONT)

    def cut_network(self) -> None:
        """Every connection breaks."""
        self._proxy.cut(self.rng.uniform(0.05, 0.8))

    def swallow_network(self) -> None:
        """Connections stay, and what is sent comes late or, after a cut, never."""
        self._proxy.hold(self.rng.uniform(0.3, 2.5), loses=self.rng.random() < 0.5)

    def fill_store(self) -> None:
        """The store takes nothing for a while."""
        asyncio.run(_fill_store(self.server, self.rng.uniform(0.1, 0.8)))

    def jump_clock(self) -> None:
        """The wall clock of the server, a worker or the publisher jumps, to and fro."""
        victims = [self.server.pid, *(one.pid for one in (*self._workers, self._publisher) if one is not None)]
        pid = self.rng.choice([victims[0], self.rng.choice(victims)])
        clock = self._clocks.get(pid) or JumpingClock(pid)
        self._clocks[pid] = clock
        if not clock.is_possible:
            self.faults["clock (not possible here)"] += 1
            self.faults["clock"] -= 1
        clock.jump(self.rng.choice((-86_400, -3_600, -30, -3, 3, 30, 3_600, 86_400)))

    def _stop_for(self, process: subprocess.Popen[bytes] | None, seconds: float) -> None:
        if process is not None and process.poll() is None:
            self._signal(process.pid, signal.SIGSTOP)
            timer = threading.Timer(seconds, self._continue, [process])
            timer.start()
            self._timers.append(timer)

    def _continue(self, process: subprocess.Popen[bytes]) -> None:
        self.last_fault = time.monotonic()
        if process.poll() is None:
            self._signal(process.pid, signal.SIGCONT)

    @staticmethod
    def _signal(pid: int, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)

    # The end

    def end_faults(self) -> None:
        """Publish no more, and let everything go on that stands still."""
        for timer in self._timers:
            timer.join()
        _kill(self._publisher)
        self._start_what_ended_of_workers()
        self.last_fault = time.monotonic()

    def _start_what_ended_of_workers(self) -> None:
        for place, worker in enumerate(self._workers):
            if worker is None or worker.poll() is not None:
                self._workers[place] = self._start_worker()

    def read_confirmed(self) -> set[int]:
        """What a publisher was told to be stored. The last line may be torn by a kill."""
        lines = self.acked.read_bytes().split(b"\n")[:-1]
        return {int(line) for line in lines}

    def read_handled(self) -> tuple[dict[int, set[str]], int]:
        """The ids under which each event reached the last handler, and how often any did."""
        ids: dict[int, set[str]] = {}
        lines = self.sink.read_bytes().split(b"\n")[:-1] if self.sink.exists() else []
        for line in lines:
            n, _, event_id = line.decode().partition(" ")
            ids.setdefault(int(n), set()).add(event_id)
        return ids, len(lines)

    def read_buried(self) -> list[int]:
        """What is among the dead letters."""
        if self._side == "raw":
            lines = self._buried.read_bytes().split(b"\n")[:-1] if self._buried.exists() else []
            return [int(line) for line in lines]
        letters = BusDeadLetters(BusSettings(self.server.url(SPACE), allow_server=True)).list_all()
        return [letter.event["payload"]["n"] for letter in letters]

    def wait_until_settled(self) -> None:
        """Until everything confirmed has an outcome, or nothing moves any more."""
        confirmed = self.read_confirmed()
        poison = {n for n in confirmed if n % POISON == 0}
        end = time.monotonic() + SETTLE_S
        self._wait_until_ready()
        moved_at, before = time.monotonic(), (-1, -1, -1)
        while time.monotonic() < end:
            handled, lines = self.read_handled()
            buried, left = self.read_buried(), asyncio.run(_count_stored(self.server))
            # Nothing in the store: consequences that nobody was confirmed, and the node with state, are through too.
            if not confirmed - poison - handled.keys() and not poison - set(buried) and not left:
                return
            if (now := (lines, len(buried), left)) != before:
                before, moved_at = now, time.monotonic()
            if time.monotonic() - moved_at > STILL_WAITS * ACK_WAIT_S:
                return
            self._start_what_ended_of_workers()
            time.sleep(0.5)

    def _wait_until_ready(self) -> None:
        """Nothing can move before a worker works; on a busy machine it needs its time to start."""
        end = time.monotonic() + BEGIN_S
        while any(worker is None or worker.pid not in self._ready for worker in self._workers):
            assert time.monotonic() < end, f"no worker within {BEGIN_S:g} s: {self._tail()}"
            self._start_what_ended_of_workers()
            time.sleep(0.1)
        self.ready_at = max(self._ready[worker.pid] for worker in self._workers if worker is not None)

    def close(self) -> None:
        """End every process."""
        for timer in self._timers:
            timer.cancel()
        for process in (*self._workers, self._publisher):
            if process is not None:
                self._signal(process.pid, signal.SIGCONT)
                _kill(process)
        self._proxy.close()
        self.server.close()


_FAULTS: dict[str, tuple[int, Callable[[Scene], None]]] = {
    "kill worker": (5, Scene.kill_worker),
    "kill both workers": (1, Scene.kill_workers),
    "kill publisher": (3, Scene.kill_publisher),
    "kill server": (5, Scene.kill_server),
    "kill all": (1, Scene.kill_all),
    "restart storm": (1, Scene.storm_restarts),
    "stop worker": (3, Scene.stop_worker),
    "stop server": (1, Scene.stop_server),
    "cut": (4, Scene.cut_network),
    "swallow": (2, Scene.swallow_network),
    "full store": (2, Scene.fill_store),
    "clock": (2, Scene.jump_clock),
}


def build_environment(folder: Path) -> dict[str, str]:
    """Of every process of a run."""
    own = {
        "SINK": str(folder / "sink"),
        "ORDER": str(folder / "order"),
        "KEYED": str(folder / "keyed"),
        "BURIED": str(folder / "buried"),
        "PYTHONPATH": str(Path(__file__).parents[1]),
        "PYTHONUNBUFFERED": "1",
        "GRAPHBUS_NATS_ACK_WAIT_S": str(ACK_WAIT_S),
        "GRAPHBUS_NATS_LEASE_S": "3",
        "GRAPHBUS_NATS_ALLOW_SERVER": "1",
        "XDG_STATE_HOME": str(folder / "state"),  # the disk of this machine: no fault takes it away
    }
    return {**os.environ, **own}


def _kill(process: subprocess.Popen[bytes] | None) -> None:
    if process is not None:
        process.kill()
        process.wait(30)


async def _prepare_raw(server: NatsServer) -> None:
    """The stream and the consumers of the side by hand, as ours has them."""
    import nats
    from nats.js import api

    connection = await nats.connect(f"nats://127.0.0.1:{server.port}")
    js = connection.jetstream(timeout=10)
    config = {"retention": api.RetentionPolicy.INTEREST, "discard": api.DiscardPolicy.NEW, "duplicate_window": 120}
    await js.add_stream(name=SPACE, subjects=[f"{SPACE}.>"], **config)
    for durable, subject in (("relay", "In"), ("sink", "Out")):
        settings = api.ConsumerConfig(
            durable_name=durable,
            filter_subject=f"{SPACE}.{subject}",
            ack_policy=api.AckPolicy.EXPLICIT,
            ack_wait=ACK_WAIT_S,
            max_ack_pending=10_000,
        )
        await js.add_consumer(SPACE, settings)
    await connection.close()


async def _fill_store(server: NatsServer, seconds: float) -> None:
    """The stream has a bound for a while, and something else fills it up."""
    import nats
    from nats.js import api, errors

    connection = await nats.connect(f"nats://127.0.0.1:{server.port}")
    js = connection.jetstream(timeout=10)
    prefix = f"{SPACE}.e.0" if await _has_subject(js, f"{SPACE}.e.>") else SPACE
    subject = f"{prefix}.{FILLER}"
    try:
        filler = api.ConsumerConfig(durable_name="filler", filter_subject=subject, ack_policy=api.AckPolicy.EXPLICIT)
        await js.add_consumer(SPACE, filler)
        info = await js.stream_info(SPACE)
        info.config.max_msgs = info.state.messages + 500  # never below what is there: lowering a bound forgets
        await js.update_stream(info.config)
        with contextlib.suppress(errors.APIError):
            while True:
                await js.publish(subject, b"filler")
        await asyncio.sleep(seconds)
        await js.purge_stream(SPACE, subject=subject)
        info.config.max_msgs = -1
        await js.update_stream(info.config)
        await js.delete_consumer(SPACE, "filler")
    finally:
        await connection.close()


async def _has_subject(js: Any, subject: str) -> bool:
    return subject in (await js.stream_info(SPACE)).config.subjects


async def _count_stored(server: NatsServer) -> int:
    import nats

    connection = await nats.connect(f"nats://127.0.0.1:{server.port}")
    try:
        return int((await connection.jetstream(timeout=10).stream_info(SPACE)).state.messages)
    finally:
        await connection.close()


async def _read_stored(server: NatsServer) -> dict[str, set[int]]:
    """What the store still holds, by the last word of its subject."""
    import nats
    from nats.js import errors

    stored: dict[str, set[int]] = {}
    connection = await nats.connect(f"nats://127.0.0.1:{server.port}")
    js = connection.jetstream(timeout=10)
    try:
        state = (await js.stream_info(SPACE)).state
        for seq in range(state.first_seq, state.last_seq + 1) if state.messages else ():
            with contextlib.suppress(errors.NotFoundError, errors.APIError):
                message = await js.get_msg(SPACE, seq)
                where = str(message.subject).rpartition(".")[2]
                if where != FILLER:
                    data = json.loads(message.data or b"0")
                    n = data["payload"]["n"] if isinstance(data, dict) else int(data)
                    stored.setdefault(where, set()).add(n)
    finally:
        await connection.close()
    return stored


async def _read_ledger(server: NatsServer) -> dict[str, int]:
    """The state of the node that runs in one process, as it is stored."""
    import nats

    connection = await nats.connect(f"nats://127.0.0.1:{server.port}")
    try:
        bucket = await connection.jetstream(timeout=10).key_value(f"{SPACE}-nodes")
        for key in await bucket.keys():
            if key.startswith("state.") and key.endswith("Ledger"):
                state: dict[str, int] = json.loads((await bucket.get(key)).value)["state"]
                return state
    finally:
        await connection.close()
    return {"count": 0, "sum": 0}


def run_scene(side: str, seed: int, binary: str, faults: int, backlog: int, keep: str = "") -> RunResult:
    """One run from its seed. Never raises: what went wrong with the run itself is its `problem`."""
    folder = Path(tempfile.mkdtemp(prefix="nats-faults-"))
    result, began = RunResult(seed, side), time.monotonic()
    scene = None
    try:
        (folder / "server").mkdir()
        write_programs(folder, build_environment(folder))
        scene = Scene(folder, side, seed, binary, backlog)
        scene.begin()
        for _ in range(faults):
            scene.do_fault()
        scene.end_faults()
        scene.wait_until_settled()
        _judge(scene, result)
    except Exception as error:
        result.problem = f"{type(error).__name__}: {error}"
    finally:
        if scene is not None:
            result.faults = scene.faults
            scene.close()
            if keep:
                Path(keep).mkdir(parents=True, exist_ok=True)
                lines = (f"{at - began:8.2f} {line}\n" for at, line in scene.log)
                (Path(keep) / f"{side}-{seed}.log").write_text("".join(lines))
        shutil.rmtree(folder, ignore_errors=True)
    result.took_s = time.monotonic() - began
    return result


def _judge(scene: Scene, result: RunResult) -> None:
    stored = asyncio.run(_read_stored(scene.server))  # first: what is handled meanwhile is not missing
    confirmed = scene.read_confirmed()
    poison = {n for n in confirmed if n % POISON == 0}
    handled, lines = scene.read_handled()
    buried = scene.read_buried()
    missing = confirmed - poison - handled.keys()
    anywhere = {n for some in stored.values() for n in some}
    result.confirmed, result.handled, result.poison = len(confirmed), len(handled), len(poison)
    result.lost, result.stuck = len(missing - anywhere - set(buried)), len(missing & anywhere)
    result.buried = sum(n % POISON != 0 for n in buried)
    result.poison_missing = len(poison - set(buried))
    result.twice = sum(len(ids) > 1 for ids in handled.values())
    result.again = lines - len(handled)
    if result.side == "ours":
        ticks = [n for n in handled if n % TICK == 0 and n % FIRST_STEP < KEYED]
        ledger = asyncio.run(_read_ledger(scene.server))
        if ledger != {"count": len(ticks), "sum": sum(ticks)}:
            result.state_wrong = abs(ledger["count"] - len(ticks)) or 1
            result.notes.append(f"the sum has {ledger}, its events {len(ticks)} and {sum(ticks)}")
        result.inversions = _count_inversions(scene.order)
        result.keyed = sum(n % FIRST_STEP >= KEYED for n in handled)
        result.overtaken = _count_overtaken(scene.keyed)
    bound = max(scene.last_fault, scene.ready_at) + ALARM_WAITS * ACK_WAIT_S
    alarms = [(at, line) for at, line in scene.log if ALARM in line]
    result.alarms = [line for _, line in alarms]
    if (result.lost or result.stuck or result.poison_missing) and not any(at <= bound for at, _ in alarms):
        result.silent = result.lost + result.stuck + result.poison_missing
    named = sum(int(number) for at, line in alarms if at <= bound for number in re.findall(r"(\d+) events", line))
    result.unnamed = max(result.lost + result.stuck + result.poison_missing - named, 0)


def _count_inversions(file: Path) -> int:
    """Events of one publisher that the node saw for the first time after a later one."""
    seen: set[int] = set()
    highest: dict[int, int] = {}
    count = 0
    for line in file.read_bytes().split(b"\n")[:-1] if file.exists() else ():
        n = int(line)
        if n in seen:
            continue
        seen.add(n)
        publisher = n // FIRST_STEP
        count += n < highest.get(publisher, 0)
        highest[publisher] = max(highest.get(publisher, 0), n)
    return count


def _count_overtaken(file: Path) -> int:
    """Events that a handler with a key saw for the first time after a later one of the same key and publisher."""
    seen: set[int] = set()
    highest: dict[tuple[int, int], int] = {}
    count = 0
    for line in file.read_bytes().split(b"\n")[:-1] if file.exists() else ():
        key, n = map(int, line.split())
        if n in seen:
            continue
        seen.add(n)
        whose = key, n // FIRST_STEP
        count += n < highest.get(whose, 0)
        highest[whose] = max(highest.get(whose, 0), n)
    return count


_COLUMNS = (
    *("confirmed", "lost", "stuck", "buried", "poison_missing", "twice", "state_wrong", "again", "inversions"),
    *("keyed", "overtaken"),
    *("silent", "unnamed"),
)


def faults(given: argparse.Namespace) -> bool:
    """So many faults on each side, in runs of `FAULTS_A_RUN`; one table. Whether ours kept every promise."""
    binary = given.server or BINARY
    assert binary is not None
    version = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    runs = max(1, round(given.faults / given.faults_a_run))
    sides = ("ours", "raw") if given.side == "both" else (given.side,)
    jobs = [(side, given.seed + number) for number in range(runs) for side in sides]
    print(f"\n{version}; {runs} runs of {given.faults_a_run} faults for {' and '.join(sides)}, acknowledgement wait")
    print(
        f"{ACK_WAIT_S:g} s, a backlog of {given.backlog} events before the first worker; seeds from {given.seed}",
        flush=True,
    )
    results: list[RunResult] = []
    with ProcessPoolExecutor(given.jobs) as pool:
        pending = [
            pool.submit(run_scene, side, seed, binary, given.faults_a_run, given.backlog, given.keep)
            for side, seed in jobs
        ]
        for future in as_completed(pending):
            results.append(result := future.result())
            found = [f"{name} {getattr(result, name)}" for name in _COLUMNS if getattr(result, name)]
            found += [f"{len(result.alarms)} alarms"] if result.alarms else []
            what = ", ".join(filter(None, [*found, *result.notes, result.problem]))
            print(f"  {result.side} seed {result.seed}: {what} ({result.took_s:.0f} s)", flush=True)
    return _print_table(results, sides)


def _print_table(results: list[RunResult], sides: tuple[str, ...]) -> bool:
    kinds = sum((result.faults for result in results if result.side == sides[0]), Counter[str]())
    print(f"\n{sum(kinds.values())} faults on each side: " + ", ".join(f"{n} {kind}" for kind, n in kinds.items()))
    heads = "".join(f"{name:>15}" for name in (*_COLUMNS, "alarms"))
    print(f"{'side':<6}{'faults':>7}{'clean runs':>12}{heads}")
    for side in sides:
        mine = [result for result in results if result.side == side]
        clean = f"{sum(result.is_clean for result in mine)}/{len(mine)}"
        sums = "".join(f"{sum(getattr(result, name) for result in mine):>15}" for name in _COLUMNS)
        count = sum(sum(result.faults.values()) for result in mine)
        print(f"{side:<6}{count:>7}{clean:>12}{sums}{sum(len(result.alarms) for result in mine):>15}")
    ours = [result for result in results if result.side == "ours"]
    for result in ours:
        for alarm in result.alarms[:3] if not result.is_clean else ():
            print(f"  seed {result.seed}: {alarm[:200]}")
    return all(result.is_clean for result in ours)
