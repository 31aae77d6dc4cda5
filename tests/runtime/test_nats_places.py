"""Nodes that run in one place, over NATS: whose copy is asked, what is stored, and a holder that stands still."""

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import time

import pytest

from graphbus_core.cli.main import main
from graphbus_core.errors import DeadlineExceeded, TransportDown, UnknownNode
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.runtime.transports.nats.connection import BusSettings
from graphbus_core.runtime.transports.nats.dead_letters import BusDeadLetters
from graphbus_core.runtime.transports.port import create_transport
from tests import forking
from tests.runtime.bounded import ended, line
from tests.runtime.nats_server import NatsServer, needs_nats

_numbers = itertools.count(1)
SOURCE = """
import os

from graphbus_core import GraphBusNode, schema_method, subscribe


class Counter(GraphBusNode):
    def __init__(self, bus=None, memory=None):
        super().__init__(bus, memory)
        self.count = 0

    @subscribe("/Add")
    def on_add(self, payload):
        self.count += payload["n"]

    @schema_method(input_schema={"n": int}, output_schema={"count": int, "pid": int})
    def add(self, n):
        self.count += n
        return {"count": self.count, "pid": os.getpid()}

    def get_state(self):
        return {"count": self.count}

    def set_state(self, state):
        self.count = state["count"]


class Session(GraphBusNode):
    def __init__(self, bus=None, memory=None):
        super().__init__(bus, memory)
        self.calls = []

    @schema_method(input_schema={"n": int}, output_schema={"calls": int})
    async def note(self, n):
        self.calls.append(n)
        if "NOTES" in os.environ:
            with open(os.environ["NOTES"], "a") as notes:
                notes.write(f"{os.getpid()} {n}\\n")
        return {"calls": len(self.calls)}


class Remembers(GraphBusNode):
    @schema_method(input_schema={}, output_schema={"seen": int})
    def see(self):
        self.memory.state["seen"] = self.memory.state.get("seen", 0) + 1
        return {"seen": self.memory.state["seen"]}


class Asks(GraphBusNode):
    @schema_method(input_schema={"n": int}, output_schema={"count": int})
    def through(self, n):
        return {"count": self.call("Counter", "add", n=n)["count"]}
"""


@pytest.fixture(scope="module")
def server():
    if needs_nats.args[0]:
        yield None
    else:
        with NatsServer() as one:
            yield one


@pytest.fixture(scope="module")
def artifacts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("places")
    (folder / "agents").mkdir()
    (folder / "agents" / "nodes.py").write_text(SOURCE)
    assert main(["build", str(folder / "agents"), "--output-dir", str(folder / ".graphbus")]) == 0
    return folder / ".graphbus"


@pytest.fixture
def url(server):
    return server.url(f"p{next(_numbers)}")


def whole(url, artifacts, nodes=None):
    return RuntimeExecutor(str(artifacts), nodes=nodes, transport=create_transport(url, artifacts))


@needs_nats
def test_every_process_asks_the_copy_that_counts(url, artifacts):
    """Two processes run all nodes. Calls from both, plain and awaited, and through another node, go to one copy."""
    with whole(url, artifacts) as one, whole(url, artifacts) as two:
        made = [side.call_method("Counter", "add", n=1)["count"] for _ in range(5) for side in (one, two)]
        made += [side.call_method("Asks", "through", n=1)["count"] for side in (two, one)]
        made += [side.bus.home.wait_for(side.acall_method("Counter", "add", n=1), 60)["count"] for side in (one, two)]
        assert made == list(range(1, 15))
        assert sorted(side.nodes["Counter"].count for side in (one, two)) == [0, 14]
        noted = [
            side.bus.home.wait_for(side.acall_method("Session", "note", n=n), 60)["calls"]
            for n in range(3)
            for side in (one, two)
        ]
        assert noted == [1, 2, 3, 4, 5, 6]


