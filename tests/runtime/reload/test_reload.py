"""`RuntimeExecutor.reload`: a new build is taken while the program runs, or refused and nothing has changed."""

import asyncio
import sys
import threading
import time
from pathlib import Path

import pytest

from graphbus_core.config import RuntimeConfig
from graphbus_core.errors import ContractChanged, NodeFailed, NotRunning, RuntimeFault
from graphbus_core.runtime import RuntimeExecutor

COUNTER = """
    from graphbus_core import GraphBusNode, schema_method, subscribe
    from agents.shared import LOG


    class Counter(GraphBusNode):
        SYSTEM_PROMPT = "I count."

        def __init__(self):
            self.seen = []

        @subscribe("/Tick")
        def on_tick(self, payload):
            self.seen.append((payload["n"], VERSION))

        @schema_method(input_schema={"n": int}, output_schema={"n": int})
        def add(self, n):
            return {"n": n + VERSION}

        def get_state(self):
            return {"seen": self.seen}

        def set_state(self, state):
            self.seen = [tuple(one) for one in state["seen"]]

        def on_start(self):
            LOG.append(f"start {VERSION}")

        def on_stop(self):
            LOG.append(f"stop {VERSION}")
"""
OTHER = """
    from graphbus_core import GraphBusNode, subscribe
    from agents.shared import LOG


    class Other(GraphBusNode):
        SYSTEM_PROMPT = "I look on."

        def __init__(self):
            self.seen = []
            self.log = LOG

        @subscribe("/Tick")
        async def on_tick(self, payload):
            self.seen.append(payload["n"])
"""
CLOCK = """
    from graphbus_core import GraphBusNode, publishes


    class Clock(GraphBusNode):
        SYSTEM_PROMPT = "I tick."

        @publishes("/Tick", {"n": int})
        def tick(self, n):
            self.publish("/Tick", {"n": n})
"""


def project(version, **changes):
    files = {
        "counter": COUNTER.replace("VERSION", str(version)),
        "other": OTHER,
        "clock": CLOCK,
        "shared": "LOG = []\n",
    }
    return {f"agents/{name}.py": text for name, text in {**files, **changes}.items() if text is not None}


@pytest.fixture
def running(make_build):
    folder = make_build(project(1))
    with RuntimeExecutor(
        RuntimeConfig(artifacts_dir=str(folder), reloadable=True, payload_checks="enforce")
    ) as executor:
        yield executor


def test_only_the_node_that_changed_is_another_one_and_it_has_the_state(running, make_build):
    """The rest of the program is the same objects: nodes, and the modules that they share."""
    old, other = running.nodes["Counter"], running.nodes["Other"]
    running.publish("/Tick", {"n": 1})
    make_build(project(2))
    told = running.reload()
    running.publish("/Tick", {"n": 2})
    assert (told.changed, told.added, told.removed) == (("Counter",), (), ())
    assert running.nodes["Other"] is other
    assert running.nodes["Counter"] is not old
    assert running.nodes["Counter"].seen == [(1, 1), (2, 2)]
    assert old.seen == [(1, 1)]
    assert running.call_method("Counter", "add", n=1) == {"n": 3}
    assert other.seen == [1, 2]
    assert other.log == ["start 1", "stop 1", "start 2"], "the module that both import is one"


def test_builds_between_the_first_and_the_last_leave_no_modules(running, make_build):
    """What stays the same is the first one's. Once every build that had used it stayed too."""
    counts = []
    for version in (2, 3, 4):
        make_build(project(version))
        running.reload()
        counts.append(sum(name.startswith("graphbus_frozen_") for name in sys.modules))
    assert counts[-1] <= counts[0]
    assert running.nodes["Other"].log[-1] == "start 4"


def test_a_change_in_what_a_node_imports_is_a_change_of_the_node(running, make_build):
    make_build(project(1, shared="LOG = []\nX = 1\n"))
    assert set(running.reload().changed) == {"Counter", "Other"}


def test_nothing_changed_is_nothing_done(running, make_build):
    before = dict(running.nodes)
    assert not running.reload().has_changes
    assert running.nodes == before


def test_nodes_come_and_go(running, make_build):
    late = OTHER.replace("Other", "Late")
    Path(running.artifacts_dir, "../agents/other.py").unlink()
    make_build(project(1, other=None, late=late))
    told = running.reload()
    assert (told.added, told.removed) == (("Late",), ("Other",))
    running.publish("/Tick", {"n": 1})
    assert running.nodes["Late"].seen == [1]
    assert "Other" not in running.nodes
    assert running.get_stats()["message_bus"]["dead_letters"] == 0


