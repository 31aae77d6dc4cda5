"""Seed 002, section 5, sentence by sentence and in its order: what the runtime is."""

import inspect
import json
import subprocess
import sys
from collections.abc import Mapping

import pytest

from graphbus_core import GraphBusNode
from graphbus_core.errors import ArtifactError
from graphbus_core.model.message import Event
from graphbus_core.runtime.event_router import EventRouter
from graphbus_core.runtime.executor import RuntimeExecutor, run_runtime
from graphbus_core.runtime.loader import ArtifactLoader
from graphbus_core.runtime.message_bus import MessageBus


@pytest.fixture
def executor(shop):
    executor = RuntimeExecutor(str(shop))
    executor.start()
    yield executor
    executor.stop()


@pytest.fixture
def bus():
    return MessageBus()


class TestSection51:
    """5.1 Runtime Architecture."""

    def test_four_main_components(self, executor):
        """ "Runtime Mode consists of four main components": loader, bus, router, executor."""
        kinds = (ArtifactLoader, MessageBus, EventRouter, RuntimeExecutor)
        assert [type(one) for one in (executor.loader, executor.bus, executor.router, executor)] == list(kinds)

    def test_agents_are_dormant_and_code_is_immutable(self, shop, executor):
        """ "Runtime Mode is where agents are dormant and code is immutable." """
        source = shop.parent / "agents/shop.py"
        source.write_text(source.read_text().replace('"sold": True', '"sold": "changed"'))
        assert executor.call_method("Shop", "order", id=1) == {"sold": True}


class TestSection52:
    """5.2 ArtifactLoader."""

    def test_it_loads_and_validates(self, shop):
        """ "Load and validate build artifacts from the .graphbus/ directory." """
        loader = ArtifactLoader(str(shop))
        assert loader.validate_artifacts() == []
        with pytest.raises(ArtifactError):
            ArtifactLoader(str(shop / "nowhere")).load_all()

    def test_it_gives_models(self, shop):
        """ "Deserialize JSON into proper dataclass models"; "access to graph, agents, topics, and subscriptions"."""
        graph, agents, topics, subscriptions = ArtifactLoader(str(shop)).load_all()
        assert graph.graph.has_node("Shop")
        assert {agent.name for agent in agents} == {"Inventory", "Shop"}
        assert "/Order/Created" in {topic.name for topic in topics}
        assert {"agent": "Inventory", "topic": "/Order/Created", "handler": "on_order"} in subscriptions

    def test_an_agent_by_name(self, shop):
        """ "get_agent_by_name(name) -> AgentDefinition", "with source code"."""
        assert "class Inventory" in ArtifactLoader(str(shop)).get_agent_by_name("Inventory").source_code

    def test_a_wrong_artifact_is_told(self, shop):
        """ "validate_artifacts() -> List[str]: Validate artifact integrity"."""
        (shop / "topics.json").write_text(json.dumps([]))
        assert any("topics.json" in issue for issue in ArtifactLoader(str(shop)).validate_artifacts())


