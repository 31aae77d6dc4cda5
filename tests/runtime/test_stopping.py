"""A stop returns in time, whatever nodes do in it; afterwards nothing reaches them. A child process stands alone."""

import asyncio
import contextlib
import os
import signal
import threading
import time

import pytest

from graphbus_core import GraphBusNode
from graphbus_core.config import RuntimeConfig
from graphbus_core.errors import DeadlineExceeded, NotRunning, QueueFull
from graphbus_core.runtime.calls import Calls
from graphbus_core.runtime.concurrency import run_within
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.payloads import PayloadChecks
from tests.runtime.bounded import joined, run as bounded_run


@pytest.fixture
def executor(shop):
    executor = RuntimeExecutor(RuntimeConfig(artifacts_dir=str(shop)))
    yield executor
    executor.stop(1)


def took_s(work):
    start = time.monotonic()
    work()
    return time.monotonic() - start


def swallowing():
    for _ in range(40):
        with contextlib.suppress(BaseException):
            time.sleep(0.1)


def swallowing_in_pieces():
    with contextlib.suppress(BaseException):
        time.sleep(4)
    time.sleep(4)


@pytest.fixture
def own_timer():
    """The timer of this process, which the test runner has for its own timeout."""
    before, handler = signal.setitimer(signal.ITIMER_REAL, 0)[0], signal.getsignal(signal.SIGALRM)
    yield
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, before)


@pytest.mark.usefixtures("own_timer")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # an interruption may meet a destructor
class TestInTime:
    @pytest.mark.parametrize("on_stop", [swallowing, swallowing_in_pieces])
    def test_an_on_stop_that_swallows_the_interruption_is_left_and_named(self, executor, on_stop):
        executor.start()
        executor.nodes["Shop"].on_stop = on_stop
        assert took_s(lambda: executor.stop(0.2)) < 1.5
        assert executor.unfinished == ["Shop.on_stop"]

    def test_work_that_swallows_it_and_ends_was_disturbed_all_the_same(self):
        def work():
            with contextlib.suppress(BaseException):
                time.sleep(4)

        assert run_within(0.05, work) is False
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)

    @pytest.mark.parametrize("kind", ["sync", "async"])
    def test_astop_leaves_an_on_stop_that_does_not_end(self, executor, kind):
        rest = []

        async def stubborn():
            for _ in range(4):
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.sleep(0.4)
            rest.append("ended")

        async def main():
            await executor.astart()
            executor.nodes["Shop"].on_stop = (lambda: time.sleep(5)) if kind == "sync" else stubborn
            start = time.monotonic()
            await executor.astop(0.2)
            assert time.monotonic() - start < 1.2
            assert rest == []

        bounded_run(main())
        assert executor.unfinished == ["Shop.on_stop"]

    def test_astop_leaves_a_handler_that_swallows_its_end_and_names_it(self, executor):
        async def stubborn(payload):
            for _ in range(4):
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.sleep(0.4)

        async def main():
            await executor.astart()
            executor.bus.subscribe("/Hang", stubborn, "stubborn")
            executor.publish("/Hang", {})
            await asyncio.sleep(0)
            start = time.monotonic()
            await executor.astop(0.3)
            assert time.monotonic() - start < 1.2

        bounded_run(main())
        assert executor.unfinished == ["deliveries under way", "stubborn"]

    def test_a_signal_handler_that_stops_during_a_stop_waits_for_nobody(self, executor):
        executor.start()
        executor.nodes["Shop"].on_stop = executor.stop
        assert took_s(lambda: executor.stop(5)) < 2
        assert executor.unfinished == []


def test_a_stopped_runtime_refuses_what_nodes_still_send(executor):
    executor.start()
    shop, inventory = executor.nodes["Shop"], executor.nodes["Inventory"]
    executor.stop()
    with pytest.raises(NotRunning, match="stopped"):
        shop.publish("/Order/Created", {"id": 1, "sku": "apple"})
    with pytest.raises(NotRunning, match="stopped"):
        shop.call("Inventory", "check_stock", sku="apple")
    assert inventory.log == []
    executor.start()
    assert executor.nodes["Shop"].call("Inventory", "check_stock", sku="apple")["available"]