def test_a_breaking_contract_is_refused_with_the_proof_unless_forced(running, make_build):
    make_build(project(1, clock=CLOCK.replace('{"n": int}', '{"n": str}')))
    with pytest.raises(ContractChanged, match=r'/Tick changed.*refuses \{"n": .*--force'):
        running.reload()
    running.publish("/Tick", {"n": 1})
    assert running.nodes["Counter"].seen == [(1, 1)]
    told = running.reload(force=True)
    assert "Clock" in told.changed
    assert told.broken_contracts
    with pytest.raises(Exception, match="/Tick"):
        running.publish("/Tick", {"n": 1})


def test_an_argument_more_that_nobody_must_give_breaks_nothing(running, make_build):
    """Old callers are still there after a reload; the old node is not."""
    more = COUNTER.replace('{"n": int}, output', '{"n": int, "by": NotRequired[int]}, output').replace(
        "(self, n)", "(self, n, by=1)"
    )
    make_build(project(1, counter=("\n    from typing import NotRequired" + more).replace("VERSION", "1")))
    assert running.reload().changed == ("Counter",)
    assert running.call_method("Counter", "add", n=1, by=2) == {"n": 2}


def test_a_method_that_is_gone_is_breaking(running, make_build):
    make_build(project(1, counter=COUNTER.replace("def add", "def plus").replace("VERSION", "1")))
    with pytest.raises(ContractChanged, match=r"Counter\.add is gone"):
        running.reload()


@pytest.mark.parametrize(
    ("place", "fault", "said"),
    [
        (
            "class Counter",
            "raise ValueError('no')\n\n\n    class Counter",
            "imported: ValueError: no",
        ),
        ("self.seen = [tuple", "raise KeyError('old')\n            self.seen = [tuple", "given the state"),
        ('LOG.append(f"start {2}")', "raise KeyError('late')", "could not be taken: KeyError: 'late'"),
    ],
    ids=["import", "state", "on_start"],
)
def test_what_fails_is_taken_back(running, make_build, place, fault, said):
    """Import, state, on_start: whichever fails, the old node goes on with all it had."""
    text = COUNTER.replace("VERSION", "2")
    assert place in text
    text = text.replace(place, fault)
    running.publish("/Tick", {"n": 1})
    old = running.nodes["Counter"]
    make_build({"agents/counter.py": text})
    with pytest.raises(NodeFailed, match=said):
        running.reload()
    running.publish("/Tick", {"n": 2})
    assert running.nodes["Counter"] is old
    assert old.seen == [(1, 1), (2, 1)]
    make_build(project(3))
    running.reload()
    running.publish("/Tick", {"n": 3})
    assert running.nodes["Counter"].seen == [(1, 1), (2, 1), (3, 3)]
    assert running.nodes["Other"].seen == [1, 2, 3]


def test_new_nodes_that_had_started_are_stopped_before_the_old_ones_start_again(running, make_build):
    """What the new one opened, a port or a file, the old one can open again."""
    log = running.nodes["Other"].log
    log.clear()
    late = OTHER.rstrip() + "\n\n        def on_start(self):\n            raise KeyError('late')\n"
    make_build(project(2, other=late))
    with pytest.raises(NodeFailed, match="late"):
        running.reload()
    assert log == ["stop 1", "start 2", "stop 2", "start 1"]


SLOW = COUNTER.replace(
    'self.seen.append((payload["n"], VERSION))',
    'import time\n            time.sleep(payload["n"] / 1000)\n            self.seen.append((payload["n"], VERSION))',
)


def test_a_handler_that_goes_on_too_long_stops_the_reload_and_nothing_else(make_build):
    folder = make_build(project(1, counter=SLOW.replace("VERSION", "1")))
    with RuntimeExecutor(RuntimeConfig(artifacts_dir=str(folder), reloadable=True)) as running:
        publisher = threading.Thread(target=running.publish, args=("/Tick", {"n": 1500}))
        publisher.start()
        _until(lambda: running._parts.doors.get("Counter").inside)
        make_build(project(1, counter=SLOW.replace("VERSION", "2")))
        with pytest.raises(RuntimeFault, match=r"Counter did not come to rest within 0.1 s"):
            running.reload(timeout_s=0.1)
        publisher.join(30)
        assert not publisher.is_alive()
        assert running.nodes["Counter"].seen == [(1500, 1)]
        running.reload(timeout_s=30)
        running.publish("/Tick", {"n": 1})
        assert running.nodes["Counter"].seen == [(1500, 1), (1, 2)]


