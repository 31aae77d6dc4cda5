"""The executor as programs written for seed 002 §5.5 use it, and its life cycle."""

import concurrent.futures
import contextlib
import logging
import subprocess
import sys
import threading
import time

import pytest

from graphbus_core.config import RuntimeConfig
from graphbus_core.errors import ArtifactError, NodeFailed, UsageError
from graphbus_core.model.message import Event
from graphbus_core.runtime import RuntimeExecutor, run_runtime
from graphbus_core.runtime.event_router import EventRouter
from graphbus_core.runtime.loader import ArtifactLoader
from graphbus_core.runtime.message_bus import MessageBus
from tests.runtime.bounded import run as bounded_run


def test_the_workflow_of_the_seed(shop):
    executor = RuntimeExecutor(str(shop))
    assert executor.nodes == {}
    assert executor.bus is None
    executor.start()
    assert isinstance(executor.bus, MessageBus)
    assert isinstance(executor.router, EventRouter)
    result = executor.call_method("Inventory", "check_stock", sku="apple", qty=2)
    assert result == {"available": True, "left": 3}
    executor.publish("/Order/Created", {"id": 7, "sku": "apple"}, source="Shop")
    assert executor.get_node("Shop").accepted == [("/Order/Accepted", 7)]
    assert executor.get_node("Nobody") is None
    assert list(executor.get_all_nodes()) == ["Inventory", "Shop"]
    stats = executor.get_stats()
    assert (stats["is_running"], stats["nodes_count"]) == (True, 2)
    assert stats["message_bus"]["messages_published"] == stats["message_bus"]["messages_delivered"] == 2
    executor.stop()
    assert executor.get_stats()["is_running"] is False


def test_the_steps_may_be_made_one_by_one(shop):
    executor = RuntimeExecutor(RuntimeConfig(artifacts_dir=str(shop)))
    executor.load_artifacts()
    assert len(executor.agent_definitions) == 2
    executor.initialize_nodes()
    assert executor.nodes["Shop"].name == "Shop"
    executor.setup_message_bus()
    assert len(executor.router.get_handlers_for_topic("/Order/Created")) == 1


def test_nodes_call_each_other_and_publish(shop):
    with run_runtime(shop) as executor:
        assert [executor.call_method("Shop", "order", id=i)["sold"] for i in range(4)] == [True, True, True, False]
        assert executor.nodes["Shop"].accepted == [("/Order/Accepted", i) for i in range(3)]


def test_unknown_names_are_said_with_the_nearest(shop):
    with run_runtime(shop) as executor:
        with pytest.raises(ValueError, match=r"Node 'Inventry' not found.*'Inventory'"):
            executor.call_method("Inventry", "check_stock")
        with pytest.raises(AttributeError, match=r"'chek_stock'.*'check_stock'"):
            executor.call_method("Inventory", "chek_stock")
        with pytest.raises(ValueError, match="not found"):
            executor.call_method("Inventory", "stock")


def test_before_the_start_and_after_the_stop_nothing_runs(shop):
    executor = RuntimeExecutor(shop)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="not started"):
            executor.call_method("Inventory", "check_stock", sku="apple")
        with pytest.raises(RuntimeError):
            executor.publish("/Order/Created", {})
        executor.start()
        executor.stop()


def test_without_a_bus_calls_work_and_publishing_says_why_not(shop):
    executor = run_runtime(str(shop), enable_message_bus=False)
    assert executor.bus is None
    assert executor.call_method("Inventory", "check_stock", sku="pear", qty=1)["left"] == 0
    assert executor.call_method("Inventory", "price", price=10.0) == {"price": 12.0}
    with pytest.raises(RuntimeError, match="bus not enabled"):
        executor.publish("/T", {})
    assert executor.get_stats()["message_bus"] is None
    executor.stop()


def test_a_second_start_makes_everything_anew(shop):
    executor = run_runtime(shop)
    first = executor.nodes["Shop"]
    executor.start()
    assert executor.nodes["Shop"] is first
    executor.stop()
    executor.start()
    assert set(executor.nodes) == {"Inventory", "Shop"}
    assert executor.nodes["Shop"] is not first
    executor.stop()