class TestSection53:
    """5.3 MessageBus."""

    def test_synchronous_routing(self, bus):
        """ "Synchronous publish-subscribe message routing.": handlers have run when publish returns."""
        got = []
        bus.subscribe("/T", got.append, "s")
        assert got == [] and [bus.publish("/T", {})] == got  # noqa: PT018

    def test_topics_are_managed_apart(self, bus):
        """ "Topic-based subscription management." """
        got = []
        bus.subscribe("/A", lambda e: got.append("a"), "a")
        bus.subscribe("/B", lambda e: got.append("b"), "b")
        bus.publish("/B", {})
        assert got == ["b"]

    def test_history(self, bus):
        """ "Message history tracking", "newest first", "configurable size limit"."""
        small = MessageBus(max_history=2)
        for n in range(3):
            small.publish("/T", {"n": n})
        assert [e.payload["n"] for e in small.get_message_history()] == [2, 1]

    def test_statistics(self, bus):
        """ "Statistics and monitoring": the five keys of the seed."""
        bus.subscribe("/T", lambda e: None, "s")
        bus.publish("/T", {})
        wanted = {"messages_published": 1, "messages_delivered": 1, "errors": 0}
        wanted |= {"total_subscriptions": 1, "topics_with_subscribers": 1}
        assert wanted.items() <= bus.get_stats().items()

    def test_one_failure_stops_nobody(self, bus):
        """ "Error isolation (one handler failure doesn't stop others)." """
        got = []
        bus.subscribe("/T", lambda e: 1 / 0, "bad")
        bus.subscribe("/T", got.append, "good")
        bus.publish("/T", {})
        assert (len(got), bus.get_stats()["errors"]) == (1, 1)

    def test_what_cannot_be_called_is_refused(self, bus):
        """ "if not callable(handler): raise ValueError"."""
        with pytest.raises(ValueError, match="must be callable"):
            bus.subscribe("/T", "handler", "s")

    def test_a_handler_can_be_removed(self, bus):
        """ "unsubscribe(topic, handler): Remove handler from topic"."""
        got = []
        bus.subscribe("/T", got.append, "s")
        bus.unsubscribe("/T", got.append)
        bus.publish("/T", {})
        assert got == []

    def test_an_event_has_the_fields_of_the_seed(self, bus):
        """ "topic=topic,  # String not Topic object", src, payload, an id of its own."""
        event = bus.publish("/T", {"n": 1}, source="me")
        assert (event.topic, event.src, event.payload) == ("/T", "me", {"n": 1})
        assert event.event_id.startswith("event_")
        assert bus.publish("/T", {}).src == "system"


class TestSection54:
    """5.4 EventRouter."""

    class Node(GraphBusNode):
        """Keeps what it is given."""

        def __init__(self):
            self.got = []

        def nothing(self):
            self.got.append(())

        def one(self, payload):
            self.got.append(payload)

        def whole(self, event: Event):
            self.got.append(event)

        def broken(self, payload):
            raise ValueError

    @pytest.mark.parametrize(("handler", "gets"), [("nothing", ()), ("one", {"data": 1}), ("whole", None)])
    def test_smart_signature_detection(self, bus, handler, gets):
        """ "No parameters", "One parameter - receives payload dict", "receives Event object"."""
        router, node = EventRouter(bus), self.Node()
        router.register_handler("/T", node, handler)
        event = bus.publish("/T", {"data": 1})
        assert node.got == [event if gets is None else gets]

    def test_a_node_can_be_unregistered(self, bus):
        """ "unregister_node(node): Unregister all handlers for a node"."""
        router, node = EventRouter(bus), self.Node()
        router.register_handler("/T", node, "one")
        assert router.get_handlers_for_topic("/T") == [(node, "one")]
        router.unregister_node(node)
        bus.publish("/T", {})
        assert (node.got, router.get_handlers_for_topic("/T")) == ([], [])

    def test_errors_are_handled(self, bus):
        """ "Error handling for failed handlers": counted, not raised."""
        router, node = EventRouter(bus), self.Node()
        router.route_event_to_node(node, "broken", Event("e", "/T", "me", {}))
        assert bus.get_stats()["errors"] == 1

    def test_an_event_is_dispatched_to_all(self, bus):
        """ "dispatch_event(event): Dispatch event to all registered handlers"."""
        router, one, two = EventRouter(bus), self.Node(), self.Node()
        router.register_handler("/T", one, "one")
        router.register_handler("/T", two, "one")
        router.dispatch_event(Event("e", "/T", "me", {"n": 1}))
        assert one.got == two.got == [{"n": 1}]


