"""Seed 002, section 5, sentence by sentence and in its order: what the runtime is."""

import inspect
import json
import subprocess
import sys
from collections.abc import Mapping

import pytest

from graphbus_core import GraphBusNode
from graphbus_core.config import RuntimeConfig
from graphbus_core.errors import ArtifactError, PayloadRejected
from graphbus_core.model.message import Event
from graphbus_core.runtime.event_router import EventRouter
from graphbus_core.runtime.executor import RuntimeExecutor, run_runtime
from graphbus_core.runtime.loader import ArtifactLoader
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.persistence.journal import read_journal
from graphbus_core.runtime.persistence.replay import replay
from graphbus_core.runtime.transports.in_process import Hub, InProcess
from tests.runtime.bounded import run as bounded_run
from tests.runtime.conformance.world import until


@pytest.fixture
def executor(shop):
    executor = RuntimeExecutor(str(shop))
    executor.start()
    yield executor
    executor.stop()


@pytest.fixture
def bus():
    made = MessageBus()
    yield made
    made.home.close()


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

    def test_each_part_can_be_loaded_by_itself(self, shop):
        """ "load_graph", "load_agents", "load_topics", "load_subscriptions": what `load_all` gives, one by one."""
        loader = ArtifactLoader(str(shop))
        graph, agents, topics, subscriptions = loader.load_all()
        assert sorted(loader.load_graph().graph.nodes) == sorted(graph.graph.nodes)
        assert (loader.load_agents(), loader.load_topics()) == (agents, topics)
        assert loader.load_subscriptions() == subscriptions

    def test_a_folder_that_is_not_there_is_told_at_once(self, shop):
        """ "self._validate_directory()" in the constructor."""
        with pytest.raises(ArtifactError, match="nowhere"):
            ArtifactLoader(str(shop / "nowhere"))

    @pytest.mark.parametrize("name", ["graph.json", "agents.json", "topics.json", "build_summary.json"])
    def test_the_artifacts(self, shop, name):
        """ "Artifacts Loaded": the four files; one that is altered is not loaded."""
        assert json.loads((shop / name).read_text())
        (shop / name).write_text("{}")
        assert any(name in issue for issue in ArtifactLoader(str(shop)).validate_artifacts())
        with pytest.raises(ArtifactError, match=name):
            RuntimeExecutor(str(shop)).start()

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
        assert [e.payload["n"] for e in small.get_message_history(limit=1)] == [2]
        for n in range(150):
            bus.publish("/T", {"n": n})
        assert len(bus.get_message_history()) == inspect.signature(bus.get_message_history).parameters["limit"].default
        assert len(bus.get_message_history()) == 100

    def test_an_event_can_be_dispatched(self, bus):
        """ "dispatch_event(event): Dispatch event to all subscribers": the event itself, not published anew."""
        got = []
        bus.subscribe("/T", got.append, "s")
        event = Event("event_1", "/T", "me", {})
        bus.dispatch_event(event)
        assert got == [event]
        assert bus.get_message_history() == []

    def test_what_the_seed_keeps_can_be_looked_at(self, bus):
        """ "_subscriptions", "_message_history", "_stats", "_dispatcher": by the seed's names."""
        handler = [].append
        bus.subscribe("/T", handler, "s")
        event = bus.publish("/T", {})
        assert bus._subscriptions == {"/T": [(handler, "s")]}
        assert list(bus._message_history) == [event]
        assert bus._stats == {"messages_published": 1, "messages_delivered": 1, "errors": 0}
        assert bus._dispatcher is None

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

        def several(self, event, more=None):
            self.got.append(event)

        def broken(self, payload):
            raise ValueError

    @pytest.mark.parametrize(
        ("handler", "gets"), [("nothing", ()), ("one", {"data": 1}), ("whole", None), ("several", None)]
    )
    def test_smart_signature_detection(self, bus, handler, gets):
        """ "No parameters", "One parameter - receives payload dict", "receives Event object"; "Multiple params"."""
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

    def test_an_event_is_routed_to_one_handler(self, bus):
        """ "route_event_to_node(node, handler_name, event)", "handler(event.payload)": that one alone."""
        router, one, two = EventRouter(bus), self.Node(), self.Node()
        router.register_handler("/T", two, "one")
        router.route_event_to_node(one, "one", Event("e", "/T", "me", {"n": 1}))
        assert (one.got, two.got) == ([{"n": 1}], [])

    def test_nobody_hears_a_topic_without_handlers(self, bus):
        """ "self._node_handlers.get(topic, [])"."""
        assert EventRouter(bus).get_handlers_for_topic("/Nothing") == []

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

    def test_before_the_start(self, shop):
        """The constructor: "self.graph = None", …, "self.nodes = {}", "_is_running = False"."""
        executor = RuntimeExecutor(str(shop))
        assert (executor.artifacts_dir, executor.enable_message_bus) == (str(shop), True)
        empty = (executor.graph, executor.agent_defs, executor.topics, executor.subscriptions)
        assert empty == (None, None, None, None)
        assert (executor.nodes, executor.bus, executor.router, executor._is_running) == ({}, None, None, False)

    def test_the_steps_of_a_start(self, shop):
        """ "self.load_artifacts()", "self.initialize_nodes()", "self.setup_message_bus()": one after the other."""
        executor = RuntimeExecutor(str(shop))
        executor.load_artifacts()
        assert len(executor.agent_defs) == 2
        assert executor.nodes == {}
        executor.initialize_nodes()
        assert sorted(executor.nodes) == ["Inventory", "Shop"]
        executor.subscriptions.append({"agent": "Nobody", "topic": "/Order/Created", "handler": "on_order"})
        executor.setup_message_bus()  # "if agent_name in self.nodes": the one of nobody is left out
        executor.bus.publish("/Order/Created", {"id": 1, "sku": "apple"})
        assert executor.nodes["Inventory"].log == [1]

    def test_nodes_can_be_asked_for(self, executor):
        """ "get_node(name) -> Optional[GraphBusNode]", "get_all_nodes()"."""
        assert executor.get_node("Shop") is executor.nodes["Shop"]
        assert executor.get_node("Nobody") is None
        assert executor.get_all_nodes() == executor.nodes

    def test_who_publishes(self, executor):
        """ "publish(topic, payload, source='runtime')": to history with that source."""
        executor.publish("/Any", {})
        executor.publish("/Any", {}, source="me")
        assert [event.src for event in executor.bus.get_message_history(2)] == ["me", "runtime"]

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

    def test_the_standard_workflow(self, shop):
        """ "1. Initialize" to "6. Stop", as it is written there."""
        executor = RuntimeExecutor(str(shop))
        executor.start()
        result = executor.call_method("Inventory", "check_stock", sku="apple")
        executor.publish("/Order/Created", {"id": result["left"], "sku": "apple"}, source="Shop")
        stats, node = executor.get_stats(), executor.get_node("Inventory")
        executor.stop()
        assert (stats["nodes_count"], node.log, executor.is_running) == (2, [3], False)

    def test_the_message_flow(self, executor):
        """Steps 1 to 6: an Event object, the router's handlers, the payload, the next event."""
        event = executor.bus.publish("/Order/Created", {"id": 9, "sku": "apple"}, source="Producer")
        assert (type(event).__name__, event.src) == ("Published", "Producer")
        assert isinstance(event, Event)
        inventory = executor.get_node("Inventory")
        assert executor.router.get_handlers_for_topic("/Order/Created") == [(inventory, "on_order")]
        after = executor.bus.get_message_history(1)[0]
        assert (after.topic, after.src, after.payload, after.cause) == (
            "/Order/Accepted",
            "Inventory",
            {"id": 9},
            event.event_id,
        )

    def test_a_handler_may_publish_the_next_event(self, executor):
        """ "6. Handler processes and may publish next event"."""
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
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True)
        assert done.stdout.strip() == "[]"

    def test_code_cannot_be_modified(self, shop):
        """ "Code cannot be modified": a frozen source that is altered by one byte does not run."""
        frozen = next(path for path in shop.rglob("*.py") if path.name == "shop.py")
        frozen.write_bytes(frozen.read_bytes().replace(b"I sell.", b"I sell!"))
        with pytest.raises(ArtifactError, match=r"shop\.py"):
            RuntimeExecutor(str(shop)).start()

    def test_no_model_is_loaded_by_a_run(self, shop):
        """ "No proposals or evaluations", "No LLM calls": after a whole run nothing of either is in the process."""
        code = (
            "import sys\n"
            "from graphbus_core.runtime import run_runtime\n"
            "run = run_runtime(sys.argv[1]); run.call_method('Shop', 'order', id=1); run.stop()\n"
            "bad = ('negotiation', 'participants', 'build')\n"
            "print([m for m in sys.modules if m.split('.')[0] in ('pydantic_ai', 'anthropic', 'openai')\n"
            "       or m.split('.')[:1] == ['graphbus_core'] and m.split('.')[1:2] and m.split('.')[1] in bad])"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, str(shop)], capture_output=True, text=True, timeout=120, check=True
        )
        assert done.stdout.strip() == "[]"

    def test_agents_are_metadata_only(self, executor):
        """ "Agents are dormant metadata only": a prompt to read, and a node that speaks for nobody."""
        prompts = {agent.name: agent.system_prompt.text for agent in executor.agent_definitions}
        assert prompts == {"Inventory": "I keep the stock.", "Shop": "I sell."}
        assert not any(node.is_build_mode() for node in executor.nodes.values())
        assert executor.get_node("Shop").propose(None) is None

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

    @pytest.mark.parametrize(
        ("tick", "held_by"),
        [
            ("Artifact loading and validation", TestSection52.test_it_loads_and_validates),
            ("Dynamic node instantiation", TestSection55.test_nodes_are_instances_of_the_built_classes),
            ("Synchronous pub/sub message bus", TestSection53.test_synchronous_routing),
            ("Smart event routing with signature detection", TestSection54.test_smart_signature_detection),
            ("Direct method invocation", TestSection55.test_direct_calls),
            ("Message history tracking", TestSection53.test_history),
            ("Runtime statistics and monitoring", TestSection55.test_statistics),
            ("Error isolation", TestSection53.test_one_failure_stops_nobody),
            ("Configurable message bus (can be disabled)", TestSection55.test_the_bus_may_be_left_out),
        ],
    )
    def test_each_tick_is_held_above(self, tick, held_by):
        """ "Implemented Features": by the test of that section; "Multiple subscribers per topic" stands below."""
        assert held_by.__doc__, tick

    def test_async_handlers(self, bus):
        """ "Async/await support for event handlers"."""
        got = []

        async def hears(event):
            got.append(event.payload["n"])

        bus.subscribe("/T", hears, "s")
        bus.publish("/T", {"n": 1})
        bounded_run(bus.apublish("/T", {"n": 2}))
        assert got == [1, 2]

    def test_persistent_storage(self, shop, tmp_path):
        """ "save/restore runtime state"."""
        file = str(tmp_path / "state.json")
        for _ in range(2):
            with RuntimeExecutor(RuntimeConfig(artifacts_dir=str(shop), state_file=file)) as executor:
                executor.publish("/Order/Created", {"id": 1, "sku": "apple"})
        assert executor.nodes["Inventory"].log == [1, 1]

    def test_distributed_execution(self, shop):
        """ "nodes across processes/machines": each node in a runtime of its own, over what carries bytes."""
        hub = Hub()
        ends = [RuntimeExecutor(str(shop), transport=InProcess(hub), nodes={name}) for name in ("Inventory", "Shop")]
        with ends[0], ends[1] as sells:
            assert sells.call_method("Shop", "order", id=1) == {"sold": True}
            until(lambda: sells.nodes["Shop"].accepted == [("/Order/Accepted", 1)])
        assert ends[0].nodes["Inventory"].log == [1]

    def test_metrics(self, executor):
        """ "Metrics export": for each topic what was published, delivered and failed."""
        executor.publish("/Order/Created", {"id": 1, "sku": "apple"})
        topics = executor.get_stats()["message_bus"]["topics"]
        one = {"published": 1, "delivered": 1, "failed": 0, "dropped": 0, "in_flight": 0}
        assert topics == {"/Order/Created": one, "/Order/Accepted": one}

    def test_replay(self, shop, tmp_path):
        """ "Event replay for debugging": a journal played back leads to the same events."""
        file = str(tmp_path / "run.jsonl")
        with RuntimeExecutor(RuntimeConfig(artifacts_dir=str(shop), journal=file)) as first:
            first.publish("/Order/Created", {"id": 1, "sku": "apple"})
        with RuntimeExecutor(str(shop)) as again:
            replay(read_journal(file), again)
        events = [(event.event_id, event.payload) for event in again.bus.get_message_history()]
        assert [payload for _, payload in events] == [{"id": 1}, {"id": 1, "sku": "apple"}]

    def test_middleware(self, bus):
        """ "Handler middleware for cross-cutting concerns"."""
        got = []
        bus.use(lambda event, next: next(Event("e", event.topic, "m", {"n": event.payload["n"] + 1})))
        bus.subscribe("/T", lambda event: got.append(event.payload["n"]), "s")
        bus.publish("/T", {"n": 1})
        assert got == [2]

    def test_type_validation(self, shop):
        """ "Type validation for payload schemas"."""
        with RuntimeExecutor(RuntimeConfig(artifacts_dir=str(shop), payload_checks="enforce")) as executor:
            with pytest.raises(PayloadRejected, match="id"):
                executor.publish("/Order/Created", {"id": "one", "sku": "apple"})
            assert executor.get_node("Inventory").log == []