def test_the_loader_reads_as_the_seed_says(shop):
    loader = ArtifactLoader(str(shop))
    graph, agents, topics, subscriptions = loader.load_all()
    assert graph.get_agent_activation_order() == ["Inventory", "Shop"]
    assert {a.name for a in agents} == {"Inventory", "Shop"}
    assert {t.name for t in topics} == {"/Order/Created", "/Order/Accepted"}
    assert {"agent": "Inventory", "topic": "/Order/Created", "handler": "on_order"} in subscriptions
    assert {"agent": "Shop", "topic": "/Order/Accepted", "handler": "handle_event"} in subscriptions
    assert loader.get_agent_by_name("Shop").class_name == "Shop"
    with pytest.raises(ValueError, match="'Shop'"):
        loader.get_agent_by_name("Shp")
    assert loader.validate_artifacts() == []
    (shop / "topics.json").write_text("{}")
    assert "topics.json" in ArtifactLoader(shop).validate_artifacts()[0]


def test_no_build_is_said_in_one_paragraph(tmp_path):
    with pytest.raises(ArtifactError, match="graphbus build"):
        RuntimeExecutor(str(tmp_path / "nowhere"))
    with pytest.raises(UsageError, match="graphbus build"):
        run_runtime(tmp_path)


LIFE = {
    "agents/life.py": """
        from graphbus_core import GraphBusNode, depends_on, subscribe

        TOLD = []


        @depends_on("B")
        class A(GraphBusNode):
            SYSTEM_PROMPT = "a"

            def on_start(self):
                TOLD.append("start A")

            def on_stop(self):
                TOLD.append("stop A")


        class B(GraphBusNode):
            SYSTEM_PROMPT = "b"

            def __init__(self):
                self.told = TOLD

            async def on_start(self):
                TOLD.append("start B")

            async def on_stop(self):
                TOLD.append("stop B")

            @subscribe("/T")
            def on_t(self, event):
                TOLD.append(event)
    """
}


def test_nodes_start_after_and_stop_before_what_they_depend_on(make_build):
    executor = run_runtime(make_build(LIFE))
    told = executor.nodes["B"].told
    assert told == ["start B", "start A"]
    executor.stop()
    assert told == ["start B", "start A", "stop A", "stop B"]


def test_the_same_inside_an_event_loop(make_build):
    async def main():
        async with RuntimeExecutor(make_build(LIFE)) as executor:
            told = executor.nodes["B"].told
            await executor.apublish("/T", {"n": 1})
            executor.publish("/T", {"n": 2})
        return told

    assert bounded_run(main()) == ["start B", "start A", {"n": 1}, {"n": 2}, "stop A", "stop B"]


BROKEN = {
    "agents/broken.py": """
        from graphbus_core import GraphBusNode, subscribe


        class Wants(GraphBusNode):
            SYSTEM_PROMPT = "w"

            def __init__(self, database):
                self.database = database


        class Raises(GraphBusNode):
            SYSTEM_PROMPT = "r"

            def on_start(self):
                raise OSError("no such port")


        class Never(GraphBusNode):
            SYSTEM_PROMPT = "n"

            @subscribe("/T")
            def on_t(self, one, two, three): ...


        class Good(GraphBusNode):
            SYSTEM_PROMPT = "g"

            def works(self):
                return True
    """
}


def test_a_broken_node_is_named_with_its_reason(make_build):
    with pytest.raises(NodeFailed, match=r"Wants.*wants database.*skip"):
        run_runtime(make_build(BROKEN))


def test_broken_nodes_can_be_left_out(make_build):
    executor = run_runtime(RuntimeConfig(artifacts_dir=str(make_build(BROKEN)), skip_broken=True))
    assert list(executor.nodes) == ["Good"]
    assert set(executor.broken) == {"Wants", "Raises", "Never"}
    assert "no such port" in executor.broken["Raises"]
    assert executor.call_method("Good", "works")
    executor.stop()