@needs_nats
def test_what_a_call_changed_is_stored_when_it_returns(url, artifacts):
    """Called by its own process, which then disappears without a word: the next holder goes on from there."""
    one = whole(url, artifacts)
    one.start()
    place = one.transport._places["Counter"]
    _until(lambda: place.is_certain)
    assert one.call_method("Counter", "add", n=5)["count"] == 5
    one.bus.home.wait_for(_as_killed(one.transport), 30)
    os.environ["GRAPHBUS_NATS_LEASE_S"] = "1"
    try:
        with whole(url, artifacts, ["Counter"]) as two:
            _until(lambda: two.transport._places["Counter"].held)
            assert two.nodes["Counter"].count == 5
    finally:
        del os.environ["GRAPHBUS_NATS_LEASE_S"]
        one.stop()


async def _as_killed(transport):
    """Nothing is said, given up or renewed any more."""
    for place in transport._places.values():
        place._task.cancel()
        place.held = False
    await transport._connection.close()


def _until(true, bound_s=60.0):
    end = time.monotonic() + bound_s
    while not true():
        assert time.monotonic() < end, "it did not come true"
        time.sleep(0.02)


@contextlib.contextmanager
def running(url, artifacts, *nodes):
    """A whole `graphbus run` of these nodes, given when it is ready."""
    command = [sys.executable, "-m", "graphbus_core.cli.main", "run", str(artifacts), "--bus", url]
    process = forking.Popen(
        [*command, "--nodes", ",".join(nodes), "--wait", "--json"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "GRAPHBUS_NATS_LEASE_S": "2", "GRAPHBUS_NATS_ACK_WAIT_S": "2"},
    )
    try:
        assert "ready" in line(process)
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGCONT)
        ended(process)


@needs_nats
@pytest.mark.timeout(400)
def test_a_holder_that_stood_still_changes_nothing_when_it_wakes(url, artifacts, monkeypatch):
    """SIGSTOP to the holder: the other process takes over with its count. SIGCONT: it answers nothing, and counts
    nothing, of what came for it meanwhile. The numbers go on without a gap and without a double.
    """
    monkeypatch.setenv("GRAPHBUS_NATS_LEASE_S", "2")
    with (
        running(url, artifacts, "Counter") as one,
        running(url, artifacts, "Counter") as two,
        whole(url, artifacts, ["Asks"]) as asks,
    ):

        def add(n, bound_s=120.0):
            """Ask until somebody answers: a call that is under way when the holder stops has no answer."""
            end = time.monotonic() + bound_s
            while True:
                try:
                    return asks.request("Counter", "add", {"n": n}, timeout_s=3.0)
                except (DeadlineExceeded, TransportDown, UnknownNode):
                    assert time.monotonic() < end, "nobody answers"

        counts = [add(1) for _ in range(5)]
        assert [row["count"] for row in counts] == [1, 2, 3, 4, 5]
        holders = {one.pid: one, two.pid: two}
        old = holders.pop(counts[-1]["pid"])
        (new,) = holders.values()
        old.send_signal(signal.SIGSTOP)
        asks.publish("/Add", {"n": 100})  # perhaps already on its way to the one that sleeps
        # What is asked while it sleeps, and nobody else has taken over, may be lost: it adds nothing to tell.
        _until(lambda: add(0)["pid"] == new.pid, 120)
        _until(lambda: add(0)["count"] == 105, 120)
        old.send_signal(signal.SIGCONT)
        after = [add(1) for _ in range(20)]
        assert [row["count"] for row in after] == list(range(106, 126))
        assert {row["pid"] for row in after} == {new.pid}
        time.sleep(2.5)  # what the old one had in its hands is over by now
        assert add(0) == {"count": 125, "pid": new.pid}