class TestSection55:
    """5.5 RuntimeExecutor."""

    def test_lifecycle(self, shop):
        """ "Orchestrate runtime lifecycle (start/stop)." """
        executor = RuntimeExecutor(str(shop))
        assert not executor.get_stats()["is_running"]
        executor.start()
        assert executor.get_stats()["is_running"]
        executor.stop()
        assert not executor.get_stats()["is_running"]

    def test_nodes_are_instances_of_the_built_classes(self, executor):
        """ "Dynamically instantiate nodes from source code": named, in runtime mode."""
        assert {name: node.name for name, node in executor.nodes.items()} == {"Inventory": "Inventory", "Shop": "Shop"}
        assert all(node.is_runtime_mode() for node in executor.nodes.values())

    def test_subscriptions_are_set_up(self, executor):
        """ "Setup message bus and subscriptions": the router is the bus's dispatcher."""
        assert executor.bus._dispatcher is executor.router
        executor.publish("/Order/Created", {"id": 7, "sku": "apple"}, source="test")
        assert executor.get_node("Inventory").log == [7]

    def test_direct_calls(self, executor):
        """ "Provide API for direct method calls and event publishing." """
        assert executor.call_method("Inventory", "check_stock", sku="apple") == {"available": True, "left": 3}
        with pytest.raises(ValueError, match="not found"):
            executor.call_method("Nobody", "x")
        with pytest.raises(AttributeError):
            executor.call_method("Shop", "nope")

    def test_before_start_it_says_so(self, shop):
        """ "if not self._is_running: raise RuntimeError"."""
        executor = RuntimeExecutor(str(shop))
        for use in (lambda: executor.call_method("Shop", "order", id=1), lambda: executor.publish("/T", {})):
            with pytest.raises(RuntimeError, match="not started"):
                use()

    def test_statistics(self, executor):
        """ "Track runtime statistics": is_running, nodes_count, message_bus."""
        stats = executor.get_stats()
        assert (stats["is_running"], stats["nodes_count"]) == (True, 2)
        assert isinstance(stats["message_bus"], Mapping)

    def test_the_bus_may_be_left_out(self, shop):
        """ "enable_message_bus: bool = True": without one, stats say None and publish raises RuntimeError."""
        with RuntimeExecutor(str(shop), enable_message_bus=False) as executor:
            assert executor.get_stats()["message_bus"] is None
            with pytest.raises(RuntimeError, match="not enabled"):
                executor.publish("/T", {})

    def test_the_convenience_function(self, shop):
        """ "run_runtime(artifacts_dir) -> RuntimeExecutor": started."""
        executor = run_runtime(str(shop))
        assert executor.is_running
        executor.stop()


class TestSection56:
    """5.6 Runtime Workflow: the message flow, step by step."""

    def test_a_handler_may_publish_the_next_event(self, executor):
        executor.call_method("Shop", "order", id=1)
        topics = [event.topic for event in executor.bus.get_message_history()]
        assert topics == ["/Order/Accepted", "/Order/Created"]
        assert executor.get_node("Shop").accepted == [("/Order/Accepted", 1)]


class TestSection57:
    """5.7 No Negotiation Engine in Runtime."""

    def test_nothing_of_it_is_reachable(self):
        """ "NegotiationEngine does not exist in Runtime Mode", "No LLM calls"."""
        code = (
            "import sys, graphbus_core.runtime as r; "
            "print([m for m in sys.modules if m.split('.')[:2] in (['graphbus_core','negotiation'],"
            "['graphbus_core','build'],['graphbus_core','participants'])])"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "[]"

    def test_execution_is_deterministic(self, shop):
        """ "Pure deterministic execution": the same events, the same consequences with the same ids."""
        found = []
        for _ in range(2):
            with RuntimeExecutor(str(shop)) as executor:
                executor.bus.dispatch_event(Event("event_0", "/Order/Created", "test", {"id": 1, "sku": "apple"}))
                found.append([(e.event_id, e.topic, e.payload) for e in executor.bus.get_message_history()])
        assert found[0] == found[1] != []


class TestSection58:
    """5.8 Runtime Mode Features: each tick of the list, and what was left for the future."""

    def test_multiple_subscribers_per_topic(self, bus):
        got = []
        for name in "abc":
            bus.subscribe("/T", lambda e, name=name: got.append(name), name)
        bus.publish("/T", {})
        assert got == ["a", "b", "c"]

    def test_the_future_has_come(self, bus):
        """Async handlers, persistent storage, middleware, replay, type validation: each has its setting."""
        from graphbus_core.config import RuntimeConfig

        settings = RuntimeConfig.__dataclass_fields__
        assert {"state_file", "journal", "payload_checks"} <= settings.keys()
        assert inspect.iscoroutinefunction(bus.apublish)
        assert callable(bus.use)