def _until(seen, timeout_s=30.0):
    end = time.monotonic() + timeout_s
    while not seen():
        assert time.monotonic() < end, "it did not come true"
        time.sleep(0.001)


CALLER = """
    from graphbus_core import GraphBusNode, subscribe


    class Caller(GraphBusNode):
        SYSTEM_PROMPT = "I call."

        def __init__(self):
            self.got = []

        @subscribe("/Go")
        def on_go(self, payload):
            import time
            time.sleep(0.3)
            self.got.append(self.call("Counter", "add", n=VERSION))
"""


def test_a_handler_under_way_may_call_a_node_whose_door_is_closed(make_build):
    """Both nodes change: the reload waits for the handler, so the handler must not wait for the reload."""
    folder = make_build(project(1, caller=CALLER.replace("VERSION", "10")))
    with RuntimeExecutor(RuntimeConfig(artifacts_dir=str(folder), reloadable=True)) as running:
        old = running.nodes["Caller"]
        publisher = threading.Thread(target=running.publish, args=("/Go", {}))
        publisher.start()
        _until(lambda: running._parts.doors.get("Caller").inside)
        make_build(project(2, caller=CALLER.replace("VERSION", "20")))
        running.reload(timeout_s=30)
        publisher.join(30)
        assert not publisher.is_alive()
        assert old.got == [{"n": 11}], "the old node called the old one"


def test_in_an_event_loop(make_build):
    """Async handlers, calls and publishes meet closed doors, and wait without holding the loop."""
    async_counter = COUNTER.replace("def on_tick", "async def on_tick").replace("def add", "async def add")
    folder = make_build(project(1, counter=async_counter.replace("VERSION", "1")))

    async def main():
        async with RuntimeExecutor(RuntimeConfig(artifacts_dir=str(folder), reloadable=True)) as running:
            with pytest.raises(RuntimeFault, match="to_thread"):
                running.reload()
            over = False

            async def publish():
                n = 0
                while not over:
                    await running.apublish("/Tick", {"n": n})
                    await running.acall_method("Counter", "add", n=n)
                    n += 1
                    await asyncio.sleep(0)
                return n

            publisher = asyncio.create_task(publish())
            for version in range(2, 6):
                # From async to sync and back: what a handler is may change with it.
                text = async_counter if version % 2 else COUNTER
                make_build(project(1, counter=text.replace("VERSION", str(version))))
                await asyncio.to_thread(running.reload, timeout_s=30)
            over = True
            count = await asyncio.wait_for(publisher, 30)
            await running.apublish("/Tick", {"n": count})
            seen = running.nodes["Counter"].seen
            assert [n for n, _ in seen] == list(range(count + 1))
            assert seen[-1][1] == 5

    asyncio.run(asyncio.wait_for(main(), 120))


def test_who_was_not_started_so_says_what_to_do(shop):
    with RuntimeExecutor(shop) as executor, pytest.raises(NotRunning, match="reloadable=True"):
        executor.reload()


@pytest.mark.parametrize("word", ["", "async "], ids=["sync", "async"])
def test_who_comes_during_the_swap_finds_the_new_node(make_build, word):
    """The doors are closed while the state is handed over: an event let in then would be in neither state."""
    slow = COUNTER.replace('return {"seen"', 'import time\n            time.sleep(0.5)\n            return {"seen"')
    slow = slow.replace("def on_tick", f"{word}def on_tick")
    folder = make_build(project(1, counter=slow.replace("VERSION", "1")))
    with RuntimeExecutor(RuntimeConfig(artifacts_dir=str(folder), reloadable=True)) as running:
        door = running._parts.doors.get("Counter")
        running.publish("/Tick", {"n": 1})
        make_build(project(1, counter=slow.replace("VERSION", "2")))
        reload = threading.Thread(target=running.reload, kwargs={"timeout_s": 30})
        reload.start()
        _until(lambda: door._opens is not None)
        running.publish("/Tick", {"n": 2})
        assert running.call_method("Counter", "add", n=1) == {"n": 3}
        reload.join(30)
        assert not reload.is_alive()
        assert running.nodes["Counter"].seen == [(1, 1), (2, 2)]