@needs_nats
@pytest.mark.timeout(400)
def test_a_holder_without_a_stored_state_does_nothing_late(url, artifacts, monkeypatch, tmp_path):
    """Nothing that it would write could be refused. So it asks its clock: of what came for it while it stood still, and
    was answered by the next holder, it does nothing when it wakes. Each call leaves one line in a file, of one process.
    """
    notes = tmp_path / "notes"
    notes.touch()
    monkeypatch.setenv("NOTES", str(notes))
    monkeypatch.setenv("GRAPHBUS_NATS_LEASE_S", "2")
    with (
        running(url, artifacts, "Session") as one,
        running(url, artifacts, "Session") as two,
        whole(url, artifacts, ["Asks"]) as asks,
    ):

        def written():
            return [tuple(map(int, line.split())) for line in notes.read_text().splitlines()]

        def note(n):
            try:
                return asks.request("Session", "note", {"n": n}, timeout_s=3.0)
            except (DeadlineExceeded, TransportDown, UnknownNode):
                return None

        numbers = itertools.count(1)
        _until(lambda: note(next(numbers)), 120)
        old, new = (one, two) if written()[-1][0] == one.pid else (two, one)
        old.send_signal(signal.SIGSTOP)
        _until(lambda: note(next(numbers)), 120)  # the other one answers
        # On a busy machine a call may take longer than its three seconds: what counts is what was answered.
        answered = [n for n in itertools.islice(numbers, 40) if note(n)][:20]
        assert len(answered) == 20
        old.send_signal(signal.SIGCONT)
        more = [next(numbers) for _ in range(20)]
        assert all(note(n) for n in more)
        time.sleep(2.5)  # longer than the lease: the old one knows by now
        assert [pid for pid, n in written() if n in {*answered, *more}] == [new.pid] * 40


@needs_nats
def test_what_a_node_notes_in_its_memory_moves_with_it(url, artifacts):
    """Without a `get_state`, too: one process after the other goes on from there."""
    seen = []
    for _ in range(3):
        with whole(url, artifacts) as one:
            seen += [one.call_method("Remembers", "see")["seen"] for _ in range(2)]
    assert seen == [1, 2, 3, 4, 5, 6]


def test_a_lease_may_be_set(monkeypatch):
    """By the environment, as the other bounds."""
    monkeypatch.setenv("GRAPHBUS_NATS_LEASE_S", "1.5")
    assert BusSettings.from_environment("nats://h").lease_s == 1.5


@needs_nats
def test_a_build_beside_has_holders_states_and_letters_of_its_own(url, artifacts, tmp_path):
    """It does not wait for the old build's holder, and does not count on from its state; a dead letter of it is
    handled again by it, and not by the handler of the same name in the old build.
    """
    (tmp_path / "agents").mkdir()
    broken = 'raise ValueError("broken") if payload["s"] == "poison" else None\n        self.count += 1'
    other = SOURCE.replace('self.count += payload["n"]', broken).replace('{"n": int}', '{"n": str}')
    (tmp_path / "agents" / "nodes.py").write_text(other.replace("self.count += n\n", "self.count += int(n)\n"))
    assert main(["build", str(tmp_path / "agents"), "--output-dir", str(tmp_path / ".graphbus")]) == 0
    beside = RuntimeExecutor(
        str(tmp_path / ".graphbus"), transport=create_transport(url, tmp_path / ".graphbus", beside=True)
    )
    letters = BusDeadLetters(BusSettings.from_environment(url))
    with whole(url, artifacts) as old:
        assert old.call_method("Counter", "add", n=5)["count"] == 5
        with beside as new:
            assert new.call_method("Counter", "add", n="2")["count"] == 2
            new.publish("/Add", {"s": "poison"})
            _until(letters.list_all)
            ((letter, why),) = letters.retry(letters.list_all())
            assert "broken" in why
            assert letter.subscriber == "Counter.on_add"
            assert new.call_method("Counter", "add", n="1")["count"] == 3
        assert old.call_method("Counter", "add", n=1)["count"] == 6