SLOW = {
    "agents/slow.py": """
        import asyncio
        import threading
        import time

        from graphbus_core import GraphBusNode, subscribe

        GO = threading.Event()


        class Slow(GraphBusNode):
            SYSTEM_PROMPT = "s"

            def __init__(self):
                self.go = GO
                self.done = 0

            @subscribe("/Hang")
            def on_hang(self, payload):
                GO.wait(20)

            @subscribe("/AsyncHang")
            async def on_async_hang(self, payload):
                await asyncio.sleep(20)

            @subscribe("/Slow")
            def on_slow(self, payload):
                time.sleep(0.2)
                self.done += 1

            def on_stop(self):
                if self.done == 99:
                    time.sleep(20)

            def sleeps(self):
                time.sleep(5)
    """
}


def under_way(executor):
    """Wait until a delivery has begun."""
    end = time.monotonic() + 20
    while not executor.get_stats()["message_bus"]["in_flight"] and time.monotonic() < end:
        time.sleep(0.002)
    assert executor.get_stats()["message_bus"]["in_flight"] == 1


def test_stop_waits_for_what_is_under_way(make_build):
    executor = run_runtime(make_build(SLOW))
    threading.Thread(daemon=True, target=executor.publish, args=("/Slow", {})).start()
    under_way(executor)
    executor.stop()
    assert executor.nodes["Slow"].done == 1
    assert executor.unfinished == []


def quietly(function, *args):
    """A publisher whose async handlers are cancelled at the stop is told so."""
    with contextlib.suppress(concurrent.futures.CancelledError):
        function(*args)


@pytest.mark.parametrize("hangs", ["handler", "async handler", "hook"])
def test_stop_returns_within_its_deadline_whatever_hangs(make_build, hangs):
    executor = run_runtime(make_build(SLOW))
    if hangs != "hook":
        topic = "/Hang" if hangs == "handler" else "/AsyncHang"
        threading.Thread(target=quietly, args=(executor.publish, topic, {}), daemon=True).start()
        under_way(executor)
    else:
        executor.nodes["Slow"].done = 99
    start = time.monotonic()
    executor.stop(timeout_s=0.5)
    assert time.monotonic() - start < 1.5  # on a busy machine; `benchmarks/bus.py stop` measures it
    assert executor.unfinished == (["Slow.on_stop"] if hangs == "hook" else ["deliveries under way"])
    executor.nodes["Slow"].go.set()


def test_a_handler_annotated_event_gets_the_event_and_another_the_payload(make_build):
    executor = run_runtime(
        make_build(
            {
                "agents/forms.py": """
                    from __future__ import annotations

                    from graphbus_core import GraphBusNode, subscribe
                    from graphbus_core.model.message import Event


                    class Forms(GraphBusNode):
                        SYSTEM_PROMPT = "f"
                        SUBSCRIBE = {"/T": "by_name"}

                        def __init__(self):
                            self.got = []

                        def by_name(self, event):
                            self.got.append(event)

                        @subscribe("/T")
                        def typed(self, event: Event):
                            self.got.append(event)

                        @subscribe("/T", retries=2)
                        def flaky(self):
                            self.got.append("try")
                            if self.got.count("try") < 3:
                                raise OSError
                """
            }
        )
    )
    logging.getLogger("graphbus.runtime")
    executor.publish("/T", {"n": 1})
    got = executor.nodes["Forms"].got
    assert {"n": 1} in got
    assert any(isinstance(one, Event) for one in got)
    assert got.count("try") == 3
    assert executor.get_stats()["message_bus"]["errors"] == 0
    executor.stop()


def test_nothing_of_models_negotiation_or_build_is_reachable(shop):
    """Seed 002 §5.7: not even through a running build with checks, a journal and a call."""
    code = f"""
import sys
from graphbus_core.config import RuntimeConfig
from graphbus_core.runtime import run_runtime
config = RuntimeConfig(artifacts_dir={str(shop)!r}, payload_checks="enforce", journal={str(shop / "j")!r})
with run_runtime(config) as executor:
    executor.call_method("Shop", "order", id=1)
parts = ("negotiation", "logs", "participants", "build", "http", "cli", "services", "analysis", "commit", "sessions")
ours = [m for m in sys.modules if m.startswith("graphbus_core.") and m.split(".")[1] in parts]
others = [m for m in ("pydantic_ai", "anthropic", "openai", "httpx", "fastapi", "typer") if m in sys.modules]
print(ours + others)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