class Slow(GraphBusNode):
    def sleeps(self):
        time.sleep(0.6)
        return "late"


@pytest.mark.parametrize("timeout_s", [0.05, 5.0])
def test_acall_keeps_the_deadline_of_a_sync_method(timeout_s):
    bus, calls = MessageBus(), Calls()
    calls.connect({"Slow": Slow()}, bus, PayloadChecks())

    async def main():
        ticks = []
        ticking = asyncio.get_running_loop().call_later(0.03, ticks.append, 1)
        try:
            return await calls.acall("Slow", "sleeps", {}, timeout_s=timeout_s)
        except DeadlineExceeded:
            return "refused"
        finally:
            ticking.cancel()
            assert ticks == [1]

    start = time.monotonic()
    assert bounded_run(main()) == ("refused" if timeout_s < 1 else "late")
    assert (time.monotonic() - start < 0.5) == (timeout_s < 1)


class TestWaiting:
    def test_await_apublish_waits_where_the_queue_is_full(self):
        bus = MessageBus(queue_limit=5)
        got = []

        async def outer(event):
            for n in range(20):
                await bus.apublish("/U", {"n": n})

        async def inner(event):
            got.append(event.payload["n"])

        bus.subscribe("/T", outer, "outer")
        bus.subscribe("/U", inner, "inner")
        asyncio.run(asyncio.wait_for(bus.apublish("/T", {}), 10))
        stats = bus.get_stats()
        assert got == list(range(20))
        assert (stats["messages_delivered"], stats["messages_dropped"], stats["in_flight"]) == (21, 0, 0)

    def test_a_publisher_that_helps_has_a_bound(self):
        bus = MessageBus(queue_limit=2)
        refused = []

        def handler(event):
            if len(refused) > 3:
                return
            for _ in range(3):
                try:
                    bus.publish("/T", {})
                except QueueFull as e:
                    refused.append(e)

        bus.subscribe("/T", handler, "h")
        bus.publish("/T", {})
        assert refused
        assert bus.get_stats()["in_flight"] == 0

    def test_a_mailbox_whose_loop_ended_is_emptied_by_the_next_one(self):
        bus = MessageBus()
        got = []

        async def handler(event):
            await asyncio.sleep(0.01)
            got.append(event.payload["n"])

        async def publish(*numbers):
            for n in numbers:
                bus.publish("/T", {"n": n})
            await asyncio.sleep(0)

        async def more():
            await publish(3)
            assert await bus.adrain(5)

        bus.subscribe("/T", handler, "h")
        first, second = asyncio.new_event_loop(), asyncio.new_event_loop()
        try:
            first.run_until_complete(publish(1, 2))
            second.run_until_complete(more())
            first.run_until_complete(asyncio.sleep(0.05))
        finally:
            first.close()
            second.close()
        stats = bus.get_stats()
        assert got[:2] == [2, 3]
        assert (stats["messages_dropped"], stats["errors"], stats["in_flight"]) == (1, 0, 0)
        assert [one.reason for one in bus.dead_letters] == ["stopped"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_child_process_publishes_and_stops_for_itself():
    """Its parent's loop and threads are not there, and nobody waits for them."""
    bus = MessageBus()
    got = []
    held = threading.Event()

    async def handler(event):
        got.append(event.payload)

    bus.subscribe("/T", handler, "h")
    bus.subscribe("/Slow", lambda e: held.wait(10), "slow")
    bus.publish("/T", {"n": 1})
    slow = threading.Thread(daemon=True, target=bus.publish, args=("/Slow", {}))
    slow.start()
    while not bus.is_busy():
        time.sleep(0.001)
    child = os.fork()
    if child == 0:  # no test framework in here
        ok = bus.drain(1)
        bus.publish("/T", {"n": 2})
        stats = bus.get_stats()
        ok = ok and got == [{"n": 1}, {"n": 2}] and (stats["in_flight"], stats["messages_dropped"]) == (0, 1)
        os._exit(0 if ok else 1)
    held.set()
    joined(slow)
    end = time.monotonic() + 10
    done = status = 0
    while not done and time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        time.sleep(0.01)
    if not done:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert (done, os.waitstatus_to_exitcode(status)) == (child, 0)
    bus.home.close()
