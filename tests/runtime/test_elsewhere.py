"""Programs written for GraphBus elsewhere run unmodified: their forms, beyond those of seed 002."""

import inspect

import pytest

from graphbus_core import GraphBusNode, subscribe
from graphbus_core.build.builder import build_project
from graphbus_core.config import BuildConfig, RuntimeConfig
from graphbus_core.model.topic import Topic
from graphbus_core.runtime.executor import RuntimeExecutor, run_runtime
from graphbus_core.runtime.message_bus import MessageBus


def test_a_config_may_be_given_for_the_folder(shop):
    executor = RuntimeExecutor(RuntimeConfig(artifacts_dir=str(shop), enable_message_bus=False))
    executor.start()
    assert executor.message_bus is None
    executor.stop()


def test_subscriptions_read_as_dicts_and_as_objects(shop):
    with run_runtime(str(shop)) as executor:
        subscription = next(s for s in executor.subscriptions if s["agent"] == "Inventory")
        assert (subscription["topic"], subscription["handler"]) == ("/Order/Created", "on_order")
        assert (subscription.node_name, subscription.topic) == ("Inventory", Topic("/Order/Created"))
        assert subscription.handler_name == "on_order"


def test_no_build_is_also_a_file_not_found(tmp_path):
    with pytest.raises(FileNotFoundError):
        run_runtime(str(tmp_path / "none"))


def test_a_node_that_must_be_named_is(make_build):
    build = make_build(
        {
            "agents/arbiter.py": """
                from graphbus_core.node_base import GraphBusNode


                class Arbiter(GraphBusNode):
                    SYSTEM_PROMPT = "a"
                    IS_ARBITER = True

                    def __init__(self, name, bus=None, memory=None):
                        super().__init__(bus, memory)
                        self.title = name
            """
        }
    )
    with run_runtime(build) as executor:
        assert executor.nodes["Arbiter"].title == "Arbiter"


def test_nodes_may_be_wired_to_a_bus_by_hand():
    class Notifier(GraphBusNode):
        def __init__(self, bus: MessageBus | None = None, memory=None) -> None:
            super().__init__(bus=bus, memory=memory)
            self.seen = []

        @subscribe("/Auth/UserRegistered")
        def on_user_registered(self, payload: dict) -> None:
            self.seen.append(payload["name"])

    bus = MessageBus()
    node = Notifier(bus=bus)
    for name, method in inspect.getmembers(node, predicate=inspect.ismethod):
        topic = getattr(method, "_graphbus_subscribe_topic", None)
        if topic is not None:
            bus.subscribe(topic, method, subscriber_name=f"Notifier.{name}")
    node.bus.publish("/Auth/UserRegistered", {"name": "ada"}, source="Auth")
    assert node.seen == ["ada"]


def test_build_scripts_may_say_enable_agents_and_give_a_dict(tmp_path):
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents/a.py").write_text(
        "from graphbus_core import GraphBusNode\n\n\nclass A(GraphBusNode):\n    SYSTEM_PROMPT = 'a'\n"
    )
    config = BuildConfig(root_package=str(tmp_path), output_dir=str(tmp_path / ".graphbus"))
    config.llm_config = {"model": "scripted:none", "api_key": None}
    artifacts = build_project(config, enable_agents=False)
    assert (artifacts.agents_count, artifacts.topics_count) == (1, 0)
