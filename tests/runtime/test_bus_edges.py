"""What is not a topic, no handler or no retry is refused where it is written, with a name."""

import pytest

import graphbus_core
from graphbus_core.config import RuntimeConfig
from graphbus_core.errors import BadHandler, BadPayload, ConfigError, NodeFailed
from graphbus_core.model.message import Event
from graphbus_core.model.topic import Topic
from graphbus_core.runtime.event_router import EventRouter
from graphbus_core.runtime.executor import RuntimeExecutor
from graphbus_core.runtime.message_bus import MessageBus
from graphbus_core.runtime.subscriptions.handlers import Form, Retry, detect_form

KEPT_AS_TEXT = """
from __future__ import annotations
from typing import TypedDict
from graphbus_core import Event as Happening

class Order(TypedDict):
    id: int

def typed(order: Order): ...
def happening(what: Happening): ...
def unknown(what: Elsewhere): ...
"""


@pytest.fixture
def bus():
    return MessageBus()


class TestTopics:
    def test_a_topic_is_taken_back_as_it_was_given(self, bus):
        got = []
        bus.subscribe(Topic("/T"), got.append, "h")
        bus.publish(Topic("/T"), {"n": 1})
        assert bus.get_subscribers(Topic("/T")) == ["h"]
        bus.unsubscribe(Topic("/T"), got.append)
        bus.publish("/T", {"n": 2})
        assert [event.payload for event in got] == [{"n": 1}]

    @pytest.mark.parametrize("topic", [None, ["a"], b"/T", 3, ""])
    def test_what_is_no_topic_is_refused(self, bus, topic):
        with pytest.raises(BadPayload, match="topic"):
            bus.publish(topic, {})
        with pytest.raises(BadHandler, match="topic"):
            bus.subscribe(topic, print, "h")
        assert bus.get_stats()["messages_published"] == 0


@pytest.mark.parametrize(
    ("name", "alone", "form"),
    [
        ("typed", Form.EVENT, Form.PAYLOAD),
        ("happening", Form.PAYLOAD, Form.EVENT),
        ("unknown", Form.EVENT, Form.EVENT),
        ("unknown", Form.PAYLOAD, Form.PAYLOAD),
    ],
)
def test_annotations_that_are_kept_as_text_mean_what_they_name(name, alone, form):
    names = {"__name__": "made"}
    exec(KEPT_AS_TEXT, names)
    assert detect_form(names[name], alone=alone, name="h") is form


@pytest.mark.parametrize("backoff_s", [float("nan"), float("inf"), -1.0])
def test_a_backoff_is_a_number_of_seconds(backoff_s):
    with pytest.raises(ConfigError, match="backoff"):
        Retry(2, backoff_s)


def test_routing_to_a_method_that_is_not_there_is_counted_and_not_raised(bus):
    class Node(graphbus_core.GraphBusNode):
        pass

    EventRouter(bus).route_event_to_node(Node(), "nope", Event("e", "/T", "me", {}))
    assert bus.get_stats()["errors"] == 1
    assert [one.subscriber for one in bus.dead_letters] == ["Node.nope"]


class TestNodes:
    SOURCE = """
        from graphbus_core import GraphBusNode, subscribe


        class Good(GraphBusNode):
            SYSTEM_PROMPT = "x"


        class Eager(GraphBusNode):
            SYSTEM_PROMPT = "x"

            @subscribe("/T", retries=101)
            def on_t(self, payload):
                pass
    """

    def test_retries_that_cannot_be_name_the_node_and_are_skipped_with_it(self, make_build):
        folder = str(make_build({"agents/n.py": self.SOURCE}))
        with pytest.raises(NodeFailed, match=r"Eager.*101"):
            RuntimeExecutor(folder).start()
        with RuntimeExecutor(RuntimeConfig(artifacts_dir=folder, skip_broken=True)) as executor:
            assert list(executor.nodes) == ["Good"]
            assert "101" in executor.broken["Eager"]

    @pytest.mark.parametrize("attribute", ["context", "mode"])
    def test_a_name_that_is_taken_on_a_node_is_refused_with_its_meaning(self, attribute):
        class Node(graphbus_core.GraphBusNode):
            pass

        with pytest.raises(AttributeError, match=rf"self\.{attribute}` is taken on every node"):
            setattr(Node(), attribute, {})


def test_authors_import_event_from_the_package():
    assert graphbus_core.Event is Event
