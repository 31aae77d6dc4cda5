"""A start that does not come to its end goes down with all it had begun. A start and a stop wait for each other."""

import asyncio
import threading

import pytest

from graphbus_core import GraphBusNode, depends_on
from graphbus_core.config import RuntimeConfig
from graphbus_core.errors import NodeFailed
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.testing.harness import ClassExecutor
from tests.runtime.bounded import joined, run as bounded_run

WHOLE = ["opened", "A starts", "B starts", "B stops", "A stops", "closed"]


def loops():
    """The threads that run a loop for a runtime."""
    return {thread for thread in threading.enumerate() if thread.name == "graphbus-loop"}


class Told:
    """Two nodes and a provider that say what happens to them; `at_start` is what B does at its start, sync or async."""

    def __init__(self, asynchronous, at_start=lambda: None, bus=True, **settings):
        said = self.said = []
        self.at_start = at_start
        self.others = loops()  # of tests before this one in the same process

        async def database():
            mine = asyncio.get_running_loop()
            said.append("opened")
            yield object()
            said.append("closed" if asyncio.get_running_loop() is mine else "closed on another loop")

        def on_start(node):
            said.append(f"{node.name} starts")
            return self.at_start() if node.name == "B" else None

        def on_stop(node):
            said.append(f"{node.name} stops")

        async def later(hook, node):
            await asyncio.sleep(0)
            result = hook(node)
            if asyncio.iscoroutine(result):
                await result

        class A(GraphBusNode):
            def __init__(self, database):
                self.database = database

        @depends_on("A")
        class B(GraphBusNode):
            pass

        for kind in (A, B):
            for name, hook in (("on_start", on_start), ("on_stop", on_stop)):
                # An `async def`, or a plain one, as a node's author writes it.
                whole = (lambda node, hook=hook: later(hook, node)) if asynchronous else hook
                setattr(kind, name, whole)
        self.runtime = ClassExecutor(
            [A, B], provide={"database": database}, enable_message_bus=bus, config=RuntimeConfig(**settings)
        )

    def ends_as(self, *said):
        """Nothing is left of it, and the next start finds nothing in its way."""
        assert self.said == list(said)
        assert (self.runtime.is_running, self.runtime.nodes, self.runtime.stop_failures) == (False, {}, [])
        assert not loops() - self.others
        self.said.clear()
        self.at_start = lambda: None


def fails():
    raise ValueError("not today")


def interrupted():
    raise KeyboardInterrupt


@pytest.mark.parametrize("bus", [True, False])
@pytest.mark.parametrize("asynchronous", [True, False])
def test_a_start_that_fails_closes_what_it_opened_and_can_be_tried_again(asynchronous, bus):
    told = Told(asynchronous, fails, bus)
    with pytest.raises(NodeFailed, match="not today"):
        told.runtime.start()
    told.ends_as("opened", "A starts", "B starts", "A stops", "closed")
    with told.runtime:
        assert told.runtime.is_running
    assert told.said == WHOLE


@pytest.mark.parametrize("asynchronous", [True, False])
def test_so_does_one_in_an_event_loop(asynchronous):
    told = Told(asynchronous, fails)

    async def main():
        with pytest.raises(NodeFailed, match="not today"):
            await told.runtime.astart()
        told.ends_as("opened", "A starts", "B starts", "A stops", "closed")
        async with told.runtime:
            assert told.runtime.is_running
        assert told.said == WHOLE

    bounded_run(main())


def test_one_that_is_interrupted_does_so_too_and_asks_the_node_that_it_met():
    told = Told(False, interrupted)
    with pytest.raises(KeyboardInterrupt):
        told.runtime.start()
    told.ends_as(*WHOLE)


def test_one_that_is_cancelled_does_so_too():
    begun = asyncio.Event()
    told = Told(True, lambda: (begun.set(), asyncio.sleep(60))[1])

    async def main():
        starting = asyncio.create_task(told.runtime.astart())
        await asyncio.wait_for(begun.wait(), 30)
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting
        told.ends_as(*WHOLE)

    bounded_run(main())


@pytest.mark.parametrize("in_loop", [True, False])
def test_with_skip_broken_the_others_run(in_loop):
    told = Told(False, fails, skip_broken=True)
    if in_loop:
        bounded_run(_started_and_stopped(told.runtime))
    else:
        told.runtime.start()
        told.runtime.stop()
    assert told.said == ["opened", "A starts", "B starts", "A stops", "closed"]
    assert told.runtime.broken == {"B": "ValueError: not today"}


async def _started_and_stopped(runtime):
    await runtime.astart()
    await runtime.astop()


def test_a_stop_waits_for_a_start_in_another_thread():
    begun, go_on = threading.Event(), threading.Event()
    told = Told(False, lambda: begun.set() or (go_on.wait(30) and None))
    starting = threading.Thread(target=told.runtime.start, daemon=True)
    starting.start()
    assert begun.wait(30)
    stopping = threading.Thread(target=told.runtime.stop, args=(30,), daemon=True)
    stopping.start()
    stopping.join(0.02)
    assert stopping.is_alive()
    go_on.set()
    joined(starting, stopping)
    assert (told.runtime.is_running, told.said) == (False, WHOLE)
    told.runtime.stop()
    assert told.said == WHOLE


def test_a_stop_in_an_event_loop_waits_for_who_changes_the_runtime_and_blocks_nobody():
    told = Told(True)
    held, let_go = threading.Event(), threading.Event()

    def changes():  # as a reload in a thread does
        with told.runtime._life.changing:
            held.set()
            let_go.wait(30)

    async def main():
        await told.runtime.astart()
        changing = threading.Thread(target=changes, daemon=True)
        changing.start()
        assert held.wait(30)
        await asyncio.wait_for(told.runtime.astop(0), 30)
        assert told.runtime.is_running
        stops = [asyncio.create_task(told.runtime.astop(30)) for _ in range(2)]
        await asyncio.sleep(0.01)
        assert told.runtime.is_running
        let_go.set()
        await asyncio.gather(*stops)
        joined(changing)
        assert (told.runtime.is_running, told.said) == (False, WHOLE)

    bounded_run(main())


def test_a_stop_that_is_interrupted_lets_go_of_the_journal(tmp_path):
    told = Told(False, journal=str(tmp_path / "journal"))
    told.runtime.start()
    told.runtime.nodes["B"].on_stop = interrupted
    with pytest.raises(KeyboardInterrupt):
        told.runtime.stop()
    assert not loops() - told.others
    with Told(False, journal=str(tmp_path / "journal")).runtime as another:
        assert another.is_running


FAILS = """
    from graphbus_core import GraphBusNode


    class Starts(GraphBusNode):
        SYSTEM_PROMPT = "I start."

        def on_start(self):
            RESULT
"""


def test_a_start_after_one_that_failed_reads_the_build_of_today(make_build):
    runtime = RuntimeExecutor(make_build({"agents/starts.py": FAILS.replace("RESULT", "raise ValueError('wrong')")}))
    with pytest.raises(NodeFailed, match="wrong"):
        runtime.start()
    make_build({"agents/starts.py": FAILS.replace("RESULT", "self.mended = True")})
    with runtime:
        assert runtime.nodes["Starts"].mended


def test_two_tasks_of_one_loop_start_it_once_and_stop_it_once():
    told = Told(True, lambda: asyncio.sleep(0.01))

    async def main():
        await asyncio.gather(told.runtime.astart(), told.runtime.astart())
        await asyncio.gather(told.runtime.astop(), told.runtime.astop())
        assert told.said == WHOLE

    bounded_run(main())
